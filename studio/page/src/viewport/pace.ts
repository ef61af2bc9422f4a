// How much is drawn while something runs. Where pictures take too long, what is looked at least is
// left out first: views that the pointer is not in get every second picture, then shadows go, then
// mirrored surroundings, then fine pixels. A view that stands still is always whole.
import type { Store } from '../model/store';
import type { Stage } from './stage';
import type { Views } from './views';

// ms from picture to picture: from a little less than thirty a second on, other views wait; looks get
// plainer only where that does not help enough
const kLate = 31;
const kSlow = 45;
const kMany = 200; // bodies that a processor alone draws plain from the start

export class Pace {
  interval = 0; // ms, lately
  private level = 0;
  private last = 0;
  private pictures = 0;

  constructor(
    private store: Store,
    private views: Views,
    private stage: Stage,
  ) {}

  get plain() {
    return this.level >= 3;
  }
  get rate() {
    return this.interval > 0 ? 1000 / this.interval : 0;
  }

  // Before a scene is built: many bodies without a graphics card need no trying out.
  begin() {
    if (this.views.software && this.store.scene!.bodies.length > kMany) while (this.level < 3) this.plainer();
  }

  // After each picture.
  drawn() {
    ++this.pictures;
    const now = performance.now();
    const since = now - this.last;
    this.last = now;
    if (!this.store.running || since > 1500) return;
    this.interval += (this.interval ? 0.15 : 1) * (since - this.interval);
    if (this.pictures < 12 || this.interval < (this.level === 0 ? kLate : kSlow) || this.level >= 4) return;
    this.pictures = 0;
    this.plainer();
  }

  private plainer() {
    ++this.level;
    if (this.level === 1) this.store.sparing = this.views.sparing = true;
    if (this.level === 2) this.stage.sun.castShadow = false;
    if (this.level === 3) this.stage.plain();
    if (this.level === 4) {
      this.views.renderer.setPixelRatio(0.7);
      this.views.resize();
    }
    this.views.redraw();
  }
}
