// The studio's page: puts the parts together, keeps the work, and maps keys to actions.
import * as THREE from 'three';
import type { Frame } from './link/frame';
import { type Answer, EngineLink } from './link/link';
import { Editor, linkKinds } from './model/editor';
import { Store } from './model/store';
import { makeInspector } from './panels/inspector';
import { makeOutliner } from './panels/outliner';
import { makeTimeline } from './panels/timeline';
import { openFiles, openGallery, openHelp, saveScene } from './panels/dialogs';
import { Pointer } from './tools/pointer';
import { Toasts, h, icon } from './ui/dom';
import { languageCode, switchLanguage, t } from './ui/texts';
import { Stage } from './viewport/stage';
import { Views } from './viewport/views';

const store = new Store();
const toasts = new Toasts();
let link: EngineLink;
const editor = new Editor(store, () => link, toasts);
document.documentElement.lang = languageCode();

// --- theme
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let dark = (localStorage.getItem('tenon.theme') ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const applyTheme = () => (document.documentElement.dataset.theme = dark ? 'dark' : 'light');
applyTheme();

// --- frame of the page
const canvas = h('canvas', { class: 'view', tabindex: 0, 'aria-label': t('views') });
const viewLabels = (['front', 'right', 'top', 'camera'] as const).map((name, i) =>
  h('button', { type: 'button', class: 'view-label', title: 'Q', onclick: () => toggleSingle(name), 'data-view': name }, `${t(name)}`, h('small', {}, ['XY', 'ZY', 'XZ', ''][i])),
);
const hud = h(
  'div',
  { class: 'hud', hidden: true, role: 'toolbar', 'aria-label': t('connect') },
  ...linkKinds.map((kind, i) => h('button', { type: 'button', 'data-kind': kind, onclick: () => pointer.setKind(kind) }, h('kbd', {}, String(i + 1)), t(kind))),
  h('span', { class: 'hud-step' }),
);
const note = h('div', { class: 'drag-note', 'aria-live': 'polite' });
const banner = h('div', { class: 'banner', role: 'alert' }, t('loading'));
const viewport = h('main', { class: 'viewport' }, canvas, ...viewLabels, hud, note, banner);

const stage = new Stage(store);
const views = new Views(canvas, stage);
views.labels.push(...viewLabels);
const pointer = new Pointer(canvas, views, stage, store, editor, hud);
pointer.note = (text) => (note.textContent = text);

const tool = (name: string, key: string) =>
  h('button', { type: 'button', class: 'icon tool', 'data-tool': name, 'aria-label': t(name), title: `${t(name)} (${key})`, onclick: () => pointer.setTool(name) }, icon(name === 'fixed_point' ? 'point' : name));
const snapButton = h('button', { type: 'button', class: 'icon tool snap', 'aria-pressed': 'true', 'aria-label': t('snap'), title: t('snap'), onclick: () => ((store.snap = !store.snap), store.tell('tool')) }, icon('quad'));
const rail = h(
  'nav',
  { class: 'rail', 'aria-label': t('tools') },
  tool('move', 'W'),
  tool('turn', 'E'),
  h('hr'),
  tool('box', 'Shift B'),
  tool('sphere', 'Shift S'),
  tool('cylinder', 'Shift Y'),
  tool('capsule', 'Shift C'),
  tool('fixed_point', 'Shift I'),
  h('hr'),
  tool('connect', 'C'),
  h('hr'),
  h('button', { type: 'button', class: 'icon tool', 'aria-label': t('duplicate'), title: `${t('duplicate')} (Ctrl D)`, 'data-action': 'duplicate', onclick: () => void editor.duplicate() }, icon('copy')),
  h('button', { type: 'button', class: 'icon tool', 'aria-label': t('delete'), title: `${t('delete')} (Del)`, 'data-action': 'delete', onclick: () => void editor.remove() }, icon('trash')),
  snapButton,
);

const bar = (name: string, label: string, perform: () => void, text = false) =>
  h('button', { type: 'button', class: text ? 'bar' : 'icon bar', 'aria-label': label, title: label, 'data-action': name, onclick: perform }, icon(name), text && h('span', {}, label));
const undo = bar('undo', t('undo'), () => void editor.request('undo'));
const redo = bar('redo', t('redo'), () => void editor.request('redo'));
const title = h('span', { class: 'scene-title' });
const afterLoad = () => {
  store.select([]);
  frameAll();
  keep();
};
const top = h(
  'header',
  { class: 'top' },
  h('div', { class: 'brand' }, h('b', {}, 'Tenon'), h('span', {}, t('studio'))),
  title,
  h('div', { class: 'cluster' }, undo, redo),
  h('div', { class: 'grow' }),
  h(
    'div',
    { class: 'cluster' },
    bar('file', t('new'), () => void editor.load().then(afterLoad), true),
    bar('gallery', t('gallery'), () => openGallery(store, editor, afterLoad), true),
    bar('open', t('open'), () => openFiles(store, editor, afterLoad), true),
    bar('save', t('save'), () => void saveScene(store, editor, toasts), true),
  ),
  h(
    'div',
    { class: 'cluster' },
    bar('quad', t('quad'), () => toggleSingle('camera')),
    bar('theme', t('theme'), () => {
      dark = !dark;
      localStorage.setItem('tenon.theme', dark ? 'dark' : 'light');
      applyTheme();
      stage.theme(dark);
      views.redraw();
      timeline.draw();
    }),
    bar('world', t('language'), () => {
      switchLanguage();
      location.reload();
    }),
    bar('help', t('help'), () => openHelp(actions)),
  ),
);
const outliner = makeOutliner(store, editor);
const inspector = makeInspector(store, editor);
const timeline = makeTimeline(store, editor);
const healthStrip = h('div', { class: 'health' });
const status = h('div', { class: 'facts-line' });
const live = h('div', { class: 'sr-only', role: 'log', 'aria-live': 'polite' });
document
  .getElementById('app')!
  .append(top, rail, viewport, h('aside', { class: 'dock' }, outliner.element, inspector.element), timeline.element, h('footer', { class: 'status' }, healthStrip, status), toasts.element, live);

// --- views
function toggleSingle(name: 'front' | 'right' | 'top' | 'camera') {
  views.single = views.single ? null : name;
  views.resize();
}
function frameAll() {
  if (!store.scene) return;
  const box = new THREE.Box3();
  if (store.selectionKind === 'body' && store.selection.length) {
    for (const name of store.selection) if (stage.object(name)) box.union(stage.object(name)!.box());
  }
  const usable = !box.isEmpty() && box.getSize(new THREE.Vector3()).length() < 100;
  views.frame(usable ? box : stage.extent, usable ? 2.2 : 1.3);
}

// --- what the engine says
let framedScene = '';
store.on('scene', () => {
  stage.rebuild(dark);
  const scene = store.scene!;
  title.textContent = scene.title || scene.name;
  document.title = `${scene.title || scene.name} – Tenon Studio`;
  const key = scene.name;
  if (framedScene !== key) {
    framedScene = key;
    views.resize();
    views.frame(stage.extent, 1.3);
  }
  views.redraw();
});
store.on('selection', () => {
  stage.highlight();
  views.redraw();
});
// Frames may come faster than pictures can be drawn: only the last one counts.
let moved = false;
store.on('frame', () => {
  moved = true;
  if (!store.running) pointer.aimGizmo();
  views.redraw();
  paintSoon();
});
views.beforeDraw = () => {
  if (!moved) return;
  moved = false;
  stage.move();
  pointer.onFrame();
};
let painting = 0;
function paintSoon() {
  if (painting) return;
  painting = window.setTimeout(() => {
    painting = 0;
    paintStatus();
  }, store.running ? 120 : 0);
}
store.on('tool', () => {
  for (const b of rail.querySelectorAll<HTMLElement>('[data-tool]')) {
    const name = b.dataset.tool!;
    const on = store.tool === 'select' ? name === (store.gizmo === 'translate' ? 'move' : 'turn') : name === store.tool;
    b.setAttribute('aria-pressed', String(on));
  }
  snapButton.setAttribute('aria-pressed', String(store.snap));
});
store.tell('tool');
store.on('state', () => {
  const s = store.state!;
  undo.disabled = s.undo === undefined;
  redo.disabled = s.redo === undefined;
  undo.title = `${t('undo')}${s.undo ? `: ${s.undo}` : ''} (Ctrl Z)`;
  redo.title = `${t('redo')}${s.redo ? `: ${s.redo}` : ''} (Ctrl Shift Z)`;
  document.body.dataset.mode = s.mode;
  if (s.mode === 'paused') keepSoon();
});
let spoken = 0;
store.on('events', () => {
  const last = store.events[store.events.length - 1];
  if (!last || performance.now() - spoken < 1500 || last.kind !== 'contact_begin') return;
  spoken = performance.now();
  live.textContent = `${last.a} – ${last.b}: ${last.time.toFixed(2)} s, ${last.impulse.toFixed(2)} N s`;
});

// Time between pictures while something runs; where it is long, the view gets plainer step by step, so
// that the run itself stays usable: no shadows, no mirrored room, coarser pixels.
let interval = 0;
let lastDrawn = 0;
let plainer = 0;
let pictures = 0;
views.onDrawn = () => {
  ++pictures;
  const now = performance.now();
  const since = now - lastDrawn;
  lastDrawn = now;
  if (!store.running || since > 1500) return;
  interval += (interval ? 0.15 : 1) * (since - interval);
  if (pictures < 12 || interval < 45 || plainer >= 3) return;
  ++plainer;
  pictures = 0;
  if (plainer === 1) stage.sun.castShadow = false;
  if (plainer === 2) stage.plain();
  if (plainer === 3) {
    views.renderer.setPixelRatio(0.7);
    views.resize();
  }
};

function paintStatus() {
  const f = store.frame;
  if (!f) return;
  const [kinetic, potential, drift, contacts, , , ms, asleep] = f.stats;
  const scale = Math.max(Math.abs(kinetic), Math.abs(kinetic + potential), 1e-9);
  const facts = [
    `t = ${f.time.toFixed(3)} s`,
    store.running ? `${f.rate.toFixed(2)}×` : '',
    ms > 0 ? `${t('step_ms')} ${ms.toFixed(ms < 1 ? 2 : 1)} ms` : '',
    `${t('energy')} ${(kinetic + potential).toPrecision(4)} J (${drift >= 0 ? '+' : ''}${((100 * drift) / scale).toFixed(2)} %)`,
    `${contacts} ${t('contacts')}`,
    asleep > 0 ? `${asleep} ${t('asleep')}` : '',
    store.running && interval > 0 ? `${(1000 / interval).toFixed(0)} ${t('pictures')}` : '',
    store.state ? `${(store.state.bytes / 1e6).toFixed(0)} / ${(store.state.budget / 1e6).toFixed(0)} MB` : '',
  ];
  status.textContent = facts.filter(Boolean).join('  ·  ');
  const seen = new Map<string, { text: string; step: number }>();
  for (const e of store.events) {
    if (!e.kind.startsWith('health') || e.step > f.end) continue;
    const text = `${t(e.kind, { a: e.a, b: e.b })} (${e.time.toFixed(2)} s)`;
    if (!seen.has(e.kind + e.a)) seen.set(e.kind + e.a, { text, step: e.step });
  }
  const key = [...seen.values()].map((x) => x.text).join();
  if (healthStrip.dataset.key === key) return;
  healthStrip.dataset.key = key;
  healthStrip.replaceChildren(
    ...(seen.size === 0 ? [h('span', { class: 'ok' }, `● ${t('healthy')}`)] : [...seen.values()].slice(0, 3).map((x) => h('button', { type: 'button', class: 'warn', onclick: () => void editor.seek(x.step) }, `▲ ${x.text}`))),
  );
}

// --- keeping the work
let keepTimer = 0;
let full = false;
function keepSoon() {
  clearTimeout(keepTimer);
  keepTimer = window.setTimeout(keep, 400);
}
async function keep() {
  if (!store.connected) return;
  const answer = await link.request('project').catch(() => null);
  if (!answer) return;
  const camera = views.views.map((v) => ({ target: v.target.toArray(), span: v.span, yaw: v.yaw, pitch: v.pitch }));
  try {
    localStorage.setItem('tenon.work', JSON.stringify({ source: store.hello.source ?? '', project: answer.project, camera, single: views.single }));
    full = false;
  } catch {
    if (!full) toasts.show(t('storage_full'), 'error');
    full = true;
  }
}
setInterval(() => store.running && void keep(), 5000); // a long run as well
function kept(): Answer | null {
  try {
    return JSON.parse(localStorage.getItem('tenon.work') ?? 'null');
  } catch {
    return null;
  }
}
async function hello() {
  store.hello = await link.request('hello', { protocol: 1 });
  const work = kept();
  const mine = work && work.source === (store.hello.source ?? '');
  if (store.hello.fresh && mine) {
    await link.request('load', { project: work.project }).catch(() => null);
    if (work.project.takes.length > 1 || work.project.step > 0) toasts.show(t('restored'));
  }
  if (mine && work.project.name === store.scene?.name) {
    framedScene = work.project.name;
    views.single = work.single ?? null;
    views.resize();
    work.camera?.forEach((c: Answer, i: number) => {
      const v = views.views[i];
      v.target.fromArray(c.target);
      Object.assign(v, { span: c.span, yaw: c.yaw, pitch: c.pitch });
    });
    views.redraw();
  }
  // the room that metals mirror takes a while to make: after the first picture
  if (document.body.dataset.ready !== 'true') {
    setTimeout(() => {
      if (plainer < 2) stage.light(views.renderer);
      views.redraw();
    }, 400);
  }
  document.body.dataset.ready = 'true';
  if (!localStorage.getItem('tenon.hinted')) {
    localStorage.setItem('tenon.hinted', '1');
    toasts.show(t('hint'));
  }
}

// --- actions and keys
interface Action {
  label: string;
  keys: string;
  matches(e: KeyboardEvent): boolean;
  perform(e: KeyboardEvent): void;
}
const key = (k: string, mods: { ctrl?: boolean; shift?: boolean } = {}) => (e: KeyboardEvent) =>
  e.key.toLowerCase() === k.toLowerCase() && (e.ctrlKey || e.metaKey) === !!mods.ctrl && e.shiftKey === !!mods.shift && !e.altKey;
let reverse = 0;
let forward = 0;
const near = (step: number) => store.frame?.step ?? step;
const jumpSync = (dir: number) => {
  const here = near(0);
  const all = store.syncs.filter((s) => s.here && (dir > 0 ? s.step > here : s.step < here)).sort((a, b) => dir * (a.step - b.step));
  if (all[0]) void editor.seek(all[0].step);
};
const previousEvent = () => {
  const all = store.events.filter((e) => e.kind === 'contact_begin' && e.step < Math.floor(near(0)));
  if (all.length) void editor.seek(all[all.length - 1].step);
};
const cycle = (dir: number, more: boolean) => {
  const names = store.scene?.bodies.map((b) => b.name) ?? [];
  const at = names.indexOf(store.selection[store.selection.length - 1]);
  const next = names[(at + dir + names.length) % names.length];
  if (names.length) store.select(more ? [...store.selection.filter((n) => n !== next), next] : [next]);
};
const act = (label: string, keys: string, matches: Action['matches'], perform: Action['perform']): Action => ({ label, keys, matches, perform });
const nudges: Record<string, [number, number, number]> = { arrowleft: [-1, 0, 0], arrowright: [1, 0, 0], arrowup: [0, 0, -1], arrowdown: [0, 0, 1], pageup: [0, 1, 0], pagedown: [0, -1, 0] };
const actions: Action[] = [
  act(`${t('play')} / ${t('pause')}`, 'Space', key(' '), () => void editor.togglePlay()),
  act(t('reverse'), 'J', key('j'), () => void editor.play(-(reverse = Math.min(8, store.running && store.state!.speed < 0 ? reverse * 2 : 1)))),
  act(t('pause'), 'K', key('k'), () => void editor.request('pause')),
  act(t('play'), 'L', key('l'), () => void editor.play((forward = Math.min(8, store.running && store.state!.speed > 0 ? forward * 2 : 1)))),
  act(t('step_back'), '← / Shift ←', (e) => e.key === 'ArrowLeft' && !e.ctrlKey && !e.altKey, (e) => void editor.request('step', { count: e.shiftKey ? -10 : -1 })),
  act(t('step_forward'), '→ / Shift →', (e) => e.key === 'ArrowRight' && !e.ctrlKey && !e.altKey, (e) => void editor.request('step', { count: e.shiftKey ? 10 : 1 })),
  act(t('to_start'), 'Home', key('Home'), () => void editor.seek(0)),
  act(t('to_end'), 'End', key('End'), () => void editor.seek(store.state?.end ?? 0)),
  act(t('next_event'), 'N', key('n'), () => void editor.request('until', { kind: 'contact' })),
  act('◀ ' + t('contacts'), 'Shift N', key('n', { shift: true }), previousEvent),
  act(t('add_sync'), 'M', key('m'), () => void editor.request('sync')),
  act('◆ ◀', ',', key(','), () => jumpSync(-1)),
  act('◆ ▶', '.', key('.'), () => jumpSync(1)),
  act(t('move'), 'W', key('w'), () => pointer.setTool('move')),
  act(t('turn'), 'E', key('e'), () => pointer.setTool('turn')),
  act(t('box'), 'Shift B', key('b', { shift: true }), () => pointer.setTool('box')),
  act(t('sphere'), 'Shift S', key('s', { shift: true }), () => pointer.setTool('sphere')),
  act(t('cylinder'), 'Shift Y', key('y', { shift: true }), () => pointer.setTool('cylinder')),
  act(t('capsule'), 'Shift C', key('c', { shift: true }), () => pointer.setTool('capsule')),
  act(t('fixed_point'), 'Shift I', key('i', { shift: true }), () => pointer.setTool('fixed_point')),
  act(t('connect'), 'C', key('c'), () => connectByKey()),
  act(t('quad'), 'Q', key('q'), () => toggleSingle('camera')),
  act(t('frame_all'), 'F', key('f'), frameAll),
  act(t('undo'), 'Ctrl Z', key('z', { ctrl: true }), () => void editor.request('undo')),
  act(t('redo'), 'Ctrl Shift Z', (e) => key('z', { ctrl: true, shift: true })(e) || key('y', { ctrl: true })(e), () => void editor.request('redo')),
  act(t('duplicate'), 'Ctrl D', key('d', { ctrl: true }), () => void editor.duplicate()),
  act(t('delete'), 'Del', (e) => e.key === 'Delete' || e.key === 'Backspace', () => void editor.remove()),
  act(t('save'), 'Ctrl S', key('s', { ctrl: true }), () => void saveScene(store, editor, toasts)),
  act(t('gallery'), 'Ctrl O', key('o', { ctrl: true }), () => openGallery(store, editor, afterLoad)),
  act(t('select'), 'PgDn / PgUp / Shift PgDn', (e) => (e.key === 'PageDown' || e.key === 'PageUp') && !e.ctrlKey, (e) => cycle(e.key === 'PageDown' ? 1 : -1, e.shiftKey)),
  act(t('create_here'), 'Enter', key('Enter'), () => void pointer.createHere()),
  act(t('move'), 'Ctrl ← → ↑ ↓ / Ctrl PgUp PgDn', (e) => e.ctrlKey && e.key.toLowerCase() in nudges && store.selection.length > 0, (e) => void editor.nudge(new THREE.Vector3(...nudges[e.key.toLowerCase()]).multiplyScalar(pointer.snapStep()))),
  act('Esc', 'Esc', key('Escape'), () => (store.tool === 'select' && !store.selection.length ? pointer.cancel() : store.tool === 'select' ? store.select([]) : pointer.setTool('select'))),
  act(t('help'), '?', (e) => e.key === '?', () => openHelp(actions)),
];
// Two bodies picked in the outliner are connected at their middles; else the tool.
function connectByKey() {
  const [a, b] = store.selection;
  if (store.selectionKind !== 'body' || store.selection.length !== 2) return pointer.setTool('connect');
  const at = (name: string) => ({ body: name, point: new THREE.Vector3(...store.pose(name).slice(0, 3)) });
  void editor.connect(pointer.linkKind, at(a), at(b), new THREE.Vector3(0, 0, 1));
}
window.addEventListener('keydown', (e) => {
  const target = e.target as HTMLElement;
  if (target.closest('input, textarea, select, dialog') && e.key !== 'Escape') return;
  if (target.closest('button') && (e.key === ' ' || e.key === 'Enter')) return;
  if (store.tool === 'connect' && /^[1-7]$/.test(e.key)) return pointer.kindByNumber(Number(e.key));
  if (store.tool === 'select' && !e.ctrlKey && /^[1-4]$/.test(e.key)) {
    views.single = (['front', 'right', 'top', 'camera'] as const)[Number(e.key) - 1];
    return views.resize();
  }
  const action = actions.find((a) => a.matches(e));
  if (!action) return;
  e.preventDefault();
  action.perform(e);
});

// --- go
async function begin() {
  const site: Answer = await fetch('studio.json').then((r) => r.json());
  store.previews = new Set(site.previews);
  link = new EngineLink(site.transport, {
    message: (message) => store.take(message),
    frame: (frame: Frame) => store.show(frame),
    open: () => {
      const again = document.body.dataset.ready === 'true';
      store.connected = true;
      banner.hidden = true;
      if (again) toasts.show(t('back'));
      void hello();
    },
    lost: (why) => {
      store.connected = false;
      banner.hidden = false;
      banner.textContent = t(why === 'closed' ? 'lost' : why);
    },
  }, site);
  link.start();
}
// For tests: what is known, and where things are on the screen.
(window as any).studio = {
  store,
  request: (what: string, values: Answer = {}) => link.request(what, values),
  pixel: (view: number, x: number, y: number, z: number) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = views.pixel(views.views[view], new THREE.Vector3(x, y, z));
    return [box.left + px, box.top + py];
  },
};
void begin();
