// The pointer in the views: one drag at a time, each a small state machine with cancel.
//   select   click picks, drag on nothing orbits or pans, the gizmo moves and turns
//   shapes   click puts one on what is under the pointer
//   connect  click A, click B
//   running  drag on a body pulls it
import * as THREE from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { type Editor, type LinkKind, type Pick, linkKinds } from '../model/editor';
import type { Shape, Store } from '../model/store';
import { t } from '../ui/texts';
import { Arrow, arrowForce, arrowLength } from '../viewport/overlays';
import type { Stage } from '../viewport/stage';
import { halfHeight } from '../viewport/shapes';
import type { View, Views } from '../viewport/views';
import { fingerDrag } from './touch';

interface Drag {
  move(x: number, y: number, event: PointerEvent): void;
  end(x: number, y: number, event: PointerEvent): void;
  cancel(): void;
}

export class Pointer {
  private drag: Drag | null = null;
  private gizmo: TransformControls;
  private pivot = new THREE.Object3D();
  private gizmoHeld = false;
  private firstPick: Pick | null = null;
  private band: THREE.Line;
  private arrow = new Arrow(new THREE.MeshBasicMaterial({ color: 0xf97316, depthTest: false }));
  private measured: Pick[] = [];
  private fingers = new Map<number, [number, number]>();
  linkKind: LinkKind = 'spring';
  onConnect: () => void = () => {};

