// Two clicks, or two bodies of the tree, make a connection.
import * as THREE from 'three';
import type { Pick } from '../model/editor';
import type { View } from '../viewport/views';
import type { Pointer } from './pointer';

// Two bodies picked in the outliner are connected at their middles; else the tool.
export function connectSelected(tools: Pointer) {
  const [a, b] = tools.store.selection;
  if (tools.store.selectionKind !== 'body' || tools.store.selection.length !== 2) return tools.setTool('connect');
  const at = (name: string) => ({ body: name, point: new THREE.Vector3(...tools.store.pose(name).slice(0, 3)) });
  void tools.editor.connect(tools.linkKind, at(a), at(b), new THREE.Vector3(0, 0, 1));
}

export async function connectClick(tools: Pointer, view: View, x: number, y: number, event: PointerEvent) {
  const hit = tools.pick(view, x, y);
  const ground = hit?.body && tools.store.body(hit.body)?.shape.type === 'plane';
  const pick: Pick = hit?.body && !ground ? { body: hit.body, point: centred(tools, hit.body, hit.point, view) } : { body: 'world', point: hit?.point ?? tools.snapped(tools.free(view, x, y), event) };
  if (!tools.firstPick) {
    tools.firstPick = pick;
    return tools.showHud();
  }
  const first = tools.firstPick;
  if (first.body === pick.body) return;
  const axis = view.camera.getWorldDirection(new THREE.Vector3()).negate();
  tools.cancel();
  await tools.editor.connect(tools.linkKind, first, pick, axis);
  if (!event.shiftKey) tools.setTool('select');
}
// Near the middle of a body as it is seen, its middle is meant.
export function centred(tools: Pointer, body: string, point: THREE.Vector3, view: View): THREE.Vector3 {
  const [x, y, z] = tools.store.pose(body);
  const middle = new THREE.Vector3(x, y, z);
  const a = tools.views.pixel(view, middle);
  const b = tools.views.pixel(view, point);
  return Math.hypot(a[0] - b[0], a[1] - b[1]) < 12 ? middle : point;
}
