// Curves over the same time axis as the timeline: anything of a body, a joint, two bodies or the
// world. Another take that is shown as a ghost has its curves dashed.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { h, oncePerPicture } from '../ui/dom';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

export const bodyQuantities = ['speed', 'y', 'x', 'z', 'vx', 'vy', 'vz', 'spin', 'wx', 'wy', 'wz'];
export const jointQuantities = ['force', 'torque', 'position', 'rate', 'length', 'gap'];
export const worldQuantities = ['energy', 'kinetic', 'potential', 'unexplained', 'contacts', 'penetration', 'joint-gap', 'step-ms', 'asleep'];
const units: Record<string, string> = { speed: 'm/s', vx: 'm/s', vy: 'm/s', vz: 'm/s', x: 'm', y: 'm', z: 'm', spin: 'rad/s', wx: 'rad/s', wy: 'rad/s', wz: 'rad/s', force: 'N', torque: 'N m', position: 'm | rad', rate: '1/s', length: 'm', gap: 'm', energy: 'J', kinetic: 'J', potential: 'J', unexplained: 'J', penetration: 'm', 'joint-gap': 'relative', 'step-ms': 'ms', contacts: '', asleep: '' };
// told apart by people with any colour vision (Okabe and Ito), and by dashes
const inks = ['#0f9d8f', '#e69f00', '#56b4e9', '#d55e00', '#cc79a7', '#8a7f00', '#5b7fff', '#999999'];
const kMost = 8;
const kRow = 62;

interface Curve {
  steps: number[];
  times: (number | null)[];
  values: (number | null)[][];
}
const word = (quantity: string) => (quantity.startsWith('distance:') ? 'length' : quantity.slice(quantity.startsWith('body:') || quantity.startsWith('joint:') ? quantity.lastIndexOf('.') + 1 : 0));
const unitOf = (quantity: string) => units[word(quantity)] ?? '';
export const nameOf = (quantity: string) => {
  if (quantity.startsWith('distance:')) return quantity.slice(9).replace('|', ' ↔ ');
  const dot = quantity.lastIndexOf('.');
  const colon = quantity.indexOf(':');
  return colon < 0 ? t(quantity) : `${quantity.slice(colon + 1, dot)} · ${t(`q_${word(quantity)}`)}`;
};

