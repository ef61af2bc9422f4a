// Everything that can be done, by typing a few letters of it.
import type { Action } from '../app/actions';
import { keyWords } from '../app/keys';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

// How well the letters fit, in order; -1: not at all. Beginnings of words count most.
export function fit(text: string, wanted: string): number {
  const [a, b] = [text.toLowerCase(), wanted.toLowerCase().replaceAll(' ', '')];
  let score = 0;
  let at = 0;
  for (const letter of b) {
    const next = a.indexOf(letter, at);
    if (next < 0) return -1;
    score += next === at ? 3 : next === 0 || a[next - 1] === ' ' ? 2 : 0;
    at = next + 1;
  }
  return score - 0.01 * a.length;
}

export function openPalette(actions: Action[], store: Store) {
  const input = h('input', { type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list', 'aria-label': t('palette'), placeholder: t('palette'), autocomplete: 'off', spellcheck: 'false' });
  const list = h('div', { class: 'palette', role: 'listbox', id: 'palette-list', 'aria-label': t('palette') });
  const selects: Action[] = (['body', 'joint', 'force', 'camera', 'instance', 'prefab'] as const).flatMap((kind) => store.namesOf(kind).slice(0, 300).map((name) => ({ id: `select:${name}`, label: `${t('select')}: ${name}`, keys: '', matches: () => false, perform: () => store.select([name], kind) })));
  const all = [...actions.filter((a) => a.id && (a.when?.() ?? true)), ...selects];
  let shown: Action[] = [];
  let at = 0;
  const perform = (action: Action | undefined) => {
    if (!action) return;
    close();
    action.perform(new KeyboardEvent('keydown'));
  };
  const mark = () => {
    [...list.children].forEach((row, i) => row.setAttribute('aria-selected', String(i === at)));
    list.children[at]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', list.children[at]?.id ?? '');
  };
  const paint = () => {
    const scored = all.map((action) => ({ action, score: input.value.trim() ? fit(action.label, input.value.trim()) : 0 })).filter((x) => x.score >= 0);
    if (input.value.trim()) scored.sort((a, b) => b.score - a.score);
    shown = scored.slice(0, 60).map((x) => x.action);
    at = 0;
    list.replaceChildren(...shown.map((action, i) => h('div', { role: 'option', id: `palette-${i}`, 'data-command': action.id, onclick: () => perform(action) }, h('span', {}, action.label), action.keys && h('kbd', {}, keyWords(action.keys.split(' / ')[0])))));
    if (!shown.length) list.replaceChildren(h('p', { class: 'hint' }, t('nothing_found')));
    mark();
  };
  input.oninput = paint;
  input.onkeydown = (e) => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault();
      at = Math.min(shown.length - 1, Math.max(0, at + (e.key === 'ArrowDown' ? 1 : -1)));
      mark();
    }
    if (e.key === 'Enter') {
      e.preventDefault();
      perform(shown[at]);
    }
  };
  const close = dialog(t('commands'), input, list);
  paint();
  input.focus();
}
