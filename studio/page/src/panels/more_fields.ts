// What is seldom changed of bodies and of the world, folded away: all that AERO's objects had (no
// gravitation, no collision, air resistance, looks) and what came since.
import type { Editor, Operation } from '../model/editor';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { type Fields, plain, show } from './fields';

type Entry = Record<string, any>;
// m/s², downwards
const planets: [string, number][] = [['earth', 9.81], ['moon', 1.62], ['mars', 3.72], ['jupiter', 24.79], ['weightless', 0]];
let open = false; // as it was left

export function folded(label: string, ...content: HTMLElement[]): HTMLElement {
  const element = h('details', { class: 'more', open }, h('summary', {}, label), ...content);
  element.addEventListener('toggle', () => (open = element.open));
  return element;
}

export function makeMoreFields(store: Store, editor: Editor, { commit, field, input, select, axes }: Fields) {
  const reset = (ops: Operation[]) => () => void editor.edit(ops, t('reset')).catch(() => {});
  // Fields of all selected bodies: the value that all of them have, or none.
  function bodyMore(): HTMLElement[] {
    const names = store.selection;
    const entries: Entry[] = names.map((n) => store.sourceEntry(n) ?? {});
    const each = (key: string[], value: unknown): Operation[] => names.map((name) => ({ op: 'set', path: [...(store.source(name) ?? ['bodies', name]), ...key], value }));
    const at = (key: string[]) => {
      const all = entries.map((e) => key.reduce((x: any, k) => x?.[k], e));
      return { value: all[0], same: all.every((v) => JSON.stringify(v) === JSON.stringify(all[0])) };
    };
    const one = (label: string, key: string[], placeholder: string) => {
      const { value, same } = at(key);
      return field(t(label), [input(t(label), same ? show(value) : '', (v, element) => void commit(element, each(key, v), t(label)), same ? placeholder : t('mixed')).element], value === undefined ? undefined : reset(each(key.slice(0, 1), null)));
    };
    const yes = (label: string, key: string, usual: boolean) => {
      const { value, same } = at([key]);
      const now = same ? String(value ?? usual) : undefined;
      return field(t(label), [select(t(label), [['true', t('yes')], ['false', t('no')]], now, (v) => void editor.edit(each([key], (v === 'true') === usual ? null : v === 'true'), t(label)).catch(() => {}))]);
    };
    const three = (label: string, key: string) => {
      const { value, same } = at([key]);
      const written: unknown[] = Array.isArray(value) && same ? value : [0, 0, 0];
      const cells = [0, 1, 2].map((i) => input(`${t(label)} ${'xyz'[i]}`, same ? show(written[i]) : '', (v, element) => void commit(element, each([key], written.map((x, k) => (k === i ? (v ?? 0) : x))), t(label)), same ? '' : t('mixed')).element);
      return field(t(label), axes(cells), value === undefined ? undefined : reset(each([key], null)));
    };
    const body = store.body(names[0]);
    const moves = names.every((n) => store.body(n)?.motion !== 'static');
    const weight = names.length === 1 && body?.mass && body.motion === 'dynamic' ? [h('p', { class: 'facts' }, t('weighs', { m: plain(body.mass), w: plain(body.mass * 9.81) }))] : [];
    // the air needs both numbers
    const air = entries.every((e) => e.air) ? [one('air_cw', ['air', 'c_w'], ''), one('air_area', ['air', 'area'], t('from_shape'))] : [];
    const resists = field(t('air'), [select(t('air'), [['no', t('no')], ['yes', t('yes')]], air.length ? 'yes' : 'no', (v) => void editor.edit(each(['air'], v === 'yes' ? { c_w: 0.47 } : null), t('air')).catch(() => {}))]);
    return [
      ...weight,
      ...(moves ? [yes('falls_down', 'gravity', true)] : []),
      yes('collides', 'collision', true),
      yes('sensor', 'sensor', false),
      one('density', ['density'], t('of_material')),
      ...(moves ? [resists, ...air] : []),
      three('surface_velocity', 'surface_velocity'),
      one('transparency', ['transparency'], t('of_material')),
      one('roughness', ['roughness'], t('of_material')),
      one('metallic', ['metallic'], t('of_material')),
    ];
  }
  function worldMore(): HTMLElement[] {
    const world: Entry = store.scene!.document.world ?? {};
    const set = (key: string, value: unknown): Operation[] => [{ op: 'set', path: ['world', key], value }];
    const one = (label: string, key: string, placeholder: string) => field(t(label), [input(t(label), show(world[key]), (v, element) => void commit(element, set(key, v), t(label)), placeholder).element], world[key] === undefined ? undefined : reset(set(key, null)));
    const wind: unknown[] = Array.isArray(world.wind) ? world.wind : [0, 0, 0];
    const cells = [0, 1, 2].map((i) => input(`${t('wind')} ${'xyz'[i]}`, show(wind[i]), (v, element) => void commit(element, set('wind', wind.map((x, k) => (k === i ? (v ?? 0) : x))), t('wind'))).element);
    return [
      field(t('wind'), axes(cells), world.wind === undefined ? undefined : reset(set('wind', null))),
      one('gravity_noise', 'gravity_noise', '0'),
      one('seed', 'seed', '0'),
      one('tolerance', 'tolerance', ''),
      one('budget_step', 'budget', '∞'),
      field(t('sleeping'), [select(t('sleeping'), [['true', t('yes')], ['false', t('no')]], String(world.sleeping ?? true), (v) => void editor.edit(set('sleeping', v === 'true' ? null : false), t('sleeping')).catch(() => {}))]),
    ];
  }
  // Gravity of other places, by one choice.
  function planetField(gravity: unknown[]): HTMLElement {
    const down = gravity[0] === 0 && gravity[2] === 0 && typeof gravity[1] === 'number' ? -gravity[1] : NaN;
    const here = planets.find(([, g]) => g === down)?.[0] ?? 'own';
    const options: [string, string][] = [...planets.map(([name, g]): [string, string] => [name, `${t(name)} (${g} m/s²)`]), ...(here === 'own' ? [['own', t('own_gravity')] as [string, string]] : [])];
    return field(t('gravity_of'), [select(t('gravity_of'), options, here, (name) => {
      const g = planets.find(([n]) => n === name)?.[1];
      if (g !== undefined) void editor.edit([{ op: 'set', path: ['world', 'gravity'], value: name === 'earth' ? null : [0, -g, 0] }], `${t('gravity')}: ${t(name)}`).catch(() => {});
    })]);
  }
  return { bodyMore, worldMore, planetField };
}
