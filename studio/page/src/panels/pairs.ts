// What two materials do where they touch: a table of all pairs, given or combined, and the fields of one.
import type { Answer } from '../link/link';
import type { Editor, Operation } from '../model/editor';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { materialText } from '../ui/session_labels';
import { t } from '../ui/texts';
import { isBusy, makeFields, plain, show } from './fields';

const quantities = ['restitution', 'static_friction', 'sliding_friction', 'rolling_friction', 'spinning_friction', 'stiffness', 'damping'];
interface Pair {
  a: string;
  b: string;
  given: string[];
  [key: string]: unknown;
}

export function makePairs(store: Store, editor: Editor, pick: (material: string) => void) {
  const { commit, field, input, select } = makeFields(editor);
  let shown = 'sliding_friction';
  let open: [string, string] | null = null;
  let names: string[] = [];
  let pairs: Pair[] = [];
  let material = '';
  const table = h('div', { class: 'pair-table' });
  const fields = h('div', { class: 'columns' });
  const choice = h('div', {});
  const element = h('div', { class: 'pairs' }, h('div', { class: 'pairs-head' }, h('h3', {}, t('pairs')), choice), h('p', { class: 'hint' }, t('pairs_hint')), table, fields);
  const find = (a: string, b: string) => pairs.find((p) => (p.a === a && p.b === b) || (p.a === b && p.b === a));
  const written = (): Answer[] => store.scene?.document?.pairs ?? [];
  const placeOf = (a: string, b: string) => written().findIndex((p) => [...(p.materials ?? [])].sort().join('|') === [a, b].sort().join('|'));

  // The entry of the pair is made, changed, or taken away with its last value.
  function change(pair: Pair, key: string, value: unknown): Operation[] {
    const at = placeOf(pair.a, pair.b);
    if (at < 0) return value === null ? [] : [{ op: 'add', path: ['pairs'], value: { materials: [pair.a, pair.b], [key]: value } }];
    const left = Object.keys(written()[at]).filter((k) => k !== 'materials' && k !== key);
    return value === null && left.length === 0 ? [{ op: 'remove', path: ['pairs', at] }] : [{ op: 'set', path: ['pairs', at, key], value }];
  }
  function cell(a: string, b: string): HTMLElement {
    const pair = find(a, b);
    if (!pair) return h('td', {});
    const given = pair.given.includes(shown);
    const value = plain(pair[shown] as number, 3);
    const on = open !== null && ((open[0] === a && open[1] === b) || (open[0] === b && open[1] === a));
    return h('td', {}, h('button', { type: 'button', class: given ? 'pair given' : 'pair', 'aria-pressed': on, 'data-pair': `${a}|${b}`, title: `${materialText(a)} – ${materialText(b)}`, 'aria-label': `${materialText(a)} – ${materialText(b)}: ${t(shown)} ${value}, ${t(given ? 'given' : 'combined')}`, onclick: () => ((open = [a, b]), draw()) }, value));
  }
  function draw() {
    choice.replaceChildren(select(t('quantity'), quantities.map((q) => [q, t(q)]), shown, (q) => ((shown = q), draw())));
    const head = h('tr', {}, h('td', {}), ...names.map((n) => h('th', { scope: 'col' }, h('button', { type: 'button', 'aria-label': `${t('material')} ${materialText(n)}`, onclick: () => pick(n) }, materialText(n)))));
    // each pair stands once, below the diagonal
    const rows = names.map((a, i) => h('tr', { 'aria-current': a === material }, h('th', { scope: 'row' }, materialText(a)), ...names.map((b, k) => (k <= i ? cell(a, b) : h('td', {})))));
    table.replaceChildren(h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)));
    const pair = open && find(...open);
    fields.replaceChildren(...(pair ? [h('p', { class: 'facts wide-field' }, open!.map((n) => materialText(n)).join(' – ')), ...quantities.map((q) => pairField(pair, q))] : []));
  }
  function pairField(pair: Pair, key: string): HTMLElement {
    const given = pair.given.includes(key);
    const at = placeOf(pair.a, pair.b);
    const text = given && at >= 0 ? show(written()[at][key]) : '';
    const label = `${open!.map((n) => materialText(n)).join(' – ')}: ${t(key)}`;
    const cell = input(label, text, (value, element) => void commit(element, change(pair, key, value), label), `${plain(pair[key] as number)} (${t('combined')})`);
    return field(t(key), [cell.element], given ? () => void commit(cell.element, change(pair, key, null), label) : undefined);
  }
  // Asked for again whenever the scene changes while the table is seen.
  async function paint(chosen: string) {
    material = chosen;
    const answer = await editor.quiet('pairs');
    if (!answer) return;
    names = answer.materials;
    pairs = answer.pairs;
    if (isBusy(element)) return;
    const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : null;
    draw();
    const again = focused && [...element.querySelectorAll<HTMLElement>('[aria-label]')].find((x) => x.getAttribute('aria-label')!.split(',')[0].replace(/ [\d.e+-]+$/, '') === focused.split(',')[0].replace(/ [\d.e+-]+$/, ''));
    if (again) again.focus();
  }
  return { element, paint };
}
