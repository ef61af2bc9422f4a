// The scene as a tree: bodies, instances with their parts, joints, forces, cameras, lights, prefabs.
import type { Editor } from '../model/editor';
import type { Body, Force, Joint, Kind, Store } from '../model/store';
import { h, icon, isCoarse } from '../ui/dom';
import { type Row as Listed, Rows } from '../ui/rows';
import { materialText, wordText } from '../ui/session_labels';
import { languageCode, t } from '../ui/texts';

const shapeIcon: Record<string, string> = { fixed_point: 'point', point_mass: 'point', hull: 'box', compound: 'box', mesh: 'box' };
const kHeight = isCoarse ? 40 : 27; // px, of a row

export function makeOutliner(store: Store, editor: Editor, hover: (names: string[]) => void) {
  const filter = h('input', { type: 'search', placeholder: t('filter'), title: t('filter_hint'), 'aria-label': t('filter') });
  const tree = h('div', { class: 'tree', role: 'tree', 'aria-label': t('outliner'), 'aria-multiselectable': 'true', tabindex: 0 });
  const element = h('section', { class: 'panel outliner', 'aria-label': t('outliner') }, h('header', {}, h('h2', {}, t('outliner')), filter), tree);

  const list = new Rows(tree, kHeight, t('outliner'));

  // All rows of a kind between what was chosen last and this one.
  const range = (name: string, kind: Kind): string[] | null => {
    const [from, to] = [list.indexOf(lastKey()), list.indexOf(`${kind} ${name}`)];
    if (store.selectionKind !== kind || from < 0 || to < 0) return null;
    const rows = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => list.at(Math.min(from, to) + i)!.key).filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1));
    return to < from ? rows.reverse() : rows;
  };
  const choose = (name: string, kind: Kind, many: boolean, all = false) => {
    const rows = all && (kind === 'body' || kind === 'instance') ? range(name, kind) : null;
    if (rows) return store.select([...store.selection.filter((n) => !rows.includes(n)), ...rows], kind);
    const old = store.selectionKind === kind ? store.selection : [];
    if (!many || (kind !== 'body' && kind !== 'instance')) store.select([name], kind);
    else store.select(old.includes(name) ? old.filter((n) => n !== name) : [...old, name], kind);
  };
  const rename = (row: HTMLElement, section: string, name: string) => {
    const input = h('input', { value: row.querySelector('.name')?.textContent ?? name, 'aria-label': t('name'), class: 'rename' });
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
  const folded = new Set<string>(); // instances open when asked, sections fold
  const opened = new Set<string>();
  interface Row {
    name: string;
    kind: Kind;
    glyph: string;
    note: string;
    section: string;
    own: boolean;
    level?: number;
    label?: string;
  }
  const makeRow = ({ name, kind, glyph, note, section, own, level = 2, label = name }: Row, expanded?: boolean) => {
    const row = h(
      'div',
      {
        class: 'row',
        role: 'treeitem',
        'aria-level': level,
        'aria-expanded': expanded,
        'aria-selected': store.selectionKind === kind && store.selection.includes(name),
        'data-name': name,
        'data-kind': kind,
        style: level > 2 ? `padding-left: ${8 + 18 * (level - 2)}px` : undefined,
        onclick: (e: MouseEvent) => choose(name, kind, e.shiftKey || e.ctrlKey || e.metaKey, e.shiftKey),
        ondblclick: () => own && rename(row, section, name),
        onmouseenter: () => hover(bodiesIn(name, kind)),
        onmouseleave: () => hover([]),
      },
      expanded !== undefined && h('span', { class: 'twisty', title: t(expanded ? 'fold' : 'unfold'), onclick: (e: MouseEvent) => (e.stopPropagation(), fold(name, expanded)) }, expanded ? '▾' : '▸'),
      icon(glyph),
      h('span', { class: 'name' }, label),
      h('span', { class: 'note' }, note),
      ...(kind === 'body' || kind === 'instance' ? [marker('hidden', name, kind), marker('locked', name, kind)] : []),
    );
    return row;
  };
  // An eye and a lock; by keyboard the commands for the selection.
  const bodiesIn = (name: string, kind: Kind) => (kind === 'instance' ? store.bodiesOf(name) : kind === 'body' ? [name] : kind === 'joint' ? [store.joint(name)?.a ?? '', store.joint(name)?.b ?? ''] : []);
  const marker = (what: 'hidden' | 'locked', name: string, kind: Kind) => {
    const names = bodiesIn(name, kind);
    const on = names.length > 0 && names.every((n) => store[what].has(n));
    const glyph = what === 'hidden' ? (on ? 'hidden' : 'eye') : on ? 'lock' : 'unlock';
    const toggle = (e: MouseEvent) => (e.stopPropagation(), store.mark(what, names, !on));
    return h('span', { class: `mark ${on ? 'on' : ''}`, 'data-mark': what, title: t(what === 'hidden' ? 'hide' : 'lock'), onclick: toggle, ondblclick: (e: MouseEvent) => e.stopPropagation() }, icon(glyph), on && h('span', { class: 'sr-only' }, t(`is_${what}`)));
  };
  const fold = (instance: string, close: boolean) => {
    if (close) opened.delete(instance);
    else opened.add(instance);
    paint();
  };
  const section = (label: string, count: number, rows: () => Listed[]): Listed[] => {
    const shut = folded.has(label);
    const toggle = () => (shut ? folded.delete(label) : folded.add(label), paint());
    const onkeydown = (e: KeyboardEvent) => {
      if (!(e.key === 'Enter' || e.key === ' ' || e.key === (shut ? 'ArrowRight' : 'ArrowLeft'))) return;
      e.preventDefault();
      e.stopPropagation();
      toggle();
      tree.querySelector<HTMLElement>(`[data-section="${CSS.escape(label)}"]`)?.focus();
    };
    const head = () => h('div', { class: 'group', role: 'treeitem', 'aria-level': 1, 'aria-expanded': !shut, tabindex: 0, 'data-section': label, onclick: toggle, onkeydown }, h('span', {}, h('span', { class: 'twisty', 'aria-hidden': 'true' }, shut ? '▸' : '▾'), label), h('span', { class: 'count' }, String(count)));
    return [{ key: `group ${label}`, make: head }, ...(shut ? [] : rows())];
  };
  const listed = (row: Row, expanded?: boolean): Listed => ({ key: `${row.kind} ${row.name}`, make: () => makeRow(row, expanded) });
  const span = (f: { from: number; until?: number }) => `${Number(f.from.toFixed(2))} – ${f.until === undefined ? '∞' : Number(f.until.toFixed(2))} s`;
  const cameraWord = (type: string) => (languageCode() === 'en' ? type : t(`camera_${type}`));
  const bodyRow = (b: Body): Row => ({ name: b.name, kind: 'body', glyph: shapeIcon[b.shape.type] ?? b.shape.type, note: b.motion === 'dynamic' ? materialText(b.material) : t(b.motion), section: 'bodies', own: b.own });
  const jointRow = (j: Joint): Row => ({ name: j.name, kind: 'joint', glyph: 'connect', note: wordText(j.type), section: j.section, own: j.own });
  const forceRow = (f: Force): Row => ({ name: f.name, kind: 'force', glyph: 'force', note: span(f), section: 'forces', own: f.own });
  const paint = () => {
    const scene = store.scene;
    if (!scene) return;
    const wanted = filter.value.trim().toLowerCase();
    // words, all of which must fit; "type:" and "material:" ask for just that
    const words = wanted.split(/\s+/).filter(Boolean).map((w) => /^(type|material):(.*)$/.exec(w) ?? [w, '', w]);
    const fits = (name: string, type = '', material = '') =>
      words.every(([, key, word]) => (key === 'type' ? type.toLowerCase().replaceAll('_', ' ').startsWith(word.replaceAll('_', ' ')) : key === 'material' ? material.toLowerCase().startsWith(word) : [name, type, material].some((x) => x.toLowerCase().includes(word))));
    const bodies = scene.bodies.filter((b) => fits(b.name, b.shape.type, b.material)).map(bodyRow);
    const joints = scene.joints.filter((j) => fits(j.name, j.type)).map(jointRow);
    const forces = scene.forces.filter((f) => fits(f.name, 'force', f.body)).map(forceRow);
    const cameras = scene.cameras.filter((c) => fits(c.name, 'camera', c.type)).map((c): Row => ({ name: c.name, kind: 'camera', glyph: 'camera', note: c.auto ? t('automatic') : c.body ? `${cameraWord(c.type)}: ${c.body}` : cameraWord(c.type), section: 'cameras', own: c.own }));
    const lights = scene.lights.map((l, i) => ({ ...l, key: l.name || `#${i}` })).filter((l) => fits(l.key, 'light', l.type)).map((l): Row => ({ name: l.key, kind: 'light', glyph: 'light', note: languageCode() === 'de' && l.type === 'point' ? t('lamp') : wordText(l.type), section: 'lights', own: !!l.name }));
    const prefabs = store.namesOf('prefab').filter((n) => fits(n, 'prefab')).map((n): Row => ({ name: n, kind: 'prefab', glyph: 'prefab', note: `${scene.instances.filter((i) => i.prefab === n).length}×`, section: 'prefabs', own: true }));
    const at = (step: number) => `${store.timeOf(step).toFixed(2)} s`;
    const moments = [
      ...store.syncs.filter((x) => x.here).map((x): Row & { step: number } => ({ name: String(x.id), label: x.name, kind: 'sync', glyph: 'sync', note: at(x.step), section: 'sync', own: true, step: x.step })),
      ...store.cuts.map((x): Row & { step: number } => ({ name: String(x.id), label: x.label, kind: 'cut', glyph: 'cut', note: at(x.at), section: 'cut', own: true, step: x.at })),
    ].filter((r) => fits(r.label!, r.kind)).sort((a, b) => a.step - b.step);
    const shots = scene.shots.map((s, i): Row => ({ name: String(i), label: s.camera, kind: 'shot', glyph: 'camera', note: `${Number(s.t.toFixed(3))} s`, section: 'shots', own: false })).filter((r) => fits(r.label!, 'shot'));
    // what belongs to an instance stands in it
    const loose = (rows: Row[]) => (scene.instances.length ? rows.filter((r) => !store.instanceOf(r.name)) : rows);
    const plain = (rows: Row[]) => rows.map((r) => listed(r));
    const parts = new Map<string, Row[]>(scene.instances.map((i) => [i.name, []]));
    if (parts.size) for (const row of [...bodies, ...joints, ...forces]) parts.get(store.instanceOf(row.name)?.name ?? '')?.push(row);
    const groups = scene.instances.map((i) => ({ i, rows: parts.get(i.name)! })).filter(({ i, rows }) => fits(i.name, i.prefab, 'instance') || rows.length);
    const instanceRows = () =>
      groups.flatMap(({ i, rows }) => {
        const open = opened.has(i.name) || (!!wanted && rows.length > 0);
        const head = listed({ name: i.name, kind: 'instance', glyph: 'prefab', note: i.prefab, section: 'instances', own: true }, open);
        return open ? [head, ...rows.map((r) => listed({ ...r, own: false, level: 3, label: r.name.slice(i.name.length + 1) }))] : [head];
      });
    const some = (label: string, rows: Row[]) => (rows.length ? section(label, rows.length, () => plain(rows)) : []);
    list.set([
      ...section(t('bodies'), loose(bodies).length, () => plain(loose(bodies))),
      ...(groups.length ? section(t('instances'), groups.length, instanceRows) : []),
      ...some(t('joints'), loose(joints)),
      ...some(t('forces'), loose(forces)),
      ...some(t('cameras'), cameras),
      ...some(t('shot_list'), shots),
      ...some(t('lights'), lights),
      ...some(t('prefabs'), prefabs),
      ...some(t('moments'), moments),
    ]);
  };
  const mark = () => {
    // a part that was picked in a view is shown in its instance
    const inside = store.instanceOf(store.selection[store.selection.length - 1] ?? '');
    if (inside && store.selectionKind !== 'instance' && !opened.has(inside.name)) {
      opened.add(inside.name);
      paint();
    }
    const last = list.indexOf(lastKey());
    if (last >= 0) list.reveal(last);
    const picked = new Set(store.selection);
    for (const row of tree.querySelectorAll<HTMLElement>('.row')) row.setAttribute('aria-selected', String(row.dataset.kind === store.selectionKind && picked.has(row.dataset.name!)));
  };
  const lastKey = () => `${store.selectionKind} ${store.selection[store.selection.length - 1]}`;
  tree.addEventListener('keydown', (e) => {
    const at = list.indexOf(lastKey());
    const go = (from: number, step: 1 | -1) => {
      let i = from;
      while (list.at(i)?.key.startsWith('group ')) i += step;
      const key = list.at(i)?.key;
      if (!key) return;
      e.preventDefault();
      e.stopPropagation();
      const kind = key.slice(0, key.indexOf(' '));
      choose(key.slice(kind.length + 1), kind as Kind, e.shiftKey);
    };
    if (e.key === 'ArrowDown') go(at + 1, 1);
    if (e.key === 'ArrowUp') go(at - 1, -1);
    if (e.key === 'Home') go(0, 1);
    if (e.key === 'End') go(list.length - 1, -1);
    if (at < 0 || !['ArrowLeft', 'ArrowRight', 'F2'].includes(e.key)) return;
    list.reveal(at);
    const row = [...tree.querySelectorAll<HTMLElement>('.row')].find((r) => `${r.dataset.kind} ${r.dataset.name}` === list.at(at)?.key);
    const open = row?.getAttribute('aria-expanded');
    const inside = row && store.instanceOf(row.dataset.name!);
    if (row && ((e.key === 'ArrowRight' && open === 'false') || (e.key === 'ArrowLeft' && open === 'true'))) {
      e.preventDefault();
      e.stopPropagation();
      fold(row.dataset.name!, open === 'true');
    } else if (e.key === 'ArrowLeft' && inside) {
      e.preventDefault();
      e.stopPropagation();
      choose(inside.name, 'instance', false);
    }
    if (e.key === 'F2' && row) {
      e.stopPropagation();
      row.dispatchEvent(new MouseEvent('dblclick'));
    }
  });
  filter.oninput = paint;
  store.on(['scene', 'takes', 'show'], paint);
  store.on('selection', mark);
  return { element, paint };
}
