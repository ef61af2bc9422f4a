// A long list of rows of one height, of which only those in sight are in the page. Screen readers get
// the place of each in the whole by aria-posinset and aria-setsize.
import { h } from './dom';

export interface Row {
  key: string;
  make(): HTMLElement;
}

export class Rows {
  private rows: Row[] = [];
  private above = h('div', { role: 'presentation' });
  private shown = h('div', { role: 'group' });
  private below = h('div', { role: 'presentation' });
  private from = -1;
  private until = -1;

  constructor(
    private scroller: HTMLElement,
    private height: number,
    label: string,
  ) {
    this.shown.setAttribute('aria-label', label);
    scroller.append(this.above, this.shown, this.below);
    scroller.addEventListener('scroll', () => this.paint());
    new ResizeObserver(() => this.paint()).observe(scroller);
  }

  set(rows: Row[]) {
    this.rows = rows;
    this.paint(true);
  }
  get length() {
    return this.rows.length;
  }
  indexOf(key: string): number {
    return this.rows.findIndex((row) => row.key === key);
  }
  at(index: number): Row | undefined {
    return this.rows[index];
  }
  // Scrolls as little as it takes to have a row in sight.
  reveal(index: number) {
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.scroller.scrollTop = top + this.height - clientHeight;
    this.paint();
  }
  paint(anew = false) {
    const margin = 8;
    const from = Math.max(0, Math.floor(this.scroller.scrollTop / this.height) - margin);
    const until = Math.min(this.rows.length, Math.ceil((this.scroller.scrollTop + (this.scroller.clientHeight || 400)) / this.height) + margin);
    if (!anew && from === this.from && until === this.until) return;
    [this.from, this.until] = [from, until];
    this.above.style.height = `${from * this.height}px`;
    this.below.style.height = `${(this.rows.length - until) * this.height}px`;
    this.shown.replaceChildren(
      ...this.rows.slice(from, until).map((row, i) => {
        const element = row.make();
        element.style.height = `${this.height}px`;
        element.setAttribute('aria-posinset', String(from + i + 1));
        element.setAttribute('aria-setsize', String(this.rows.length));
        return element;
      }),
    );
  }
}
