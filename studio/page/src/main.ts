// The studio's page: puts the parts together, keeps the work, and maps keys to actions.
import * as THREE from 'three';
import { makeActions } from './app/actions';
import { makeAskedOverlays } from './app/asked_overlays';
import { addGlasses, makeRail, makeTop } from './app/bars';
import { makeCompare } from './app/compare';
import { describeScene } from './app/describe';
import { Hints, isFirstVisit } from './app/hints';
import { filesOf, makeImports } from './app/imports';
import { isEmbedded, makeKeeper } from './app/keep';
import { Keys } from './app/keys';
import { makePhone } from './app/phone';
import { Preview } from './app/preview';
import { questions as asked, makeQuestions } from './app/questions';
import { Sound } from './app/sound';
import { Thumbnails } from './app/thumbnails';
import type { Frame } from './link/frame';
import { type Answer, EngineLink, describe } from './link/link';
import { Editor, linkKinds } from './model/editor';
import { makePrefab } from './model/prefabs';
import { Store } from './model/store';
import { makeInspector } from './panels/inspector';
import { makeOutliner } from './panels/outliner';
import { makeTimeline } from './panels/timeline';
import { metres, plain } from './panels/fields';
import { askFor, choosePrefab, dialog, galleryCards, openFiles, openGallery, openRecent, saveProject, saveScene } from './panels/dialogs';
import { makeMaterials } from './panels/materials';
import { makeFilm } from './panels/film';
import { openKeys } from './panels/keys';
import { openPalette } from './panels/palette';
import { makePlots } from './panels/plots';
import { makeStatus, showTimings } from './panels/status';
import { showMeasure } from './tools/measure';
import { createClick } from './tools/create';
import { Pointer } from './tools/pointer';
import { Toasts, h, isItsKey, isTyping } from './ui/dom';
import { makeGrip } from './ui/grip';
import { languageCode, switchLanguage, t } from './ui/texts';
import { seeThrough, shotAt } from './viewport/cameras';
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
  compare.theme();
  views.resize();
  timeline.draw();
  plots.draw();
}

// --- frame of the page
const canvas = h('canvas', { class: 'view', tabindex: 0, 'aria-label': t('views') });
const viewLabels = (['front', 'right', 'top', 'camera'] as const).map((name, i) =>
  h('button', { type: 'button', class: 'view-label', title: 'Q', onclick: (e: MouseEvent) => e.detail < 2 && toggleSingle(name), 'data-view': name }, `${t(name)}`, h('small', {}, ['XY', 'ZY', 'XZ', ''][i])),
);
const gridNotes = [0, 1, 2].map(() => h('div', { class: 'grid-note', 'aria-hidden': 'true' }));
const hud = h(
  'div',
  { class: 'hud', hidden: true, role: 'toolbar', 'aria-label': t('connect') },
  ...linkKinds.map((kind, i) => h('button', { type: 'button', 'data-kind': kind, onclick: () => pointer.setKind(kind) }, h('kbd', {}, String(i + 1)), t(kind === 'point' ? 'ball_joint' : kind))),
  h('span', { class: 'hud-step' }),
);
const note = h('div', { class: 'drag-note', 'aria-live': 'polite' });
const banner = h('div', { class: 'banner', role: 'alert' }, t('loading'));
const viewport = h('main', { class: 'viewport' }, canvas, ...viewLabels, ...gridNotes, hud, note, banner);

const stage = new Stage(store);
const views = new Views(canvas, stage);
views.labels.push(...viewLabels);
views.notes.push(...gridNotes);
const pace = new Pace(store, views, stage);
const thumbnails = new Thumbnails(store, views);
const pointer = new Pointer(canvas, views, stage, store, editor, hud);
// beside the pointer, where somebody drags
pointer.note = (text) => {
  note.textContent = text;
  note.style.cssText = text && pointer.drag ? `left: ${Math.min(viewport.clientWidth - 150, Math.max(150, pointer.at[0]))}px; bottom: auto; top: ${Math.max(8, pointer.at[1] - 46)}px` : '';
};

