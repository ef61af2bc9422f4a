// The pointer in the views: one drag at a time, each a small state machine with cancel.
//   select   click picks, drag on nothing orbits or pans, the gizmo moves and turns
//   shapes   click puts one on what is under the pointer
//   connect  click A, click B
//   running  drag on a body pulls it
import * as THREE from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { type Editor, type LinkKind, type Pick, linkKinds } from '../model/editor';
import type { Store } from '../model/store';
import { isCoarse } from '../ui/dom';
import { t } from '../ui/texts';
import { Arrow } from '../viewport/overlays';
import type { Stage } from '../viewport/stage';
import type { View, Views } from '../viewport/views';
import { connectClick, connectHint, connectPick } from './connect';
import { createClick } from './create';
import { gizmoDrag } from './gizmo_drag';
import { grab, lead } from './hands';
import { measureClick } from './measure';
import { pushDrag } from './push';
import { isJointed, slide } from './slide';
import { SizeHandles } from './size_handles';
import { meant, snapPoints } from './snap_points';
import { fingerDrag } from './touch';
import { click, orbit, pan, pinch } from './view_drags';

export interface Drag {
  move(x: number, y: number, event: PointerEvent): void;
  end(x: number, y: number, event: PointerEvent): void;
  cancel(): void;
  type?(key: string): boolean; // a key while it is held; whether it was for it
}

