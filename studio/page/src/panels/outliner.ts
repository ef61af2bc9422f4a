// The scene as a tree: bodies, joints and connections.
import type { Editor } from '../model/editor';
import type { Kind, Store } from '../model/store';
import { h, icon } from '../ui/dom';
import { type Row, Rows } from '../ui/rows';
import { t } from '../ui/texts';

const shapeIcon: Record<string, string> = { fixed_point: 'point', point_mass: 'point', hull: 'box', compound: 'box' };
const kHeight = 27; // px, of a row

export function makeOutliner(store: Store, editor: Editor) {
  const filter = h('input', { type: 'search', placeholder: t('filter'), 'aria-label': t('filter') });
  const tree = h('div', { class: 'tree', role: 'tree', 'aria-label': t('outliner'), 'aria-multiselectable': 'true', tabindex: 0 });
  const element = h('section', { class: 'panel outliner', 'aria-label': t('outliner') }, h('header', {}, h('h2', {}, t('outliner')), filter), tree);

  const rows = new Rows(tree, kHeight, t('outliner'));

  const choose = (name: string, kind: Kind, many: boolean) => {
    const old = store.selectionKind === kind ? store.selection : [];
    if (!many || kind !== 'body') store.select([name], kind);
    else store.select(old.includes(name) ? old.filter((n) => n !== name) : [...old, name], kind);
  };
  const rename = (row: HTMLElement, section: string, name: string) => {
    const input = h('input', { value: name, 'aria-label': t('name'), class: 'rename' });
    const done = (keep: boolean) => {
      input.onblur = null;
      if (keep) void editor.rename(section, name, input.value.trim());
      paint();
    };
    input.onkeydown = (e) => {
      e.stopPropagation();
      if (e.key === 'Enter') done(true);
      if (e.key === 'Escape') done(false);
    };
    input.onblur = () => done(true);
    row.replaceChildren(input);
    input.select();
  };
  const makeRow = (name: string, kind: Kind, glyph: string, note: string, section: string, own: boolean) => {
    const row = h(
      'div',
      {
        class: 'row',
        role: 'treeitem',
        'aria-level': 2,
        'aria-selected': store.selectionKind === kind && store.selection.includes(name),
        'data-name': name,
        'data-kind': kind,
        onclick: (e: MouseEvent) => choose(name, kind, e.shiftKey || e.ctrlKey || e.metaKey),
        ondblclick: () => own && rename(row, section, name),
      },
      icon(glyph),
      h('span', { class: 'name' }, name),
      h('span', { class: 'note' }, note),
    );
    return row;
  };
  const paint = () => {
    const scene = store.scene;
    if (!scene) return;
    const wanted = filter.value.trim().toLowerCase();
    const fits = (...texts: string[]) => !wanted || texts.some((x) => x.toLowerCase().includes(wanted));
    const bodies = scene.bodies.filter((b) => fits(b.name, b.shape.type, b.material));
    const joints = scene.joints.filter((j) => fits(j.name, j.type));
    const group = (label: string, members: Row[]): Row[] =>
      members.length ? [{ key: `group ${label}`, make: () => h('div', { class: 'group', role: 'treeitem', 'aria-level': 1, 'aria-expanded': 'true' }, label, h('span', { class: 'count' }, String(members.length))) }, ...members] : [];
    const one = (...args: Parameters<typeof makeRow>): Row => ({ key: `${args[1]} ${args[0]}`, make: () => makeRow(...args) });
    const forces = scene.forces.filter((f) => fits(f.name, 'force', f.body));
    const cameras = scene.cameras.filter((c) => fits(c.name, 'camera', c.type));
    const lights = scene.lights.map((l, i) => ({ ...l, key: l.name || `#${i}` })).filter((l) => fits(l.key, 'light', l.type));
    const span = (f: { from: number; until?: number }) => `${Number(f.from.toFixed(2))} – ${f.until === undefined ? '∞' : Number(f.until.toFixed(2))} s`;
    rows.set([
      ...group(t('bodies'), bodies.map((b) => one(b.name, 'body', shapeIcon[b.shape.type] ?? b.shape.type, b.motion === 'dynamic' ? b.material : t(b.motion), 'bodies', b.own))),
      ...group(t('joints'), joints.map((j) => one(j.name, 'joint', 'connect', j.type, j.section, j.own))),
      ...group(t('forces'), forces.map((f) => one(f.name, 'force', 'force', span(f), 'forces', f.own))),
      ...group(t('cameras'), cameras.map((c) => one(c.name, 'camera', 'camera', c.auto ? t('automatic') : c.body ? `${c.type}: ${c.body}` : c.type, 'cameras', c.own))),
      ...group(t('lights'), lights.map((l) => one(l.key, 'light', 'light', l.type, 'lights', !!l.name))),
    ]);
  };
  const mark = () => {
    const last = rows.indexOf(`${store.selectionKind} ${store.selection[store.selection.length - 1]}`);
    if (last >= 0) rows.reveal(last);
    const picked = new Set(store.selection);
    for (const row of tree.querySelectorAll<HTMLElement>('.row')) row.setAttribute('aria-selected', String(row.dataset.kind === store.selectionKind && picked.has(row.dataset.name!)));
  };
  tree.addEventListener('keydown', (e) => {
    const at = rows.indexOf(`${store.selectionKind} ${store.selection[store.selection.length - 1]}`);
    const go = (from: number, step: 1 | -1) => {
      let i = from;
      while (rows.at(i)?.key.startsWith('group ')) i += step;
      const row = rows.at(i);
      if (!row) return;
      e.preventDefault();
      e.stopPropagation();
      const kind = row.key.slice(0, row.key.indexOf(' '));
      choose(row.key.slice(kind.length + 1), kind as Kind, e.shiftKey);
    };
    if (e.key === 'ArrowDown') go(at + 1, 1);
    if (e.key === 'ArrowUp') go(at - 1, -1);
    if (e.key === 'Home') go(0, 1);
    if (e.key === 'End') go(rows.length - 1, -1);
    const row = [...tree.querySelectorAll<HTMLElement>('.row')].find((r) => `${r.dataset.kind} ${r.dataset.name}` === rows.at(at)?.key);
    if (e.key === 'F2' && row) {
      e.stopPropagation();
      row.dispatchEvent(new MouseEvent('dblclick'));
    }
  });
  filter.oninput = paint;
  store.on('scene', paint);
  store.on('selection', mark);
  return { element, paint };
}
