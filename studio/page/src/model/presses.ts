// Keys that are pressed faster than the engine answers: one request at a time, and what was pressed
// meanwhile goes with the next, so that no press is lost and none is done from an old place.
import type { Store } from './store';

export class Presses<T> {
  private waiting: { key: string; sum: T }[] = [];
  private busy = false;
  constructor(
    private store: Store,
    private perform: (key: string, sum: T) => Promise<unknown>,
    private add2: (a: T, b: T) => T,
  ) {}

  // `key`: what is pressed; presses of other things are other requests.
  add(key: string, by: T) {
    const last = this.waiting.at(-1);
    if (last?.key === key) last.sum = this.add2(last.sum, by);
    else this.waiting.push({ key, sum: by });
    if (!this.busy) void this.run();
  }
  private async run() {
    this.busy = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const shown = this.store.nextFrame();
      // the next one starts from where this one has led
      if (await this.perform(next.key, next.sum).catch(() => null)) await shown;
    }
    this.busy = false;
  }
}
