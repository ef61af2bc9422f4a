// What is heard of a run, when it is switched on: a click for every contact, louder the stronger it
// is, lower the more it weighs; and of one selected body a tone that rises with its speed.
import type { SceneEvent, Store } from '../model/store';

const kStore = 'tenon.sound';
const kMostClicks = 12; // of one picture: a heap would only rustle
const kJump = 0.25; // s: farther is not playing

// Of an impulse in N s: a thousandth is just heard, a hundred is as loud as it gets.
export const loudness = (impulse: number) => Math.min(1, Math.max(0, (Math.log10(Math.max(impulse, 1e-6)) + 3) / 5));
// Of a speed in m/s, in Hz: an octave for every doubling from a tenth of a metre a second on.
export const pitch = (speed: number) => Math.min(1760, 110 * (1 + speed / 0.1) ** 0.75);

export class Sound {
  on = localStorage.getItem(kStore) === 'on';
  clicks = 0; // so far
  tone = 0; // Hz now
  private context: AudioContext | null = null;
  private voice: { oscillator: OscillatorNode; gain: GainNode } | null = null;
  private last = 0; // s, of the picture before
  private before: { body: string; p: number[]; time: number } | null = null;

  constructor(private store: Store) {
    store.on('frame', () => this.listen());
    store.on('state', () => !store.running && this.hush());
    // browsers let nothing sound before somebody has done something
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => this.on && void this.wake(), { passive: true });
  }
  toggle() {
    this.on = !this.on;
    try {
      localStorage.setItem(kStore, this.on ? 'on' : 'off');
    } catch {
      // until the page is left
    }
    if (this.on) void this.wake();
    else this.hush();
    this.store.tell('show');
  }
  private async wake() {
    this.context ??= new AudioContext();
    if (this.context.state === 'suspended') await this.context.resume().catch(() => {});
  }

  // What lies between the picture before and this one, forwards or backwards.
  private listen() {
    const { frame, running } = this.store;
    if (!frame || !this.on) return;
    const [from, to] = [Math.min(this.last, frame.time), Math.max(this.last, frame.time)];
    const playing = running && to > from && to - from < kJump;
    this.last = frame.time;
    if (!playing) return void (this.before = null);
    const hits = this.between(from, to).filter((e) => e.kind === 'contact_begin' && e.impulse > 0);
    hits.sort((a, b) => b.impulse - a.impulse);
    for (const hit of hits.slice(0, kMostClicks)) this.click(hit);
    this.follow(frame.time);
  }
  // Events are in the order of their time.
  private between(from: number, to: number): SceneEvent[] {
    const all = this.store.events;
    let [lo, hi] = [0, all.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (all[mid].time <= from) lo = mid + 1;
      else hi = mid;
    }
    let end = lo;
    while (end < all.length && all[end].time <= to) ++end;
    return all.slice(lo, end);
  }
  private click(hit: SceneEvent) {
    ++this.clicks;
    const context = this.context;
    if (!context || context.state !== 'running') return;
    const mass = Math.min(...[hit.a, hit.b].map((n) => this.store.body(n)?.mass ?? Infinity));
    const low = Number.isFinite(mass) ? Math.min(1, Math.max(0, (Math.log10(mass) + 3) / 6)) : 0.5; // a gram ... a tonne
    const oscillator = new OscillatorNode(context, { type: 'triangle', frequency: 2600 - 2200 * low });
    const gain = new GainNode(context, { gain: 0.35 * loudness(hit.impulse) });
    gain.gain.exponentialRampToValueAtTime(1e-4, context.currentTime + 0.05 + 0.1 * low);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start();
    oscillator.stop(context.currentTime + 0.2);
  }
  private follow(time: number) {
    const { store } = this;
    const body = store.selectionKind === 'body' && store.selection.length === 1 ? store.selection[0] : null;
    if (!body || store.body(body)?.motion === 'static') return this.hush();
    const p = store.pose(body).slice(0, 3);
    const dt = this.before?.body === body ? Math.abs(time - this.before.time) : 0;
    if (dt > 1e-6) this.tone = pitch(Math.hypot(...p.map((v, i) => v - this.before!.p[i])) / dt);
    this.before = { body, p, time };
    const context = this.context;
    if (!context || context.state !== 'running' || !this.tone) return;
    if (!this.voice) {
      const oscillator = new OscillatorNode(context, { type: 'sine', frequency: this.tone });
      const gain = new GainNode(context, { gain: 0.05 });
      oscillator.connect(gain).connect(context.destination);
      oscillator.start();
      this.voice = { oscillator, gain };
    }
    this.voice.oscillator.frequency.setTargetAtTime(this.tone, context.currentTime, 0.03);
  }
  private hush() {
    this.tone = 0;
    this.before = null;
    this.voice?.oscillator.stop();
    this.voice = null;
  }
}
