// Fields of panels: text that commits on Enter or when it is left, choices, a note for what is wrong.
import { Refusal, describe } from '../link/link';
import type { Editor, Operation } from '../model/editor';
import { h } from '../ui/dom';
import { t } from '../ui/texts';

export const plain = (x: number, digits = 4) => String(Number(x.toPrecision(digits)));
// Without what arithmetic leaves behind: 0.30000000000000004 is 0.3, 1.7e-15 is 0.
export const tidyNumber = (x: number): number => (Math.abs(x) < 1e-9 ? 0 : Number(x.toPrecision(10)) + 0);
// "0.5" is a number, "12 cm" an expression; both are values of the format.
export const parse = (text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : trimmed;
};

// A length in metres: a number, or one with a unit. NaN: neither.
export const metres = (text: string): number => {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(m|cm|mm|km|in|ft)?\s*$/i.exec(text.replace(',', '.'));
  return found ? Number(found[1]) * { m: 1, cm: 0.01, mm: 0.001, km: 1000, in: 0.0254, ft: 0.3048 }[(found[2] ?? 'm').toLowerCase()]! : NaN;
};

export const show = (value: unknown): string => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(typeof value === 'number' && Number.isFinite(value) ? showNumber(value) : value));
// What a file says stays as it is, unless it is the noise of arithmetic: more digits than anybody types.
const showNumber = (x: number) => (String(x).length > 12 ? (Math.abs(x) < 1e-12 ? 0 : Number(x.toPrecision(8))) : x);

// What a bare number means.
const units: Record<string, string> = { position: 'm', place: 'm', radius: 'm', height: 'm', length: 'm', size: 'm', mass: 'kg', density: 'kg/m³', velocity: 'm/s', angular_velocity: 'rad/s', gravity: 'm/s²', wind: 'm/s', duration: 's', step: 's', stiffness: 'N/m', damping: 'N s/m', min_separation: 'm', break_force: 'N', break_torque: 'N m', friction: 'N, N m', force: 'N', torque: 'N m', magnitude: 'N', point: 'm', from: 's', until: 's', frequency: 'Hz', look_at: 'm', period: 's', smoothing: 's', air_area: 'm²', surface_velocity: 'm/s' };
let unitOf: Map<string, string> | null = null;
const unit = (label: string) => (unitOf ??= new Map(Object.entries(units).map(([key, value]) => [t(key), value]))).get(label);

export function makeFields(editor: Editor) {
  const commit = async (input: HTMLElement, ops: Operation[], label: string) => {
    const note = input.closest('.field')?.querySelector('.problem');
    try {
      // in mid-run, one change after the other of the same field is one
      const merge = (editor.store.state?.step ?? 0) > 0 ? JSON.stringify(ops.map((o) => o.path)) : undefined;
      await editor.edit(ops, label, { quiet: true, merge });
      if (note) note.textContent = '';
      input.removeAttribute('aria-invalid');
    } catch (error) {
      if (!(error instanceof Refusal)) return;
      if (note) note.textContent = describe(error.error);
      input.setAttribute('aria-invalid', 'true');
      note?.scrollIntoView({ block: 'nearest' });
    }
  };
  // `what`: the unit, where the label alone does not tell it.
  const field = (label: string, control: HTMLElement[], changed?: () => void, what = unit(label)) => {
    const words = h('span', {}, label, what && h('small', { class: 'unit' }, what));
    if (control.length === 1 && control[0] instanceof HTMLInputElement && control[0].type === 'text') byDragging(words, control[0]);
    return h(
      'div',
      { class: 'field' },
      h('div', { class: 'label' }, words, changed && h('button', { type: 'button', class: 'dot', title: t('reset'), 'aria-label': `${t('reset')}: ${label}`, onclick: changed })),
      h('div', { class: 'controls' }, ...control),
      h('div', { class: 'problem', role: 'alert' }),
    );
  };
  // A text field that commits on Enter or when it is left, and steps by the arrow keys.
  const input = (label: string, value: string, perform: (value: unknown, input: HTMLInputElement) => void, placeholder = '') => {
    const element = h('input', { type: 'text', value, 'aria-label': label, placeholder, spellcheck: 'false' });
    let last = value;
    // what is being typed outlives a repaint
    element.oninput = () => (element.dataset.typing = 'true');
    const done = () => {
      delete element.dataset.typing;
      if (element.value === last) return;
      last = element.value;
      perform(parse(element.value), element);
    };
    element.onkeydown = (e) => {
      e.stopPropagation();
      if (e.key === 'Enter') done();
      if (e.key === 'Escape') {
        delete element.dataset.typing;
        element.value = last;
        element.blur();
      }
      const number = Number(element.value);
      if ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && Number.isFinite(number) && element.value !== '') {
        e.preventDefault();
        const step = (e.shiftKey ? 10 : e.altKey ? 0.1 : 1) * 10 ** Math.floor(Math.log10(Math.max(0.01, Math.abs(number) / 10)));
        element.value = plain(number + (e.key === 'ArrowUp' ? step : -step), 6);
        done();
      }
    };
    element.onblur = done;
    return { element, refresh: (text: string) => document.activeElement !== element && (element.value = last = text) };
  };
  const select = (label: string, options: [string, string][], value: string | undefined, perform: (value: string) => void) => {
    const element = h('select', { 'aria-label': label }, ...(value === undefined ? [h('option', { value: '', selected: true }, t('mixed'))] : []), ...options.map(([v, text]) => h('option', { value: v, selected: v === value }, text)));
    element.onchange = () => element.value && perform(element.value);
    return element;
  };
  // Dragged sideways, a label changes its number: as the arrow keys do, and one edit when it is let go.
  const byDragging = (handle: HTMLElement, element: HTMLInputElement) => {
    handle.classList.add('slides');
    handle.addEventListener('pointerdown', (e) => {
      const from = Number(element.value || element.placeholder.replace(/[^\d.eE+-].*$/, ''));
      if (!Number.isFinite(from) || element.placeholder === t('mixed')) return;
      e.preventDefault();
      handle.setPointerCapture(e.pointerId);
      const step = 10 ** Math.floor(Math.log10(Math.max(0.01, Math.abs(from) / 10)));
      handle.onpointermove = (move) => {
        const steps = Math.trunc((move.clientX - e.clientX) / 4) * (move.shiftKey ? 10 : move.altKey ? 0.1 : 1);
        if (steps || element.dataset.typing) element.value = plain(from + steps * step, 6);
        element.dataset.typing = 'true';
      };
      handle.onpointerup = handle.onpointercancel = () => {
        handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
        element.dispatchEvent(new Event('blur'));
      };
    });
  };
  // Three numbers with the names of their axes.
  const axes = (cells: HTMLElement[]) =>
    cells.map((c, i) => {
      const letter = h('span', { 'aria-hidden': 'true' }, 'xyz'[i]);
      byDragging(letter, c as HTMLInputElement);
      return h('label', { class: 'axis', 'data-axis': 'xyz'[i] }, letter, c);
    });
  return { commit, field, input, select, axes };
}
// Whether somebody types in a panel, or mends what was refused there: it is painted later.
export const isBusy = (panel: HTMLElement): boolean => {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && panel.contains(at) && (at.type === 'text' || at.type === 'range') && (at.dataset.typing === 'true' || at.hasAttribute('aria-invalid'));
};
export type Fields = ReturnType<typeof makeFields>;
