// Forces that are pulled out of a body.
import * as THREE from 'three';
import { arrowForce } from '../viewport/overlays';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';

// A force: pulled out of a body, longer is stronger; let go over another body it points there.
export function pushDrag(tools: Pointer, view: View, body: string, point: THREE.Vector3): Drag {
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), point);
  const tip = point.clone();
  const size = tools.stage.overlays.reach;
  const hide = () => {
    tools.arrow.group.visible = false;
    tools.note('');
  };
  return {
    move: (x, y) => {
      tools.views.ray(view, x, y).ray.intersectPlane(plane, tip);
      const along = tip.clone().sub(point);
      tools.arrow.set(point, along, 0.014 * Math.min(3, size));
      tools.note(`${arrowForce(along.length(), size)} N`);
    },
    end: (x, y, e) => {
      hide();
      const along = tip.clone().sub(point);
      const newtons = arrowForce(along.length(), size);
      if (newtons <= 0 || along.length() < 1e-6) return;
      const there = tools.pick(view, x, y)?.body;
      const other = there && there !== body && tools.store.body(there)?.shape.type !== 'plane' ? there : undefined;
      void tools.editor.push(body, point, along.setLength(newtons), other);
      if (!e.shiftKey) tools.setTool('select');
    },
    cancel: hide,
  };
}
// By keyboard: its weight, upwards, at the middle of what is selected.
export function pushSelected(tools: Pointer) {
  const name = tools.store.selectionKind === 'body' ? tools.store.selection[0] : undefined;
  const body = name ? tools.store.body(name) : undefined;
  if (!body || body.motion !== 'dynamic') return tools.setTool('force');
  void tools.editor.push(body.name, null, new THREE.Vector3(0, Number((2 * 9.81 * (body.mass ?? 1)).toPrecision(2)), 0));
}
