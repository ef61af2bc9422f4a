// The studio's page: puts the parts together, keeps the work, and maps keys to actions.
import * as THREE from 'three';
import { makeActions } from './app/actions';
import { describeScene } from './app/describe';
import { Hints, isFirstVisit } from './app/hints';
import { Keys } from './app/keys';
import { packLink, unpackLink } from './app/link_text';
import { makePhone } from './app/phone';
import type { Frame } from './link/frame';
import { type Answer, EngineLink } from './link/link';
import { Editor, linkKinds } from './model/editor';
import { Store } from './model/store';
import { makeInspector } from './panels/inspector';
import { makeOutliner } from './panels/outliner';
import { makeTimeline } from './panels/timeline';
import { askFor, dialog, galleryCards, openFiles, openGallery, saveProject, saveScene } from './panels/dialogs';
import { makeFilm } from './panels/film';
import { openKeys } from './panels/keys';
import { openPalette } from './panels/palette';
import { makePlots } from './panels/plots';
import { Pointer } from './tools/pointer';
import { Toasts, h, icon } from './ui/dom';
import { languageCode, switchLanguage, t } from './ui/texts';
import { Pace } from './viewport/pace';
import { Stage } from './viewport/stage';
import { Views } from './viewport/views';
import { enterXr, xrOffered } from './viewport/xr';

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
function switchTheme() {
  dark = !dark;
  localStorage.setItem('tenon.theme', dark ? 'dark' : 'light');
  applyTheme();
  stage.theme(dark);
  views.resize();
  timeline.draw();
  plots.draw();
}

// --- frame of the page
const canvas = h('canvas', { class: 'view', tabindex: 0, 'aria-label': t('views') });
const viewLabels = (['front', 'right', 'top', 'camera'] as const).map((name, i) =>
  h('button', { type: 'button', class: 'view-label', title: 'Q', onclick: () => toggleSingle(name), 'data-view': name }, `${t(name)}`, h('small', {}, ['XY', 'ZY', 'XZ', ''][i])),
);
const hud = h(
  'div',
  { class: 'hud', hidden: true, role: 'toolbar', 'aria-label': t('connect') },
  ...linkKinds.map((kind, i) => h('button', { type: 'button', 'data-kind': kind, onclick: () => pointer.setKind(kind) }, h('kbd', {}, String(i + 1)), t(kind === 'point' ? 'ball_joint' : kind))),
  h('span', { class: 'hud-step' }),
);
const note = h('div', { class: 'drag-note', 'aria-live': 'polite' });
const banner = h('div', { class: 'banner', role: 'alert' }, t('loading'));
const viewport = h('main', { class: 'viewport' }, canvas, ...viewLabels, hud, note, banner);

const stage = new Stage(store);
const views = new Views(canvas, stage);
views.labels.push(...viewLabels);
const pace = new Pace(store, views, stage);
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
  tool('hand', 'A'),
  h('hr'),
  tool('box', 'Shift B'),
  tool('sphere', 'Shift S'),
  tool('cylinder', 'Shift Y'),
  tool('capsule', 'Shift C'),
  tool('fixed_point', 'Shift I'),
  h('hr'),
  tool('connect', 'C'),
  tool('force', 'V'),
  tool('measure', 'Shift M'),
  h('hr'),
  h('button', { type: 'button', class: 'icon tool', 'aria-label': t('drop'), title: `${t('drop')} (D)`, 'data-action': 'drop', onclick: () => store.selectionKind === 'body' && store.selection.length && void editor.request('drop', { bodies: store.selection }) }, icon('drop')),
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
    bar('share', t('copy_link'), () => void copyLink()),
  ),
  h(
    'div',
    { class: 'cluster film-cluster' },
    bar('camera', t('camera_here'), () => void film.addCamera(false)),
    bar('film', t('film_mode'), () => film.mode(), true),
    bar('play', t('render'), () => film.open(), true),
  ),
  h(
    'div',
    { class: 'cluster' },
    bar('quad', t('quad'), () => toggleSingle('camera')),
    bar('stereo', t('stereo'), () => actions.find((a) => a.id === 'stereo')!.perform(new KeyboardEvent('keydown'))),
    bar('theme', t('theme'), switchTheme),
    bar('world', t('language'), () => {
      switchLanguage();
      location.reload();
    }),
    bar('palette', `${t('commands')} (Ctrl K)`, () => openPalette(actions, store)),
    bar('help', t('help'), () => openKeys(keys)),
  ),
);
const outliner = makeOutliner(store, editor);
const inspector = makeInspector(store, editor, (name) => film.look(name));
const timeline = makeTimeline(store, editor, showGhost);
const plots = makePlots(store, editor, timeline.x, timeline.stepAt);
timeline.element.append(plots.element);
const film = makeFilm(store, editor, views, stage, toasts);
const healthStrip = h('div', { class: 'health' });
const status = h('div', { class: 'facts-line' });
const live = h('div', { class: 'sr-only', role: 'log', 'aria-live': 'polite' });
const dock = h('aside', { class: 'dock' }, outliner.element, inspector.element);
const phone = makePhone(store, views, { timeline: timeline.element, inspector: dock }, (into) => into.replaceChildren(...galleryCards(store, editor, afterLoad, () => phone.show('timeline'))));
document
  .getElementById('app')!
  .append(top, rail, viewport, dock, phone.bar, phone.gallery, timeline.element, h('footer', { class: 'status' }, healthStrip, status), live);
