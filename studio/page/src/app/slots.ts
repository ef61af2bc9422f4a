// Where the browser keeps the work of this page: a slot for every tab and whatever its host was asked
// to open, so that no tab and no other scene takes the place of it.
import type { Answer } from '../link/link';
import { keepWork } from './recent';

export interface Slot extends Answer {
  source: string;
  when: number;
  empty: boolean; // nobody has done anything in it yet
  project: Answer;
}
const kPrefix = 'tenon.work';
const kMostLeft = 6; // slots of tabs that are gone; older ones become earlier work
const keyOf = (source: string, tab: string) => `${kPrefix}:${tab}:${source}`;
const lockOf = (tab: string) => `tenon.tab:${tab}`;

const hasLocks = () => typeof navigator !== 'undefined' && !!navigator.locks;
// Held as long as the page is there; false: another page holds it.
function hold(tab: string): Promise<boolean> {
  if (!hasLocks()) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(lockOf(tab), { ifAvailable: true }, (lock) => {
      resolve(!!lock);
      return lock ? new Promise(() => {}) : undefined;
    });
  });
}
// The name of this tab: the same after a reload, another one in a copy of the tab.
let claimed: Promise<string> | null = null;
export function thisTab(): Promise<string> {
  claimed ??= (async () => {
    const old = sessionStorage.getItem('tenon.tab');
    if (old && (await hold(old))) return old;
    const fresh = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(36)).join('');
    sessionStorage.setItem('tenon.tab', fresh);
    await hold(fresh);
    return fresh;
  })();
  return claimed;
}
async function liveTabs(): Promise<Set<string>> {
  const held = hasLocks() ? ((await navigator.locks.query()).held ?? []) : [];
  return new Set(held.map((lock) => lock.name?.replace(/^tenon\.tab:/, '') ?? ''));
}

function read(key: string): Slot | null {
  try {
    const slot = JSON.parse(localStorage.getItem(key) ?? 'null');
    return slot?.project ? { when: 0, empty: false, ...slot } : null;
  } catch {
    return null;
  }
}
// Slots of tabs that are gone, the latest first.
async function leftSlots(): Promise<{ key: string; slot: Slot }[]> {
  const live = await liveTabs();
  const mine = await thisTab();
  const keys = Object.keys(localStorage).filter((key) => key === kPrefix || key.startsWith(`${kPrefix}:`));
  const left = keys.filter((key) => key === kPrefix || (!live.has(key.split(':')[1]) && key.split(':')[1] !== mine));
  const all = left.map((key) => ({ key, slot: read(key) }));
  for (const { key, slot } of all) if (!slot || slot.empty) localStorage.removeItem(key);
  return all.flatMap(({ key, slot }) => (slot && !slot.empty ? [{ key, slot }] : [])).sort((a, b) => b.slot.when - a.slot.when);
}
async function retire(left: { key: string; slot: Slot }[]) {
  for (const { key, slot } of left) {
    await keepWork(slot.project);
    localStorage.removeItem(key);
  }
}

// What this tab has kept of a source; else, for a session that is `fresh`, the latest of a tab that is
// gone, which is this tab's from then on.
export async function adoptSlot(source: string, fresh: boolean): Promise<Slot | null> {
  const own = keyOf(source, await thisTab());
  const left = await leftSlots();
  await retire(left.slice(kMostLeft));
  const found = left.slice(0, kMostLeft).find(({ slot }) => slot.source === source);
  const mine = read(own);
  if ((mine && !mine.empty) || !found || !fresh) return mine;
  localStorage.removeItem(found.key); // there may be no room for both
  localStorage.setItem(own, JSON.stringify(found.slot));
  return found.slot;
}
// False: there is no room, even without what is left of other tabs.
export async function writeSlot(slot: Slot): Promise<boolean> {
  const own = keyOf(slot.source, await thisTab());
  const text = JSON.stringify(slot);
  try {
    localStorage.setItem(own, text);
    return true;
  } catch {
    await retire(await leftSlots());
  }
  try {
    localStorage.setItem(own, text);
    return true;
  } catch {
    return false;
  }
}
export async function dropSlot(source: string) {
  localStorage.removeItem(keyOf(source, await thisTab()));
}
// All that is kept in slots, as texts: files that none of them names are wanted by nobody.
export const slotTexts = () => Object.keys(localStorage).filter((key) => key.startsWith(kPrefix)).map((key) => localStorage.getItem(key) ?? '');
