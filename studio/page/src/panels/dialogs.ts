// The gallery, files and the keyboard map.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { type Toasts, h } from '../ui/dom';
import { t } from '../ui/texts';

export function dialog(title: string, ...content: HTMLElement[]) {
  const element = h('dialog', { 'aria-label': title });
  const close = () => element.close();
  element.append(h('header', {}, h('h2', {}, title), h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: close }, '×')), ...content);
  element.addEventListener('close', () => element.remove());
  element.addEventListener('keydown', (e) => e.stopPropagation());
  element.addEventListener('click', (e) => e.target === element && close());
  document.body.append(element);
  element.showModal();
  return close;
}

export function openGallery(store: Store, editor: Editor, opened: () => void) {
  const grid = h('div', { class: 'gallery' });
  const search = h('input', { type: 'search', placeholder: t('filter'), 'aria-label': t('filter') });
  let close = () => {};
  const offers: { name: string; title?: string; description?: string; tags?: string[] }[] = store.hello.gallery ?? [];
  const paint = () => {
    const wanted = search.value.toLowerCase();
    grid.replaceChildren(
      ...offers
        .filter((o) => !wanted || JSON.stringify(o).toLowerCase().includes(wanted))
        .map((offer) => {
          const file = `previews/${offer.name.replaceAll('/', '-')}.jpg`;
          const picture = store.previews.has(file) && h('img', { src: file, alt: '', loading: 'lazy' });
          return h(
            'button',
            {
              type: 'button',
              class: 'card',
              'data-scene': offer.name,
              onclick: async () => {
                close();
                if (await editor.load({ gallery: offer.name })) opened();
              },
            },
            h('div', { class: 'picture' }, picture),
            h('strong', {}, offer.title ?? offer.name),
            h('span', {}, offer.description ?? offer.name),
          );
        }),
    );
  };
  search.oninput = paint;
  paint();
  close = dialog(t('gallery'), search, grid);
}

export function openFiles(store: Store, editor: Editor, opened: () => void) {
  const chooser = h('input', { type: 'file', accept: '.json,.world', hidden: true });
  const own = store.hello.capabilities?.includes('files');
  const list = h('div', { class: 'files' });
  const load = async (values: Record<string, unknown>) => {
    if (await editor.load(values)) opened();
  };
  chooser.onchange = async () => {
    const file = chooser.files?.[0];
    const text = file ? await file.text() : '';
    // a project has takes besides the scene
    const project = text.includes('"tenon_project"') ? JSON.parse(text) : null;
    if (file) await load(project?.tenon_project ? { project } : { text, name: file.name });
    close();
  };
  if (!own) {
    chooser.click();
    return;
  }
  const close = dialog(t('open'), h('button', { type: 'button', class: 'wide', onclick: () => chooser.click() }, t('from_computer')), list, chooser);
  void editor.request('files').then((answer) => {
    for (const file of answer?.files ?? [])
      list.append(h('button', { type: 'button', onclick: () => (close(), void load({ file })) }, file));
  });
}

export async function saveScene(store: Store, editor: Editor, toasts: Toasts) {
  const own = store.hello.capabilities?.includes('files');
  const said = (name: string, cuts: number) => toasts.show(cuts ? t('saved_cuts', { name, n: cuts }) : t('saved', { name }));
  const base = (store.scene?.name ?? 'scene.json').replace(/.*\//, '').replace(/\.\w+$/, '') + '.json';
  if (!own) {
    const answer = await editor.request('text');
    if (!answer) return;
    const link = h('a', { href: URL.createObjectURL(new Blob([answer.text], { type: 'application/json' })), download: base });
    link.click();
    URL.revokeObjectURL(link.href);
    return said(base, answer.cuts);
  }
  const input = h('input', { type: 'text', value: base, 'aria-label': t('file_name') });
  const save = async () => {
    const answer = await editor.request('save', { file: input.value.trim() });
    if (!answer) return;
    close();
    said(answer.file, answer.cuts);
  };
  input.onkeydown = (e) => e.key === 'Enter' && void save();
  const close = dialog(t('save'), h('div', { class: 'row-fields' }, input, h('button', { type: 'button', class: 'primary', onclick: () => void save() }, t('save'))));
}

// Scene, takes, edits in mid-run, sync points, history: all of it, as one file.
export async function saveProject(store: Store, editor: Editor) {
  const answer = await editor.request('project');
  if (!answer) return;
  const base = (store.scene?.name ?? 'scene').replace(/.*\//, '').replace(/\.\w+$/, '') + '.project.json';
  const link = h('a', { href: URL.createObjectURL(new Blob([JSON.stringify(answer.project)], { type: 'application/json' })), download: base });
  link.click();
  URL.revokeObjectURL(link.href);
}

// One line of text or a number.
export function askFor(title: string, fields: { label: string; value: string }[], done: (values: string[]) => void) {
  const inputs = fields.map((f) => h('input', { type: 'text', value: f.value, 'aria-label': f.label }));
  const finish = () => {
    close();
    done(inputs.map((i) => i.value.trim()));
  };
  const rows = fields.map((f, i) => h('label', { class: 'ask' }, h('span', {}, f.label), inputs[i]));
  const form = h('form', { class: 'asking', onsubmit: (e: Event) => (e.preventDefault(), finish()) }, ...rows, h('button', { type: 'submit', class: 'primary' }, 'OK'));
  const close = dialog(title, form);
  inputs[0]?.select();
}

// Which prefab is to be placed; the only one without asking.
export function choosePrefab(store: Store, use: (name: string) => void) {
  const all = store.namesOf('prefab');
  if (all.length < 2) return all[0] && use(all[0]);
  const close = dialog(t('place_prefab'), h('div', { class: 'choices' }, ...all.map((name) => h('button', { type: 'button', 'data-prefab': name, onclick: () => (close(), use(name)) }, name))));
}

export function openHelp(actions: { label: string; keys: string }[]) {
  dialog(t('help'), h('dl', { class: 'keys' }, ...actions.flatMap((a) => [h('dt', {}, ...a.keys.split(' / ').map((k) => h('kbd', {}, k))), h('dd', {}, a.label)])));
}
