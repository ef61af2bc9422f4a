// Curves over the same time axis as the timeline: anything of a body, a joint, two bodies or the
// world. Another take that is shown as a ghost has its curves dashed.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { h, oncePerPicture } from '../ui/dom';
import { makeGrip } from '../ui/grip';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

export const bodyQuantities = ['speed', 'y', 'x', 'z', 'vx', 'vy', 'vz', 'spin', 'wx', 'wy', 'wz'];
export const jointQuantities = ['force', 'torque', 'position', 'rate', 'length', 'gap'];
export const worldQuantities = ['energy', 'kinetic', 'potential', 'unexplained', 'contacts', 'penetration', 'joint-gap', 'step-ms', 'asleep'];
const units: Record<string, string> = { speed: 'm/s', vx: 'm/s', vy: 'm/s', vz: 'm/s', x: 'm', y: 'm', z: 'm', spin: 'rad/s', wx: 'rad/s', wy: 'rad/s', wz: 'rad/s', force: 'N', torque: 'N m', position: 'm | rad', rate: '1/s', length: 'm', gap: 'm', energy: 'J', kinetic: 'J', potential: 'J', unexplained: 'J', penetration: 'm', 'step-ms': 'ms', contacts: '', asleep: '' };
// told apart by people with any colour vision (Okabe and Ito), and by dashes
const inks = ['#0f9d8f', '#e69f00', '#56b4e9', '#d55e00', '#cc79a7', '#8a7f00', '#5b7fff', '#999999'];
// lines that nobody tells apart by their colour have different dashes
const dashes = [[], [8, 3], [2, 3], [8, 3, 2, 3], [14, 4], [4, 4], [12, 3, 2, 3, 2, 3], [1, 4]];
const kMost = 8;
const svg = 'http://www.w3.org/2000/svg';

interface Curve {
  steps: number[];
  times: (number | null)[];
  values: (number | null)[][];
}
const word = (quantity: string) => (quantity.startsWith('distance:') ? 'length' : quantity.slice(quantity.startsWith('body:') || quantity.startsWith('joint:') ? quantity.lastIndexOf('.') + 1 : 0));
const unitOf = (quantity: string) => (word(quantity) === 'joint-gap' ? t('unit_relative') : (units[word(quantity)] ?? ''));
export const nameOf = (quantity: string) => {
  if (quantity.startsWith('distance:')) return quantity.slice(9).replace('|', ' ↔ ');
  const dot = quantity.lastIndexOf('.');
  const colon = quantity.indexOf(':');
  return colon < 0 ? t(quantity) : `${quantity.slice(colon + 1, dot)} · ${t(`q_${word(quantity)}`)}`;
};

