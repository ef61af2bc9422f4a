// The first visit: the pendulum swings, and four hints lead through what no other program does. Each
// goes when it has been followed or is closed, and none comes a second time.
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';

const kStore = 'tenon.hinted';
export interface HintHost {
  store: Store;
  viewport: HTMLElement;
  pixel(body: string): [number, number] | null; // on the viewport
  gallery(): void;
}
export const isFirstVisit = () => !localStorage.getItem(kStore);

export class Hints {
  private at = 0;
  private element = h('div', { class: 'first-hint', role: 'status' });
  private edits = 0;
  private timer = 0;

  constructor(private host: HintHost) {}

  begin() {
    this.keep();
    this.host.viewport.append(this.element);
    this.edits = this.host.store.state?.edits ?? 0;
    this.show(1);
    this.host.store.on(['state', 'frame', 'selection', 'takes'], () => this.look());
    this.timer = window.setInterval(() => this.point(), 250);
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
    if (this.at === 1 && (s.undo ?? '').startsWith('Pull ')) this.show(2);
    else if (this.at === 2 && s.mode === 'paused' && s.step < s.end) this.show(3);
    else if (this.at === 3 && s.mode === 'paused' && s.edits > this.edits && !(s.undo ?? '').startsWith('Pull ')) this.show(4);
    else if (this.at === 4 && s.mode === 'playing') this.end(true);
    if (this.at < 3) this.edits = s.edits;
  }
  private show(n: number) {
    this.at = n;
    this.element.dataset.hint = String(n);
    this.element.replaceChildren(h('b', {}, `${n}/4`), h('span', {}, t(`hint_${n}`)), h('button', { type: 'button', onclick: () => (n < 4 ? this.show(n + 1) : this.end(true)) }, t('next')), h('button', { type: 'button', class: 'icon', 'aria-label': t('no_hints'), title: t('no_hints'), onclick: () => this.end(false) }, '×'));
    this.point();
  }
  // Beside what it is about: a body, the strip, the inspector.
  private point() {
    const { store, viewport } = this.host;
    const left = store.scene?.bodies.find((b) => b.motion === 'dynamic')?.name;
    const place = this.at === 1 && left ? this.host.pixel(left) : null;
    const [x, y] = place ?? (this.at === 3 ? [viewport.clientWidth - 160, 90] : [viewport.clientWidth / 2, viewport.clientHeight - 70]);
    const half = this.element.offsetWidth / 2 + 8;
    this.element.style.left = `${Math.min(viewport.clientWidth - half, Math.max(half, x))}px`;
    this.element.style.top = `${Math.min(viewport.clientHeight - 60, Math.max(50, y + (place ? 64 : 0)))}px`;
  }
  private end(done: boolean) {
    this.at = 0;
    clearInterval(this.timer);
    if (!done) return this.element.remove();
    this.element.removeAttribute('data-hint');
    this.element.replaceChildren(h('span', {}, t('hints_done')), h('button', { type: 'button', onclick: () => (this.element.remove(), this.host.gallery()) }, t('gallery')), h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: () => this.element.remove() }, '×'));
    setTimeout(() => this.element.remove(), 15000);
  }
}
