// A finger in a view. On a body: drag pulls it (while it runs) or leads its mechanism (while time
// stands still), a long press selects it, another one beside what is selected already. On nothing:
// drag turns or moves the view. Two fingers are the pointer's own.
import type { Store } from '../model/store';
import type { Drag } from './pointer';
import { pickBody } from './view_drags';

const kLong = 450; // ms
const kSlip = 8; // px that a resting finger moves

export function fingerDrag(store: Store, at: [number, number], body: string | undefined, start: { hold(): Drag; view(): Drag; tap(): void }): Drag {
  let drag: Drag | null = null;
  let long = false;
  const timer = window.setTimeout(() => {
    long = true;
    if (!body) return store.select([]);
    pickBody(store, body, store.selectedBodies.length > 0);
    navigator.vibrate?.(15);
  }, kLong);
  const movable = body && store.body(body)?.motion === 'dynamic';
  return {
    move: (x, y, event) => {
      if (!drag && !long && Math.hypot(x - at[0], y - at[1]) > kSlip) {
        clearTimeout(timer);
        drag = movable ? start.hold() : start.view();
      }
      drag?.move(x, y, event);
    },
    end: (x, y, event) => {
      clearTimeout(timer);
      if (drag) drag.end(x, y, event);
      else if (!long) start.tap();
    },
    cancel: () => {
      clearTimeout(timer);
      drag?.cancel();
    },
  };
}
