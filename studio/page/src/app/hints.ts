// The first visit: the pendulum swings, and four hints lead through what no other program does. Each
// goes when it has been followed or is closed, and none comes a second time.
import type { Store } from '../model/store';
import { h, isCoarse } from '../ui/dom';
import { t } from '../ui/texts';

const kStore = 'tenon.hinted';
export interface HintHost {
  store: Store;
  viewport: HTMLElement;
  pixel(body: string): [number, number] | null; // on the viewport
  gallery(): void;
  goOn(): void; // run again
}
export const isFirstVisit = () => !localStorage.getItem(kStore);

export class Hints {
  private at = 0;
  private element = h('div', { class: 'first-hint', role: 'status' });
  private ring = h('div', { class: 'first-ring', hidden: true, 'aria-hidden': 'true' }); // around what is meant
  private edits = 0;
  private scene: string | undefined;
  private timer = 0;

  constructor(private host: HintHost) {}

  begin() {
    this.keep();
    this.host.viewport.append(this.ring, this.element);
    this.edits = this.host.store.state?.edits ?? 0;
    this.scene = this.host.store.scene?.name;
    this.show(1);
    this.host.store.on(['state', 'frame', 'selection', 'takes'], () => this.look());
    this.timer = window.setInterval(() => this.point(), 50);
  }
  private keep() {
    try {
      localStorage.setItem(kStore, '1');
    } catch {
      // they come again next time
    }
  }

  // Whether the hint that is shown has been followed.
  private look() {
    const { store } = this.host;
    const s = store.state;
    if (!s || this.at === 0) return;
    if (store.scene?.name !== this.scene) return this.end(false); // another scene, other questions
    // the scene swings until somebody has pulled
    if (this.at === 1 && s.mode === 'paused' && s.stopped_by === 'limit' && s.step >= s.end) this.host.goOn();
    if (this.at === 1 && s.edits > this.edits) this.show(2);
    else if (this.at === 2 && s.mode === 'paused' && s.step < s.end) this.show(3);
    else if (this.at === 3 && s.mode === 'paused' && s.edits > this.edits && !store.takes.find((x) => x.id === s.take)?.pull) this.show(4);
    else if (this.at === 4 && s.mode === 'playing') this.end(true);
    if (this.at !== 1 && this.at < 3) this.edits = s.edits;
  }
  private show(n: number) {
    this.at = n;
    this.element.dataset.hint = String(n);
    this.element.replaceChildren(h('b', {}, `${n}/4`), h('span', {}, t(isCoarse && (n === 2 || n === 4) ? `hint_${n}_touch` : `hint_${n}`)), h('button', { type: 'button', onclick: () => (n < 4 ? this.show(n + 1) : this.end(true)) }, t(n < 4 ? 'next' : 'done')), h('button', { type: 'button', class: 'icon', 'aria-label': t('no_hints'), title: t('no_hints'), onclick: () => this.end(false) }, '×'));
    this.point();
  }
  // Beside what it is about: a body, the strip, the inspector.
  private point() {
    const { store, viewport } = this.host;
    const left = store.scene?.bodies.find((b) => b.motion === 'dynamic')?.name;
    const place = this.at === 1 && left ? this.host.pixel(left) : null;
    const [x, y] = place ?? (this.at === 3 ? [viewport.clientWidth - 160, 90] : [viewport.clientWidth / 2, viewport.clientHeight - 70]);
    this.ring.hidden = !place;
    if (place) Object.assign(this.ring.style, { left: `${place[0]}px`, top: `${place[1]}px` });
    const half = this.element.offsetWidth / 2 + 8;
    const toasts = viewport.querySelector<HTMLElement>('.toasts')?.offsetHeight ?? 0; // not over each other
    const middle = Math.min(viewport.clientWidth - half, Math.max(half, x));
    this.element.style.left = `${middle}px`;
    this.element.style.setProperty('--tip', `${Math.max(30 - half, Math.min(half - 30, x - middle))}px`);
    this.element.style.top = `${Math.min(viewport.clientHeight - 60, Math.max(50, y + (place ? 48 : this.at === 3 ? 0 : -toasts)))}px`;
  }
  private end(done: boolean) {
    this.at = 0;
    clearInterval(this.timer);
    this.ring.remove();
    if (!done) return this.element.remove();
    this.element.removeAttribute('data-hint');
    this.element.replaceChildren(h('span', {}, t('hints_done')), h('button', { type: 'button', onclick: () => (this.element.remove(), this.host.gallery()) }, t('gallery')), h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: () => this.element.remove() }, '×'));
    setTimeout(() => this.element.remove(), 15000);
  }
}