  constructor(
    private canvas: HTMLCanvasElement,
    private views: Views,
    private stage: Stage,
    private store: Store,
    private editor: Editor,
    private hud: HTMLElement,
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
    this.arrow.group.visible = false;
    stage.overlay.add(this.band, this.arrow.group);
    views.beforeView = (view) => {
      this.gizmo.camera = view.camera;
      this.gizmo.getHelper().updateMatrixWorld(true);
    };
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.moved(e));
    canvas.addEventListener('pointerup', (e) => this.up(e));
    canvas.addEventListener('pointercancel', (e) => (this.fingers.delete(e.pointerId), this.cancel()));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    canvas.addEventListener('dblclick', (e) => this.doubled(e));
    store.on(['selection', 'scene', 'tool', 'state'], () => this.aimGizmo());
  }

  cancel() {
    this.drag?.cancel();
    this.drag = null;
    this.firstPick = null;
    this.band.visible = false;
    this.arrow.group.visible = false;
    this.showHud();
    this.views.redraw();
  }
  setTool(tool: string) {
    this.cancel();
    if (tool !== 'measure') {
      this.measured = [];
      this.stage.overlays.showDistance(null, null);
      if (this.store.tool === 'measure') this.note('');
    }
    this.store.tool = tool;
    if (tool === 'move' || tool === 'turn') {
      this.store.gizmo = tool === 'move' ? 'translate' : 'rotate';
      this.store.tool = 'select';
    }
    this.store.tell('tool');
    this.canvas.dataset.tool = this.store.tool;
    this.showHud();
  }
  showHud() {
    const connecting = this.store.tool === 'connect';
    this.hud.hidden = !connecting;
    const step = this.hud.querySelector('.hud-step');
    if (step) step.textContent = t(this.firstPick ? 'connect_second' : 'connect_first');
    this.hud.querySelectorAll<HTMLButtonElement>('button[data-kind]').forEach((b) => {
      b.setAttribute('aria-pressed', String(b.dataset.kind === this.linkKind));
    });
  }
  setKind(kind: LinkKind) {
    this.linkKind = kind;
    this.showHud();
  }
  kindByNumber(n: number) {
    if (linkKinds[n - 1]) this.setKind(linkKinds[n - 1]);
  }

  // The gizmo stands at the last body selected; it is away while something runs.
  aimGizmo() {
    if (this.gizmoHeld) return;
    const names = this.movable();
    const show = names.length > 0 && !this.store.running && this.store.tool === 'select';
    if (!show) {
      this.gizmo.detach();
      return this.views.redraw();
    }
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(names[names.length - 1]);
    this.pivot.position.set(x, y, z);
    this.pivot.quaternion.set(qx, qy, qz, qw);
    this.gizmo.setMode(this.store.gizmo);
    this.gizmo.setSpace(this.store.gizmo === 'rotate' ? 'local' : 'world');
    this.gizmo.size = 0.85;
    if (this.gizmo.object !== this.pivot) this.gizmo.attach(this.pivot);
    this.views.redraw();
  }
  private movable() {
    if (this.store.selectionKind !== 'body') return [];
    return this.store.selection.filter((n) => this.store.body(n)?.shape.type !== 'plane');
  }

  private place(event: PointerEvent | WheelEvent | MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // What is under the pointer: a body with the point, or nothing.
  pick(view: View, x: number, y: number): { body?: string; joint?: string; force?: string; point: THREE.Vector3; normal: THREE.Vector3 } | null {
    const caster = this.views.ray(view, x, y);
    // arrows are drawn over everything else
    const arrows = this.store.show.forces ? caster.intersectObject(this.stage.overlays.group, true) : [];
    const arrow = arrows.find((hit) => hit.object.userData.force && hit.object.parent?.visible);
    if (arrow) return { force: arrow.object.userData.force, point: arrow.point, normal: new THREE.Vector3(0, 1, 0) };
    const hits = caster.intersectObjects([this.stage.bodies, this.stage.links], true);
    for (const hit of hits) {
      const { bodies, joint, ground } = hit.object.userData;
      const body: string | undefined = bodies?.[hit.instanceId ?? 0];
      if (ground && view.name !== 'camera') continue;
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
  // A point for what is not on anything: on the plane through the view's target, or on the ground.
  private free(view: View, x: number, y: number): THREE.Vector3 {
    const ray = this.views.ray(view, x, y).ray;
    const out = new THREE.Vector3();
    const flat = view.name !== 'camera';
    const normal = flat ? ray.direction.clone().negate() : new THREE.Vector3(0, 1, 0);
    const depth = view.name === 'top' ? new THREE.Vector3() : flat ? new THREE.Vector3(0, 0, 0) : new THREE.Vector3();
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, depth);
    return ray.intersectPlane(plane, out) ?? ray.at(view.span, out);
  }
  private snapped(v: THREE.Vector3, event: MouseEvent): THREE.Vector3 {
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

  private down(event: PointerEvent) {
    if (this.pinch(event)) return;
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view) return;
    this.canvas.focus();
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already
    }
    if (event.button === 2 || event.button === 1 || event.altKey) {
      this.drag = event.button === 1 || event.shiftKey || view.name !== 'camera' ? this.pan(view, x, y) : this.orbit(view, x, y);
      return;
    }
    if (event.button !== 0) return;
    if (this.store.tool === 'connect') return void this.connectClick(view, x, y, event);
    if (this.store.tool === 'measure') return this.measureClick(view, x, y, event);
    if (this.store.tool === 'force') {
      const hit = this.pick(view, x, y);
      if (hit?.body && this.store.body(hit.body)?.motion === 'dynamic') this.drag = this.pushDrag(view, hit.body, this.centred(hit.body, hit.point, view));
      return;
    }
    if (this.store.tool === 'hand') {
      const hit = this.pick(view, x, y);
      if (hit?.body && this.store.body(hit.body)?.motion === 'dynamic') {
        this.store.select([hit.body]);
        this.drag = this.store.running ? this.grab(view, hit.body, hit.point) : this.lead(view, hit.body, hit.point);
        return;
      }
      this.drag = this.click(view, x, y, hit, event);
      return;
    }
    if (this.store.tool !== 'select') return void this.createClick(view, x, y, event);
    const at = this.views.ndc(view, x, y);
    if (this.gizmo.object) {
      this.gizmo.camera = view.camera;
      this.views.place(view);
      const pointer = { x: at.x, y: at.y, button: 0 } as unknown as PointerEvent;
      this.gizmo.pointerHover(pointer);
      if (this.gizmo.axis) {
        this.drag = this.gizmoDrag(view, pointer, event);
        return;
      }
    }
    const hit = this.pick(view, x, y);
    if (event.pointerType === 'touch') {
      const click = this.click(view, x, y, hit, event);
      this.drag = fingerDrag(this.store, [x, y], hit?.body, {
        hold: () => (this.store.running ? this.grab(view, hit!.body!, hit!.point) : this.lead(view, hit!.body!, hit!.point)),
        view: () => (view.name === 'camera' ? this.orbit(view, x, y) : this.pan(view, x, y)),
        tap: () => click.end(x, y, event),
      });
      return;
    }
    if (hit?.body && this.store.running && this.store.body(hit.body)?.motion === 'dynamic') {
      this.drag = this.grab(view, hit.body, hit.point);
      return;
    }
    const dynamic = hit?.body && this.store.body(hit.body)?.motion === 'dynamic';
    this.drag = this.click(view, x, y, hit, event, dynamic && event.ctrlKey ? () => this.lead(view, hit.body!, hit.point) : undefined);
  }

  // Two fingers pan and pinch.
  private pinch(event: PointerEvent): boolean {
    if (event.pointerType !== 'touch') return false;
    const [x, y] = this.place(event);
    const before = new Map(this.fingers);
    if (event.type === 'pointerup' || event.type === 'pointercancel') this.fingers.delete(event.pointerId);
    else if (event.type === 'pointerdown' || this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, [x, y]);
    if (this.fingers.size < 2) return before.size > 1;
    if (event.type === 'pointerdown') {
      this.drag?.cancel();
      this.drag = null;
    }
    const [a, b] = [...this.fingers.values()];
    const [c, d] = [...this.fingers.keys()].map((id) => before.get(id) ?? this.fingers.get(id)!);
    const view = this.views.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    if (!view) return true;
    const apart = (p: number[], q: number[]) => Math.max(10, Math.hypot(p[0] - q[0], p[1] - q[1]));
    view.span = Math.min(500, Math.max(0.02, (view.span * apart(c, d)) / apart(a, b)));
    const pan = this.pan(view, (c[0] + d[0]) / 2, (c[1] + d[1]) / 2);
    pan.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, event);
    this.views.redraw();
    return true;
  }

  private moved(event: PointerEvent) {
    if (this.pinch(event)) return;
    const [x, y] = this.place(event);
    if (this.drag) {
      this.drag.move(x, y, event);
      return this.views.redraw();
    }
    const view = this.views.at(x, y);
    if (!view) return;
    if (this.firstPick) {
      const hit = this.pick(view, x, y);
      this.stretch(this.firstPick.point, hit?.point ?? this.free(view, x, y));
    } else if (this.gizmo.object) {
      this.gizmo.camera = view.camera;
      this.views.place(view);
      const at = this.views.ndc(view, x, y);
      const before = this.gizmo.axis;
      this.gizmo.pointerHover({ x: at.x, y: at.y, button: 0 } as unknown as PointerEvent);
      if (before !== this.gizmo.axis) this.views.redraw();
    }
  }
  private up(event: PointerEvent) {
    if (this.pinch(event)) return;
    const [x, y] = this.place(event);
    const drag = this.drag;
    this.drag = null;
    drag?.end(x, y, event);
    this.views.redraw();
  }
  private wheel(event: WheelEvent) {
    event.preventDefault();
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view) return;
    view.span = Math.min(500, Math.max(0.02, view.span * Math.exp(0.0012 * event.deltaY)));
    this.views.redraw();
  }
  private doubled(event: MouseEvent) {
    const [x, y] = this.place(event);
    const view = this.views.at(x, y);
    if (!view || this.store.tool !== 'select' || this.pick(view, x, y)) return;
    this.views.single = this.views.single ? null : view.name;
    this.views.resize();
  }

  private orbit(view: View, x0: number, y0: number): Drag {
    // whoever turns the view leaves the camera of the scene
    if (this.views.through) {
      this.views.through = null;
      this.views.followShots = false;
      this.store.tell('show');
    }
    const { yaw, pitch } = view;
    return {
      move: (x, y) => {
        view.yaw = yaw - 0.008 * (x - x0);
        view.pitch = Math.min(1.5, Math.max(-1.5, pitch + 0.008 * (y - y0)));
      },
      end: () => {},
      cancel: () => Object.assign(view, { yaw, pitch }),
    };
  }
  private pan(view: View, x0: number, y0: number): Drag {
    const target = view.target.clone();
    this.views.place(view);
    const right = new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 1);
    return {
      move: (x, y) => {
        const s = view.span / view.height;
        view.target.copy(target).addScaledVector(right, -s * (x - x0)).addScaledVector(up, s * (y - y0));
      },
      end: () => {},
      cancel: () => view.target.copy(target),
    };
  }

  // A click that may become a drag of the view.
  private click(view: View, x0: number, y0: number, hit: ReturnType<Pointer['pick']>, event: PointerEvent, instead?: () => Drag): Drag {
    let turning: Drag | null = null;
    const many = event.shiftKey || event.ctrlKey || event.metaKey;
    return {
      move: (x, y, e) => {
        if (!turning && Math.hypot(x - x0, y - y0) > 4) {
          turning = instead ? instead() : view.name === 'camera' && !event.shiftKey ? this.orbit(view, x0, y0) : this.pan(view, x0, y0);
        }
        turning?.move(x, y, e);
      },
      end: (x, y, e) => {
        if (turning) return turning.end(x, y, e);
        if (hit?.force) return this.store.select([hit.force], 'force');
        if (hit?.joint) return this.store.select([hit.joint], 'joint');
        const body = hit?.body;
        if (!body) return many ? undefined : this.store.select([]);
        const old = this.store.selectionKind === 'body' ? this.store.selection : [];
        if (!many) this.store.select([body]);
        else this.store.select(old.includes(body) ? old.filter((n) => n !== body) : [...old, body]);
      },
      cancel: () => turning?.cancel(),
    };
  }

  private gizmoDrag(view: View, pointer: PointerEvent, event: PointerEvent): Drag {
    const names = this.movable();
    const starts = new Map(names.map((n) => [n, this.store.pose(n)]));
    const from = { p: this.pivot.position.clone(), q: this.pivot.quaternion.clone() };
    this.gizmoHeld = true;
    const snap = (e: MouseEvent) => {
      const on = this.store.snap !== e.ctrlKey;
      this.gizmo.translationSnap = on ? this.snapStep() * (e.shiftKey ? 0.1 : 1) : null;
      this.gizmo.rotationSnap = on ? THREE.MathUtils.degToRad(e.shiftKey ? 1 : 15) : null;
    };
    snap(event);
    this.gizmo.pointerDown(pointer);
    const poses = () => {
      const turn = this.pivot.quaternion.clone().multiply(from.q.clone().invert());
      const out = new Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>();
      for (const [name, [x, y, z, qw, qx, qy, qz]] of starts) {
        const p = new THREE.Vector3(x, y, z).sub(from.p).applyQuaternion(turn).add(this.pivot.position);
        out.set(name, { p, q: turn.clone().multiply(new THREE.Quaternion(qx, qy, qz, qw)).normalize() });
      }
      return out;
    };
    const finish = () => {
      this.gizmo.pointerUp({ x: 0, y: 0, button: 0 } as unknown as PointerEvent);
      this.gizmoHeld = false;
    };
    return {
      move: (x, y, e) => {
        snap(e);
        this.gizmo.camera = view.camera;
        const at = this.views.ndc(view, x, y);
        this.gizmo.pointerMove({ x: at.x, y: at.y, button: -1 } as unknown as PointerEvent);
        for (const [name, { p, q }] of poses()) {
          const object = this.stage.object(name);
          object?.position.copy(p);
          object?.quaternion.copy(q);
          object?.place();
        }
        this.stage.placed();
        const d = this.pivot.position.clone().sub(from.p);
        if (this.store.gizmo === 'translate') this.note(`Δ ${[d.x, d.y, d.z].map((v) => v.toFixed(3)).join('  ')} m`);
      },
      end: () => {
        const to = poses();
        finish();
        this.note('');
        void this.editor.place(to, t(this.store.gizmo === 'translate' ? 'move' : 'turn')).then((done) => {
          if (!done) this.stage.move(); // refused: back to where it is
          this.aimGizmo();
        });
      },
      cancel: () => {
        finish();
        this.note('');
        this.stage.move();
        this.aimGizmo();
      },
    };
  }
  note: (text: string) => void = () => {};

  // A hand on a body while it runs: follows in the plane that faces the viewer.
  private grab(view: View, body: string, point: THREE.Vector3): Drag {
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
    const q = new THREE.Quaternion(qx, qy, qz, qw);
    const local = point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(q.clone().invert());
    const normal = view.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
    const target = point.clone();
    // one at a time; where the hand is by then goes out after the answer
    let sent: number[] | null = null;
    const send = () => {
      if (sent || !held) return;
      sent = target.toArray();
      void this.editor.request('grab_move', { target: sent }).then(() => {
        const other = sent!.some((v, i) => v !== target.getComponent(i));
        sent = null;
        if (other) send();
      });
    };
    let held = true;
    void this.editor.request('grab', { body, point: local.toArray(), target: target.toArray() });
    const follow = () => {
      const [bx, by, bz, bw, b1, b2, b3] = this.store.pose(body);
      const grip = local.clone().applyQuaternion(new THREE.Quaternion(b1, b2, b3, bw)).add(new THREE.Vector3(bx, by, bz));
      this.stretch(grip, target);
    };
    this.onFrame = follow;
    const stop = () => {
      held = false;
      this.onFrame = () => {};
      this.band.visible = false;
      void this.editor.request('grab_end');
    };
    return {
      move: (px, py) => {
        this.views.ray(view, px, py).ray.intersectPlane(plane, target);
        follow();
        send();
      },
      end: stop,
      cancel: stop,
    };
  }
  onFrame: () => void = () => {};

  // A hand on a mechanism while time stands still: everything follows as its joints allow.
  private lead(view: View, body: string, point: THREE.Vector3): Drag {
    // at the start it changes the document, in which bodies of arrays have no place of their own
    if (this.store.state?.step === 0 && this.store.body(body)?.own === false) {
      this.editor.offerExpand([], '');
      return { move: () => {}, end: () => {}, cancel: () => {} };
    }
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
    const local = point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw).invert());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), point);
    const target = point.clone();
    let waiting: Promise<unknown> = this.editor.request('drag', { body, point: local.toArray() });
    let busy = false;
    const send = () => {
      if (busy) return;
      busy = true;
      waiting = waiting.then(async () => {
        const answer = await this.editor.quiet('drag_move', { target: target.toArray() });
        busy = false;
        if (answer) this.note(answer.miss > 0.01 ? t('out_of_reach', { d: answer.miss.toFixed(2) }) : '');
      });
    };
    const stop = (keep: boolean) => {
      this.band.visible = false;
      this.note('');
      void waiting.then(() => (keep ? this.editor.quiet('drag_move', { target: target.toArray() }) : null)).then(() => this.editor.request('drag_end', { keep }));
    };
    return {
      move: (px, py) => {
        this.views.ray(view, px, py).ray.intersectPlane(plane, target);
        this.stretch(point, target);
        send();
      },
      end: () => stop(true),
      cancel: () => stop(false),
    };
  }

  // A force: pulled out of a body, longer is stronger; let go over another body it points there.
  private pushDrag(view: View, body: string, point: THREE.Vector3): Drag {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), point);
    const tip = point.clone();
    const size = this.stage.overlays.size;
    const hide = () => {
      this.arrow.group.visible = false;
      this.note('');
    };
    return {
      move: (x, y) => {
        this.views.ray(view, x, y).ray.intersectPlane(plane, tip);
        const along = tip.clone().sub(point);
        this.arrow.set(point, along, 0.014 * Math.min(3, size));
        this.note(`${arrowForce(along.length(), size)} N`);
      },
      end: (x, y, e) => {
        hide();
        const along = tip.clone().sub(point);
        const newtons = arrowForce(along.length(), size);
        if (newtons <= 0 || along.length() < 1e-6) return;
        const there = this.pick(view, x, y)?.body;
        const other = there && there !== body && this.store.body(there)?.shape.type !== 'plane' ? there : undefined;
        void this.editor.push(body, point, along.setLength(newtons), other);
        if (!e.shiftKey) this.setTool('select');
      },
      cancel: hide,
    };
  }
  // By keyboard: its weight, upwards, at the middle of what is selected.
  pushSelected() {
    const name = this.store.selectionKind === 'body' ? this.store.selection[0] : undefined;
    const body = name ? this.store.body(name) : undefined;
    if (!body || body.motion !== 'dynamic') return this.setTool('force');
    void this.editor.push(body.name, null, new THREE.Vector3(0, Number((2 * 9.81 * (body.mass ?? 1)).toPrecision(2)), 0));
  }
  // Two bodies picked in the outliner are connected at their middles; else the tool.
  connectSelected() {
    const [a, b] = this.store.selection;
    if (this.store.selectionKind !== 'body' || this.store.selection.length !== 2) return this.setTool('connect');
    const at = (name: string) => ({ body: name, point: new THREE.Vector3(...this.store.pose(name).slice(0, 3)) });
    void this.editor.connect(this.linkKind, at(a), at(b), new THREE.Vector3(0, 0, 1));
  }

  // Between two clicks; moves along with the bodies.
  private measureClick(view: View, x: number, y: number, event: PointerEvent) {
    const hit = this.pick(view, x, y);
    const point = hit?.body ? this.centred(hit.body, hit.point, view) : this.snapped(this.free(view, x, y), event);
    const held = { body: hit?.body ?? 'world', point };
    if (this.measured.length >= 2) this.measured = [];
    this.measured.push(hit?.body ? { ...held, point: this.localPoint(hit.body, point) } : held);
    this.showMeasure();
  }
  private localPoint(body: string, point: THREE.Vector3): THREE.Vector3 {
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
    return point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw).invert());
  }
  showMeasure() {
    if (this.store.tool !== 'measure' || !this.measured.length) return;
    const [a, b] = this.measured.map(({ body, point }) => {
      if (body === 'world') return point;
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
      return point.clone().applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw)).add(new THREE.Vector3(x, y, z));
    });
    this.stage.overlays.showDistance(a, b ?? a);
    if (b) {
      const d = b.clone().sub(a);
      this.note(`${d.length().toFixed(4)} m   Δ ${[d.x, d.y, d.z].map((v) => v.toFixed(3)).join('  ')}`);
    }
    this.views.redraw();
  }
  arrowFor(newtons: number): number {
    return arrowLength(newtons, this.stage.overlays.size);
  }

  private stretch(a: THREE.Vector3, b: THREE.Vector3) {
    this.band.geometry.setFromPoints([a, b]);
    this.band.visible = true;
    this.views.redraw();
  }

  private async connectClick(view: View, x: number, y: number, event: PointerEvent) {
    const hit = this.pick(view, x, y);
    const ground = hit?.body && this.store.body(hit.body)?.shape.type === 'plane';
    const pick: Pick = hit?.body && !ground ? { body: hit.body, point: this.centred(hit.body, hit.point, view) } : { body: 'world', point: hit?.point ?? this.snapped(this.free(view, x, y), event) };
    if (!this.firstPick) {
      this.firstPick = pick;
      return this.showHud();
    }
    const first = this.firstPick;
    if (first.body === pick.body) return;
    const axis = view.camera.getWorldDirection(new THREE.Vector3()).negate();
    this.cancel();
    await this.editor.connect(this.linkKind, first, pick, axis);
    if (!event.shiftKey) this.setTool('select');
  }
  // Near the middle of a body as it is seen, its middle is meant.
  private centred(body: string, point: THREE.Vector3, view: View): THREE.Vector3 {
    const [x, y, z] = this.store.pose(body);
    const middle = new THREE.Vector3(x, y, z);
    const a = this.views.pixel(view, middle);
    const b = this.views.pixel(view, point);
    return Math.hypot(a[0] - b[0], a[1] - b[1]) < 12 ? middle : point;
  }

  // A shape of the tool, of a size that suits what is seen.
  private shapeOfTool(): Shape | undefined {
    const s = Math.max(0.02, Number((5 * this.snapStep()).toPrecision(1)));
    const shapes: Record<string, Shape> = {
      box: { type: 'box', size: [s, s, s] },
      sphere: { type: 'sphere', radius: s / 2 },
      cylinder: { type: 'cylinder', radius: s / 2, height: s },
      capsule: { type: 'capsule', radius: s / 3, length: s / 2 },
      fixed_point: { type: 'fixed_point' },
    };
    return shapes[this.store.tool];
  }
  // By keyboard: beside what is selected, else in the middle of what is seen.
  async createHere() {
    const shape = this.shapeOfTool();
    if (!shape) return;
    const last = this.movable().at(-1);
    const at = this.views.views[0].target.clone();
    if (last) at.fromArray(this.store.pose(last)).add(new THREE.Vector3(10 * this.snapStep(), 0, 0));
    at.y = Math.max(at.y, halfHeight(shape));
    this.setTool('select');
    await this.editor.create(shape, at);
  }

  private async createClick(view: View, x: number, y: number, event: PointerEvent) {
    const shape = this.shapeOfTool();
    if (!shape) return;
    const hit = this.pick(view, x, y);
    const rest = halfHeight(shape);
    const point = hit && view.name === 'camera' ? hit.point.clone() : this.free(view, x, y);
    this.snapped(point, event);
    if (hit && view.name === 'camera') {
      const normal = hit.normal.y > 0.5 ? new THREE.Vector3(0, 1, 0) : hit.normal;
      point.addScaledVector(normal, rest + (point.clone().sub(hit.point).dot(normal) < 0 ? hit.point.clone().sub(point).dot(normal) : 0));
    } else if (view.name === 'camera' || view.name === 'top') {
      point.y = rest;
    } else {
      point.y = Math.max(point.y, shape.type === 'fixed_point' ? point.y : rest);
    }
    if (!event.shiftKey) this.setTool('select');
    await this.editor.create(shape, point);
  }
}