viewport.append(toasts.element);

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
  pace.begin();
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
  pointer.showMeasure();
};
let painting = 0;
function paintSoon() {
  if (painting) return;
  painting = window.setTimeout(() => {
    painting = 0;
    paintStatus();
  }, store.running ? (store.sparing ? 400 : 120) : 0);
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

views.onDrawn = () => {
  const label = viewLabels[3].querySelector('small')!;
  if (label.textContent !== (views.through ?? '')) label.textContent = views.through ?? ''; // shots change it
  pace.drawn();
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
    store.running && pace.rate > 0 ? `${pace.rate.toFixed(0)} ${t('pictures')}` : '',
    store.state ? `${(store.state.bytes / 1e6).toFixed(0)} / ${(store.state.budget / 1e6).toFixed(0)} MB` : '',
  ];
  status.textContent = facts.filter(Boolean).join('  ·  ');
  const seen = new Map<string, { text: string; step: number; kind: string; a: string; b: string }>();
  for (const e of store.events) {
    if (!e.kind.startsWith('health') || e.step > f.end) continue;
    const text = `${t(e.kind, { a: e.a, b: e.b })} (${e.time.toFixed(2)} s)`;
    if (!seen.has(e.kind + e.a)) seen.set(e.kind + e.a, { text, step: e.step, kind: e.kind, a: e.a, b: e.b });
  }
  const key = [...seen.values()].map((x) => x.text).join();
  if (healthStrip.dataset.key === key) return;
  healthStrip.dataset.key = key;
  healthStrip.replaceChildren(
    ...(seen.size === 0 ? [h('span', { class: 'ok' }, `● ${t('healthy')}`)] : [...seen.values()].slice(0, 3).map((x) => h('button', { type: 'button', class: 'warn', onclick: () => void heal(x) }, `▲ ${x.text}`))),
  );
}

