// The keyboard map, in which every key can be changed or switched off.
import { combinationOf, keyWords, type Keys } from '../app/keys';
import type { Action } from '../app/actions';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

export function openKeys(keys: Keys) {
  const list = h('dl', { class: 'keys' });
  const off = h('input', { type: 'checkbox', checked: keys.off, onchange: () => (keys.off = off.checked) });
  const change = (action: Action, button: HTMLButtonElement) => {
    button.textContent = t('press_key');
    button.onkeydown = (e) => {
      const combination = combinationOf(e);
      e.preventDefault();
      e.stopPropagation();
      if (!combination) return;
      if (combination === 'Escape') keys.set(action, null);
      else keys.set(action, combination === 'Backspace' ? '' : combination);
      paint(action.id);
    };
    button.onblur = () => paint();
  };
  const paint = (focus?: string) => {
    list.replaceChildren(
      ...keys.actions
        .filter((a) => a.keys || keys.textOf(a))
        .flatMap((a) => {
          const shown = keys.textOf(a).split(' / ').filter(Boolean).map((k) => h('kbd', {}, keyWords(k)));
          const button = a.id && h('button', { type: 'button', class: 'rekey', 'data-key': a.id, title: `${t('change_key')}: ${a.label}`, onclick: () => change(a, button as HTMLButtonElement) }, ...(shown.length ? shown : ['–']));
          return [h('dt', {}, button || h('span', {}, ...shown)), h('dd', {}, a.label, keys.isOwn(a) && h('small', {}, ` ${t('changed_key')}`))];
        }),
    );
    if (focus) list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  };
  paint();
  dialog(t('help'), h('label', { class: 'switch' }, off, h('span', {}, t('keys_off'))), h('p', { class: 'hint' }, t('keys_how')), list);
}
