// Prefabs of the selection, and their instances, as edits of the scene document.
import * as THREE from 'three';
import type { Answer } from '../link/link';
import { t } from '../ui/texts';
import type { Editor, Operation } from './editor';
import type { Joint, Store, Vec } from './store';

const tidy = (x: number) => Number(x.toFixed(12)) + 0;
const minus = (p: readonly number[], o: Vec) => p.map((x, i) => tidy(x - o[i]));
// A place as it is written, from another origin; formulas stay formulas.
const shifted = (written: unknown[], o: Vec) => written.map((x, i) => (o[i] === 0 ? x : typeof x === 'number' ? tidy(x - o[i]) : `(${x}) - ${o[i]} m`));
const isList = (x: unknown): x is unknown[] => Array.isArray(x);

export interface Pose {
  p: THREE.Vector3;
  q: THREE.Quaternion;
}
export const poseOf = ([x, y, z, w, i, j, k]: number[]): Pose => ({ p: new THREE.Vector3(x, y, z), q: new THREE.Quaternion(i, j, k, w) });
export const times = (a: Pose, b: Pose): Pose => ({ p: b.p.clone().applyQuaternion(a.q).add(a.p), q: a.q.clone().multiply(b.q).normalize() });
export const inverse = (a: Pose): Pose => {
  const q = a.q.clone().invert();
  return { p: a.p.clone().negate().applyQuaternion(q), q };
};

function bodyEntry(store: Store, name: string, o: Vec): Answer {
  const entry: Answer = { ...store.entry('bodies', name), position: minus(store.body(name)!.position, o) };
  if (isList(entry.keyframes)) entry.keyframes = (entry.keyframes as Answer[]).map((k) => (isList(k.position) ? { ...k, position: shifted(k.position, o) } : k));
  if (entry.turn) entry.turn = { ...entry.turn, about: shifted(entry.turn.about ?? [0, 0, 0], o) };
  return entry;
}
// With its places in the frames of its bodies: those hold wherever the instance is.
function linkEntry(store: Store, joint: Joint, o: Vec): Answer {
  const entry: Answer = { ...store.entry(joint.section, joint.name) };
  for (const key of ['at', 'to', 'axis', 'axis2']) delete entry[key];
  const pa = joint.a === 'world' ? minus(joint.pa, o) : joint.pa;
  const pb = joint.b === 'world' ? minus(joint.pb, o) : joint.pb;
  if (joint.section === 'connections') {
    const straight = entry.a === joint.a;
    return { ...entry, point_a: straight ? pa : pb, point_b: straight ? pb : pa };
  }
  return { ...entry, parent_frame: { position: pa, orientation: joint.qa }, child_frame: { position: pb, orientation: joint.qb } };
}
function forceEntry(entry: Answer, o: Vec): Answer {
  if (!entry.toward || entry.toward.body) return entry;
  return { ...entry, toward: { point: shifted(entry.toward.point ?? [0, 0, 0], o) } };
}

// What lies between the bodies: joints, connections, gears and forces that need nothing else.
function inside(store: Store, names: string[]) {
  const within = (name: string | undefined) => name === undefined || name === 'world' || names.includes(name);
  const joints = (store.scene?.joints ?? []).filter((j) => j.own && j.type !== 'gear' && within(j.a) && within(j.b) && (names.includes(j.a) || names.includes(j.b)));
  const known = joints.map((j) => j.name);
  const document = store.scene!.document;
  const gears = ((document.joints ?? []) as Answer[]).filter((j) => j.type === 'gear' && known.includes(j.first) && known.includes(j.second));
  const forces = ((document.forces ?? []) as Answer[]).filter((f) => names.includes(f.body) && within(f.toward?.body));
  return { joints, gears, forces };
}

