// The bar above and the rail of tools: buttons of commands.
import type { Store } from '../model/store';
import { h, icon } from '../ui/dom';
import { t } from '../ui/texts';
import { keyWords } from './keys';

type Act = (id: string) => void;

export function makeRail(store: Store, setTool: Act, act: Act) {
  const button = (name: string, keys: string, glyph: string, perform: Act) => h('button', { type: 'button', class: 'icon tool', 'aria-label': t(name), title: `${t(name)} (${keyWords(keys)})`, onclick: () => perform(name) }, icon(glyph));
  const tool = (name: string, keys: string, glyph = name) => {
    const element = button(name, keys, glyph, setTool);
    element.dataset.tool = name;
    return element;
  };
  const doing = (name: string, keys: string, glyph: string) => {
    const element = button(name, keys, glyph, act);
    element.dataset.action = name;
    return element;
  };
  const snap = h('button', { type: 'button', class: 'icon tool snap', 'aria-label': t('snap'), title: t('snap'), onclick: () => ((store.snap = !store.snap), store.tell('tool')) }, icon('quad'));
  const element = h(
    'nav',
    { class: 'rail', 'aria-label': t('tools') },
    tool('move', 'W'),
    tool('turn', 'E'),
    tool('size', 'R'),
    tool('hand', 'A'),
    h('hr'),
    tool('box', 'Shift B'),
    tool('sphere', 'Shift S'),
    tool('cylinder', 'Shift Y'),
    tool('capsule', 'Shift C'),
    tool('fixed_point', 'Shift I', 'point'),
    h('hr'),
    tool('connect', 'C'),
    tool('force', 'V'),
    tool('measure', 'Shift M'),
    h('hr'),
    doing('drop', 'D', 'drop'),
    doing('duplicate', 'Ctrl D', 'copy'),
    doing('delete', 'Del', 'trash'),
    snap,
  );
  const paint = () => {
    for (const b of element.querySelectorAll<HTMLElement>('[data-tool]')) {
      const name = b.dataset.tool!;
      const on = store.tool === 'select' ? name === { translate: 'move', rotate: 'turn', scale: 'size' }[store.gizmo] : name === store.tool;
      b.setAttribute('aria-pressed', String(on));
    }
    snap.setAttribute('aria-pressed', String(store.snap));
  };
  store.on('tool', paint);
  paint();
  return element;
}

// A button for glasses, where there are some.
export function addGlasses(top: HTMLElement, enter: () => void) {
  top.lastElementChild!.prepend(h('button', { type: 'button', class: 'icon bar', 'aria-label': t('glasses'), title: t('glasses'), 'data-action': 'xr', onclick: enter }, icon('stereo')));
}

export function makeTop(store: Store, act: Act, rename: () => void) {
  const bar = (name: string, label: string, id: string, text = false) => h('button', { type: 'button', class: text ? 'bar' : 'icon bar', 'aria-label': label, title: label, 'data-action': name, onclick: () => act(id) }, icon(name), text && h('span', {}, label));
  const undo = bar('undo', t('undo'), 'undo');
  const redo = bar('redo', t('redo'), 'redo');
  const title = h('button', { type: 'button', class: 'scene-title', title: t('title'), onclick: rename });
  const element = h(
    'header',
    { class: 'top' },
    h('div', { class: 'brand' }, h('b', {}, 'Tenon'), h('span', {}, t('studio'))),
    title,
    h('div', { class: 'cluster' }, undo, redo),
    h('div', { class: 'grow' }),
    h('div', { class: 'cluster' }, bar('file', t('new'), 'new', true), bar('gallery', t('gallery'), 'gallery', true), bar('open', t('open'), 'open', true), bar('import', t('import'), 'import'), bar('save', t('save'), 'save', true), bar('share', t('copy_link'), 'link')),
    h('div', { class: 'cluster film-cluster' }, bar('camera', t('camera_here'), 'camera_here'), bar('film', t('film_mode'), 'film_mode', true), bar('play', t('render'), 'render', true)),
    h('div', { class: 'cluster' }, bar('quad', t('quad'), 'quad'), bar('stereo', t('stereo'), 'stereo'), bar('theme', t('theme'), 'theme'), bar('world', t('language'), 'language'), bar('palette', `${t('commands')} (${keyWords('Ctrl K')})`, 'palette'), bar('help', t('help'), 'help')),
  );
  store.on('state', () => {
    const s = store.state!;
    undo.disabled = s.undo === undefined;
    redo.disabled = s.redo === undefined;
    undo.title = `${t('undo')}${s.undo ? `: ${s.undo}` : ''} (${keyWords('Ctrl Z')})`;
    redo.title = `${t('redo')}${s.redo ? `: ${s.redo}` : ''} (${keyWords('Ctrl Shift Z')})`;
  });
  store.on('scene', () => {
    const scene = store.scene!;
    title.textContent = scene.title || scene.name;
    document.title = `${scene.title || scene.name} – Tenon Studio`;
  });
  return element;
}
