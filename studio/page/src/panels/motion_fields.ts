// What makes a body move: forces, nothing, or a script with all that the format has for one
// (docs/scene-format.md, "Kinematic bodies").
import * as THREE from 'three';
import type { Answer } from '../link/link';
import type { Operation } from '../model/editor';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { type Fields, plain, show, tidyNumber } from './fields';

const scripted = ['keyframes', 'interpolation', 'repeat', 'turn', 'release'];
const round = (x: number) => Number(x.toFixed(6)) + 0;

export function makeMotionFields(store: Store, { commit, field, input, select, axes }: Fields, panel: HTMLElement) {
  const pathOf = (name: string) => store.source(name) ?? ['bodies', name];
  const entryOf = (name: string): Answer => store.sourceEntry(name) ?? {};
  const set = (name: string, key: string, value: unknown): Operation => ({ op: 'set', path: [...pathOf(name), key], value });

  // Another motion; what only the old one has goes with it.
  function motionField(names: string[], motion: string | undefined): HTMLElement {
    const change = (to: string) => {
      const ops = names.flatMap((name) => {
        const entry = entryOf(name);
        const gone = to === 'kinematic' ? [] : [...scripted, ...(to === 'static' ? ['velocity', 'angular_velocity', 'angular_velocity_body'] : [])];
        return [...gone.filter((key) => entry[key] !== undefined).map((key) => set(name, key, null)), set(name, 'motion', to)];
      });
      void commit(panel, ops, t('motion'));
    };
    return field(t('motion'), [select(t('motion'), ['dynamic', 'static', 'kinematic'].map((m) => [m, t(`motion_${m}`)]), motion, change)]);
  }

  // One number, or three, of the entry or of something in it.
  const one = (label: string, unit: string, value: unknown, write: (v: unknown) => Operation[], placeholder = '') => field(label, [input(label, show(value), (v, element) => void commit(element, write(v), label), placeholder).element], undefined, unit);
  // What is written is changed number by number: a field outlives the edit of its neighbour.
  const three = (label: string, unit: string, value: unknown, otherwise: number[], path: (string | number)[], wrap: (v: unknown[]) => unknown = (v) => v) => {
    const listed = Array.isArray(value) && value.length === 3;
    const written: unknown[] = listed ? (value as unknown[]) : otherwise;
    const write = (i: number, v: unknown): Operation[] => [listed ? { op: 'set', path: [...path, i], value: v ?? 0 } : { op: 'set', path, value: wrap(written.map((x, k) => (k === i ? (v ?? 0) : x))) }];
    const cells = [0, 1, 2].map((i) => input(`${label} ${'xyz'[i]}`, show(written[i]), (v, element) => void commit(element, write(i, v), label)).element);
    return field(label, axes(cells), undefined, unit);
  };
  const poseNow = (name: string) => {
    const [x, y, z, ...q] = store.pose(name);
    return { position: [x, y, z].map(round), orientation: q.map(round) };
  };

  function scriptFields(name: string): HTMLElement[] {
    const entry = entryOf(name);
    const kind = Array.isArray(entry.keyframes) ? 'keyframes' : entry.turn ? 'turn' : 'velocity';
    const clear = (...keys: string[]) => keys.filter((key) => entry[key] !== undefined).map((key) => set(name, key, null));
    const begin: Record<string, () => Operation[]> = {
      velocity: () => clear('keyframes', 'interpolation', 'repeat', 'turn'),
      turn: () => [...clear('keyframes', 'interpolation', 'repeat', 'velocity', 'angular_velocity', 'angular_velocity_body'), set(name, 'turn', { about: poseNow(name).position, axis: [0, 1, 0], rate: '6 rpm' })],
      keyframes: () => [...clear('turn', 'velocity', 'angular_velocity', 'angular_velocity_body'), set(name, 'keyframes', [{ t: 0, ...poseNow(name) }])],
    };
    const out: HTMLElement[] = [field(t('script'), [select(t('script'), ['velocity', 'turn', 'keyframes'].map((k) => [k, t(`script_${k}`)]), kind, (to) => void commit(panel, begin[to](), t('script')))])];
    if (kind === 'velocity') out.push(three(t('velocity'), 'm/s', entry.velocity, [0, 0, 0], [...pathOf(name), 'velocity']), three(t('angular_velocity'), 'rad/s', entry.angular_velocity, [0, 0, 0], [...pathOf(name), 'angular_velocity']));
    if (kind === 'turn') {
      const part = (key: string) => [...pathOf(name), 'turn', key];
      out.push(three(t('turn_about'), 'm', entry.turn.about, [0, 0, 0], part('about')), three(t('joint_axis'), '', entry.turn.axis, [0, 1, 0], part('axis')), one(t('turn_rate'), 'rad/s', entry.turn.rate, (v) => [{ op: 'set', path: part('rate'), value: v ?? 0 }]));
    }
    if (kind === 'keyframes') out.push(...keyFields(name, entry));
    out.push(one(t('release'), 's', entry.release, (v) => [set(name, 'release', v)], t('never')));
    return out;
  }
  const eulerOf = (orientation: unknown): number[] => {
    const q = Array.isArray(orientation) && orientation.length === 4 ? orientation : [1, 0, 0, 0];
    const e = new THREE.Euler().setFromQuaternion(new THREE.Quaternion(q[1], q[2], q[3], q[0]).normalize(), 'ZYX');
    return [e.x, e.y, e.z].map((v) => tidyNumber(Number(THREE.MathUtils.radToDeg(v).toFixed(3))));
  };
  // In the order of their times.
  function keyFields(name: string, entry: Answer): HTMLElement[] {
    const keys: Answer[] = entry.keyframes;
    const write = (next: Answer[]) => [set(name, 'keyframes', next)];
    const part = (i: number, key: string) => [...pathOf(name), 'keyframes', i, key];
    const words = (key: string, options: string[]) => field(t(key), [select(t(key), options.map((o) => [o, t(o)]), entry[key] ?? options[0], (v) => void commit(panel, [set(name, key, v === options[0] ? null : v)], t(key)))]);
    const rows = keys.map((k, i) => {
      const label = `${i + 1}`;
      const remove = h('button', { type: 'button', class: 'icon', 'aria-label': `${t('key_remove')} ${label}`, title: t('key_remove'), disabled: keys.length < 2, onclick: () => void commit(panel, write(keys.filter((_, at) => at !== i)), t('script_keyframes')) }, '×');
      const time = input(`${t('key_time')} ${label}`, show(k.t), (v, element) => void commit(element, [{ op: 'set', path: part(i, 't'), value: v ?? 0 }], t('key_time')));
      return h(
        'div',
        { class: 'freedom keyframe', 'data-key': i },
        field(`${t('key_time')} ${label}`, [time.element, remove], undefined, 's'),
        three(`${t('position')} ${label}`, 'm', k.position, store.body(name)?.position ?? [0, 0, 0], part(i, 'position')),
        k.orientation?.euler_deg ? three(`${t('orientation')} ${label}`, '', k.orientation.euler_deg, [0, 0, 0], [...part(i, 'orientation'), 'euler_deg']) : three(`${t('orientation')} ${label}`, '', undefined, eulerOf(k.orientation), part(i, 'orientation'), (v) => ({ euler_deg: v })),
      );
    });
    const seconds = (v: unknown) => (typeof v === 'number' ? v : Number(/^\s*([-+.\deE]+)\s*s?\s*$/.exec(String(v))?.[1] ?? NaN));
    const here = () => {
      const now = round(store.frame?.time ?? 0);
      const rest = keys.filter((k) => Math.abs(seconds(k.t) - now) > 1e-6);
      // what is an expression stays where it is in the list
      const at = rest.findIndex((k) => seconds(k.t) > now);
      const next = [...rest];
      next.splice(at < 0 ? rest.length : at, 0, { t: now, ...poseNow(name) });
      void commit(panel, write(next), `${t('script_keyframes')} ${plain(now)} s`);
    };
    return [h('div', { class: 'field' }, h('button', { type: 'button', class: 'wide', 'data-do': 'key-here', onclick: here }, `◆ ${t('key_here')}`)), words('interpolation', ['smooth', 'linear']), words('repeat', ['hold', 'loop', 'mirror']), ...rows];
  }
  return { motionField, scriptFields };
}