export class Pointer {
  drag: Drag | null = null;
  gizmo: TransformControls;
  pivot = new THREE.Object3D();
  gizmoHeld = false;
  firstPick: Pick | null = null;
  band: THREE.Line;
  arrow = new Arrow(new THREE.MeshBasicMaterial({ color: 0xf97316, depthTest: false }));
  private dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0xf59e0b, size: 7, sizeAttenuation: false, depthTest: false }));
  measured: Pick[] = [];
  at: [number, number] = [0, 0]; // the pointer, lately
  offered: { first: Pick; second: Pick; axis: THREE.Vector3; at?: THREE.Vector3; name: string; edits: number } | null = null; // another kind may be chosen still
  fingers = new Map<number, [number, number]>();
  readonly sizes: SizeHandles;
  linkKind: LinkKind = 'spring';
  onConnect: () => void = () => {};

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly views: Views,
    readonly stage: Stage,
    readonly store: Store,
    readonly editor: Editor,
    readonly hud: HTMLElement,
  ) {
    this.gizmo = new TransformControls(views.views[3].camera);
    this.gizmo.setSpace('world');
    stage.scene.add(this.gizmo.getHelper(), this.pivot);
    this.band = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
      new THREE.LineBasicMaterial({ color: 0xf59e0b, depthTest: false }),
    );
    this.band.renderOrder = 10;
    this.band.visible = false;
    this.band.frustumCulled = false;
    this.arrow.group.visible = this.dots.visible = false;
    this.dots.frustumCulled = false;
    this.dots.renderOrder = 11;
    this.sizes = new SizeHandles(this);
    stage.overlay.add(this.band, this.arrow.group, this.dots);
    views.beforeView = (view) => {
      this.gizmo.camera = view.camera;
      this.gizmo.getHelper().updateMatrixWorld(true);
      this.sizes.beforeView(view);
    };
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.moved(e));
    canvas.addEventListener('pointerup', (e) => this.up(e));
    canvas.addEventListener('pointercancel', (e) => (this.fingers.delete(e.pointerId), this.cancel()));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    canvas.addEventListener('dblclick', (e) => this.doubled(e));
    store.on(['selection', 'scene', 'tool', 'state'], () => this.aimGizmo());
    store.on('selection', () => this.offered && store.selection[0] !== this.offered.name && this.withdraw());
    store.on('state', () => store.running && this.withdraw());
    store.on('state', () => store.running && store.tool === 'connect' && this.setTool('select'));
  }

  cancel() {
    this.drag?.cancel();
    this.drag = null;
    this.firstPick = null;
    this.band.visible = false;
    this.arrow.group.visible = this.dots.visible = false;
    if (this.store.tool === 'connect') this.note('');
    this.showHud();
    this.views.redraw();
  }
  setTool(tool: string) {
    this.offered = null; // what was made is as it is
    this.cancel();
    if (tool !== 'measure') {
      this.measured = [];
      this.stage.overlays.showDistance(null, null);
      if (this.store.tool === 'measure') this.note('');
    }
    if (this.store.tool === 'prefab') this.note('');
    if (tool === 'prefab') this.note(t('place_here', { name: this.store.prefab }));
    this.store.tool = tool;
    const modes: Record<string, typeof this.store.gizmo> = { move: 'translate', turn: 'rotate', size: 'scale' };
    if (modes[tool]) {
      this.store.gizmo = modes[tool];
      this.store.tool = 'select';
    }
    this.store.tell('tool');
    this.canvas.dataset.tool = this.store.tool;
    this.showHud();
  }
  showHud() {
    const connecting = this.store.tool === 'connect';
    this.hud.hidden = !connecting && !this.offered;
    const step = this.hud.querySelector('.hud-step');
    if (step) step.textContent = this.offered ? t('connect_other') : connectHint(this.linkKind, !!this.firstPick);
    this.hud.querySelectorAll<HTMLButtonElement>('button[data-kind]').forEach((b) => {
      b.setAttribute('aria-pressed', String(b.dataset.kind === this.linkKind));
    });
  }
  setKind(kind: LinkKind) {
    const made = this.offered;
    this.linkKind = kind;
    this.showHud();
    if (made) void this.editor.request('undo', { edits: made.edits }).then((undone) => undone && this.make(made.first, made.second, made.axis, made.at));
  }
  // Makes a connection, and offers other kinds of it for a while.
  async make(first: Pick, second: Pick, axis: THREE.Vector3, at?: THREE.Vector3) {
    this.offered = null;
    const name = await this.editor.connect(this.linkKind, first, second, axis, at);
    if (name) this.offered = { first, second, axis, at, name, edits: this.editor.edits };
    this.showHud();
    clearTimeout(this.offering);
    this.offering = window.setTimeout(() => this.withdraw(), 7000);
  }
  private offering = 0;
  private withdraw() {
    if (!this.offered) return;
    this.offered = null;
    this.showHud();
  }
  kindByNumber(n: number) {
    if (linkKinds[n - 1]) this.setKind(linkKinds[n - 1]);
  }

  // Keys while something is dragged: numbers, Enter to be done, Escape to leave it.
  typed(e: KeyboardEvent): boolean {
    if (!this.drag || e.ctrlKey || e.metaKey) return false;
    if (e.key === 'Escape') return (this.cancel(), true);
    const drag = this.drag;
    if (e.key === 'Enter' && drag.type) {
      this.drag = null;
      drag.end(...this.at, new PointerEvent('pointerup'));
      return true;
    }
    return drag.type?.(e.key) ?? false;
  }

  // The gizmo stands at the last body selected; it is away while something runs.
  aimGizmo() {
    if (this.gizmoHeld) return;
    const names = this.movable();
    this.sizes.aim();
    const show = names.length > 0 && !this.store.running && this.store.tool === 'select' && this.store.gizmo !== 'scale';
    if (!show) {
      this.gizmo.detach();
      return this.views.redraw();
    }
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(names[names.length - 1]);
    this.pivot.position.set(x, y, z);
    this.pivot.quaternion.set(qx, qy, qz, qw);
    // an instance turns about its own place, as long as it has one
    const instance = this.store.selectionKind === 'instance' && this.store.atStart ? this.store.scene?.instances.find((i) => i.name === this.store.selection.at(-1)) : undefined;
    if (instance) {
      this.pivot.position.set(...instance.position);
      this.pivot.quaternion.set(instance.orientation[1], instance.orientation[2], instance.orientation[3], instance.orientation[0]);
    }
    if (this.store.gizmo !== 'scale') this.gizmo.setMode(this.store.gizmo);
    this.gizmo.setSpace(this.store.gizmo === 'rotate' ? 'local' : 'world');
    this.gizmo.size = isCoarse ? 1.25 : 0.85;
    if (this.gizmo.object !== this.pivot) this.gizmo.attach(this.pivot);
    this.views.redraw();
  }
  movable() {
    return this.store.selectedBodies.filter((n) => this.store.body(n)?.shape.type !== 'plane' && !this.store.locked.has(n));
  }

  place(event: PointerEvent | WheelEvent | MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // What is under the pointer: a body with the point, or nothing.
  pick(view: View, x: number, y: number): { body?: string; joint?: string; force?: string; point: THREE.Vector3; normal: THREE.Vector3 } | null {
    const caster = this.views.ray(view, x, y);
    // arrows are drawn over everything else
    const arrows = caster.intersectObject(this.stage.overlays.group, true);
    const arrow = arrows.find((hit) => hit.object.userData.force && hit.object.parent?.visible);
    if (arrow) return { force: arrow.object.userData.force, point: arrow.point, normal: new THREE.Vector3(0, 1, 0) };
    const hits = caster.intersectObjects([this.stage.bodies, this.stage.links], true);
    for (const hit of hits) {
      const { bodies, joint, ground } = hit.object.userData;
      const body: string | undefined = bodies?.[hit.instanceId ?? 0];
      if (ground && view.name !== 'camera') continue;
      if (joint && !hit.object.parent?.visible) continue;
      if (body && ['select', 'hand', 'force'].includes(this.store.tool) && this.store.locked.has(body)) continue;
      const normal = new THREE.Vector3(0, 1, 0);
      if (hit.face && hit.object instanceof THREE.InstancedMesh) {
        const X = new THREE.Matrix4();
        hit.object.getMatrixAt(hit.instanceId ?? 0, X);
        normal.copy(hit.face.normal).transformDirection(X);
      }
      if (body || joint) return { body, joint, point: hit.point, normal };
    }
    return null;
  }
  // The body that moves nearest to the pointer, if it is a few pixels away.
  private near(view: View, x: number, y: number): { body: string; point: THREE.Vector3 } | null {
    let best: { body: string; point: THREE.Vector3; far: number } | null = null;
    for (const body of (this.store.scene?.bodies ?? []).slice(0, 300)) {
      const box = body.motion === 'dynamic' && !this.store.locked.has(body.name) && !this.store.hidden.has(body.name) ? this.stage.object(body.name)?.box() : undefined;
      if (!box || box.isEmpty()) continue;
      const point = box.getCenter(new THREE.Vector3());
      const [px, py] = this.views.pixel(view, point);
      const size = box.getSize(new THREE.Vector3());
      const radius = (0.5 * Math.min(size.x, size.y, size.z) * view.height) / view.span;
      const far = Math.hypot(px - x, py - y) - radius;
      if (far < (isCoarse ? 30 : 16) && (!best || far < best.far)) best = { body: body.name, point, far };
    }
    return best;
  }
  // A point for what is not on anything: on the plane through the view's target, or on the ground.
  free(view: View, x: number, y: number): THREE.Vector3 {
    const ray = this.views.ray(view, x, y).ray;
    const out = new THREE.Vector3();
    const flat = view.name !== 'camera';
    const normal = flat ? ray.direction.clone().negate() : new THREE.Vector3(0, 1, 0);
    const depth = view.name === 'top' ? new THREE.Vector3() : flat ? new THREE.Vector3(0, 0, 0) : new THREE.Vector3();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, depth);
    return ray.intersectPlane(plane, out) ?? ray.at(view.span, out);
  }
  snapped(v: THREE.Vector3, event: MouseEvent): THREE.Vector3 {
    if (this.store.snap === event.ctrlKey) return v;
    const s = this.snapStep();
    return v.set(Math.round(v.x / s) * s, Math.round(v.y / s) * s, Math.round(v.z / s) * s);
  }
  // A step of 1, 2 or 5 that suits what is seen.
  snapStep(): number {
    const span = this.views.visible[0]?.span ?? 4;
    const base = 10 ** Math.floor(Math.log10(span / 40));
    const f = span / 40 / base;
    return base * (f < 1.5 ? 1 : f < 3.5 ? 2 : 5);
  }

  down(event: PointerEvent) {
    if (pinch(this, event)) return;
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view) return;
    this.canvas.focus();
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already
    }
    const handle = event.button === 0 && this.store.tool === 'select' ? this.sizes.at(view, x, y) : null;
    if (handle) {
      this.drag = this.sizes.drag(view, handle, x, y);
      return;
    }
    if (event.button === 2 || event.button === 1 || event.altKey) {
      this.drag = event.button === 1 || event.shiftKey || view.name !== 'camera' ? pan(this, view, x, y) : orbit(this, view, x, y);
      return;
    }
    if (event.button !== 0) return;
    if (this.store.tool === 'connect') return void connectClick(this, view, x, y, event);
    if (this.store.tool === 'measure') return measureClick(this, view, x, y, event);
    if (this.store.tool === 'force') {
      const hit = this.pick(view, x, y);
      if (hit?.body && this.store.body(hit.body)?.motion === 'dynamic') this.drag = pushDrag(this, view, hit.body, meant(this, hit.body, hit.point, view));
      return;
    }
    if (this.store.tool === 'hand') {
      const hit = this.pick(view, x, y);
      if (hit?.body && this.store.body(hit.body)?.motion === 'dynamic') {
        this.store.select([hit.body]);
        this.drag = this.store.running ? grab(this, view, hit.body, hit.point) : lead(this, view, hit.body, hit.point);
        return;
      }
      this.drag = click(this, view, x, y, hit, event);
      return;
    }
    if (this.store.tool !== 'select') return void createClick(this, view, x, y, event);
    const at = this.views.ndc(view, x, y);
    if (this.gizmo.object) {
      this.gizmo.camera = view.camera;
      this.views.place(view);
      const pointer = { x: at.x, y: at.y, button: 0 } as unknown as PointerEvent;
      this.gizmo.pointerHover(pointer);
      // its middle is the body itself, which slides
      if (this.gizmo.axis && this.gizmo.axis !== 'XYZ') {
        this.drag = gizmoDrag(this, view, pointer, event);
        return;
      }
    }
    const hit = this.pick(view, x, y);
    if (event.pointerType === 'touch') {
      const tapped = click(this, view, x, y, hit, event);
      this.drag = fingerDrag(this.store, [x, y], hit?.body, {
        hold: () => (this.store.running ? grab : lead)(this, view, hit!.body!, hit!.point),
        view: () => (view.name === 'camera' ? orbit : pan)(this, view, x, y),
        tap: () => tapped.end(x, y, event),
      });
      return;
    }
    // what moves need not be hit exactly
    const caught = this.store.running ? (hit?.body && this.store.body(hit.body)?.motion === 'dynamic' ? { body: hit.body, point: hit.point } : this.near(view, x, y)) : null;
    if (caught) {
      // by where it was touched, however far it has gone until the hand moves; a click picks it
      const local = this.localOf(caught.body, caught.point);
      const touched = hit?.body ? hit : { ...caught, normal: new THREE.Vector3(0, 1, 0) };
      this.drag = click(this, view, x, y, touched, event, () => grab(this, view, caught.body, this.worldOf(caught.body, local)));
      return;
    }
    this.drag = click(this, view, x, y, hit, event, hit?.body ? this.bodyDrag(view, hit.body, hit.point, event) : undefined);
  }

  // What dragging a body does while time stands still. What is fixed is moved when it is selected;
  // Shift drags the view, as everywhere.
  private bodyDrag(view: View, body: string, point: THREE.Vector3, event: PointerEvent): (() => Drag) | undefined {
    const motion = this.store.body(body)?.motion;
    const shape = this.store.body(body)?.shape.type;
    if (shape === 'plane' || (event.shiftKey && !event.ctrlKey) || this.locked(body)) return undefined;
    if (motion !== 'dynamic' && !this.store.selectedBodies.includes(body)) return undefined;
    const leads = motion === 'dynamic' && (event.ctrlKey || isJointed(this.store, body));
    return () => (leads ? lead : slide)(this, view, body, point);
  }
  private localOf(body: string, point: THREE.Vector3) {
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
    return point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw).invert());
  }
  private worldOf(body: string, local: THREE.Vector3) {
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
    return local.clone().applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw)).add(new THREE.Vector3(x, y, z));
  }
  locked(body: string) {
    return this.store.locked.has(body);
  }

  moved(event: PointerEvent) {
    if (pinch(this, event)) return;
    const [x, y] = (this.at = this.place(event));
    if (this.drag) {
      this.drag.move(x, y, event);
      return this.views.redraw();
    }
    const view = this.views.at(x, y);
    if (!view) return;
    if (['connect', 'measure', 'force'].includes(this.store.tool)) {
      const { body, point, what } = connectPick(this, view, x, y, event);
      this.showDots(body === 'world' ? undefined : body, point);
      const word = what ? t(`snap_${what}`) : '';
      if (this.firstPick) this.stretch(this.firstPick.point, point);
      if (this.store.tool === 'connect') this.note(this.firstPick ? `${point.distanceTo(this.firstPick.point).toFixed(3)} m  ${word}` : word);
    } else if (this.gizmo.object) {
      this.gizmo.camera = view.camera;
      this.views.place(view);
      const at = this.views.ndc(view, x, y);
      const before = this.gizmo.axis;
      this.gizmo.pointerHover({ x: at.x, y: at.y, button: 0 } as unknown as PointerEvent);
      if (before !== this.gizmo.axis) this.views.redraw();
    }
  }
  up(event: PointerEvent) {
    if (pinch(this, event)) return;
    const [x, y] = this.place(event);
    const drag = this.drag;
    this.drag = null;
    drag?.end(x, y, event);
    this.views.redraw();
  }
  wheel(event: WheelEvent) {
    event.preventDefault();
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view) return;
    view.span = Math.min(500, Math.max(0.02, view.span * Math.exp(0.0012 * event.deltaY)));
    this.views.redraw();
  }
  doubled(event: MouseEvent) {
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view || this.store.tool !== 'select') return;
    const hit = this.pick(view, x, y);
    if (hit?.body && this.store.instanceOf(hit.body)) return this.store.select([hit.body]); // inside
    if (hit) return;
    this.views.single = this.views.single ? null : view.name;
    this.views.resize();
  }

  note: (text: string) => void = () => {};

  onFrame: () => void = () => {};

  // Where connections can be fixed to a body, and where this one would be.
  showDots(body: string | undefined, at: THREE.Vector3 | null) {
    this.dots.visible = !!at;
    if (at) this.dots.geometry.setFromPoints([at, at, ...(body ? snapPoints(this.store, body) : [])]);
    this.views.redraw();
  }

  stretch(a: THREE.Vector3, b: THREE.Vector3) {
    this.band.geometry.setFromPoints([a, b]);
    this.band.visible = true;
    this.views.redraw();
  }

}
