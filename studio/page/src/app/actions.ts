// Every command: what it is called, which key it has, when it makes sense, what it does. Keys, the
// palette and the help page are made of this one list.
import * as THREE from 'three';
import type { Editor } from '../model/editor';
import { breakUp } from '../model/prefabs';
import { type Store, stereos } from '../model/store';
import { connectSelected } from '../tools/connect';
import { createHere } from '../tools/create';
import type { Pointer } from '../tools/pointer';
import { pushSelected } from '../tools/push';
import { t } from '../ui/texts';
import type { Stage } from '../viewport/stage';
import type { Views } from '../viewport/views';

export interface Action {
  id?: string; // none: only a key
  label: string;
  keys: string;
  matches(e: KeyboardEvent): boolean;
  perform(e: KeyboardEvent): void;
  when?(): boolean;
}
export interface App {
  store: Store;
  editor: Editor;
  pointer: Pointer;
  views: Views;
  stage: Stage;
  plots: { pick(): void; energy(): void; toggle(q: string): void };
  film: { addCamera(mount: boolean): void; addShot(): void; open(): void; cycle(dir: number): void; mode(): void; addLight(): void };
  frameAll(): void;
  toggleSingle(name: 'front' | 'right' | 'top' | 'camera'): void;
  dialogs: { gallery(): void; open(): void; recent(): void; importReport(): void; sound(): void; rename(): void; save(): void; project(): void; help(): void; palette(): void; array(): void; untilValue(): void; link(): void; embed(): void; timings(): void; describe(): void; compare(): void; import(): void; materials(): void; makePrefab(): void; placePrefab(): void; fresh(): void; language(): void };
  ghost(): void;
  theme(): void;
}

const key = (k: string, mods: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) => (e: KeyboardEvent) =>
  e.key.toLowerCase() === k.toLowerCase() && (e.ctrlKey || e.metaKey) === !!mods.ctrl && e.shiftKey === !!mods.shift && e.altKey === !!mods.alt;
const never = () => false;
const nudges: Record<string, [number, number, number]> = { arrowleft: [-1, 0, 0], arrowright: [1, 0, 0], arrowup: [0, 0, -1], arrowdown: [0, 0, 1], pageup: [0, 1, 0], pagedown: [0, -1, 0] };

function timeActions({ store, editor, dialogs }: App): Action[] {
  let [reverse, forward] = [0, 0];
  const here = () => editor.heading ?? store.state?.step ?? 0;
  const jumpSync = (dir: number) => {
    const all = store.syncs.filter((s) => s.here && (dir > 0 ? s.step > here() : s.step < here())).sort((a, b) => dir * (a.step - b.step));
    if (all[0]) void editor.seek(all[0].step);
  };
  const previousEvent = () => {
    const all = store.events.filter((e) => e.kind === 'contact_begin' && e.step < Math.floor(here()));
    if (all.length) void editor.seek(all[all.length - 1].step);
  };
  const one = () => (store.selectionKind === 'body' && store.selection.length === 1 ? store.selection[0] : '');
  return [
    { id: 'play', label: `${t('play')} / ${t('pause')}`, keys: 'Space', matches: key(' '), perform: () => void editor.togglePlay() },
    { id: 'reverse', label: t('reverse'), keys: 'J', matches: key('j'), perform: () => void editor.play(-(reverse = Math.min(8, store.running && store.state!.speed < 0 ? reverse * 2 : 1))) },
    { id: 'pause', label: t('pause'), keys: 'K', matches: key('k'), perform: () => void editor.request('pause') },
    { id: 'forward', label: t('play'), keys: 'L', matches: key('l'), perform: () => void editor.play((forward = Math.min(8, store.running && store.state!.speed > 0 ? forward * 2 : 1))) },
    { id: 'step_back', label: t('step_back'), keys: '← / Shift ←', matches: (e) => e.key === 'ArrowLeft' && !e.ctrlKey && !e.altKey, perform: (e) => void editor.request('step', { count: e.shiftKey ? -10 : -1 }) },
    { id: 'step_forward', label: t('step_forward'), keys: '→ / Shift →', matches: (e) => e.key === 'ArrowRight' && !e.ctrlKey && !e.altKey, perform: (e) => void editor.request('step', { count: e.shiftKey ? 10 : 1 }) },
    { id: 'to_start', label: t('to_start'), keys: 'Home', matches: key('Home'), perform: () => void editor.seek(0) },
    { id: 'to_end', label: t('to_end'), keys: 'End', matches: key('End'), perform: () => void editor.seek(store.state?.end ?? 0) },
    { id: 'next_event', label: t('next_event'), keys: 'N', matches: key('n'), perform: () => void editor.request('until', { kind: 'contact', body: one() }) },
    { id: 'previous_event', label: t('previous_event'), keys: 'Shift N', matches: key('n', { shift: true }), perform: previousEvent },
    { id: 'until_rest', label: t('until_rest'), keys: '', matches: never, perform: () => void editor.request('until', { kind: 'rest' }) },
    { id: 'until_any', label: t('until_any'), keys: '', matches: never, perform: () => void editor.request('until', { kind: 'any' }) },
    { id: 'until_value', label: t('until_value'), keys: '', matches: never, perform: dialogs.untilValue },
    { id: 'add_sync', label: t('add_sync'), keys: 'M', matches: key('m'), perform: () => void editor.request('sync') },
    { id: 'sync_back', label: t('sync_back'), keys: ',', matches: key(','), perform: () => jumpSync(-1) },
    { id: 'sync_forward', label: t('sync_forward'), keys: '.', matches: key('.'), perform: () => jumpSync(1) },
  ];
}

