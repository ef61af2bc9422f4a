// The gallery and files.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { type Toasts, h } from '../ui/dom';
import { offerText } from '../ui/gallery_texts';
import { t } from '../ui/texts';
import type { Preview } from '../app/preview';
import { earlierWork, workOf } from '../app/recent';

export function dialog(title: string, ...content: HTMLElement[]) {
  const element = h('dialog', { 'aria-label': title });
  // at once: its event waits for the next picture, and a new dialog may be asked for before that
  const close = () => {
    element.close();
    element.remove();
  };
  element.append(h('header', {}, h('h2', {}, title), h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: close }, '×')), ...content);
  element.addEventListener('close', () => element.remove());
  element.addEventListener('keydown', (e) => e.stopPropagation());
  element.addEventListener('click', (e) => e.target === element && close());
  document.body.append(element);
  element.showModal();
  // what is asked for, not the cross
  const first = content.flatMap((c) => [c, ...c.querySelectorAll<HTMLElement>('*')]).find((c) => c.matches('input:not([type=file]), select, textarea, button, [tabindex]') && !c.hidden);
  first?.focus();
  if (first instanceof HTMLInputElement && first.type === 'text') first.setSelectionRange(0, first.value.replace(/\.\w+$/, '').length);
  return close;
}

export function openGallery(store: Store, editor: Editor, opened: (name: string) => void, preview: Preview) {
  let close = () => {};
  const content = galleryCards(store, editor, opened, () => close(), preview);
  close = dialog(t('gallery'), ...content);
  content[0].closest('dialog')!.addEventListener('close', () => preview.close());
}
const favourites = ['cradle', 'showpiece', 'can-toss', 'dominoes', 'double-pendulum', 'gears', 'card-house', 'connections', 'carousel', 'tank', 'aero/pendulum-5', 'aero/can-toss', 'aero/vehicle-on-ice'];
export function galleryCards(store: Store, editor: Editor, opened: (name: string) => void, chosen: () => void, preview: Preview): HTMLElement[] {
  const grid = h('div', { class: 'gallery' });
  const search = h('input', { type: 'search', placeholder: t('filter'), 'aria-label': t('filter') });
  const offers: { name: string; title?: string; description?: string; tags?: string[] }[] = store.hello.gallery ?? [];
  const card = (offer: (typeof offers)[number]): HTMLElement => {
    const file = `previews/${offer.name.replaceAll('/', '-')}.jpg`;
    const picture = store.previews.has(file) && h('img', { src: file, alt: '', loading: 'lazy' });
    const said = offerText(offer);
    const frame = h('div', { class: 'picture' }, picture);
    return h(
      'button',
      {
        type: 'button',
        class: 'card',
        onpointerenter: (e: PointerEvent) => e.pointerType !== 'touch' && preview.show(offer.name, frame),
        onpointerleave: () => preview.hide(),
        onfocus: (e: FocusEvent) => (e.currentTarget as HTMLElement).matches(':focus-visible') && preview.show(offer.name, frame),
        onblur: () => preview.hide(),
        'data-scene': offer.name,
        onclick: async () => {
          chosen();
          if (await editor.load({ gallery: offer.name })) opened(offer.name);
        },
      },
      frame,
      h('strong', {}, said.title),
      h('span', {}, said.description),
      h('div', { class: 'tags' }, ...said.tags.slice(0, 4).map((tag) => h('i', {}, tag))),
    );
  };
  const paint = () => {
    const wanted = search.value.toLowerCase();
    const found = offers.filter((o) => !wanted || JSON.stringify([o, offerText(o)]).toLowerCase().includes(wanted));
    // what everybody likes first, then by the folders of the gallery
    const sectionOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'scenes');
    const sections = [...new Set(['scenes', 'aero', ...found.map((o) => sectionOf(o.name))])].map((name) => ({ name, offers: found.filter((o) => sectionOf(o.name) === name) })).filter((x) => x.offers.length);
    const first = (name: string) => (favourites.indexOf(name) + 1 || 99);
    grid.replaceChildren(...sections.flatMap(({ name, offers }) => [h('h3', {}, t(`gallery_${name}`)), ...offers.sort((a, b) => first(a.name) - first(b.name)).map(card)]));
    if (!found.length) grid.replaceChildren(h('p', { class: 'hint' }, t('nothing_found')));
  };
  search.oninput = paint;
  paint();
  return [search, grid];
}

