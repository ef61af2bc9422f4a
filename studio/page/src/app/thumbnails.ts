// A small picture of each sync point, taken from the views when it is made: of the moment, while the
// page is open.
import type { Store } from '../model/store';
import type { Views } from '../viewport/views';

const kWidth = 240; // px

export class Thumbnails {
  private pictures = new Map<number, { url: string; step: number; take: number }>();
  private known = new Set<number>();

  constructor(
    private store: Store,
    private views: Views,
  ) {
    store.on('takes', () => this.look());
  }
  of(id: number): string | null {
    const sync = this.store.syncs.find((s) => s.id === id);
    const found = this.pictures.get(id);
    return sync && found && found.step === sync.step ? found.url : null;
  }
  // New ones are where the playhead is; others keep what they had.
  private look() {
    for (const sync of this.store.syncs) {
      if (this.known.has(sync.id) && this.of(sync.id)) continue;
      this.known.add(sync.id);
      if (sync.step !== this.store.state?.step || !sync.here) continue;
      const url = this.shoot();
      if (url) this.pictures.set(sync.id, { url, step: sync.step, take: sync.take });
    }
    for (const id of [...this.pictures.keys()]) if (!this.store.syncs.some((s) => s.id === id)) this.pictures.delete(id);
  }
  private shoot(): string | null {
    const view = this.views.views[3].width > 0 ? this.views.views[3] : this.views.visible[0];
    if (!view) return null;
    this.views.drawNow();
    const { canvas } = this.views;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const small = document.createElement('canvas');
    small.width = kWidth;
    small.height = Math.max(1, Math.round((kWidth * view.height) / view.width));
    small.getContext('2d')!.drawImage(canvas, ratio * view.left, ratio * view.top, ratio * view.width, ratio * view.height, 0, 0, small.width, small.height);
    return small.toDataURL('image/jpeg', 0.8);
  }
}
