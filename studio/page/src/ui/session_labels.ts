// Names of edits that the session gives itself, in the language of the page. The session and project
// files have them in English, as they have its messages.
import { languageCode, t } from './texts';

const made: [RegExp, string][] = [
  [/^Pull (.+)$/, 'label_pull'],
  [/^Drag (.+)$/, 'label_drag'],
  [/^Drop$/, 'drop'],
  [/^Sync point: keep$/, 'label_sync_keep'],
  [/^Sync point: move$/, 'label_sync_move'],
  [/^Sync point: rename$/, 'label_sync_rename'],
  [/^Sync point: remove$/, 'label_sync_remove'],
  [/^Without (.+)$/, 'label_without'],
  [/^Move (.+)$/, 'label_move'],
  [/^Forces of a pull of (.+)$/, 'label_forces'],
  [/^Expand arrays$/, 'expand'],
  [/^Break up (.+)$/, 'label_break_up'],
];
export function labelText(label: string): string {
  if (languageCode() === 'en') return label;
  for (const [pattern, key] of made) {
    const found = pattern.exec(label);
    // what is moved or left out has a name of the same kind
    if (found) return t(key, { name: labelText(found[1] ?? '') });
  }
  return label;
}
// Words of the scene format, for reading: kinds of joints, without what explains them.
export function wordText(word: string): string {
  if (languageCode() === 'en') return word;
  const kind = t(`kind_${word}`);
  return (kind === `kind_${word}` ? t(word) : kind).replace(/ \(.*\)$/, '');
}
// Built-in materials have names in every language; those of a scene are called as it calls them.
const built = ['iron', 'aluminium', 'wood', 'rubber', 'glass', 'ice', 'stone', 'plastic'];
export const materialText = (name: string): string => (!built.includes(name) ? name : t(`material_${name}`));
