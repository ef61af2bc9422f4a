// Keys of commands: as they come, as a person has changed them, or off. Keys of one letter, digit or
// sign can be switched off or given another combination each, as WCAG 2.1.4 asks; both are kept.
import type { Action } from './actions';
import { languageCode } from '../ui/texts';

const kStore = 'tenon.keys';
interface Kept {
  off: boolean; // keys of one character
  own: Record<string, string>; // id of a command: combination, or "" for none
}
const names: Record<string, string> = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', PageUp: 'PgUp', PageDown: 'PgDn', Delete: 'Del' };

const german: Record<string, string> = { Space: 'Leertaste', Ctrl: 'Strg', Shift: 'Umschalt', Del: 'Entf', Home: 'Pos1', End: 'Ende', PgUp: 'Bild auf', PgDn: 'Bild ab', Enter: 'Eingabe' };
// As keyboards of the language have them.
export const keyWords = (keys: string) => (languageCode() === 'de' ? keys.split(' ').map((k) => german[k] ?? k).join(' ') : keys);

// "Ctrl Shift X"; null: only a modifier so far.
export function combinationOf(e: KeyboardEvent): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(e.key)) return null;
  const key = names[e.key] ?? (e.key.length === 1 ? e.key.toUpperCase() : e.key);
  // signs that need Shift have it in themselves already
  const shift = e.shiftKey && (e.key.length > 1 || e.key === ' ' || e.key.toLowerCase() !== e.key.toUpperCase());
  return [(e.ctrlKey || e.metaKey) && 'Ctrl', e.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join(' ');
}
const isCharacter = (e: KeyboardEvent) => e.key.length === 1 && e.key !== ' ' && !e.ctrlKey && !e.metaKey && !e.altKey;

export class Keys {
  private kept: Kept = { off: false, own: {} };

  constructor(readonly actions: Action[]) {
    try {
      this.kept = { ...this.kept, ...JSON.parse(localStorage.getItem(kStore) ?? '{}') };
    } catch {
      // something else is there: as if nothing were
    }
  }
  get off() {
    return this.kept.off;
  }
  set off(off: boolean) {
    this.kept.off = off;
    this.keep();
  }
  textOf(action: Action): string {
    return (action.id && this.kept.own[action.id]) ?? action.keys;
  }
  isOwn(action: Action): boolean {
    return !!action.id && action.id in this.kept.own;
  }
  // Another combination, none (""), or null: as it came. Whoever had it before loses it.
  set(action: Action, combination: string | null) {
    if (!action.id) return;
    if (combination === null) delete this.kept.own[action.id];
    else {
      for (const other of this.actions) if (other.id && other !== action && this.textOf(other) === combination) this.kept.own[other.id] = '';
      this.kept.own[action.id] = combination;
    }
    this.keep();
  }
  find(e: KeyboardEvent): Action | undefined {
    const combination = combinationOf(e);
    const own = this.actions.find((a) => a.id && combination && this.kept.own[a.id] === combination);
    if (own) return own;
    if (this.kept.off && isCharacter(e)) return undefined;
    return this.actions.find((a) => !this.isOwn(a) && a.matches(e));
  }
  private keep() {
    try {
      localStorage.setItem(kStore, JSON.stringify(this.kept));
    } catch {
      // no room: they hold until the page is left
    }
  }
}