// To the moment, with what can be done about it.
async function heal(hint: { step: number; kind: string; a: string; b: string; text: string }) {
  await editor.seek(hint.step);
  const length = store.state?.step_length ?? 1 / 60;
  const atStart = async (ops: Parameters<typeof editor.edit>[0], label: string) => {
    await editor.seek(0);
    await editor.edit(ops, label).catch(() => {});
  };
  const halve = { label: t('halve_step'), perform: () => void atStart([{ op: 'set', path: ['world', 'step'], value: Number((length / 2).toPrecision(8)) }], t('halve_step')) };
  const show = { label: t('select'), perform: () => store.select([hint.a, hint.b].filter((n) => store.body(n))) };
  const remedies = hint.kind === 'health_energy' ? [{ label: t('energy_plot'), perform: () => plots.energy() }, halve] : hint.kind === 'health_mass_ratio' ? [show] : [halve, show];
  toasts.show(hint.text, 'note', remedies);
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
  const camera = cameraState();
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
function cameraState() {
  return views.views.map((v) => ({ target: v.target.toArray(), span: v.span, yaw: v.yaw, pitch: v.pitch }));
}
// What came in the address is opened once; it replaces nothing that is kept until it is changed.
async function sent(): Promise<Answer | null> {
  if (!location.hash.startsWith('#s=')) return null;
  const text = location.hash.slice(3);
  history.replaceState(null, '', location.pathname + location.search);
  const found = await unpackLink(text).catch(() => null);
  if (!found?.project) toasts.show(t('link_bad'), 'error');
  return found?.project ? { ...found, source: store.hello.source ?? '' } : null;
}
async function hello() {
  store.hello = await link.request('hello', { protocol: 1 });
  const linked = await sent();
  const work = linked ?? kept();
  const mine = work && work.source === (store.hello.source ?? '');
  if (linked) await link.request('load', { project: linked.project }).catch(() => null);
  else if (store.hello.fresh && mine) {
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
      if (!pace.plain) stage.light(views.renderer);
      views.redraw();
    }, 400);
  }
  document.body.dataset.ready = 'true';
  if (isFirstVisit()) welcome(!linked && store.hello.fresh);
}
// The first time the scene moves by itself, unless the system asks for little motion.
function welcome(alone: boolean) {
  const pixel = (name: string): [number, number] => {
    const [x, y, z] = store.pose(name);
    return views.pixel(views.visible[0] ?? views.views[3], new THREE.Vector3(x, y, z));
  };
  new Hints({ store, viewport, pixel, gallery: () => openGallery(store, editor, afterLoad) }).begin();
  if (alone && !matchMedia('(prefers-reduced-motion: reduce)').matches) void editor.togglePlay();
}

// --- actions and keys
const actions = makeActions({
  store,
  editor,
  pointer,
  views,
  stage,
  plots,
  film,
  frameAll,
  toggleSingle,
  ghost: () => {
    const others = store.takes.filter((x) => x.own && x.id !== store.state?.take);
    void showGhost(store.ghost ? null : (others[others.length - 1]?.id ?? null));
  },
  theme: switchTheme,
  dialogs: {
    gallery: () => openGallery(store, editor, afterLoad),
    open: () => openFiles(store, editor, afterLoad),
    save: () => void saveScene(store, editor, toasts),
    project: () => void saveProject(store, editor),
    help: () => openKeys(keys),
    describe,
    palette: () => openPalette(actions, store),
    array: () =>
      askFor(t('array'), [{ label: t('count'), value: '5' }, { label: `${t('distance')} x (m)`, value: String(10 * pointer.snapStep()) }, { label: `${t('distance')} y (m)`, value: '0' }, { label: `${t('distance')} z (m)`, value: '0' }], ([n, ...d]) => void editor.array(Math.min(500, Math.round(Number(n))), new THREE.Vector3(...d.map((v) => Number(v.replace(',', '.')) || 0)))),
    untilValue: () => askFor(t('until_value'), [{ label: t('quantity'), value: plots.traces[0] ?? (store.selection[0] ? `body:${store.selection[0]}.y` : 'kinetic') }, { label: t('value'), value: '0' }], ([quantity, value]) => void editor.request('until', { kind: 'value', quantity, value: Number(value) })),
    link: () => void copyLink(),
    timings: () => void showTimings(),
  },
});
const keys = new Keys(actions);
function describe() {
  const said = describeScene(store);
  dialog(t('describe'), h('div', { class: 'description', tabindex: 0 }, ...said.map((line) => h('p', {}, line))));
}
async function showTimings() {
  const answer = await editor.request('timings');
  const phases: { phase: string; ms: number }[] = answer?.phases ?? [];
  const most = Math.max(1e-9, ...phases.map((p) => p.ms));
  const rows = phases.map((p) => h('tr', {}, h('th', { scope: 'row' }, p.phase), h('td', {}, `${p.ms.toFixed(3)} ms`), h('td', {}, h('div', { class: 'meter', style: `width:${(160 * p.ms) / most}px` }))));
  dialog(t('timings'), h('table', { class: 'timings' }, ...rows));
}
window.addEventListener('keydown', (e) => {
  const target = e.target as HTMLElement;
  const palette = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k';
  if (target.closest('input, textarea, select, dialog') && e.key !== 'Escape' && !palette) return;
  if (target.closest('dialog')) return;
  if (target.closest('button') && (e.key === ' ' || e.key === 'Enter')) return;
  if (store.tool === 'connect' && /^[1-9]$/.test(e.key)) return pointer.kindByNumber(Number(e.key));
  const action = keys.find(e);
  if (!action) return;
  e.preventDefault();
  action.perform(e);
});