// A project has takes besides the scene; one that is damaged is refused as a text would be, with the
// place of what is wrong.
export function openable(text: string, name: string): Record<string, unknown> {
  try {
    const project = text.includes('"tenon_project"') ? JSON.parse(text) : null;
    if (project?.tenon_project) return { project };
  } catch {
    // the engine says where it breaks off
  }
  return { text, name };
}

export function openFiles(store: Store, editor: Editor, opened: () => void, sendFiles: (work: string) => Promise<void>) {
  const chooser = h('input', { type: 'file', accept: '.json,.world', hidden: true });
  const own = store.hello.capabilities?.includes('files');
  const list = h('div', { class: 'files' });
  const load = async (values: Record<string, unknown>) => {
    if (await editor.load(values)) opened();
  };
  chooser.onchange = async () => {
    const file = chooser.files?.[0];
    close();
    if (file) await load(openable(await file.text(), file.name));
  };
  let close = () => {};
  if (!own) {
    chooser.click();
    return;
  }
  close = dialog(t('open'), h('button', { type: 'button', class: 'wide', onclick: () => chooser.click() }, t('from_computer')), h('button', { type: 'button', class: 'wide', onclick: () => (close(), void openRecent(editor, opened, sendFiles)) }, `${t('recent')} …`), list, chooser);
  void editor.request('files').then((answer) => {
    if (!answer?.files?.length) list.append(h('p', { class: 'hint' }, t('no_files')));
    for (const file of answer?.files ?? [])
      list.append(h('button', { type: 'button', onclick: () => (close(), void load({ file })) }, file));
  });
}

// Work that something else was opened over, the latest first.
export async function openRecent(editor: Editor, opened: () => void, sendFiles: (work: string) => Promise<void>) {
  const all = await earlierWork();
  const list = all.map(({ key, name, when, takes }) =>
    h('button', { type: 'button', 'data-work': name, onclick: async () => {
      close();
      const project = await workOf(key);
      if (project) await sendFiles(JSON.stringify(project));
      if (project && (await editor.load({ project }))) opened();
    } }, `${name} – ${new Date(when).toLocaleString()}, ${t('tell_takes', { n: takes })}`),
  );
  const close = dialog(t('recent'), list.length ? h('div', { class: 'files' }, ...list) : h('p', { class: 'hint' }, t('recent_none')));
}

export async function saveScene(store: Store, editor: Editor, toasts: Toasts) {
  const own = store.hello.capabilities?.includes('files');
  const said = (name: string, cuts: number) => toasts.show(cuts ? t('saved_cuts', { name, n: cuts }) : t('saved', { name }));
  const base = store.state?.file || (store.scene?.name ?? 'scene.json').replace(/.*\//, '').replace(/\.\w+$/, '') + '.json';
  if (!own) {
    const answer = await editor.request('text');
    if (!answer) return;
    const link = h('a', { href: URL.createObjectURL(new Blob([answer.text], { type: 'application/json' })), download: base });
    link.click();
    URL.revokeObjectURL(link.href);
    return said(base, answer.cuts);
  }
  const input = h('input', { type: 'text', value: base, 'aria-label': t('file_name') });
  const note = h('p', { class: 'problem', role: 'alert' });
  let sure = '';
  const save = async () => {
    const typed = input.value.trim();
    if (!typed) return void (note.textContent = t('name_wanted'));
    const file = /\.\w+$/.test(typed) ? typed : `${typed}.json`;
    // what is there and is not this scene is replaced when that is said twice
    const answer = await editor.save(file, sure === file);
    if (answer === 'taken') {
      sure = file;
      return void (note.textContent = t('file_there', { name: file }));
    }
    if (!answer) return;
    close();
    said(answer.file, answer.cuts);
  };
  // a handler that returns false takes the key away: nobody could type, or leave
  input.onkeydown = (e) => {
    if (e.key === 'Enter') void save();
  };
  const close = dialog(t('save'), h('div', { class: 'row-fields' }, input, h('button', { type: 'button', class: 'primary', onclick: () => void save() }, t('save'))), note);
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
