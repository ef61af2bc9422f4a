// Hands: on a body while it runs, and on a mechanism while time stands still.
import * as THREE from 'three';
import { t } from '../ui/texts';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';

// A hand on a body while it runs: follows in the plane that faces the viewer.
export function grab(tools: Pointer, view: View, body: string, point: THREE.Vector3): Drag {
  const [x, y, z, qw, qx, qy, qz] = tools.store.pose(body);
  const q = new THREE.Quaternion(qx, qy, qz, qw);
  const local = point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(q.clone().invert());
  const normal = view.camera.getWorldDirection(new THREE.Vector3());
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
  const target = point.clone();
  let last = tools.views.pixel(view, point)[1];
  // one at a time; where the hand is by then goes out after the answer
  let sent: number[] | null = null;
  let held = true;
  const send = () => {
    if (sent || !held) return;
    sent = target.toArray();
    void tools.editor.quiet('grab_move', { target: sent }).then((answer) => {
      if (answer && held) tools.note(`${Number(answer.force.toPrecision(3))} N`);
      const other = sent!.some((v, i) => v !== target.getComponent(i));
      sent = null;
      if (other) send();
    });
  };
  void tools.editor.request('grab', { body, point: local.toArray(), target: target.toArray() });
  const follow = () => {
    const [bx, by, bz, bw, b1, b2, b3] = tools.store.pose(body);
    const grip = local.clone().applyQuaternion(new THREE.Quaternion(b1, b2, b3, bw)).add(new THREE.Vector3(bx, by, bz));
    tools.stretch(grip, target);
  };
  tools.onFrame = follow;
  const stop = () => {
    held = false;
    tools.note('');
    tools.onFrame = () => {};
    tools.band.visible = false;
    void tools.editor.request('grab_end').then(() => tools.editor.offerForces());
  };
  return {
    move: (px, py, e) => {
      // with Shift away from the viewer, or nearer
      if (e.shiftKey) {
        target.addScaledVector(normal, ((py - last) * -view.span) / view.height);
        plane.setFromNormalAndCoplanarPoint(normal, target);
      } else tools.views.ray(view, px, py).ray.intersectPlane(plane, target);
      last = py;
      follow();
      send();
    },
    end: stop,
    cancel: stop,
  };
}
// A hand on a mechanism while time stands still: everything follows as its joints allow.
export function lead(tools: Pointer, view: View, body: string, point: THREE.Vector3): Drag {
  const [x, y, z, qw, qx, qy, qz] = tools.store.pose(body);
  const local = point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw).invert());
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), point);
  const target = point.clone();
  // at the start it changes the document, in which bodies of arrays have no place of their own
  const array = tools.store.state?.step === 0 && tools.store.body(body)?.own === false;
  const begin = () => tools.editor.request('drag', { body, point: local.toArray() });
  let waiting: Promise<unknown> = array ? tools.editor.expandFor().then(begin, () => null) : begin();
  let busy = false;
  const send = () => {
    if (busy) return;
    busy = true;
    waiting = waiting.then(async () => {
      const answer = await tools.editor.quiet('drag_move', { target: target.toArray() });
      busy = false;
      if (answer) tools.note(answer.miss > 0.01 ? t('out_of_reach', { d: answer.miss.toFixed(2) }) : '');
    });
  };
  const stop = (keep: boolean) => {
    tools.band.visible = false;
    tools.note('');
    void waiting.then(() => (keep ? tools.editor.quiet('drag_move', { target: target.toArray() }) : null)).then(() => tools.editor.request('drag_end', { keep }));
  };
  return {
    move: (px, py) => {
      tools.views.ray(view, px, py).ray.intersectPlane(plane, target);
      tools.stretch(point, target);
      send();
    },
    end: () => stop(true),
    cancel: () => stop(false),
  };
}