function buildActions(app: App): Action[] {
  const { store, editor, pointer, stage } = app;
  const bodies = () => store.selectionKind === 'body' && store.selection.length > 0;
  const several = () => bodies() && store.selection.length > 1;
  const tool = (name: string, keys: string, matches: Action['matches']): Action => ({ id: name, label: t(name), keys, matches, perform: () => pointer.setTool(name) });
  const cycle = (dir: number, more: boolean) => {
    const names = store.namesOf('body');
    const at = names.indexOf(store.selection[store.selection.length - 1]);
    const next = names[(at + dir + names.length) % names.length];
    if (names.length) store.select(more ? [...store.selection.filter((n) => n !== next), next] : [next]);
  };
  const instance = () => (store.selectionKind === 'instance' ? store.selection.at(-1) : store.instanceOf(store.selectedBodies.at(-1) ?? '')?.name);
  const wholeOrPart = () => {
    const name = instance();
    if (name && store.selectionKind === 'instance') store.select(store.bodiesOf(name).slice(0, 1));
    else if (name) store.select([name], 'instance');
  };
  const box = (name: string) => stage.object(name)!.box();
  // with the tool for sizes the keys change those
  const nudge = (by: [number, number, number]) => {
    const axis = by.findIndex((v) => v !== 0) as 0 | 1 | 2;
    if (store.gizmo === 'scale' && store.tool === 'select') return pointer.sizes.nudge(axis, axis === 2 ? -by[2] : by[axis]);
    void editor.nudge(new THREE.Vector3(...by).multiplyScalar(pointer.snapStep()));
  };
  const aligns: Action[] = (['x', 'y', 'z'] as const).flatMap((axis, i) =>
    ([[-1, 'min'], [0, 'middle'], [1, 'max']] as const).map(([side, word]) => ({ id: `align_${axis}_${word}`, label: `${t('align')} ${axis}: ${t(`side_${word}`)}`, keys: '', matches: never, when: several, perform: () => void editor.align(i as 0 | 1 | 2, side, box) })),
  );
  const spreads: Action[] = (['x', 'y', 'z'] as const).map((axis, i) => ({ id: `distribute_${axis}`, label: `${t('distribute')} ${axis}`, keys: '', matches: never, when: several, perform: () => void editor.distribute(i as 0 | 1 | 2) }));
  return [
    tool('move', 'W', key('w')),
    tool('turn', 'E', key('e')),
    tool('size', 'R', key('r')),
    tool('hand', 'A', key('a')),
    tool('box', 'Shift B', key('b', { shift: true })),
    tool('sphere', 'Shift S', key('s', { shift: true })),
    tool('cylinder', 'Shift Y', key('y', { shift: true })),
    tool('capsule', 'Shift C', key('c', { shift: true })),
    tool('fixed_point', 'Shift I', key('i', { shift: true })),
    { id: 'add_floor', label: t('add_floor'), keys: '', matches: never, perform: () => void editor.create({ type: 'plane' }, new THREE.Vector3()) },
    { id: 'branch', label: t('branch'), keys: 'B', matches: key('b'), perform: () => void editor.branch() },
    { id: 'connect', label: t('connect'), keys: 'C', matches: key('c'), perform: () => connectSelected(pointer) },
    { id: 'force', label: t('force'), keys: 'V', matches: key('v'), perform: () => pushSelected(pointer) },
    tool('measure', 'Shift M', key('m', { shift: true })),
    { id: 'drop', label: t('drop'), keys: 'D', matches: key('d'), when: () => store.selectedBodies.length > 0, perform: () => void editor.drop() },
    { id: 'duplicate', label: t('duplicate'), keys: 'Ctrl D', matches: key('d', { ctrl: true }), when: () => store.selectedBodies.length > 0, perform: () => void editor.duplicate() },
    { id: 'array', label: t('array'), keys: 'Shift D', matches: key('d', { shift: true }), when: bodies, perform: () => bodies() && app.dialogs.array() },
    { id: 'make_prefab', label: t('make_prefab'), keys: 'Ctrl G', matches: key('g', { ctrl: true }), when: bodies, perform: () => bodies() && app.dialogs.makePrefab() },
    { id: 'place_prefab', label: t('place_prefab'), keys: 'Shift P', matches: key('p', { shift: true }), when: () => store.namesOf('prefab').length > 0, perform: app.dialogs.placePrefab },
    { id: 'break_up', label: t('break_up'), keys: 'Ctrl Shift G', matches: key('g', { ctrl: true, shift: true }), when: () => !!instance(), perform: () => instance() && void breakUp(store, editor, instance()!) },
    { id: 'whole_instance', label: t('whole_instance'), keys: 'U', matches: key('u'), when: () => !!instance(), perform: () => wholeOrPart() },
    { id: 'materials', label: t('edit_materials'), keys: 'Shift L', matches: key('l', { shift: true }), perform: app.dialogs.materials },
    { id: 'hide', label: t('hide'), keys: 'H', matches: key('h'), when: () => store.selectedBodies.length > 0, perform: () => store.mark('hidden', store.selectedBodies, !store.selectedBodies.every((n) => store.hidden.has(n))) },
    { id: 'show_all', label: t('show_all'), keys: 'Alt H', matches: key('h', { alt: true }), perform: () => store.mark('hidden', [...store.hidden], false) },
    { id: 'lock', label: t('lock'), keys: 'Shift H', matches: key('h', { shift: true }), when: () => store.selectedBodies.length > 0, perform: () => store.mark('locked', store.selectedBodies, !store.selectedBodies.every((n) => store.locked.has(n))) },
    ...aligns,
    ...spreads,
    { id: 'delete', label: t('delete'), keys: 'Del', matches: (e) => e.key === 'Delete' || e.key === 'Backspace', perform: () => void editor.remove() },
    { id: 'rename', label: t('rename'), keys: 'F2', matches: key('F2'), when: () => store.selection.length === 1, perform: () => store.selection.length === 1 && app.dialogs.rename() },
    { id: 'undo', label: t('undo'), keys: 'Ctrl Z', matches: key('z', { ctrl: true }), perform: () => void editor.undo('undo') },
    { id: 'redo', label: t('redo'), keys: 'Ctrl Shift Z', matches: (e) => key('z', { ctrl: true, shift: true })(e) || key('y', { ctrl: true })(e), perform: () => void editor.undo('redo') },
    { id: 'expand', label: t('expand'), keys: '', matches: never, perform: () => void editor.request('expand') },
    { id: 'select_all', label: t('select_all'), keys: 'Ctrl A', matches: key('a', { ctrl: true }), perform: () => store.select(store.namesOf('body').filter((n) => store.body(n)?.shape.type !== 'plane')) },
    { label: t('select'), keys: 'PgDn / PgUp / Shift PgDn', matches: (e) => (e.key === 'PageDown' || e.key === 'PageUp') && !e.ctrlKey, perform: (e) => cycle(e.key === 'PageDown' ? 1 : -1, e.shiftKey) },
    { label: t('create_here'), keys: 'Enter', matches: key('Enter'), perform: () => void createHere(pointer) },
    { label: `${t('move')}, ${t('size')}`, keys: 'Ctrl ← → ↑ ↓ / Ctrl PgUp PgDn', matches: (e) => e.ctrlKey && e.key.toLowerCase() in nudges && store.selectedBodies.length > 0, perform: (e) => nudge(nudges[e.key.toLowerCase()]) },
    { label: t('leave'), keys: 'Esc', matches: key('Escape'), perform: () => (store.tool === 'select' && !store.selection.length ? pointer.cancel() : store.tool === 'select' ? store.select([]) : pointer.setTool('select')) },
  ];
}