// The selection becomes a prefab with one instance, which stands where the bodies are. `origin`: the
// point that it is placed and turned by.
export async function makePrefab(store: Store, editor: Editor, origin: THREE.Vector3, wanted: string): Promise<string | null> {
  const names = store.selectedBodies.filter((n) => store.entry('bodies', n) && store.body(n)!.shape.type !== 'plane');
  if (!names.length) return null;
  const prefab = store.freeName(wanted || t('group').toLowerCase());
  const instance = `${prefab} 1`;
  const o: Vec = [tidy(origin.x), tidy(origin.y), tidy(origin.z)];
  const { joints, gears, forces } = inside(store, names);
  const of = (section: string) => joints.filter((j) => j.section === section).map((j) => linkEntry(store, j, o));
  const value: Answer = { bodies: names.map((n) => bodyEntry(store, n, o)) };
  const parts: [string, Answer[]][] = [['joints', [...of('joints'), ...gears]], ['connections', of('connections')], ['forces', forces.map((f) => forceEntry(f, o))]];
  for (const [section, list] of parts) if (list.length) value[section] = list;
  const ops: Operation[] = [
    { op: 'set', path: ['prefabs', prefab], value },
    { op: 'add', path: ['instances'], value: { prefab, name: instance, position: o } },
  ];
  // first the names wherever they are used, then the entries go
  const gone: [string, string][] = [...names.map((n): [string, string] => ['bodies', n]), ...joints.map((j): [string, string] => [j.section, j.name]), ...gears.map((g): [string, string] => ['joints', g.name]), ...forces.map((f): [string, string] => ['forces', f.name])];
  for (const path of gone) ops.push({ op: 'rename', path, to: `${instance}/${path[1]}`, entry: false });
  for (const path of gone) ops.push({ op: 'remove', path, users: 'stay' });
  const answer = await editor.edit(ops, `${t('make_prefab')}: ${prefab}`).catch(() => null);
  if (answer) store.select([instance], 'instance');
  return answer ? prefab : null;
}

export async function placeInstance(store: Store, editor: Editor, prefab: string, at: THREE.Vector3, like?: Answer): Promise<string | null> {
  const taken = new Set(store.namesOf('instance'));
  let n = 1;
  while (taken.has(`${prefab} ${n}`)) ++n;
  const value = { ...like, prefab, name: `${prefab} ${n}`, position: at.toArray().map((x) => Number(x.toFixed(6)) + 0) };
  const answer = await editor.edit([{ op: 'add', path: ['instances'], value }], `+ ${value.name}`).catch(() => null);
  if (answer) store.select([value.name], 'instance');
  return answer ? value.name : null;
}

// An instance becomes the bodies that it stands for.
export async function breakUp(store: Store, editor: Editor, instance: string) {
  const before = new Set(store.namesOf('body'));
  const inner = new Set(store.bodiesOf(instance));
  const answer = await editor.request('expand', { instance });
  if (answer) store.select(store.namesOf('body').filter((n) => !before.has(n) || inner.has(n)));
}

// Moves of bodies as operations. At the start bodies have no place of their own where an instance has
// them: all of one move the instance, a single one moves in the prefab, for every instance.
export function placeOperations(store: Store, poses: Map<string, Pose>): Operation[] {
  const ops: Operation[] = [];
  const put = (path: (string | number)[], from: Pose, to: Pose) => {
    if (to.p.distanceTo(from.p) > 1e-7) ops.push({ op: 'set', path: [...path, 'position'], value: to.p.toArray().map((x) => Number(x.toFixed(6)) + 0) });
    if (Math.abs(to.q.dot(from.q)) < 1 - 1e-10) ops.push({ op: 'set', path: [...path, 'orientation'], value: [to.q.w, to.q.x, to.q.y, to.q.z].map((x) => Number(x.toFixed(9)) + 0) });
  };
  const done = new Set<string>();
  for (const [name, to] of poses) {
    const from = poseOf(store.pose(name));
    const instance = store.atStart && !store.entry('bodies', name) ? store.instanceOf(name) : undefined;
    if (!instance) {
      put(['bodies', name], from, to);
      continue;
    }
    const now = poseOf([...instance.position, ...instance.orientation]);
    const all = store.bodiesOf(instance.name);
    if (all.every((n) => poses.has(n))) {
      if (!done.has(instance.name)) put(['instances', instance.name], now, times(times(to, inverse(from)), now));
      done.add(instance.name);
      continue;
    }
    const path = store.source(name);
    if (path) put(path, times(inverse(now), from), times(inverse(now), to));
    else put(['bodies', name], from, to); // of an array inside: refused with an offer
  }
  return ops;
}