const act = (id: string) => actions.find((a) => a.id === id)!.perform(new KeyboardEvent('keydown'));
const compare = makeCompare(store, editor, views, toasts, () => dark);
viewport.append(...compare.labels);
const rail = makeRail(store, (name) => pointer.setTool(name), act);
const top = makeTop(store, act, () => askFor(t('title'), [{ label: t('title'), value: store.scene?.title ?? '' }], ([title]) => void editor.edit([{ op: 'set', path: ['title'], value: title || null }], t('title')).catch(() => {})));
const outliner = makeOutliner(store, editor, (names) => (stage.hover(names), views.redraw()));
const inspector = makeInspector(store, editor, (name) => film.look(name), usePrefab, () => materials.toggle(true), (sync) => thumbnails.of(sync));
const materials = makeMaterials(store, editor);
viewport.append(materials.element);
// an empty scene says how to begin
const emptyNote = h('div', { class: 'empty-note', hidden: true }, t('empty_scene'));
viewport.append(emptyNote);
store.on(['scene', 'tool'], () => (emptyNote.hidden = !store.scene || store.scene.errors?.length > 0 || store.tool !== 'select' || store.scene.bodies.some((b) => b.shape.type !== 'plane')));
const timeline = makeTimeline(store, editor, showGhost, (take) => void compare.show(take));
const plots = makePlots(store, editor, timeline.x, timeline.at, timeline.stepAt);
timeline.element.append(plots.element);
const film = makeFilm(store, editor, views, stage, toasts);
const status = makeStatus(store, editor, toasts, plots, () => pace.rate);
let site: Answer = {};
const preview = new Preview(() => site, () => views.software);
const imports = makeImports(store, editor, () => link, stage, toasts, () => afterLoad());
const keeper = makeKeeper(store, editor, () => link, views, toasts, imports.sendKept);
const questions = makeQuestions(store, editor, plots);
viewport.append(questions.element);
const sound = new Sound(store);
const live = h('div', { class: 'sr-only', role: 'log', 'aria-live': 'polite' });
const dockGrip = makeGrip({ label: t('inspector_height'), store: 'tenon.inspector-height', least: 120, most: 900, begin: 495, apply: (px) => dock.style.setProperty('--inspector', `${px}px`) });
const dock = h('aside', { class: 'dock' }, outliner.element, dockGrip, inspector.element);
const phone = makePhone(store, views, { timeline: timeline.element, inspector: dock }, (into) => into.replaceChildren(...galleryCards(store, editor, afterGallery, () => phone.show('timeline'), preview)));
document.getElementById('app')!.append(top, rail, viewport, dock, phone.bar, phone.gallery, timeline.element, status.element, live);
viewport.append(toasts.element);
// a frame has views and time; all of it is one click away
document.body.dataset.embedded = String(isEmbedded);
if (isEmbedded) viewport.append(h('a', { class: 'open-whole', href: location.href.replace('#e=', '#s='), target: '_blank', rel: 'noopener' }, `${t('open_whole')} ↗`));

const afterGallery = (name: string) => {
  afterLoad();
  questions.open(name);
};
const afterLoad = () => {
  store.select([]);
  keeper.keepOpened();
  canvas.focus(); // not the button that led here: Space runs
};

// --- views
function toggleSingle(name: 'front' | 'right' | 'top' | 'camera') {
  views.single = views.single ? null : name;
  views.resize();
}
function frameAll() {
  if (!store.scene) return;
  const box = new THREE.Box3();
  for (const name of store.selectedBodies) if (stage.object(name)) box.union(stage.object(name)!.box());
  const usable = !box.isEmpty() && box.getSize(new THREE.Vector3()).length() < 100;
  views.frame(usable ? box : stage.extentNow(), usable ? 2.2 : 1.3);
}
// A scene that was opened: what moves in it, and the camera view as its first camera has it.
function firstSight() {
  views.frame(stage.centre, 1.3);
  const name = shotAt(store, 0);
  const camera = store.scene!.cameras.find((c) => c.name === name && !c.auto);
  if (camera) views.standAt(seeThrough(camera, store));
}

