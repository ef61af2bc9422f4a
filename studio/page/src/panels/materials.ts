// The material library beside the views: what each material is and looks like, own ones, and the table
// of pairs. Every change is an edit like any other, so in mid-run it begins a new take.
import type { Answer } from '../link/link';
import type { Editor } from '../model/editor';
import type { MaterialInfo, Store } from '../model/store';
import { h, icon, isTyping } from '../ui/dom';
import { materialText } from '../ui/session_labels';
import { t } from '../ui/texts';
import { isBusy, makeFields, plain, show } from './fields';
import { makePairs } from './pairs';

const numbers: [keyof MaterialInfo & string, string][] = [['density', 'kg/m³'], ['restitution', '0 … 1'], ['static_friction', 'µ'], ['sliding_friction', 'µ'], ['rolling_friction', 'm'], ['spinning_friction', 'm'], ['stiffness', 'N/m'], ['damping', 'N s/m']];
const looks = ['roughness', 'metallic', 'transparency'] as const;
const textures = ['plain', 'brushed', 'wood', 'stone', 'glass', 'ice', 'checker'];
const hexOf = (c: number[]) => '#' + c.map((v) => Math.round(255 * v).toString(16).padStart(2, '0')).join('');

export function makeMaterials(store: Store, editor: Editor) {
  const { commit, field, input, select } = makeFields(editor);
  let chosen = 'plastic';
  const grid = h('div', { class: 'swatches library', role: 'listbox', 'aria-label': t('materials') });
  const sheet = h('div', { class: 'sheet-fields' });
  const pairs = makePairs(store, editor, (name) => pick(name));
  const close = h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: () => toggle(false) }, '×');
  const element = h('section', { class: 'sheet', hidden: true, 'aria-label': t('materials') }, h('header', {}, h('h2', {}, t('materials')), close), grid, sheet, pairs.element);
  element.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape' || isTyping(e.target as HTMLElement)) return;
    toggle(false);
    e.stopPropagation();
  });

  const all = () => Object.entries(store.scene?.materials ?? {});
  const entryOf = (name: string): Answer => store.scene?.document?.materials?.[name] ?? {};
  const pick = (name: string) => {
    chosen = name;
    paint();
  };
  // An answer comes before the scene that has it.
  let awaited = '';
  const expect = (name: string) => {
    awaited = name;
    paint();
  };
  // A copy of the chosen one, with all its values, to be changed.
  async function add() {
    const from = store.scene!.materials[chosen];
    const taken = new Set(all().map(([name]) => name));
    let name = t('own_material').toLowerCase();
    for (let n = 2; taken.has(name); ++n) name = `${t('own_material').toLowerCase()} ${n}`;
    const value: Answer = Object.fromEntries(numbers.map(([key]) => [key, from[key]]));
    value.look = { color: hexOf(from.color), texture: from.texture, roughness: from.roughness, metallic: from.metallic, transparency: from.transparency };
    const answer = await editor.edit([{ op: 'set', path: ['materials', name], value }], `+ ${name}`).catch(() => null);
    if (answer) expect(name);
  }
  async function rename(to: string) {
    const answer = await editor.edit([{ op: 'rename', path: ['materials', chosen], to }], `${chosen} → ${to}`).catch(() => null);
    if (answer) expect(to);
    else paint();
  }
  function fieldsOf(name: string, info: MaterialInfo): HTMLElement[] {
    const entry = entryOf(name);
    const set = (path: string[], value: unknown, element: HTMLElement) => void commit(element, [{ op: 'set', path: ['materials', name, ...path], value }], `${name}: ${t(path[path.length - 1])}`);
    const one = (key: string, unit: string, now: number) => {
      const cell = input(`${t(key)}`, entry[key] !== undefined ? show(entry[key]) : plain(now), (value, element) => set([key], value, element), unit);
      return field(`${t(key)}${unit ? ` (${unit})` : ''}`, [cell.element], info.builtin && entry[key] !== undefined ? () => set([key], null, cell.element) : undefined);
    };
    const slider = (key: (typeof looks)[number]) => {
      const range = h('input', { type: 'range', min: 0, max: 1, step: 0.05, value: info[key], 'aria-label': t(key) });
      range.onchange = () => set(['look', key], Number(range.value), range);
      return field(t(key), [range]);
    };
    const color = h('input', { type: 'color', value: hexOf(info.color), 'aria-label': t('color') });
    color.onchange = () => set(['look', 'color'], color.value, color);
    const known = textures.includes(info.texture) ? textures : [info.texture, ...textures];
    return [
      ...(info.builtin ? [h('p', { class: 'facts' }, t('builtin', { name: materialText(name) }))] : [field(t('name'), [input(t('name'), name, (value) => void rename(show(value))).element])]),
      h('div', { class: 'columns' }, ...numbers.map(([key, unit]) => one(key, unit, info[key] as number)), field(t('color'), [color]), field(t('texture'), [select(t('texture'), known.map((x) => [x, textures.includes(x) ? t(`texture_${x}`) : x]), info.texture, (value) => set(['look', 'texture'], value, sheet))]), ...looks.map(slider)),
    ];
  }
  function paint() {
    if (element.hidden || !store.scene || isBusy(element)) return;
    if (awaited && store.scene.materials[awaited]) [chosen, awaited] = [awaited, ''];
    if (!store.scene.materials[chosen]) chosen = 'plastic';
    paintTrial();
    const info = store.scene.materials[chosen];
    const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : null;
    grid.replaceChildren(
      ...all().map(([name, m]) => h('button', { type: 'button', class: 'swatch', role: 'option', 'aria-selected': name === chosen, 'aria-label': materialText(name), title: name, 'data-own-material': name, onclick: () => pick(name) }, h('span', { style: `background: ${hexOf(m.color)}` }), h('em', {}, materialText(name)))),
    );
    const bodies = store.selectedBodies;
    const give = () => void editor.edit(bodies.map((n) => ({ op: 'set', path: [...(store.source(n) ?? ['bodies', n]), 'material'], value: chosen })), `${t('material')}: ${chosen}`).catch(() => {});
    const drop = () => void editor.edit([{ op: 'set', path: ['materials', chosen], value: null }], `− ${chosen}`).catch(() => {});
    const changed = Object.keys(entryOf(chosen)).length > 0;
    sheet.replaceChildren(
      h(
        'div',
        { class: 'cluster' },
        h('button', { type: 'button', 'data-do': 'new-material', onclick: () => void add() }, icon('copy'), h('span', {}, t('new_material'))),
        bodies.length > 0 && h('button', { type: 'button', 'data-do': 'give', onclick: give }, h('span', {}, t('give_material'))),
        changed && h('button', { type: 'button', 'data-do': 'drop-material', onclick: drop }, icon('trash'), h('span', {}, t(info.builtin ? 'reset_material' : 'delete'))),
      ),
      ...fieldsOf(chosen, info),
    );
    if (focused) element.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    void pairs.paint(chosen);
    if (tested && tested.material !== chosen) forgetTest();
    else if (tested) void test(tested.on); // its numbers may be others now
  }
  // --- a ball of it falls a metre onto another one: height over time
  const onto = h('select', { 'aria-label': t('drop_onto') });
  const curve = h('canvas', { class: 'drop-test', width: 560, height: 180, hidden: true, role: 'img' });
  const told = h('p', { class: 'facts', 'aria-live': 'polite' });
  const trial = h('div', { class: 'field stack' }, h('div', { class: 'row-fields' }, h('button', { type: 'button', 'data-do': 'drop-test', onclick: () => void test(onto.value) }, t('drop_it')), onto), curve, told);
  element.insertBefore(trial, pairs.element);
  let tested: { material: string; on: string } | null = null;
  function forgetTest() {
    tested = null;
    curve.hidden = true;
    told.textContent = '';
  }
  async function test(on: string) {
    const material = chosen;
    const answer = await editor.request('drop_test', { material, on });
    if (!answer || material !== chosen) return;
    tested = { material, on };
    curve.hidden = false;
    const words = t('drop_told', { a: materialText(material), b: materialText(on), h: Number((100 * answer.bounce).toPrecision(3)), e: Number(Math.sqrt(answer.bounce / answer.fall).toFixed(2)) });
    told.textContent = words;
    curve.setAttribute('aria-label', words);
    const css = getComputedStyle(document.documentElement);
    const g = curve.getContext('2d')!;
    const [w, tall] = [curve.width, curve.height];
    g.clearRect(0, 0, w, tall);
    g.fillStyle = css.getPropertyValue('--line');
    g.fillRect(0, tall - 6, w, 2);
    g.strokeStyle = css.getPropertyValue('--accent');
    g.lineWidth = 3;
    g.beginPath();
    answer.heights.forEach((y: number, i: number) => g.lineTo((i / (answer.heights.length - 1)) * w, tall - 8 - (y / answer.fall) * (tall - 16)));
    g.stroke();
  }
  function paintTrial() {
    const names = all().map(([name]) => name);
    if (onto.dataset.names === names.join()) return;
    onto.dataset.names = names.join();
    const now = onto.value || 'stone';
    onto.replaceChildren(...names.map((name) => h('option', { value: name, selected: name === now }, materialText(name))));
  }
  function toggle(on = element.hidden) {
    element.hidden = !on;
    const used = store.body(store.selectedBodies.at(-1) ?? '')?.material;
    if (on && used) chosen = used;
    paint();
    if (on) grid.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    else document.querySelector<HTMLElement>('canvas.view')?.focus();
  }
  store.on(['scene', 'selection'], paint);
  return { element, toggle };
}
