// Handles on the sides of the selected shape: pull one and that side moves; Alt pulls both sides, Shift
// keeps the proportions, Ctrl switches snapping.
import * as THREE from 'three';
import type { Operation } from '../model/editor';
import { placeOperations, poseOf } from '../model/prefabs';
import { Presses } from '../model/presses';
import { t } from '../ui/texts';
import { emptied } from '../viewport/dispose';
import { makeGeometry } from '../viewport/shapes';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';
import { type Handle, type Pull, type Sized, changedKeys, describeSize, extentOf, pulled } from './sizing';

const colors = [0xdc5a5a, 0x4f9d52, 0x4a82d8];
const kPixels = 11;

export class SizeHandles {
  readonly group = new THREE.Group();
  private cubes: { mesh: THREE.Mesh; handle: Handle }[] = [];
  private preview = new THREE.Group();
  private body = '';

  constructor(private tools: Pointer) {
    for (const axis of [0, 1, 2] as const)
      for (const side of [1, -1] as const) {
        const mesh = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshBasicMaterial({ color: colors[axis], depthTest: false, transparent: true }));
        mesh.renderOrder = 12;
        this.cubes.push({ mesh, handle: { axis, side } });
        this.group.add(mesh);
      }
    this.presses = new Presses(tools.store, (key, steps) => this.resize(key.slice(2), Number(key[0]) as 0 | 1 | 2, steps), (a, b) => a + b);
    this.group.visible = false;
    tools.stage.overlay.add(this.group, this.preview);
  }
  // Of one body; of several the sizes are those of the inspector.
  aim() {
    const { store } = this.tools;
    const names = store.selectionKind === 'body' ? store.selection : [];
    const free = names.length === 1 && !store.locked.has(names[0]) && !store.hidden.has(names[0]);
    const shape = free ? store.body(names[0])?.shape : undefined;
    const extent = shape && extentOf(shape);
    this.group.visible = !!extent && store.gizmo === 'scale' && store.tool === 'select' && !store.running;
    if (!extent || !this.group.visible) return;
    this.body = names[0];
    const { p, q } = poseOf(store.pose(this.body));
    for (const { mesh, handle } of this.cubes) {
      const at = new THREE.Vector3().setComponent(handle.axis, handle.side > 0 ? extent.high[handle.axis] : extent.low[handle.axis]);
      for (const k of [0, 1, 2]) if (k !== handle.axis) at.setComponent(k, (extent.low[k] + extent.high[k]) / 2);
      mesh.position.copy(at.applyQuaternion(q).add(p));
      mesh.quaternion.copy(q);
    }
  }
  // As large in every view.
  beforeView(view: View) {
    if (!this.group.visible) return;
    for (const { mesh } of this.cubes) {
      const camera = view.camera;
      const high = camera instanceof THREE.PerspectiveCamera ? 2 * camera.position.distanceTo(mesh.position) * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) : view.span;
      mesh.scale.setScalar((kPixels * high) / Math.max(1, view.height));
    }
    this.group.updateMatrixWorld(true);
  }
  // The handle under the pointer. Those that point at the viewer cannot be pulled.
  at(view: View, x: number, y: number): Handle | null {
    if (!this.group.visible) return null;
    const look = view.camera.getWorldDirection(new THREE.Vector3());
    let best: Handle | null = null;
    let nearest = kPixels + 2;
    for (const { mesh, handle } of this.cubes) {
      if (Math.abs(this.axis(handle).dot(look)) > 0.96) continue;
      const [px, py] = this.tools.views.pixel(view, mesh.position);
      const d = Math.hypot(px - x, py - y);
      if (d < nearest) [best, nearest] = [handle, d];
    }
    return best;
  }
  private axis(handle: Handle): THREE.Vector3 {
    return new THREE.Vector3().setComponent(handle.axis, handle.side).applyQuaternion(poseOf(this.tools.store.pose(this.body)).q);
  }
  drag(view: View, handle: Handle, x0: number, y0: number): Drag {
    const { tools } = this;
    const name = this.body;
    const shape = tools.store.body(name)!.shape;
    const axis = this.axis(handle);
    const from = this.cubes.find((c) => c.handle === handle)!.mesh.position.clone();
    // the point of the line through the handle that is nearest to the ray of the pointer
    const along = (x: number, y: number) => {
      const { origin, direction } = tools.views.ray(view, x, y).ray;
      const w = from.clone().sub(origin);
      const b = axis.dot(direction);
      return (b * direction.dot(w) - axis.dot(w)) / Math.max(1e-6, 1 - b * b);
    };
    const grip = along(x0, y0);
    let sized: Sized | null = null;
    const finish = () => {
      emptied(this.preview);
      tools.note('');
    };
    return {
      move: (x, y, e) => {
        sized = pulled(shape, this.snapped(shape, { handle, by: along(x, y) - grip, both: e.altKey, even: e.shiftKey }, e));
        this.show(name, sized);
        tools.note(describeSize(sized.shape));
      },
      end: () => {
        finish();
        if (sized) void this.commit(name, sized);
      },
      cancel: finish,
    };
  }
  // The length as a whole goes by steps.
  private snapped(shape: Parameters<typeof pulled>[0], pull: Pull, event: MouseEvent): Pull {
    if (this.tools.store.snap === event.ctrlKey) return pull;
    const { low, high } = extentOf(shape)!;
    const extent = high[pull.handle.axis] - low[pull.handle.axis];
    const { shape: to } = pulled(shape, pull);
    const after = extentOf(to)!;
    const now = after.high[pull.handle.axis] - after.low[pull.handle.axis];
    const step = this.tools.snapStep();
    const wanted = Math.max(step, Math.round(now / step) * step);
    return Math.abs(now - extent) < 1e-12 ? pull : { ...pull, by: (pull.by * (wanted - extent)) / (now - extent) };
  }
  private show(name: string, sized: Sized) {
    emptied(this.preview);
    const geometry = makeGeometry(sized.shape, this.tools.store.scene!);
    if (!geometry) return;
    const { p, q } = poseOf(this.tools.store.pose(name));
    this.preview.position.copy(new THREE.Vector3(...sized.shift).applyQuaternion(q).add(p));
    this.preview.quaternion.copy(q);
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), new THREE.LineBasicMaterial({ color: 0xf59e0b, depthTest: false }));
    const body = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: 0xf59e0b, transparent: true, opacity: 0.25, depthWrite: false }));
    edges.renderOrder = 11;
    this.preview.add(edges, body);
  }
  commit(name: string, sized: Sized, merge?: string) {
    const { store, editor } = this.tools;
    const path = store.source(name) ?? ['bodies', name];
    const ops: Operation[] = changedKeys(store.body(name)!.shape, sized.shape).map(([key, value]) => ({ op: 'set', path: [...path, 'shape', key], value }));
    const { p, q } = poseOf(store.pose(name));
    const moved = new THREE.Vector3(...sized.shift).applyQuaternion(q).add(p);
    if (moved.distanceTo(p) > 1e-7) ops.push(...placeOperations(store, new Map([[name, { p: moved, q }]])));
    return editor.edit(ops, t('size'), { merge }).catch(() => null);
  }
  // By keyboard: the upper side of an axis by one step.
  nudge(axis: 0 | 1 | 2, steps: number) {
    const name = this.tools.store.selectionKind === 'body' && this.tools.store.selection.length === 1 ? this.tools.store.selection[0] : '';
    if (name && !this.tools.store.locked.has(name)) this.presses.add(`${axis} ${name}`, steps);
  }
  private presses: Presses<number>;
  private async resize(name: string, axis: 0 | 1 | 2, steps: number) {
    const shape = this.tools.store.body(name)?.shape;
    if (!shape || !extentOf(shape)) return null;
    const round = shape.type === 'sphere' || (shape.type !== 'box' && shape.type !== 'hull' && axis !== 1);
    return this.commit(name, pulled(shape, { handle: { axis, side: 1 }, by: (steps * this.tools.snapStep()) / (round ? 2 : 1), both: false, even: false }), `size ${name}`);
  }
}
