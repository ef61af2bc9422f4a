// Two clicks, or two bodies of the tree, make a connection.
import * as THREE from 'three';
import type { LinkKind, Pick } from '../model/editor';
import { t } from '../ui/texts';
import type { View } from '../viewport/views';
import type { Pointer } from './pointer';
import { spotAt } from './snap_points';

// Those that go from one point to another; the others are at one place.
export const isLong = (kind: LinkKind) => ['spring', 'damper', 'rod', 'shock_absorber', 'rope'].includes(kind);
export function connectHint(kind: LinkKind, begun: boolean): string {
  if (isLong(kind)) return t(begun ? 'connect_to' : 'connect_from');
  return t(!begun ? 'connect_body' : kind === 'slider' ? 'connect_slide' : 'connect_onto');
}

// Two bodies picked in the outliner are connected at their middles; else the tool.
export function connectSelected(tools: Pointer) {
  const [a, b] = tools.store.selection;
  if (tools.store.selectionKind !== 'body' || tools.store.selection.length !== 2) return tools.setTool('connect');
  const at = (name: string) => ({ body: name, point: new THREE.Vector3(...tools.store.pose(name).slice(0, 3)) });
  void tools.make(at(a), at(b), new THREE.Vector3(0, 0, 1));
}

// In a parallel view a point of the world lies as deep as the other end.
function asDeepAs(point: THREE.Vector3, other: THREE.Vector3, view: View): THREE.Vector3 {
  if (view.name === 'camera') return point;
  const way = view.camera.getWorldDirection(new THREE.Vector3());
  return point.addScaledVector(way, other.clone().sub(point).dot(way));
}
// What a click there would choose.
export function connectPick(tools: Pointer, view: View, x: number, y: number, event: MouseEvent): Pick & { what?: string } {
  const hit = tools.pick(view, x, y);
  const ground = hit?.body && tools.store.body(hit.body)?.shape.type === 'plane';
  if (hit?.body && !ground) {
    const { p, what } = spotAt(tools, hit.body, hit.point, view, tools.store.snap === event.ctrlKey);
    return { body: hit.body, point: p, what };
  }
  const point = hit?.body ? hit.point.clone() : tools.snapped(tools.free(view, x, y), event);
  const first = tools.firstPick;
  return { body: 'world', point: first && first.body !== 'world' ? asDeepAs(point, first.point, view) : point };
}

export async function connectClick(tools: Pointer, view: View, x: number, y: number, event: PointerEvent) {
  const pick = connectPick(tools, view, x, y, event);
  if (!tools.firstPick) {
    tools.firstPick = pick;
    return tools.showHud();
  }
  const first: Pick & { what?: string } = tools.firstPick;
  if (first.body === pick.body) return;
  if (first.body === 'world') asDeepAs(first.point, pick.point, view);
  // one place for both: where the body was clicked if the other is the world, where a point was meant if only the first was one
  const at = pick.body === 'world' || (first.body !== 'world' && first.what && first.what !== 'center' && !pick.what) ? first.point : pick.point;
  const axis = view.camera.getWorldDirection(new THREE.Vector3()).negate();
  tools.cancel();
  if (!event.shiftKey) tools.setTool('select');
  await tools.make(first, pick, axis, at);
}
