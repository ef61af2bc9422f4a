// The status line: time, speed, energy, memory; and what makes the run doubtful, each a button to the
// moment with what helps.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { type Toasts, h } from '../ui/dom';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

// With a sign, but none for nothing.
const percent = (x: number) => `${x > 0.005 ? '+' : ''}${(Math.abs(x) < 0.005 ? 0 : x).toFixed(2)} %`;

export const mistakes = (n: number) => t(n === 1 ? 'scene_error' : 'scene_errors', { n });

// `rate`: pictures a second, lately.
export function makeStatus(store: Store, editor: Editor, toasts: Toasts, plots: { energy(): void }, rate: () => number) {
  const healthStrip = h('div', { class: 'health' });
  const status = h('div', { class: 'facts-line' });
  const element = h('footer', { class: 'status' }, healthStrip, status);

  function paint() {
    const f = store.frame;
    if (!f) {
      status.textContent = '';
      healthStrip.dataset.key = '-';
      healthStrip.replaceChildren(h('span', { class: 'warn' }, `▲ ${mistakes(store.scene?.errors.length ?? 0)}`));
      return;
    }
    const [kinetic, potential, drift, contacts, , , ms, asleep, largest] = f.stats;
    const scale = Math.max(largest, 1e-9);
    const facts = [
      `t = ${f.time.toFixed(3)} s`,
      store.running ? `${f.rate.toFixed(2)}×` : '',
      ms > 0 ? `${t('step_ms')} ${ms.toFixed(ms < 1 ? 2 : 1)} ms` : '',
      `${t('energy')} ${(kinetic + potential).toPrecision(4)} J (${percent((100 * drift) / scale)})`,
      `${contacts} ${t('contacts')}`,
      asleep > 0 ? `${asleep} ${t('asleep')}` : '',
      store.running && rate() > 0 ? `${rate().toFixed(0)} ${t('pictures')}` : '',
      store.state ? `${(store.state.bytes / 1e6).toFixed(0)} / ${(store.state.budget / 1e6).toFixed(0)} MB` : '',
    ];
    status.textContent = facts.filter(Boolean).join('  ·  ');
    const seen = new Map<string, { text: string; step: number; kind: string; a: string; b: string }>();
    for (const e of store.events) {
      if (!e.kind.startsWith('health') || e.step > f.end) continue;
      const text = `${t(e.kind, { a: e.a, b: e.b })} (${e.time.toFixed(2)} s)`;
      if (!seen.has(e.kind + e.a)) seen.set(e.kind + e.a, { text, step: e.step, kind: e.kind, a: e.a, b: e.b });
    }
    const key = [...seen.values()].map((x) => x.text).join();
    if (healthStrip.dataset.key === key) return;
    healthStrip.dataset.key = key;
    healthStrip.replaceChildren(
      ...(seen.size === 0 ? [h('span', { class: 'ok' }, `● ${t('healthy')}`)] : [...seen.values()].slice(0, 3).map((x) => h('button', { type: 'button', class: 'warn', onclick: () => void heal(x) }, `▲ ${x.text}`))),
    );
  }

  // To the moment, with what can be done about it.
  async function heal(hint: { step: number; kind: string; a: string; b: string; text: string }) {
    await editor.seek(hint.step);
    const length = store.state?.step_length ?? 1 / 60;
    const atStart = async (ops: Parameters<typeof editor.edit>[0], label: string) => {
      await editor.seek(0);
      await editor.edit(ops, label).catch(() => {});
    };
    const halve = { label: t('halve_step'), perform: () => void atStart([{ op: 'set', path: ['world', 'step'], value: Number((length / 2).toPrecision(8)) }], t('halve_step')) };
    const show = { label: t('select'), perform: () => store.select([hint.a, hint.b].filter((n) => store.body(n))) };
    const remedies = hint.kind === 'health_energy' ? [{ label: t('energy_plot'), perform: () => plots.energy() }, halve] : hint.kind === 'health_mass_ratio' ? [show] : [halve, show];
    toasts.show(hint.text, 'note', remedies);
  }
  // with the pictures, as the clock
  let painted = 0;
  store.on('picture', () => {
    const now = performance.now();
    if (store.running && now - painted < (store.sparing ? 150 : 100)) return;
    painted = now;
    paint();
  });
  store.on('state', () => !store.running && paint());
  store.on('scene', () => store.scene?.errors.length && !store.frame && paint());
  return { element };
}

// Where a step goes.
export async function showTimings(editor: Editor) {
  const answer = await editor.request('timings');
  const phases: { phase: string; ms: number }[] = answer?.phases ?? [];
  const most = Math.max(1e-9, ...phases.map((p) => p.ms));
  const rows = phases.map((p) => h('tr', {}, h('th', { scope: 'row' }, p.phase), h('td', {}, `${p.ms.toFixed(3)} ms`), h('td', {}, h('div', { class: 'meter', style: `width:${(160 * p.ms) / most}px` }))));
  dialog(t('timings'), h('table', { class: 'timings' }, ...rows));
}
