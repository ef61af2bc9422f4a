// A body that is dragged while time stands still, without any tool: what has joints leads its mechanism,
// what is free slides over what lies below the pointer, or along the plane of a parallel view.
import * as THREE from 'three';
import type { Store } from '../model/store';
import { t } from '../ui/texts';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';

const soft = ['spring', 'damper', 'shock absorber', 'rope'];
export const isJointed = (store: Store, body: string) => !!store.scene?.joints.some((j) => (j.a === body || j.b === body) && !soft.includes(j.type));

export function slide(tools: Pointer, view: View, body: string, grip: THREE.Vector3): Drag {
  const { store, stage, views } = tools;
  if (!store.selectedBodies.includes(body)) store.select([body]);
  const names = tools.movable();
  const starts = new Map(names.map((n) => [n, store.pose(n)]));
  const start = new THREE.Vector3(...(store.pose(body).slice(0, 3) as [number, number, number]));
  const bottom = stage.object(body)!.box().min.y;
  const flat = view.name !== 'camera';
  const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(flat ? view.camera.getWorldDirection(new THREE.Vector3()) : new THREE.Vector3(0, 1, 0), grip);
  const moving = new Set(names);
  // the height of what lies below the pointer; else as high as it was
  const floor = (x: number, y: number): THREE.Vector3 | null => {
    for (const hit of views.ray(view, x, y).intersectObject(stage.bodies, true)) {
      const name: string | undefined = hit.object.userData.bodies?.[hit.instanceId ?? 0];
      if (!name || moving.has(name) || !hit.face) continue;
      const X = new THREE.Matrix4();
      (hit.object as THREE.InstancedMesh).getMatrixAt(hit.instanceId ?? 0, X);
      return hit.face.normal.clone().transformDirection(X).y > 0.7 ? hit.point : null;
    }
    return null;
  };
  const held = grip.clone().sub(start).setY(0);
  const by = new THREE.Vector3();
  const aim = (x: number, y: number, e: MouseEvent) => {
    const to = new THREE.Vector3();
    const on = flat ? null : floor(x, y);
    if (on) to.copy(on).sub(held).setY(start.y + on.y - bottom);
    else if (!views.ray(view, x, y).ray.intersectPlane(plane, to)) return;
    else to.sub(grip).add(start);
    const step = tools.snapStep() * (e.shiftKey ? 0.1 : 1);
    if (store.snap !== e.ctrlKey) for (const k of [0, 1, 2] as const) if (Math.abs(to.getComponent(k) - start.getComponent(k)) > 1e-9 && !(on && k === 1)) to.setComponent(k, Math.round(to.getComponent(k) / step) * step);
    by.copy(to).sub(start);
  };
  const poses = () => new Map([...starts].map(([name, [x, y, z, w, qx, qy, qz]]) => [name, { p: new THREE.Vector3(x, y, z).add(by), q: new THREE.Quaternion(qx, qy, qz, w) }]));
  tools.gizmoHeld = true;
  const finish = () => {
    tools.gizmoHeld = false;
    tools.note('');
  };
  return {
    move: (x, y, e) => {
      aim(x, y, e);
      for (const [name, { p }] of poses()) {
        stage.object(name)?.position.copy(p);
        stage.object(name)?.place();
      }
      stage.placed();
      tools.pivot.position.copy(start).add(by);
      tools.note(`${[by.x, by.y, by.z].map((v, k) => `${'xyz'[k]} ${(start.getComponent(k) + v).toFixed(3)}`).join('  ')} m`);
    },
    end: () => {
      finish();
      if (by.lengthSq() < 1e-18) return void tools.aimGizmo();
      void tools.editor.place(poses(), t('move')).then((done) => {
        if (!done) stage.move(); // refused: back to where it is
        tools.aimGizmo();
      });
    },
    cancel: () => {
      finish();
      stage.move();
      tools.aimGizmo();
    },
  };
}
