// What the inspector shows of a joint: what it is, where it is, and what acts along its freedoms.
// Angles are in degrees here: a bare number that is typed becomes "30 deg" in the scene.
import * as THREE from 'three';
import type { Answer } from '../link/link';
import type { Editor, Operation } from '../model/editor';
import { type Axis, type Law, connectionPoints, connectionTypes, coordinate, frames, freeAxes, jointTypes, lawOf, retype, retypeConnection, turnedTo, turns, withLaw, writeFrames } from '../model/joint_model';
import type { Joint, Store } from '../model/store';
import { h } from '../ui/dom';
import { t } from '../ui/texts';
import { type Fields, plain, show, tidyNumber } from './fields';
import { makePoseSlider } from './pose_slider';

export const degText = (value: unknown): string => {
  if (typeof value === 'number') return plain(tidyNumber((value * 180) / Math.PI), 6);
  const bare = typeof value === 'string' ? /^\s*([-+.\deE]+)\s*deg\s*$/.exec(value) : null;
  return bare ? bare[1] : show(value);
};
export const degValue = (value: unknown) => (typeof value === 'number' ? `${value} deg` : value);
const unitsOf = (axis: Axis) =>
  turns(axis) ? { place: 'deg', rate: 'rad/s', force: 'N m', stiffness: 'N m/rad', damping: 'N m s/rad' } : { place: 'm', rate: 'm/s', force: 'N', stiffness: 'N/m', damping: 'N s/m' };

// Folded as it was left.
const folds = new Map<string, boolean>();
function fold(key: string, open: boolean, label: string, ...content: HTMLElement[]): HTMLElement {
  const element = h('details', { class: 'freedom', open: folds.get(key) ?? open }, h('summary', {}, label), ...content);
  element.addEventListener('toggle', () => element.isConnected && folds.set(key, element.open));
  return element;
}

