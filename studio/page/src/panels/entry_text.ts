// All of an entry of the scene as text: whatever the format has can be said here, also what has no
// field of its own. It is read by the code that reads files.
import { Refusal, describe } from '../link/link';
import type { Editor } from '../model/editor';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { dialog } from './dialogs';

export function entryText(editor: Editor, path: (string | number)[], entry: Record<string, any>): HTMLElement {
  const edit = () => {
    const text = h('textarea', { class: 'entry-text', spellcheck: 'false', 'aria-label': t('as_text') });
    text.value = JSON.stringify(entry, null, 2);
    const problem = h('p', { class: 'problem', role: 'alert' });
    const save = async () => {
      try {
        const value = JSON.parse(text.value);
        if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new SyntaxError(t('object_wanted'));
        // its name is changed where it is used as well
        if (typeof path.at(-1) === 'string' && 'name' in entry) value.name = entry.name;
        await editor.edit([{ op: 'set', path, value }], t('as_text'), { quiet: true });
        close();
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof SyntaxError)) throw error;
        problem.textContent = error instanceof Refusal ? describe(error.error) : error.message;
      }
    };
    const close = dialog(`${t('as_text')}: ${path.at(-1)}`, h('div', { class: 'stack' }, text, problem, h('button', { type: 'button', class: 'primary', onclick: () => void save() }, t('apply'))));
    text.focus();
  };
  return h('div', { class: 'field' }, h('button', { type: 'button', class: 'wide', 'data-do': 'as-text', onclick: edit }, `{ } ${t('as_text')} …`));
}
