// A handle between two parts of the page, for the pointer and for the arrow keys; what it was left at
// is kept.
import { h } from './dom';

export interface GripOptions {
  label: string;
  store: string; // key of what is kept
  least: number;
  most: number;
  begin: number;
  apply(px: number): void;
  scale?(): number; // pixels of the pointer for one of the value
}

export function makeGrip({ label, store, least, most, begin, apply, scale = () => 1 }: GripOptions): HTMLElement {
  let value = Math.min(most, Math.max(least, Number(localStorage.getItem(store)) || begin));
  const grip = h('div', { class: 'grip', role: 'separator', tabindex: 0, 'aria-orientation': 'horizontal', 'aria-label': label, title: label, 'aria-valuemin': least, 'aria-valuemax': most, 'aria-valuenow': value });
  const set = (px: number) => {
    value = Math.round(Math.min(most, Math.max(least, px)));
    grip.setAttribute('aria-valuenow', String(value));
    try {
      localStorage.setItem(store, String(value));
    } catch {
      // until the page is left
    }
    apply(value);
  };
  grip.addEventListener('pointerdown', (e) => {
    grip.setPointerCapture(e.pointerId);
    const before = value;
    grip.onpointermove = (move) => set(before + (e.clientY - move.clientY) / scale());
    grip.onpointerup = grip.onpointercancel = () => (grip.onpointermove = null);
  });
  grip.addEventListener('keydown', (e) => {
    const by = e.key === 'ArrowUp' ? 10 : e.key === 'ArrowDown' ? -10 : 0;
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    set(value + by);
  });
  queueMicrotask(() => apply(value));
  return grip;
}
