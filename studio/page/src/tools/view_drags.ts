// Drags that move a view: orbit, pan, two fingers; and clicks that may become one.
import * as THREE from 'three';
import type { Store } from '../model/store';
import type { View } from '../viewport/views';
import type { Drag, Pointer } from './pointer';

export function orbit(tools: Pointer, view: View, x0: number, y0: number): Drag {
  // whoever turns the view leaves the camera of the scene
  if (tools.views.through) {
    tools.views.through = null;
    tools.views.followShots = false;
    tools.store.tell('show');
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
export function pan(tools: Pointer, view: View, x0: number, y0: number): Drag {
  const target = view.target.clone();
  tools.views.place(view);
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

// An instance is picked as a whole, what is in it by a second click (or a double click).
export function pickBody(store: Store, body: string, many: boolean) {
  const instance = store.instanceOf(body);
  if (instance && !many && !store.selectedBodies.includes(body)) return store.select([instance.name], 'instance');
  if (instance && many && store.selectionKind === 'instance') {
    const others = store.selection.filter((n) => n !== instance.name);
    return store.select(others.length < store.selection.length ? others : [...others, instance.name], 'instance');
  }
  const old = store.selectedBodies;
  if (!many) return store.select([body]);
  const meant = instance && !old.includes(body) ? store.bodiesOf(instance.name) : [body];
  const rest = old.filter((n) => !meant.includes(n));
  store.select(old.includes(body) ? rest : [...rest, ...meant]);
}

// A click that may become a drag of the view.
export function click(tools: Pointer, view: View, x0: number, y0: number, hit: ReturnType<Pointer['pick']>, event: PointerEvent, instead?: () => Drag): Drag {
  let turning: Drag | null = null;
  const many = event.shiftKey || event.ctrlKey || event.metaKey;
  return {
    move: (x, y, e) => {
      if (!turning && Math.hypot(x - x0, y - y0) > 4) {
        turning = instead ? instead() : view.name === 'camera' && !event.shiftKey ? orbit(tools, view, x0, y0) : pan(tools, view, x0, y0);
      }
      turning?.move(x, y, e);
    },
    end: (x, y, e) => {
      if (turning) return turning.end(x, y, e);
      if (hit?.force) return tools.store.select([hit.force], 'force');
      if (hit?.joint) return tools.store.select([hit.joint], 'joint');
      const body = hit?.body;
      if (!body) return many ? undefined : tools.store.select([]);
      pickBody(tools.store, body, many);
    },
    cancel: () => turning?.cancel(),
  };
}

// Two fingers pan and pinch.
export function pinch(tools: Pointer, event: PointerEvent): boolean {
  if (event.pointerType !== 'touch') return false;
  const [x, y] = tools.place(event);
  const before = new Map(tools.fingers);
  if (event.type === 'pointerup' || event.type === 'pointercancel') tools.fingers.delete(event.pointerId);
  else if (event.type === 'pointerdown' || tools.fingers.has(event.pointerId)) tools.fingers.set(event.pointerId, [x, y]);
  if (tools.fingers.size < 2) return before.size > 1;
  if (event.type === 'pointerdown') {
    tools.drag?.cancel();
    tools.drag = null;
  }
  const [a, b] = [...tools.fingers.values()];
  const [c, d] = [...tools.fingers.keys()].map((id) => before.get(id) ?? tools.fingers.get(id)!);
  const view = tools.views.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
  if (!view) return true;
  const apart = (p: number[], q: number[]) => Math.max(10, Math.hypot(p[0] - q[0], p[1] - q[1]));
  view.span = Math.min(500, Math.max(0.02, (view.span * apart(c, d)) / apart(a, b)));
  const panned = pan(tools, view, (c[0] + d[0]) / 2, (c[1] + d[1]) / 2);
  panned.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, event);
  tools.views.redraw();
  return true;
}