// --- another take beside the one on the stage
async function showGhost(take: number | null) {
  stage.overlays.forgetGhost();
  store.ghost = take === null ? null : { take, scene: -1, names: [], poses: null };
  await editor.quiet('ghost', { take });
  store.tell('show');
  stage.move();
  views.redraw();
}

// --- links: everything in the address, nothing leaves the machine
async function copyLink() {
  const answer = await editor.request('project');
  if (!answer) return;
  const fragment = await packLink({ project: answer.project, camera: cameraState(), single: views.single });
  const url = new URL(location.href);
  // a site can be opened by others; a local server only here and now
  url.hash = `s=${fragment}`;
  if (fragment.length > 32000) return toasts.show(t('link_long', { n: Math.round(fragment.length / 1000) }), 'error');
  await navigator.clipboard.writeText(url.href).then(
    () => toasts.show(t('link_copied', { n: (fragment.length / 1000).toFixed(1) })),
    () => askFor(t('copy_link'), [{ label: 'URL', value: url.href }], () => {}),
  );
  document.body.dataset.link = url.href;
}

// --- overlays that have to be asked for
let askedAt = 0;
async function refreshOverlays() {
  const now = performance.now();
  if (store.frame?.led || (store.running && now - askedAt < 250)) return;
  askedAt = now;
  if (store.show.contacts && !store.running) {
    const answer = await editor.quiet('contacts');
    stage.overlays.showContacts(answer?.contacts ?? []);
  } else stage.overlays.showContacts([]);
  const names = store.show.trails ? (store.selectionKind === 'body' && store.selection.length ? store.selection : store.namesOf('body').filter((n) => store.body(n)?.motion === 'dynamic')).slice(0, 12) : [];
  const answer = names.length ? await editor.quiet('series', { quantities: names.flatMap((n) => ['x', 'y', 'z'].map((q) => `body:${n}.${q}`)), most: 800 }) : null;
  stage.overlays.showTrails(
    names.map((_, i) => {
      const [x, y, z] = [0, 1, 2].map((k) => (answer?.values[3 * i + k] ?? []) as (number | null)[]);
      return new Float32Array(x.flatMap((v, k) => (v === null || y[k] === null || z[k] === null ? [] : [v, y[k]!, z[k]!])));
    }),
  );
  views.redraw();
}
let overlayTimer = 0;
const overlaysSoon = () => {
  if (!store.show.contacts && !store.show.trails) return;
  overlayTimer ||= window.setTimeout(() => ((overlayTimer = 0), void refreshOverlays()), 60);
};
store.on(['frame', 'selection'], overlaysSoon);
store.on('ghost', () => (stage.overlays.move(), views.redraw()));
store.on('show', () => {
  views.stereo = store.show.stereo;
  document.body.dataset.stereo = store.show.stereo;
  document.body.dataset.through = views.through ?? '';
  viewLabels[3].querySelector('small')!.textContent = views.through ?? '';
  stage.overlays.move();
  askedAt = 0;
  void refreshOverlays();
  timeline.draw();
  views.redraw();
});

// glasses, where there are some
void xrOffered().then((offered) => {
  if (!offered) return;
  top.lastElementChild!.prepend(bar('stereo', t('glasses'), () => void enterXr(views, stage).catch((error) => toasts.show(String(error), 'error'))));
  top.querySelector(`[aria-label="${t('glasses')}"]`)?.setAttribute('data-action', 'xr');
});
phone.apply();

// --- go
async function begin() {
  const site: Answer = await fetch('studio.json').then((r) => r.json());
  store.previews = new Set(site.previews);
  link = new EngineLink(site.transport, {
    message: (message) => store.take(message),
    frame: (frame: Frame) => store.accept(frame),
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
  stage,
  views,
  plots,
  timelineX: timeline.x,
  drawn: () => views.drawn,
  afterPicture: (done: () => void) => views.afterPicture.push(done),
  pixel: (view: number, x: number, y: number, z: number) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = views.pixel(views.views[view], new THREE.Vector3(x, y, z));
    return [box.left + px, box.top + py];
  },
};
void begin();