function viewActions({ store, views, film, plots, dialogs, frameAll, toggleSingle, ghost, theme }: App): Action[] {
  const toggle = (what: 'contacts' | 'trails' | 'forces' | 'joints', keys: string, matches: Action['matches']): Action => ({ id: `show_${what}`, label: t(`show_${what}`), keys, matches, perform: () => ((store.show[what] = !store.show[what]), store.tell('show')) });
  const stereo = () => {
    store.show.stereo = stereos[(stereos.indexOf(store.show.stereo) + 1) % stereos.length];
    store.tell('show');
  };
  return [
    { id: 'quad', label: t('quad'), keys: 'Q', matches: key('q'), perform: () => toggleSingle('camera') },
    ...(['front', 'right', 'top', 'camera'] as const).map((name, i): Action => ({ id: `view_${name}`, label: `${t('view')}: ${t(name)}`, keys: String(i + 1), matches: (e) => store.tool !== 'connect' && key(String(i + 1))(e), perform: () => ((views.single = name), views.resize()) })),
    { id: 'frame_all', label: t('frame_all'), keys: 'F', matches: key('f'), perform: frameAll },
    { id: 'plot', label: t('plot'), keys: 'G', matches: key('g'), perform: plots.pick },
    { id: 'energy_plot', label: t('energy_plot'), keys: 'Shift G', matches: key('g', { shift: true }), perform: plots.energy },
    toggle('contacts', '', never),
    toggle('trails', '', never),
    toggle('forces', '', never),
    toggle('joints', 'Shift J', key('j', { shift: true })),
    { id: 'stereo', label: t('stereo'), keys: 'Alt 3', matches: key('3', { alt: true }), perform: stereo },
    { id: 'ghost', label: t('ghost'), keys: 'Shift T', matches: key('t', { shift: true }), perform: ghost },
    { id: 'compare', label: t('compare'), keys: 'Shift Q', matches: key('q', { shift: true }), perform: dialogs.compare },
    { id: 'sound', label: t('sound'), keys: 'Alt S', matches: key('s', { alt: true }), perform: dialogs.sound },
    { id: 'timings', label: t('timings'), keys: '', matches: never, perform: dialogs.timings },
    { id: 'camera_here', label: t('camera_here'), keys: '', matches: never, perform: () => film.addCamera(false) },
    { id: 'mount_camera', label: t('mount_camera'), keys: 'Shift K', matches: key('k', { shift: true }), perform: () => film.addCamera(true) },
    { id: 'next_camera', label: t('next_camera'), keys: '] / Alt .', matches: (e) => e.key === ']' || key('.', { alt: true })(e), perform: () => film.cycle(1) },
    { id: 'previous_camera', label: t('previous_camera'), keys: '[ / Alt ,', matches: (e) => e.key === '[' || key(',', { alt: true })(e), perform: () => film.cycle(-1) },
    { id: 'add_shot', label: t('add_shot'), keys: 'Shift X', matches: key('x', { shift: true }), perform: film.addShot },
    { id: 'add_light', label: t('add_light'), keys: '', matches: never, perform: film.addLight },
    { id: 'film_mode', label: t('film_mode'), keys: 'Shift F', matches: key('f', { shift: true }), perform: film.mode },
    { id: 'render', label: t('render'), keys: 'Shift R', matches: key('r', { shift: true }), perform: film.open },
    { id: 'save', label: t('save'), keys: 'Ctrl S', matches: key('s', { ctrl: true }), perform: dialogs.save },
    { id: 'save_project', label: t('save_project'), keys: '', matches: never, perform: dialogs.project },
    { id: 'new', label: t('new'), keys: '', matches: never, perform: dialogs.fresh },
    { id: 'open', label: t('open'), keys: '', matches: never, perform: dialogs.open },
    { id: 'import_report', label: t('import_report'), keys: '', matches: never, perform: dialogs.importReport },
    { id: 'recent', label: t('recent'), keys: '', matches: never, perform: dialogs.recent },
    { id: 'import', label: t('import'), keys: 'Ctrl I', matches: key('i', { ctrl: true }), perform: dialogs.import },
    { id: 'gallery', label: t('gallery'), keys: 'Ctrl O', matches: key('o', { ctrl: true }), perform: dialogs.gallery },
    { id: 'link', label: t('copy_link'), keys: 'Ctrl Alt C', matches: key('c', { ctrl: true, alt: true }), perform: dialogs.link },
    { id: 'embed', label: t('copy_embed'), keys: '', matches: never, when: () => store.hello.transport !== 'server', perform: dialogs.embed },
    { id: 'describe', label: t('describe'), keys: 'Ctrl E', matches: key('e', { ctrl: true }), perform: dialogs.describe },
    { id: 'language', label: t('language'), keys: '', matches: never, perform: dialogs.language },
    { id: 'theme', label: t('theme'), keys: '', matches: never, perform: theme },
    { id: 'palette', label: t('commands'), keys: 'Ctrl K', matches: key('k', { ctrl: true }), perform: dialogs.palette },
    { id: 'help', label: t('help'), keys: '?', matches: (e) => e.key === '?', perform: dialogs.help },
  ];
}

export function makeActions(app: App): Action[] {
  return [...timeActions(app), ...buildActions(app), ...viewActions(app)];
}
