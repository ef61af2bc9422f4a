// A distance that goes on as the bodies move.
import * as THREE from 'three';
import type { View } from '../viewport/views';
import { meant } from './snap_points';
import type { Pointer } from './pointer';

// Between two clicks; moves along with the bodies.
export function measureClick(tools: Pointer, view: View, x: number, y: number, event: PointerEvent) {
  const hit = tools.pick(view, x, y);
  const point = hit?.body ? meant(tools, hit.body, hit.point, view) : tools.snapped(tools.free(view, x, y), event);
  const held = { body: hit?.body ?? 'world', point };
  if (tools.measured.length >= 2) tools.measured = [];
  tools.measured.push(hit?.body ? { ...held, point: localPoint(tools, hit.body, point) } : held);
  showMeasure(tools);
}
export function localPoint(tools: Pointer, body: string, point: THREE.Vector3): THREE.Vector3 {
  const [x, y, z, qw, qx, qy, qz] = tools.store.pose(body);
  return point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw).invert());
}
export function showMeasure(tools: Pointer) {
  if (tools.store.tool !== 'measure' || !tools.measured.length) return;
  const [a, b] = tools.measured.map(({ body, point }) => {
    if (body === 'world') return point;
    const [x, y, z, qw, qx, qy, qz] = tools.store.pose(body);
    return point.clone().applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw)).add(new THREE.Vector3(x, y, z));
  });
  tools.stage.overlays.showDistance(a, b ?? a);
  if (b) {
    const d = b.clone().sub(a);
    tools.note(`${d.length().toFixed(4)} m   Δ ${[d.x, d.y, d.z].map((v) => v.toFixed(3)).join('  ')}`);
  }
  tools.views.redraw();
}