// --- what the engine says
let framedScene = '';
store.on('scene', () => {
  const key = store.scene!.name;
  pace.begin(framedScene !== key || editor.opening);
  stage.rebuild(dark);
  // how wide a square of the grid is
  const g = stage.gridStep;
  const wide = g >= 1 ? `${plain(g)} m` : g >= 0.01 ? `${plain(100 * g)} cm` : `${plain(1000 * g)} mm`;
  gridNotes.forEach((note) => (note.textContent = `▦ ${wide}`));
  if (framedScene !== key || editor.opening) {
    editor.opening = false;
    framedScene = key;
    views.resize();
    firstSight();
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
});
views.beforeDraw = () => {
  if (!moved) return;
  moved = false;
  stage.move();
  pointer.onFrame();
  showMeasure(pointer);
};
store.on('state', () => {
  document.body.dataset.mode = store.state!.mode;
  if (store.state!.mode === 'paused') keeper.keepSoon();
});
// what was looked for and did not come
let searched = false;
store.on('state', () => {
  if (searched && store.state!.mode === 'paused' && store.state!.stopped_by === 'limit') toasts.show(t('no_event'));
  searched = store.state!.mode === 'until';
});
let filled = false;
store.on('events', () => {
  if (store.eventsFull && !filled) toasts.show(t('events_full'));
  filled = store.eventsFull;
});
let spoken = 0;
store.on('events', () => {
  const last = store.events[store.events.length - 1];
  if (!last || performance.now() - spoken < 1500 || last.kind !== 'contact_begin') return;
  spoken = performance.now();
  live.textContent = t('hits', { a: last.a, b: last.b, t: last.time.toFixed(2), i: last.impulse.toPrecision(2) });
});

views.onDrawn = (ms) => {
  const label = viewLabels[3].querySelector('small')!;
  if (label.textContent !== (views.through ?? '')) label.textContent = views.through ?? ''; // shots change it
  pace.drawn(ms);
  store.tell('picture');
};

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
    gallery: () => openGallery(store, editor, afterGallery, preview),
    open: () => openFiles(store, editor, afterLoad, imports.sendKept),
    rename: () => {
      const [name] = store.selection;
      const kind = store.selectionKind;
      if (kind === 'shot') return; // called by its camera
      const section = kind === 'sync' || kind === 'cut' ? kind : String(store.path(kind, name)[0]);
      const shown = kind === 'sync' ? store.syncs.find((s) => String(s.id) === name)?.name : kind === 'cut' ? store.takes.find((x) => String(x.id) === name)?.label : name;
      askFor(t('rename'), [{ label: t('name'), value: shown ?? name }], ([to]) => void editor.rename(section, name, to));
    },
    recent: () => void openRecent(editor, afterLoad, imports.sendKept),
    save: () => void saveScene(store, editor, toasts),
    project: () => void saveProject(store, editor),
    help: () => openKeys(keys),
    describe: () => void dialog(t('describe'), h('div', { class: 'description', tabindex: 0 }, ...describeScene(store).map((line) => h('p', {}, line)))),
    palette: () => openPalette(actions, store),
    array: () =>
      askFor(t('array'), [{ label: t('count'), value: '5' }, { label: `${t('distance')} x (m)`, value: String(10 * pointer.snapStep()) }, { label: `${t('distance')} y (m)`, value: '0' }, { label: `${t('distance')} z (m)`, value: '0' }], ([n, ...d]) => {
        const step = d.map(metres);
        const wrong = !(Number(n) >= 2) ? n : d.find((_, i) => Number.isNaN(step[i]));
        if (wrong !== undefined) return toasts.show(t('no_length', { value: wrong }), 'error');
        void editor.array(Math.min(500, Math.round(Number(n))), new THREE.Vector3(...step));
      }),
    untilValue: () => askFor(t('until_value'), [{ label: t('quantity'), value: plots.traces[0] ?? (store.selection[0] ? `body:${store.selection[0]}.y` : 'kinetic') }, { label: t('value'), value: '0' }], ([quantity, value]) => void editor.request('until', { kind: 'value', quantity, value: Number(value) })),
    link: () => void keeper.copyLink(),
    embed: () => void keeper.copyEmbed(),
    sound: () => (sound.toggle(), toasts.show(t(sound.on ? 'sound_on' : 'sound_off'))),
    timings: () => void showTimings(editor),
    materials: () => materials.toggle(),
    import: () => imports.choose(),
    importReport: () => imports.report(),
    compare: () => compare.toggle(),
    makePrefab: askPrefab,
    placePrefab: () => choosePrefab(store, usePrefab),
    fresh: () => void editor.load().then(afterLoad),
    language: () => {
      switchLanguage();
      location.reload();
    },
  },
});
addEventListener('tenon-link', () => void keeper.copyLink());
const keys = new Keys(actions);
window.addEventListener('keydown', (e) => {
  const target = e.target as HTMLElement;
  const palette = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k';
  if (target.closest('dialog')) return;
  if ((isTyping(target) || isItsKey(target, e)) && e.key !== 'Escape' && !palette) return;
  if (target.closest('button') && (e.key === ' ' || e.key === 'Enter')) return;
  if ((store.tool === 'connect' || pointer.offered) && /^[1-9]$/.test(e.key) && !e.ctrlKey && !e.altKey) return pointer.kindByNumber(Number(e.key));
  if (pointer.typed(e)) return e.preventDefault();
  const action = keys.find(e);
  if (!action) return;
  e.preventDefault();
  action.perform(e);
});