export function makeJointFields(store: Store, editor: Editor, fields: Fields, panel: HTMLElement, live: (refresh: () => void) => void) {
  const { commit, field, input, select, axes } = fields;
  const slider = makePoseSlider(store, editor, live);
  const bodyNames = (): [string, string][] => store.namesOf('body').slice(0, 500).map((n) => [n, n]);

  // Joint and entry are read when they are used: a field outlives the edit of its neighbour.
  interface Subject {
    readonly joint: Joint;
    readonly entry: Answer;
    path: (string | number)[];
    inner: boolean; // of a prefab: bodies have other names there
  }
  const setter = ({ path }: Subject) => (key: string, value: unknown, element: HTMLElement, label = t(key)) => void commit(element, [{ op: 'set', path: [...path, key], value }], label);
  // One value of the entry.
  const one = (s: Subject, key: string, unit: string, placeholder = '', label = t(key)) => {
    const set = setter(s);
    const cell = input(label, show(s.entry[key]), (value, element) => set(key, value, element, label), placeholder);
    return field(label, [cell.element], s.entry[key] !== undefined ? () => set(key, null, panel, t('reset')) : undefined, unit);
  };
  const yesNo = (s: Subject, key: string, otherwise: boolean, label = t(key)) => {
    const value = s.entry[key] ?? otherwise;
    return field(label, [select(label, [['true', t('yes')], ['false', t('no')]], String(value), (v) => setter(s)(key, (v === 'true') === otherwise ? null : v === 'true', panel, label))]);
  };
  // Three numbers that are computed, with what writes them.
  const three = (label: string, unit: string, now: () => number[], write: (values: number[], i: number, typed: unknown) => Operation[], written?: unknown[]) => {
    const cells = [0, 1, 2].map((i) =>
      input(`${label} ${'xyz'[i]}`, '', (value, element) => {
        const next = now();
        if (typeof value === 'number' || value === null) next[i] = value ?? 0;
        void commit(element, write(next, i, value ?? 0), label);
      }),
    );
    const refresh = () => cells.forEach((cell, i) => cell.refresh(written ? show(written[i]) : plain(tidyNumber(now()[i]), 5)));
    refresh();
    if (!written) live(refresh);
    return field(label, axes(cells.map((c) => c.element)), undefined, unit);
  };
  const vector = (v: THREE.Vector3) => v.toArray().map((x) => (Math.abs(x) < 1e-6 ? 0 : Number(x.toPrecision(6))));

  // --- what it carries at the playhead: asked for a few times a second
  function facts(joint: Joint): HTMLElement {
    const line = h('p', { class: 'facts', 'data-live': joint.name });
    const words = joint.section === 'connections' && joint.type !== 'rigid' ? ['force'] : ['force', 'torque'];
    let asked = -1;
    let busy = false;
    const refresh = async () => {
      const step = Math.floor(store.frame?.step ?? 0);
      if (busy || step === asked || !line.isConnected) return;
      busy = true;
      asked = step;
      const answer = await editor.quiet('series', { quantities: words.map((q) => `joint:${joint.name}.${q}`), from: step, to: step });
      busy = false;
      const told = words.map((q, i) => ({ q, v: answer?.values?.[i]?.[0] })).filter(({ v }) => typeof v === 'number');
      line.textContent = told.map(({ q, v }) => `${t(`q_${q}`)} ${plain(v, 4)} ${q === 'force' ? 'N' : 'N m'}`).join(', ');
      void refresh(); // the playhead may have gone on meanwhile, and stand still since
    };
    live(() => void refresh());
    setTimeout(() => void refresh());
    return line;
  }

  // --- what it is
  function typeField(s: Subject): HTMLElement {
    const { entry: shown, path } = s;
    const change = (to: string) => {
      const { entry, joint } = s;
      if (joint.section === 'joints') return void commit(panel, retype(path, entry, to), t('type'));
      const { a, b } = frames(store, joint);
      const masses = [joint.a, joint.b].map((n) => store.body(n)).filter((x) => x?.motion === 'dynamic' && x.mass).map((x) => x!.mass!);
      void commit(panel, retypeConnection(path, entry, to, joint, masses.length ? Math.min(...masses) : 1, a.p.distanceTo(b.p)), t('type'));
    };
    const types = s.joint.section === 'joints' ? jointTypes : connectionTypes;
    const options: [string, string][] = types.map((x) => [x, t(`kind_${x}`)]);
    if (!types.includes(shown.type)) options.push([shown.type, shown.type]);
    return field(t('type'), [select(t('type'), options, shown.type, change)]);
  }
  function bodiesField(s: Subject): HTMLElement[] {
    const { entry, path, joint, inner } = s;
    if (inner) return [h('p', { class: 'facts' }, `${joint.a} – ${joint.b}`)];
    if (joint.section === 'connections') {
      const change = (key: 'a' | 'b') => (value: string) => {
        const { joint, entry } = s;
        const { a, b } = frames(store, joint);
        const straight = entry.a === joint.a || entry.b === joint.b;
        const point = key === 'a' === straight ? a.p : b.p;
        const pose = value === 'world' ? null : store.pose(value);
        const local = pose ? point.clone().sub(new THREE.Vector3(...pose.slice(0, 3))).applyQuaternion(new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]).invert()) : point;
        const ops: Operation[] = [{ op: 'set', path: [...path, key], value }, { op: 'set', path: [...path, `point_${key}`], value: vector(local) }];
        const old = key === 'a' ? 'at' : 'to';
        if (entry[old] !== undefined) ops.push({ op: 'set', path: [...path, old], value: null });
        void commit(panel, ops, t(`body_${key}`));
      };
      return (['a', 'b'] as const).map((key) => field(t(`body_${key}`), [select(t(`body_${key}`), [['world', t('world')], ...bodyNames()], entry[key] ?? 'world', change(key))]));
    }
    // its frames stay where they are in the world
    const set = (a: string, b: string, world = frames(store, s.joint)) => {
      const ops: Operation[] = [{ op: 'set', path: [...path, 'parent'], value: a === 'world' ? null : a }, { op: 'set', path: [...path, 'child'], value: b }];
      void commit(panel, [...ops, ...writeFrames(store, path, s.entry, { a, b }, world)], t('bodies'));
    };
    const swap = () => {
      const { a, b } = frames(store, s.joint);
      set(joint.b, joint.a, { a: b, b: a });
    };
    const child = h('button', { type: 'button', class: 'icon', title: t('swap_bodies'), 'aria-label': t('swap_bodies'), onclick: swap, disabled: joint.a === 'world' }, '⇅');
    return [
      field(t('parent'), [select(t('parent'), [['world', t('world')], ...bodyNames()], joint.a, (v) => set(v, joint.b))]),
      field(t('child'), [select(t('child'), bodyNames(), joint.b, (v) => set(joint.a, v)), child]),
    ];
  }

  // --- where it is
  function placeFields(s: Subject): HTMLElement[] {
    const { joint, entry, path, inner } = s;
    const world = () => frames(store, s.joint);
    const bodies = { a: joint.a, b: joint.b };
    const written = (key: string): unknown[] | undefined => (store.atStart && Array.isArray(entry[key]) && entry[key].length === 3 ? entry[key] : undefined);
    const listed = (key: string) => (_: number[], i: number, typed: unknown): Operation[] => [{ op: 'set', path: [...path, key, i], value: typed }];
    const at = written('at');
    const out: HTMLElement[] = [];
    if (!inner || at) {
      const both = (v: number[]) => {
        const to = new THREE.Vector3(...v);
        const now = world();
        const gap = now.b.p.clone().sub(now.a.p); // a slider that is pulled out stays so
        return writeFrames(store, path, s.entry, bodies, { a: { p: to, q: now.a.q }, b: { p: to.clone().add(gap), q: now.b.q } });
      };
      out.push(three(t('joint_place'), 'm', () => vector(world().a.p), at ? listed('at') : both, at));
    }
    for (const side of ['a', 'b'] as const) {
      if (side === 'a' && joint.a === 'world') continue;
      const name = side === 'a' ? joint.a : joint.b;
      const local = () => new THREE.Vector3(...(side === 'a' ? s.joint.pa : s.joint.pb));
      const move = (v: number[]) => {
        const now = world();
        const pose = store.pose(name);
        const p = new THREE.Vector3(...v).applyQuaternion(new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3])).add(new THREE.Vector3(pose[0], pose[1], pose[2]));
        return writeFrames(store, path, s.entry, bodies, { ...now, [side]: { p, q: now[side].q } });
      };
      out.push(three(t('place_on', { name }), 'm', () => vector(local()), move));
    }
    if (entry.type === 'distance' || entry.type === 'rigid') return out;
    const axis = written('axis');
    const turn = (v: number[]) => (Math.hypot(...v) > 1e-9 ? writeFrames(store, path, s.entry, bodies, turnedTo(world(), new THREE.Vector3(...v))) : [{ op: 'set', path: [...path, 'axis'], value: v }]);
    out.push(three(t('joint_axis'), '', () => vector(new THREE.Vector3(1, 0, 0).applyQuaternion(world().a.q)), axis ? listed('axis') : turn, axis));
    return out;
  }
  function pointFields(s: Subject): HTMLElement[] {
    const { joint, entry, path } = s;
    if (entry.type === 'rigid') return [];
    const points = connectionPoints(joint, entry);
    return (['point_a', 'point_b'] as const).map((key) => {
      const name = String(entry[key.slice(-1)] ?? 'world');
      const written = Array.isArray(entry[key]) ? (entry[key] as unknown[]) : undefined;
      const old = key === 'point_a' ? 'at' : 'to';
      const write = (v: number[]): Operation[] => [...(entry[old] !== undefined ? [{ op: 'set', path: [...path, old], value: null }] : []), { op: 'set', path: [...path, key], value: v }];
      const writeOne = (_: number[], i: number, typed: unknown): Operation[] => [{ op: 'set', path: [...path, key, i], value: typed }];
      return three(t('place_on', { name: name === 'world' ? t('world') : name }), 'm', () => vector(new THREE.Vector3(...points[key])), written ? writeOne : write, written?.map((v) => (typeof v === 'number' ? tidyNumber(v) : v)));
    });
  }

  // --- what acts along a freedom
  function freedom(s: Subject, axis: Axis, free: Axis[]): HTMLElement[] {
    const { path, joint } = s;
    const unit = unitsOf(axis);
    const round = turns(axis);
    const few = free.length === 1;
    const name = few ? t(round ? 'angle' : 'way') : t(`freedom_${axis}`);
    const label = (text: string) => (few ? text : `${text} ${axis}`);
    const law = (key: Law) => lawOf(s.entry, key, axis, free);
    const set = (key: Law, value: unknown, element: HTMLElement, what: string) => void commit(element, [{ op: 'set', path: [...path, key], value: withLaw(s.entry, key, axis, free, value) }], what);
    // one number of an option that is there already
    const setPart = (key: Law, part: string, value: unknown, element: HTMLElement, what: string) => {
      const bare = lawOf(s.entry, key, axis, free) === s.entry[key];
      void commit(element, [{ op: 'set', path: [...path, key, ...(bare ? [] : [axis]), part], value }], what);
    };
    const reset = (key: Law) => (law(key) !== undefined ? () => set(key, undefined, panel, t('reset')) : undefined);
    const text = round ? degText : show;
    const value = round ? degValue : (v: unknown) => v;
    const out = [slider(joint, axis, name)];
    // limits
    const limits: unknown[] = Array.isArray(law('limits')) ? law('limits') : [null, null];
    const ends = [0, 1].map((i) => {
      const cell = input(`${label(t('limits'))} ${i ? 'max' : 'min'}`, text(limits[i]), (v, element) => {
        const next = [...limits]; // one after the other, faster than the scene is told again
        next[i] = value(v);
        set('limits', next[0] === null && next[1] === null ? undefined : next.map((x) => x ?? null), element, t('limits'));
      }, t('no_limit'));
      return h('label', { class: 'named' }, h('span', { 'aria-hidden': 'true' }, t(i ? 'limit_max' : 'limit_min')), cell.element);
    });
    out.push(field(label(t('limits')), ends, reset('limits'), unit.place));
    out.push(...motorFields(label, round, unit, law('motor'), (v, element) => set('motor', v, element, t('motor')), (part, v, element) => setPart('motor', part, v, element, t('motor'))));
    // spring and damper of the axis
    const spring: Answer = law('spring') ?? {};
    const part = (key: string, what: string, read: (v: unknown) => string, write: (v: unknown) => unknown, u: string, placeholder: string) => {
      const cell = input(label(what), read(spring[key]), (v, element) => {
        if (v !== null && law('spring')) return setPart('spring', key, write(v), element, what);
        const next = { ...law('spring'), [key]: write(v) };
        if (v === null) delete next[key];
        set('spring', next.stiffness === undefined && next.damping === undefined ? undefined : next, element, what);
      }, placeholder);
      return field(label(what), [cell.element], undefined, u);
    };
    const same = (v: unknown) => v;
    out.push(h('div', { class: 'pairs-row' }, part('stiffness', t('stiffness'), show, same, unit.stiffness, '0'), part('damping', t('damping'), show, same, unit.damping, '0')));
    if (spring.stiffness !== undefined) out.push(part('rest', t('spring_rest'), text, value, unit.place, '0'));
    const number = (key: Law, what: string, u: string) => field(label(what), [input(label(what), show(law(key)), (v, element) => set(key, v ?? undefined, element, what), '0').element], undefined, u);
    out.push(h('div', { class: 'pairs-row' }, number('friction', t('friction'), unit.force), number('restitution', t('bounce'), '0 – 1')));
    return few ? out : [fold(axis, free.length < 3 || axis === free[0], t(`freedom_${axis}`), ...out)];
  }
  function motorFields(label: (text: string) => string, round: boolean, unit: ReturnType<typeof unitsOf>, motor: Answer | undefined, set: (value: unknown, element: HTMLElement) => void, setPart: (part: string, value: unknown, element: HTMLElement) => void): HTMLElement[] {
    const kind = !motor ? 'off' : 'velocity' in motor ? 'velocity' : 'position' in motor ? 'position' : 'force';
    const way = round ? 'angle' : 'way';
    const begin: Record<string, unknown> = { off: undefined, velocity: { velocity: round ? 6 : 1, ...(motor?.max !== undefined ? { max: motor.max } : {}) }, position: { position: 0, ...(motor?.max !== undefined ? { max: motor.max } : {}) }, force: { force: 1 } };
    const options: [string, string][] = [['off', t('motor_off')], ['velocity', t('motor_velocity')], ['position', t(`motor_position_${way}`)], ['force', t(`motor_force_${way}`)]];
    const out = [field(label(t('motor')), [select(label(t('motor')), options, kind, (v) => set(begin[v], panel))])];
    if (!motor || kind === 'off') return out;
    const part = (key: string, what: string, u: string, placeholder: string, angle = false) => {
      const cell = input(label(what), angle ? degText(motor[key]) : show(motor[key]), (v, element) => {
        setPart(key, v === null && key === kind ? 0 : angle ? degValue(v) : v, element);
      }, placeholder);
      return field(label(what), [cell.element], undefined, u);
    };
    const target = part(kind, t('motor_target'), kind === 'velocity' ? unit.rate : kind === 'position' ? unit.place : unit.force, '0', kind === 'position' && round);
    if (kind === 'force') return [...out, target];
    out.push(h('div', { class: 'pairs-row' }, target, part('max', t(`motor_max_${way}`), unit.force, '∞')));
    if (kind === 'position') out.push(h('div', { class: 'pairs-row' }, part('frequency', t('motor_frequency'), 'Hz', '2'), part('damping_ratio', t('motor_damping_ratio'), '', '1')));
    return out;
  }

  // --- all of it
  function jointFields(s: Subject): HTMLElement[] {
    const { entry, joint } = s;
    const free = freeAxes(entry.type, entry);
    const out: HTMLElement[] = [];
    const shown = entry.type === 'screw' ? (['rx'] as Axis[]) : free;
    for (const axis of shown) out.push(...freedom(s, axis, free));
    if (['point', 'ball_in_tube', 'point_on_plane'].includes(entry.type)) {
      const cell = input(t('swing'), degText(entry.swing), (value, element) => setter(s)('swing', degValue(value), element), t('no_limit'));
      out.push(field(t('swing'), [cell.element], undefined, 'deg'));
    }
    if (entry.type === 'distance') out.push(one(s, 'length', 'm', plain(coordinate(store, joint, 'x'), 5)));
    if (entry.type === 'screw') out.push(one(s, 'pitch', 'm'));
    if (entry.type === 'six_axis') out.push(lockedField(s));
    return [...out, ...placeFields(s)];
  }
  // A coordinate of one joint + ratio times one of another stays as it starts.
  function gearFields(s: Subject): HTMLElement[] {
    const others: [string, string][] = store.scene!.joints.filter((j) => j.section === 'joints' && (j.free?.length ?? 0) > 0).map((j) => [j.name, j.name]);
    const set = setter(s);
    const out: HTMLElement[] = [];
    for (const key of ['first', 'second'] as const) {
      const name = s.entry[key];
      out.push(field(t(`gear_${key}`), [select(t(`gear_${key}`), others, name, (v) => set(key, v, panel, t(`gear_${key}`)))]));
      const free = store.joint(name)?.free ?? [];
      if (free.length > 1) out.push(field(t('joint_axis'), [select(`${t('joint_axis')} ${t(`gear_${key}`)}`, free.map((f) => [f.axis, t(`freedom_${f.axis}`)]), s.entry[`${key}_axis`], (v) => set(`${key}_axis`, v, panel))]));
    }
    return [...out, one(s, 'ratio', 'rad/rad, m/rad', '1')];
  }
  function lockedField(s: Subject): HTMLElement {
    const locked: string[] = Array.isArray(s.entry.locked) ? s.entry.locked : [];
    const boxes = ['x', 'y', 'z', 'rx', 'ry', 'rz'].map((axis) => {
      const box = h('input', { type: 'checkbox', checked: locked.includes(axis), 'aria-label': `${t('locked')} ${axis}` });
      box.onchange = () => {
        const next = box.checked ? [...locked, axis] : locked.filter((a) => a !== axis);
        void commit(box, [{ op: 'set', path: [...s.path, 'locked'], value: next }], t('locked'));
      };
      return h('label', { class: 'check' }, box, axis);
    });
    return field(t('locked'), boxes);
  }
  function connectionFields(s: Subject): HTMLElement[] {
    const { entry, joint } = s;
    const out: HTMLElement[] = [];
    if (entry.type === 'rigid' || entry.type === 'ball') return pointFields(s);
    const length = h('output', { 'aria-label': t('present_length') });
    const refresh = () => {
      const { a, b } = frames(store, joint);
      length.textContent = plain(a.p.distanceTo(b.p), 5);
    };
    refresh();
    live(refresh);
    if (joint.frequency) out.push(h('p', { class: 'facts' }, `${plain(joint.frequency, 3)} Hz, ζ = ${plain(joint.damping_ratio ?? 0, 3)}`));
    if (entry.type !== 'damper') out.push(one(s, 'stiffness', 'N/m', entry.type === 'rod' || entry.type === 'rope' ? '∞' : ''));
    out.push(one(s, 'damping', 'N s/m', '0'));
    if (entry.type !== 'damper') out.push(one(s, 'length', 'm', length.textContent!));
    out.push(field(t('present_length'), [length], undefined, 'm'));
    if (entry.type === 'spring' || entry.type === 'shock_absorber' || entry.type === 'damper') out.push(one(s, 'min_separation', 'm', '0'));
    return [...out, ...pointFields(s)];
  }
  function breakFields(s: Subject): HTMLElement[] {
    const connection = s.joint.section === 'connections';
    const loads = [one(s, 'break_force', 'N', t('never'))];
    if (!connection) loads.push(one(s, 'break_torque', 'N m', t('never')));
    loads.push(one(s, 'break_time', 's', '0.02'));
    const given = ['break_force', 'break_torque'].some((key) => s.entry[key] !== undefined);
    const touching = connection && s.entry.type !== 'rigid' && s.entry.type !== 'ball';
    return [fold('breaking', given || s.joint.section === 'joints', t('breaking'), ...loads), yesNo(s, 'enabled', true, t('joint_enabled')), yesNo(s, 'bodies_collide', touching)];
  }
  // Below its name. A joint of an array has no entry: it can be looked at, and posed in mid-run.
  return (joint: Joint): HTMLElement[] => {
    const entry = store.sourceEntry(joint.name, joint.section);
    const path = store.source(joint.name, joint.section);
    if (!entry || !path) {
      const type = joint.type.replaceAll(' ', '_');
      const looks = joint.section === 'joints' ? (joint.free ?? []).map((f) => slider(joint, f.axis as Axis, t(`freedom_${f.axis}`))) : [];
      return [h('p', { class: 'facts' }, `${t(`kind_${type}`)}: ${joint.a} – ${joint.b}`), ...looks, h('p', { class: 'hint' }, t('generated_joint'), h('button', { type: 'button', onclick: () => void editor.request('expand') }, t('expand')))];
    }
    const { name, section } = joint;
    const s: Subject = {
      get joint() {
        return store.joint(name) ?? joint;
      },
      get entry() {
        return store.sourceEntry(name, section) ?? entry;
      },
      path,
      inner: path[0] === 'prefabs',
    };
    if (entry.type === 'gear') return s.inner ? [] : [...gearFields(s), yesNo(s, 'enabled', true, t('joint_enabled'))];
    return [typeField(s), ...bodiesField(s), facts(joint), ...(joint.section === 'joints' ? jointFields(s) : connectionFields(s)), ...breakFields(s)];
  };
}
