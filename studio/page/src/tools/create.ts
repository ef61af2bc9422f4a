// Shapes and prefabs put where the pointer is, or beside the selection.
import * as THREE from 'three';
import { placeInstance } from '../model/prefabs';
import type { Shape } from '../model/store';
import { halfHeight } from '../viewport/shapes';
import type { View } from '../viewport/views';
import type { Pointer } from './pointer';

// A shape of the tool, of a size that suits what is seen.
export function shapeOfTool(tools: Pointer): Shape | undefined {
  const s = Math.max(0.02, Number((5 * tools.snapStep()).toPrecision(1)));
  const shapes: Record<string, Shape> = {
    box: { type: 'box', size: [s, s, s] },
    sphere: { type: 'sphere', radius: s / 2 },
    cylinder: { type: 'cylinder', radius: s / 2, height: s },
    capsule: { type: 'capsule', radius: Number((s / 3).toPrecision(1)), length: Number((s / 2).toPrecision(2)) },
    fixed_point: { type: 'fixed_point' },
  };
  return shapes[tools.store.tool];
}
// By keyboard: beside what is selected, else in the middle of what is seen.
export async function createHere(tools: Pointer) {
  const { prefab } = tools.store;
  const shape = shapeOfTool(tools);
  if (tools.store.tool === 'prefab' && prefab) {
    const place = tools.views.views[0].target.clone().setY(0);
    const beside = tools.store.selectedBodies.at(-1);
    if (beside) place.fromArray(tools.store.pose(beside)).setY(0).add(new THREE.Vector3(10 * tools.snapStep(), 0, 0));
    tools.setTool('select');
    return void (await placeInstance(tools.store, tools.editor, prefab, place));
  }
  if (!shape) return;
  const last = tools.movable().at(-1);
  const at = tools.views.views[0].target.clone();
  if (last) at.fromArray(tools.store.pose(last)).add(new THREE.Vector3(10 * tools.snapStep(), 0, 0));
  at.y = Math.max(at.y, halfHeight(shape));
  tools.setTool('select');
  await tools.editor.create(shape, at);
}

export async function createClick(tools: Pointer, view: View, x: number, y: number, event: PointerEvent) {
  const { prefab } = tools.store;
  const shape = shapeOfTool(tools);
  const hit = tools.pick(view, x, y);
  if (tools.store.tool === 'prefab' && prefab) {
    const on = hit && view.name === 'camera' ? hit.point.clone() : tools.free(view, x, y);
    const height = on.y;
    tools.snapped(on, event);
    if (hit && view.name === 'camera') on.y = height;
    if (!event.shiftKey) tools.setTool('select');
    return void (await placeInstance(tools.store, tools.editor, prefab, on));
  }
  if (!shape) return;
  const rest = halfHeight(shape);
  const point = hit && view.name === 'camera' ? hit.point.clone() : tools.free(view, x, y);
  tools.snapped(point, event);
  if (hit && view.name === 'camera') {
    const normal = hit.normal.y > 0.5 ? new THREE.Vector3(0, 1, 0) : hit.normal;
    point.addScaledVector(normal, rest + (point.clone().sub(hit.point).dot(normal) < 0 ? hit.point.clone().sub(point).dot(normal) : 0));
  } else if (view.name === 'camera' || view.name === 'top') {
    point.y = rest;
  } else {
    point.y = Math.max(point.y, shape.type === 'fixed_point' ? point.y : rest);
  }
  if (!event.shiftKey) tools.setTool('select');
  await tools.editor.create(shape, point);
}