// Whoever clicks a button has no use for Space pressing it again: it runs and pauses, as always.
window.addEventListener('click', (e) => {
  const button = (e.target as HTMLElement).closest?.('button');
  if (e.detail > 0 && button && document.activeElement === button && !button.closest('dialog')) canvas.focus({ preventScroll: true });
});

// Nor for a slider or a choice that was made with the pointer.
let pointed = false;
for (const how of ['pointerdown', 'keydown']) window.addEventListener(how, () => (pointed = how === 'pointerdown'), true);
window.addEventListener('change', (e) => {
  const used = e.target as HTMLElement;
  if (pointed && used.matches?.('select, input[type=range], input[type=checkbox]') && !used.closest('dialog')) canvas.focus({ preventScroll: true });
});

// A shape that is dragged out of the rail lands where it is let go.
rail.addEventListener('pointerdown', (e) => {
  const tool = (e.target as HTMLElement).closest<HTMLElement>('[data-tool]')?.dataset.tool;
  if (!tool || !['box', 'sphere', 'cylinder', 'capsule', 'fixed_point'].includes(tool) || e.pointerType === 'touch') return;
  const drop = (up: PointerEvent) => {
    const [x, y] = pointer.place(up);
    const view = up.target === canvas ? views.at(x, y) : undefined;
    if (!view) return;
    pointer.setTool(tool);
    void createClick(pointer, view, x, y, up);
  };
  window.addEventListener('pointerup', drop, { once: true });
});

// --- files that are dropped on the page
const dropZone = h('div', { class: 'drop-zone', hidden: true, 'aria-hidden': 'true' }, t('drop_here'));
viewport.append(dropZone);
const carriesFiles = (e: DragEvent) => !!e.dataTransfer?.types.includes('Files');
window.addEventListener('dragover', (e) => {
  if (!carriesFiles(e)) return;
  e.preventDefault();
  dropZone.hidden = false;
});
window.addEventListener('dragleave', (e) => !e.relatedTarget && (dropZone.hidden = true));
window.addEventListener('drop', (e) => {
  if (!carriesFiles(e)) return;
  e.preventDefault();
  dropZone.hidden = true;
  const [x, y] = pointer.place(e);
  const view = views.at(x, y);
  const at = view && e.target === canvas ? (pointer.pick(view, x, y)?.point ?? pointer.free(view, x, y)) : undefined;
  void filesOf(e.dataTransfer!).then((files) => imports.take(files, at));
});

// --- prefabs
function usePrefab(name: string) {
  store.prefab = name;
  pointer.setTool('prefab');
  canvas.focus();
}
// It is placed by the middle of its underside.
function askPrefab() {
  const box = new THREE.Box3();
  const own = store.selectedBodies.filter((n) => store.entry('bodies', n) && store.body(n)!.shape.type !== 'plane');
  for (const name of own) box.union(stage.object(name)!.box());
  if (!own.length) return toasts.show(t('own_bodies_first'), 'error');
  const origin = store.atStart ? box.getCenter(new THREE.Vector3()).setY(box.min.y) : new THREE.Vector3(...store.body(own[0])!.position);
  origin.set(...(origin.toArray().map((v) => Number(v.toFixed(4)) + 0) as [number, number, number]));
  askFor(t('make_prefab'), [{ label: t('name'), value: store.freeName(t('group').toLowerCase()) }], ([name]) => void makePrefab(store, editor, origin, name));
}

