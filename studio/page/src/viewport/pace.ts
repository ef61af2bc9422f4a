// How much is drawn while something moves. Where pictures take too long, what is looked at least is
// left out first: views that the pointer is not in get every second picture, then shadows go, then
// mirrored surroundings, then fine pixels. A view that stands still is always whole: what was left
// out is drawn as soon as nothing moves, and another scene is tried out anew.
import type { Store } from '../model/store';
import type { Stage } from './stage';
import type { Views } from './views';

// ms from picture to picture: from a little less than thirty a second on, other views wait; looks get
// plainer only where that does not help enough
const kLate = 31;
const kSlow = 45;
const kSeldom = 85;
const kMany = 200; // bodies that a processor alone draws plain from the start
const kStill = 500; // ms without a picture
const kHeavy = 70; // ms of one whole picture, above which views are turned and dragged with less

export class Pace {
  interval = 0; // ms, lately
  private level = 0; // chosen while it ran
  private shown = 0; // drawn now: the level, or 0 while nothing moves
  private last = 0;
  private pictures = 0;
  private timer = 0;
  private many = false;

  constructor(
    private store: Store,
    private views: Views,
    private stage: Stage,
  ) {
    views.beforeRecording = () => this.whole();
    store.on('state', () => (store.running ? this.apply(this.level) : this.whenStill()));
  }

  get plain() {
    return this.shown >= 3;
  }
  get rate() {
    return this.interval > 0 ? 1000 / this.interval : 0;
  }

  // Before a scene is built: many bodies without a graphics card need no trying out.
  begin(another: boolean) {
    this.many = this.views.software && this.store.scene!.bodies.length > kMany;
    if (another || this.many) this.level = this.many ? 3 : 0;
    if (another) this.interval = this.pictures = 0;
    this.apply(this.level, false);
  }

  // After each picture, which took so long.
  drawn(ms: number) {
    ++this.pictures;
    const now = performance.now();
    const since = now - this.last;
    this.last = now;
    this.whenStill();
    // turned or dragged while it is whole: with less, if that takes too long
    if (!this.store.running && !this.views.recording && this.shown < this.level && ms > kHeavy && since < kStill) return this.apply(this.level);
    if (!this.store.running || since > 1500) return;
    this.interval += (this.interval ? 0.15 : 1) * (since - this.interval);
    this.views.slow = this.interval > kSeldom;
    if (this.pictures < 12 || this.interval < (this.level === 0 ? kLate : kSlow) || this.level >= 4) return;
    this.pictures = 0;
    this.apply(++this.level);
  }

  // For films every picture may take its time.
  whole() {
    this.apply(0);
  }
  private whenStill() {
    clearTimeout(this.timer);
    const still = this.many ? 3 : 0;
    if (this.store.running || this.shown <= still) return;
    this.timer = window.setTimeout(() => !this.store.running && !this.views.recording && this.apply(still), kStill);
  }

  private apply(level: number, rebuild = true) {
    if (level === this.shown) return;
    const before = this.shown;
    this.shown = level;
    this.store.sparing = this.views.sparing = level >= 1;
    this.stage.sun.castShadow = level < 2;
    if (level >= 3 && before < 3) this.stage.plain();
    if (level < 3 && before >= 3) this.stage.fine(this.views.renderer, rebuild);
    if (level >= 4 !== before >= 4) {
      this.views.renderer.setPixelRatio(Math.min(devicePixelRatio, level >= 4 ? 0.7 : 2));
      this.views.resize();
    }
    this.views.redraw();
  }
}