export function makePlots(store: Store, editor: Editor, x: (step: number) => number, at: (time: number) => number, stepAt: (px: number) => number) {
  let traces: string[] = JSON.parse(localStorage.getItem('tenon.plots') ?? '[]');
  let curve: Curve | null = null;
  let ghost: Curve | null = null;
  const chips = h('div', { class: 'plot-chips', role: 'group', 'aria-label': t('plots') });
  const canvas = h('canvas', { class: 'plots', role: 'img', 'aria-label': t('plots') });
  let row = 62; // px of one group of curves
  const grip = makeGrip({ label: t('plot_height'), store: 'tenon.plot-height', least: 40, most: 300, begin: row, apply: (px) => ((row = px), draw()), scale: () => Math.max(1, groupsOf().length) });
  const element = h('div', { class: 'plots-wrap' }, grip, chips, canvas);

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

  // What is nothing beside the curves of its unit is nothing: no 7.1e-15.
  let largest = new Map<string, number>();
  const rounded = (value: number, i: number, digits: number) => (Math.abs(value) < 1e-9 * (largest.get(unitOf(traces[i])) ?? 0) ? 0 : Number(value.toPrecision(digits)));
  const readout = (i: number): string => {
    if (!curve) return '';
    const step = store.frame?.step ?? 0;
    let k = curve.steps.findIndex((s) => s >= step - 0.5);
    if (k < 0) k = curve.steps.length - 1;
    const value = curve.values[i]?.[k];
    return value === null || value === undefined ? '–' : `${rounded(value, i, 4)} ${unitOf(traces[i])}`;
  };
  const sample = (i: number) => {
    const picture = document.createElementNS(svg, 'svg');
    const line = document.createElementNS(svg, 'line');
    for (const [key, value] of Object.entries({ viewBox: '0 0 24 8', class: 'ink', 'aria-hidden': 'true' })) picture.setAttribute(key, value);
    for (const [key, value] of Object.entries({ x1: '0', x2: '24', y1: '4', y2: '4', stroke: inks[i], 'stroke-width': '2.5', 'stroke-dasharray': dashes[i % dashes.length].join(' ') })) line.setAttribute(key, value);
    picture.append(line);
    return picture;
  };
  const paintChips = () => {
    const all = traces.map((quantity, i) =>
      h('span', { class: 'chip trace', 'data-quantity': quantity }, sample(i), h('span', {}, nameOf(quantity)), h('output', {}), h('button', { type: 'button', class: 'x', 'aria-label': `${t('discard')} ${nameOf(quantity)}`, onclick: () => toggle(quantity) }, '×')),
    );
    chips.replaceChildren(
      ...all,
      h('span', { class: 'plot-does' }, h('button', { type: 'button', class: 'add', 'data-action': 'plot', title: `${t('plot')} (G)`, onclick: () => pick() }, `+ ${t('plot')}`), ...(traces.length ? [h('button', { type: 'button', class: 'add', 'data-action': 'csv', onclick: () => void saveCsv() }, 'CSV'), h('button', { type: 'button', class: 'add', 'data-action': 'png', onclick: () => savePng() }, 'PNG'), h('button', { type: 'button', class: 'add', 'data-action': 'table', onclick: () => void openTable() }, t('table'))] : [])),
    );
    element.classList.toggle('empty', traces.length === 0);
  };

  // Curves of one unit share an axis.
  const groupsOf = () => {
    const groups = new Map<string, number[]>();
    traces.forEach((q, i) => groups.set(unitOf(q), [...(groups.get(unitOf(q)) ?? []), i]));
    return [...groups].slice(0, 3);
  };
  const draw = oncePerPicture(paint);
  function paint() {
    const rows = groupsOf();
    const w = element.clientWidth;
    const height = rows.length * row;
    const ratio = devicePixelRatio;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(height * ratio);
    }
    canvas.style.height = `${height}px`;
    const g = canvas.getContext('2d')!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, height);
    largest = new Map(rows.map(([unit, members]) => [unit, Math.max(0, ...[curve, ghost].flatMap((c) => members.flatMap((i) => (c?.values[i] ?? []).map((v) => Math.abs(v ?? 0)))))]));
    rows.forEach(([unit, members], k) => paintRow(g, w, k * row, unit, members));
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
    const y = (v: number) => top + row - 8 - ((v - lo) / (hi - lo)) * (row - 16);
    g.fillStyle = css.getPropertyValue('--line');
    g.fillRect(12, top + row - 8, w - 24, 1);
    if (lo < 0 && hi > 0) g.fillRect(12, y(0), w - 24, 1);
    // another take is pale; dashes tell curves apart
    for (const [c, ink] of [[ghost, 0.4], [curve, 1]] as [Curve | null, number][]) {
      if (!c) continue;
      g.globalAlpha = ink;
      g.lineWidth = 1.6;
      for (const i of members) {
        g.setLineDash(dashes[i % dashes.length]);
        g.strokeStyle = inks[i];
        g.beginPath();
        let pen = false;
        c.values[i]?.forEach((v, k) => {
          if (v === null) return void (pen = false);
          const px = at(c.times[k] ?? store.timeOf(c.steps[k]));
          if (pen) g.lineTo(px, y(v));
          else g.moveTo(px, y(v));
          pen = true;
        });
        g.stroke();
      }
    }
    g.globalAlpha = 1;
    g.setLineDash([]);
    // numbers on a ground of their own: curves do not run through them
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    for (const [text, base] of [[`${rounded(hi, members[0], 3)} ${unit}`, top + 14], [String(rounded(lo, members[0], 3)), top + row - 11]] as [string, number][]) {
      const wide = g.measureText(text).width;
      g.fillStyle = css.getPropertyValue('--panel');
      g.fillRect(w - 17 - wide, base - 10, wide + 6, 13);
      g.fillStyle = css.getPropertyValue('--dim');
      g.fillText(text, w - 14, base);
    }
    g.textAlign = 'left';
  }
  canvas.addEventListener('pointerdown', (e) => {
    const go = (event: PointerEvent) => void editor.seek(Math.min(store.state?.end ?? 0, stepAt(event.clientX - canvas.getBoundingClientRect().left)));
    go(e);
    canvas.onpointermove = go;
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointerup', () => (canvas.onpointermove = null));

  // For whoever reads numbers rather than curves: up to two hundred steps.
  async function openTable() {
    const all = (await editor.request('series', { quantities: traces, most: 200 })) as Curve | null;
    if (!all) return;
    const cell = (v: number | null | undefined) => (typeof v === 'number' ? String(Number(v.toPrecision(5))) : '–');
    const head = h('tr', {}, ...['t [s]', ...traces.map((q) => `${nameOf(q)}${unitOf(q) ? ` [${unitOf(q)}]` : ''}`)].map((text) => h('th', { scope: 'col' }, text)));
    const rows = all.steps.map((_, k) => h('tr', {}, h('th', { scope: 'row' }, cell(all.times[k])), ...all.values.map((v) => h('td', {}, cell(v[k])))));
    const caption = h('caption', {}, t('table_of', { n: all.steps.length, all: (store.state?.end ?? 0) + 1 }));
    dialog(t('table'), h('div', { class: 'numbers', tabindex: 0 }, h('table', {}, caption, h('thead', {}, head), h('tbody', {}, ...rows))));
  }
  // The curves with their names, on the ground of the page.
  function savePng() {
    const ratio = devicePixelRatio;
    const line = 18;
    const picture = h('canvas', { width: canvas.width, height: canvas.height + Math.ceil(ratio * line * traces.length) });
    const g = picture.getContext('2d')!;
    const css = getComputedStyle(document.documentElement);
    g.fillStyle = css.getPropertyValue('--panel');
    g.fillRect(0, 0, picture.width, picture.height);
    g.drawImage(canvas, 0, picture.height - canvas.height);
    g.scale(ratio, ratio);
    g.font = '12px system-ui, sans-serif';
    traces.forEach((q, i) => {
      g.strokeStyle = inks[i];
      g.lineWidth = 2;
      g.setLineDash(dashes[i % dashes.length]);
      g.beginPath();
      g.moveTo(12, line * i + 10);
      g.lineTo(46, line * i + 10);
      g.stroke();
      g.fillStyle = css.getPropertyValue('--text');
      g.fillText(`${nameOf(q)}${unitOf(q) ? ` [${unitOf(q)}]` : ''}`, 54, line * i + 14);
    });
    picture.toBlob((blob) => {
      if (!blob) return;
      const link = h('a', { href: URL.createObjectURL(blob), download: 'plots.png' });
      link.click();
      URL.revokeObjectURL(link.href);
    }, 'image/png');
  }

  // Every step, as a table.
  async function saveCsv() {
    const all = (await editor.request('series', { quantities: traces, most: 100000 })) as Curve | null;
    if (!all) return;
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = [['t [s]', ...traces.map((q) => quote(unitOf(q) ? `${q} [${unitOf(q)}]` : q))].join(','), ...all.steps.map((_, k) => [all.times[k] ?? '', ...all.values.map((v) => (typeof v[k] === 'number' ? Number(v[k].toPrecision(7)) : ''))].join(','))];
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
    const hint = offers.length > 1 ? [] : [h('p', { class: 'hint' }, t('plot_more'))];
    const button = (quantity: string): HTMLElement => {
      const label = quantity.includes(':') && !quantity.startsWith('distance:') ? t(`q_${word(quantity)}`) : nameOf(quantity);
      const b = h('button', { type: 'button', 'data-quantity': quantity, 'aria-pressed': traces.includes(quantity), onclick: () => (toggle(quantity), b.setAttribute('aria-pressed', String(traces.includes(quantity)))) }, label, unitOf(quantity) && h('small', {}, ` ${unitOf(quantity)}`));
      return b;
    };
    dialog(t('plot'), ...hint, ...offers.map(([name, list]) => h('div', { class: 'offer' }, h('h3', {}, name), h('div', { class: 'choices' }, ...list.map(button)))));
  }

  store.on('frame', () => {
    draw();
    if (traces.length && curve?.steps[curve.steps.length - 1] !== store.state?.end) fetchSoon(store.running ? 200 : 30);
  });
  // Curves of what another scene had go with it; a cut may bring its bodies back.
  let of = '';
  const exists = (q: string) => (q.startsWith('body:') ? !!store.body(q.slice(5, q.lastIndexOf('.'))) : q.startsWith('joint:') ? !!store.joint(q.slice(6, q.lastIndexOf('.'))) : !q.startsWith('distance:') || q.slice(9).split('|').every((n) => store.body(n)));
  store.on('scene', () => {
    const other = of !== '' && of !== store.scene!.name;
    of = store.scene!.name;
    if (!other || traces.every(exists)) return;
    traces = traces.filter(exists);
    changed();
  });
  store.on(['scene', 'takes', 'ghost'], () => traces.length && fetchSoon(150));
  new ResizeObserver(draw).observe(element);
  paintChips();
  return { element, draw, toggle, pick, set: (all: string[]) => ((traces = all.slice(0, kMost)), changed()), get traces() { return traces; }, energy: () => ((traces = [...new Set([...traces.filter((q) => unitOf(q) !== 'J'), 'kinetic', 'potential', 'energy', 'unexplained'])].slice(-kMost)), changed()) };
}