// --- another take beside the one on the stage
async function showGhost(take: number | null) {
  if (store.split !== null) await compare.show(null);
  stage.overlays.forgetGhost();
  store.ghost = take === null ? null : { take, scene: -1, names: [], poses: null };
  await editor.quiet('ghost', { take });
  store.tell('show');
  stage.move();
  views.redraw();
}

makeAskedOverlays(store, editor, stage, views);
store.on('ghost', () => (stage.overlays.move(), views.redraw()));
store.on('show', () => {
  views.stereo = store.show.stereo;
  document.body.dataset.stereo = store.show.stereo;
  keeper.keepSoon();
  document.body.dataset.through = views.through ?? '';
  viewLabels[3].querySelector('small')!.textContent = views.through ?? '';
  stage.highlight();
  timeline.draw();
  views.redraw();
});

// --- go
async function hello() {
  const linked = location.hash.startsWith('#s=') || isEmbedded;
  store.hello = await link.request('hello', { protocol: 1 });
  link.greeted();
  framedScene = (await keeper.restore(link.diesOften)) ?? framedScene;
  // the room that metals mirror takes a while to make: after the first picture
  if (document.body.dataset.ready !== 'true') {
    setTimeout(() => {
      if (!pace.plain) stage.light(views.renderer);
      views.redraw();
    }, 400);
  }
  document.body.dataset.ready = 'true';
  // hints are about the scene that everybody begins with
  if (isFirstVisit() && !linked) whenShown(() => /cradle/.test(store.scene!.name) && welcome(store.hello.fresh));
}
function whenShown(perform: () => void) {
  if (store.scene) perform();
  else setTimeout(() => whenShown(perform), 20);
}
// The first time the scene moves by itself, unless the system asks for little motion.
const still = matchMedia('(prefers-reduced-motion: reduce)');
function welcome(alone: boolean) {
  const pixel = (name: string): [number, number] => {
    const [x, y, z] = store.pose(name);
    return views.pixel(views.visible[0] ?? views.views[3], new THREE.Vector3(x, y, z));
  };
  new Hints({ store, viewport, pixel, gallery: () => openGallery(store, editor, afterGallery, preview), goOn: () => alone && !still.matches && void editor.play(editor.speed) }).begin();
  if (alone && !still.matches) void editor.togglePlay();
}
// glasses, where there are some; a frame in another page may not ask
if (!isEmbedded) void xrOffered().then((offered) => {
  if (!offered) return;
  addGlasses(top, () => void enterXr(views, stage).catch((error) => toasts.show(String(error), 'error')));
});
phone.apply();

async function begin() {
  site = await fetch('studio.json').then((r) => r.json());
  store.previews = new Set(site.previews);
  link = new EngineLink(site.transport, {
    message: (message) => {
      if (message.event === 'trouble') toasts.show(describe(message.error), 'error');
      store.take(message);
    },
    frame: (frame: Frame) => store.accept(frame),
    open: () => {
      const again = document.body.dataset.ready === 'true';
      keeper.unsettle();
      store.connected = true;
      banner.hidden = true;
      if (again) toasts.show(t('back'));
      hello().catch(() => {}); // the connection went again: there will be another
    },
    lost: (why) => {
      store.connected = false;
      if (store.state && store.running) {
        store.state.mode = 'paused';
        store.tell('state');
      }
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
  questions: asked,
  sound,
  preview,
  timelineX: timeline.x,
  snapStep: () => pointer.snapStep(),
  drawn: () => views.drawn,
  afterPicture: (done: () => void) => views.afterPicture.push(done),
  pixel: (view: number, x: number, y: number, z: number) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = views.pixel(views.views[view], new THREE.Vector3(x, y, z));
    return [box.left + px, box.top + py];
  },
};
void begin();
