// Fields of panels: text that commits on Enter or when it is left, choices, a note for what is wrong.
import { Refusal, describe } from '../link/link';
import type { Editor, Operation } from '../model/editor';
import { h } from '../ui/dom';
import { t } from '../ui/texts';

export const plain = (x: number, digits = 4) => String(Number(x.toPrecision(digits)));
// "0.5" is a number, "12 cm" an expression; both are values of the format.
export const parse = (text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : trimmed;
};

export const show = (value: unknown): string => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

export function makeFields(editor: Editor) {
  const commit = async (input: HTMLElement, ops: Operation[], label: string) => {
    const note = input.closest('.field')?.querySelector('.problem');
    try {
      await editor.edit(ops, label, { quiet: true });
      if (note) note.textContent = '';
      input.removeAttribute('aria-invalid');
    } catch (error) {
      if (!(error instanceof Refusal)) return;
      if (note) note.textContent = describe(error.error);
      input.setAttribute('aria-invalid', 'true');
    }
  };
  const field = (label: string, control: HTMLElement[], changed?: () => void) =>
    h(
      'div',
      { class: 'field' },
      h('div', { class: 'label' }, h('span', {}, label), changed && h('button', { type: 'button', class: 'dot', title: t('reset'), 'aria-label': `${t('reset')}: ${label}`, onclick: changed })),
      h('div', { class: 'controls' }, ...control),
      h('div', { class: 'problem', role: 'alert' }),
    );
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
  // Three numbers with the names of their axes.
  const axes = (cells: HTMLElement[]) => cells.map((c, i) => h('label', { class: 'axis', 'data-axis': 'xyz'[i] }, h('span', { 'aria-hidden': 'true' }, 'xyz'[i]), c));
  return { commit, field, input, select, axes };
}
// Whether somebody types in a panel, or mends what was refused there: it is painted later.
export const isBusy = (panel: HTMLElement): boolean => {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && panel.contains(at) && at.type === 'text' && (at.dataset.typing === 'true' || at.hasAttribute('aria-invalid'));
};
export type Fields = ReturnType<typeof makeFields>;