export function makePlots(store: Store, editor: Editor, x: (step: number) => number, stepAt: (px: number) => number) {
  let traces: string[] = JSON.parse(localStorage.getItem('tenon.plots') ?? '[]');
  let curve: Curve | null = null;
  let ghost: Curve | null = null;
  const chips = h('div', { class: 'plot-chips', role: 'group', 'aria-label': t('plots') });
  const canvas = h('canvas', { class: 'plots', role: 'img', 'aria-label': t('plots') });
  const element = h('div', { class: 'plots-wrap' }, chips, canvas);

  const changed = () => {
    localStorage.setItem('tenon.plots', JSON.stringify(traces));
    curve = ghost = null;
    paintChips();
    void fetchSoon(0);
  };
  const toggle = (quantity: string) => {
    traces = traces.includes(quantity) ? traces.filter((x) => x !== quantity) : [...traces, quantity].slice(-kMost);
    changed();
  };

  let timer = 0;
  let asking = false;
  let again = false;
  const fetchSoon = (wait: number) => {
    timer ||= window.setTimeout(() => {
      timer = 0;
      void fetchCurves();
    }, wait);
  };
  const fetchCurves = async () => {
    if (asking) {
      again = true;
      return;
    }
    if (!traces.length || !store.connected || store.frame?.led) return draw();
    asking = true;
    again = false;
    const ask = (take?: number) => editor.quiet('series', { quantities: traces, most: 1200, ...(take === undefined ? {} : { take }) });
    curve = (await ask()) as Curve | null;
    ghost = store.ghost ? ((await ask(store.ghost.take)) as Curve | null) : null;
    asking = false;
    draw();
    if (again) fetchSoon(50);
  };

  const readout = (i: number): string => {
    if (!curve) return '';
    const step = store.frame?.step ?? 0;
    let k = curve.steps.findIndex((s) => s >= step - 0.5);
    if (k < 0) k = curve.steps.length - 1;
    const value = curve.values[i]?.[k];
    return value === null || value === undefined ? '–' : `${Number(value.toPrecision(4))} ${unitOf(traces[i])}`;
  };
  const paintChips = () => {
    const all = traces.map((quantity, i) =>
      h('span', { class: 'chip trace', 'data-quantity': quantity }, h('i', { style: `background:${inks[i]}` }), h('span', {}, nameOf(quantity)), h('output', {}), h('button', { type: 'button', class: 'x', 'aria-label': `${t('discard')} ${nameOf(quantity)}`, onclick: () => toggle(quantity) }, '×')),
    );
    chips.replaceChildren(
      ...all,
      h('button', { type: 'button', class: 'add', 'data-action': 'plot', title: `${t('plot')} (G)`, onclick: () => pick() }, `+ ${t('plot')}`),
      ...(traces.length ? [h('button', { type: 'button', class: 'add', 'data-action': 'csv', onclick: () => void saveCsv() }, 'CSV')] : []),
    );
    element.classList.toggle('empty', traces.length === 0);
  };

  const draw = oncePerPicture(paint);
  function paint() {
    const groups = new Map<string, number[]>();
    traces.forEach((q, i) => groups.set(unitOf(q), [...(groups.get(unitOf(q)) ?? []), i]));
    const rows = [...groups];
    const w = element.clientWidth;
    const height = Math.min(3, rows.length) * kRow;
    const ratio = devicePixelRatio;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(height * ratio);
    }
    canvas.style.height = `${height}px`;
    const g = canvas.getContext('2d')!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, height);
    rows.slice(0, 3).forEach(([unit, members], row) => paintRow(g, w, row * kRow, unit, members));
    chips.querySelectorAll('output').forEach((out, i) => (out.textContent = readout(i)));
    const px = x(store.frame?.step ?? 0);
    g.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--text');
    if (height) g.fillRect(px - 0.5, 0, 1, height);
  }
  function paintRow(g: CanvasRenderingContext2D, w: number, top: number, unit: string, members: number[]) {
    const css = getComputedStyle(document.documentElement);
    let [lo, hi] = [Infinity, -Infinity];
    for (const c of [curve, ghost])
      for (const i of members) for (const v of c?.values[i] ?? []) if (v !== null) [lo, hi] = [Math.min(lo, v), Math.max(hi, v)];
    if (!(hi >= lo)) return;
    if (hi - lo < 1e-12 + 1e-9 * Math.abs(hi)) [lo, hi] = [lo - (Math.abs(lo) || 1) * 0.05, hi + (Math.abs(hi) || 1) * 0.05];
    const y = (v: number) => top + kRow - 8 - ((v - lo) / (hi - lo)) * (kRow - 16);
    g.fillStyle = css.getPropertyValue('--line');
    g.fillRect(12, top + kRow - 8, w - 24, 1);
    if (lo < 0 && hi > 0) g.fillRect(12, y(0), w - 24, 1);
    for (const [c, dashes] of [[ghost, [4, 4]], [curve, []]] as [Curve | null, number[]][]) {
      if (!c) continue;
      g.setLineDash(dashes);
      g.lineWidth = 1.6;
      for (const i of members) {
        g.strokeStyle = inks[i];
        g.beginPath();
        let pen = false;
        c.values[i]?.forEach((v, k) => {
          if (v === null) return void (pen = false);
          if (pen) g.lineTo(x(c.steps[k]), y(v));
          else g.moveTo(x(c.steps[k]), y(v));
          pen = true;
        });
        g.stroke();
      }
    }
    g.setLineDash([]);
    g.fillStyle = css.getPropertyValue('--dim');
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.fillText(`${Number(hi.toPrecision(3))} ${unit}`, w - 14, top + 14);
    g.fillText(String(Number(lo.toPrecision(3))), w - 14, top + kRow - 11);
    g.textAlign = 'left';
  }
  canvas.addEventListener('pointerdown', (e) => {
    const go = (event: PointerEvent) => void editor.seek(Math.min(store.state?.end ?? 0, stepAt(event.clientX - canvas.getBoundingClientRect().left)));
    go(e);
    canvas.onpointermove = go;
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointerup', () => (canvas.onpointermove = null));

  // Every step, as a table.
  async function saveCsv() {
    const all = (await editor.request('series', { quantities: traces, most: 100000 })) as Curve | null;
    if (!all) return;
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = [['t', ...traces.map(quote)].join(','), ...all.steps.map((_, k) => [all.times[k] ?? '', ...all.values.map((v) => v[k] ?? '')].join(','))];
    const link = h('a', { href: URL.createObjectURL(new Blob([lines.join('\n') + '\n'], { type: 'text/csv' })), download: 'plots.csv' });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  // What there is to plot of what is selected.
  function pick() {
    const offers: [string, string[]][] = [];
    const { selection, selectionKind } = store;
    if (selectionKind === 'body') for (const name of selection.slice(0, 3)) offers.push([name, bodyQuantities.map((q) => `body:${name}.${q}`)]);
    if (selectionKind === 'body' && selection.length === 2) offers.push([t('distance'), [`distance:${selection[0]}|${selection[1]}`]]);
    if (selectionKind === 'joint') offers.push([selection[0], jointQuantities.map((q) => `joint:${selection[0]}.${q}`)]);
    offers.push([t('world'), worldQuantities]);
    const button = (quantity: string): HTMLElement => {
      const label = quantity.includes(':') && !quantity.startsWith('distance:') ? t(`q_${word(quantity)}`) : nameOf(quantity);
      const b = h('button', { type: 'button', 'data-quantity': quantity, 'aria-pressed': traces.includes(quantity), onclick: () => (toggle(quantity), b.setAttribute('aria-pressed', String(traces.includes(quantity)))) }, label, unitOf(quantity) && h('small', {}, ` ${unitOf(quantity)}`));
      return b;
    };
    dialog(t('plot'), ...offers.map(([name, list]) => h('div', { class: 'offer' }, h('h3', {}, name), h('div', { class: 'choices' }, ...list.map(button)))));
  }

  store.on('frame', () => {
    draw();
    if (traces.length && curve?.steps[curve.steps.length - 1] !== store.state?.end) fetchSoon(store.running ? 200 : 30);
  });
  store.on(['scene', 'takes', 'ghost'], () => traces.length && fetchSoon(150));
  new ResizeObserver(draw).observe(element);
  paintChips();
  return { element, draw, toggle, pick, get traces() { return traces; }, energy: () => ((traces = [...new Set([...traces.filter((q) => unitOf(q) !== 'J'), 'kinetic', 'potential', 'energy', 'unexplained'])].slice(-kMost)), changed()) };
}
