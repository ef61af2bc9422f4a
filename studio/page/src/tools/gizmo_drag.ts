// The gizmo while it is held.
import * as THREE from 'three';
import { t } from '../ui/texts';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';

export function gizmoDrag(tools: Pointer, view: View, pointer: PointerEvent, event: PointerEvent): Drag {
  const names = tools.movable();
  const starts = new Map(names.map((n) => [n, tools.store.pose(n)]));
  const from = { p: tools.pivot.position.clone(), q: tools.pivot.quaternion.clone() };
  tools.gizmoHeld = true;
  const snap = (e: MouseEvent) => {
    const on = tools.store.snap !== e.ctrlKey;
    tools.gizmo.translationSnap = on ? tools.snapStep() * (e.shiftKey ? 0.1 : 1) : null;
    tools.gizmo.rotationSnap = on ? THREE.MathUtils.degToRad(e.shiftKey ? 1 : 15) : null;
  };
  snap(event);
  tools.gizmo.pointerDown(pointer);
  const poses = () => {
    const turn = tools.pivot.quaternion.clone().multiply(from.q.clone().invert());
    const out = new Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>();
    for (const [name, [x, y, z, qw, qx, qy, qz]] of starts) {
      const p = new THREE.Vector3(x, y, z).sub(from.p).applyQuaternion(turn).add(tools.pivot.position);
      out.set(name, { p, q: turn.clone().multiply(new THREE.Quaternion(qx, qy, qz, qw)).normalize() });
    }
    return out;
  };
  const finish = () => {
    tools.gizmo.pointerUp({ x: 0, y: 0, button: 0 } as unknown as PointerEvent);
    tools.gizmoHeld = false;
  };
  // What is typed while it is held is exact: X, Y or Z, a number, Enter.
  const typed = { axis: ({ X: 0, Y: 1, Z: 2 } as Record<string, number>)[tools.gizmo.axis ?? ''] ?? -1, text: '' };
  const showAll = () => {
    for (const [name, { p, q }] of poses()) {
      const object = tools.stage.object(name);
      object?.position.copy(p);
      object?.quaternion.copy(q);
      object?.place();
    }
    tools.stage.placed();
    tools.views.redraw();
  };
  const exactly = () => {
    const value = Number(typed.text);
    if (typed.axis < 0 || !Number.isFinite(value)) return;
    const axis = new THREE.Vector3().setComponent(typed.axis, 1);
    if (tools.store.gizmo === 'translate') tools.pivot.position.copy(from.p).addScaledVector(axis, value);
    else tools.pivot.quaternion.copy(from.q).multiply(new THREE.Quaternion().setFromAxisAngle(axis, THREE.MathUtils.degToRad(value)));
    showAll();
  };
  return {
    type: (key) => {
      if (/^[xyz]$/i.test(key)) typed.axis = 'xyz'.indexOf(key.toLowerCase());
      else if (key === 'Backspace') typed.text = typed.text.slice(0, -1);
      else if (/^[-0-9.]$/.test(key)) typed.text += key;
      else return false;
      tools.note(`${'xyz'[typed.axis] ?? 'x, y, z?'} ${typed.text || '…'} ${tools.store.gizmo === 'translate' ? 'm' : '°'}`);
      if (typed.text) exactly();
      return true;
    },
    move: (x, y, e) => {
      if (typed.text) return;
      snap(e);
      tools.gizmo.camera = view.camera;
      const at = tools.views.ndc(view, x, y);
      tools.gizmo.pointerMove({ x: at.x, y: at.y, button: -1 } as unknown as PointerEvent);
      // one axis alone, where that was asked for
      if (typed.axis >= 0 && tools.store.gizmo === 'translate') for (const k of [0, 1, 2]) if (k !== typed.axis) tools.pivot.position.setComponent(k, from.p.getComponent(k));
      showAll();
      const d = tools.pivot.position.clone().sub(from.p);
      if (tools.store.gizmo === 'translate') tools.note(`Δ ${[d.x, d.y, d.z].map((v) => v.toFixed(3)).join('  ')} m`);
    },
    end: () => {
      const to = poses();
      finish();
      tools.note('');
      void tools.editor.place(to, t(tools.store.gizmo === 'translate' ? 'move' : 'turn')).then((done) => {
        if (!done) tools.stage.move(); // refused: back to where it is
        tools.aimGizmo();
      });
    },
    cancel: () => {
      finish();
      tools.note('');
      tools.stage.move();
      tools.aimGizmo();
    },
  };
}
