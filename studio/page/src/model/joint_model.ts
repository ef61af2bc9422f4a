// What the page knows about joints: their freedoms, where they stand now, where their frames are,
// and how the options of freedoms are written in a scene. No elements of the page here.
import * as THREE from 'three';
import type { Answer } from '../link/link';
import type { Operation } from './editor';
import type { Joint, Store, Vec } from './store';

export type Axis = 'x' | 'y' | 'z' | 'rx' | 'ry' | 'rz';
export const turns = (axis: string) => axis.startsWith('r');
const all: Axis[] = ['x', 'y', 'z', 'rx', 'ry', 'rz'];
// docs/scene-format.md, "Joints"
const freedoms: Record<string, Axis[]> = {
  point: ['rx', 'ry', 'rz'], hinge: ['rx'], twist: ['rx'], rigid: [], slider: ['x'], slider2: ['x', 'y'], slider3: ['x', 'y', 'z'],
  planar_twist: ['y', 'z', 'rx'], cylindrical: ['x', 'rx'], universal: ['rx', 'ry'], ball_in_tube: ['x', 'rx', 'ry', 'rz'],
  point_on_plane: ['y', 'z', 'rx', 'ry', 'rz'], distance: ['x'], screw: ['x', 'rx'],
};
export const jointTypes = [...Object.keys(freedoms), 'six_axis'];
export const connectionTypes = ['spring', 'damper', 'rod', 'shock_absorber', 'rope', 'rigid', 'ball'];
export const perFreedom = ['limits', 'restitution', 'friction', 'spring', 'motor'] as const;
export type Law = (typeof perFreedom)[number];

export function freeAxes(type: string, entry: Answer = {}): Axis[] {
  if (type !== 'six_axis') return freedoms[type] ?? [];
  const locked: string[] = Array.isArray(entry.locked) ? entry.locked : [];
  return all.filter((a) => !locked.includes(a));
}
const isMap = (value: unknown): value is Answer => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every((k) => (all as string[]).includes(k)) && Object.keys(value).length > 0;

// The option of one freedom, as it is written: bare, or under the name of its axis.
export function lawOf(entry: Answer, key: Law, axis: Axis, free: Axis[]): any {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (isMap(value)) return value[axis];
  return free.includes(axis) ? value : undefined;
}
// The same with another option for one of them; null: nothing is left.
export function withLaw(entry: Answer, key: Law, axis: Axis, free: Axis[], law: unknown): unknown {
  if (free.length === 1 && !isMap(entry[key])) return law ?? null;
  const next: Answer = {};
  for (const a of free) {
    const one = a === axis ? law : lawOf(entry, key, a, free);
    if (one !== undefined && one !== null) next[a] = one;
  }
  return Object.keys(next).length ? next : null;
}

// Another type: options of freedoms that both have stay, those of the others go.
export function retype(path: (string | number)[], entry: Answer, to: string): Operation[] {
  const set = (key: string, value: unknown): Operation => ({ op: 'set', path: [...path, key], value });
  const before = freeAxes(entry.type, entry);
  const after = freeAxes(to, entry);
  const ops: Operation[] = [];
  const own: Record<string, string[]> = { swing: ['point', 'ball_in_tube', 'point_on_plane'], length: ['distance'], pitch: ['screw'], locked: ['six_axis'] };
  for (const [key, types] of Object.entries(own)) if (entry[key] !== undefined && !types.includes(to)) ops.push(set(key, null));
  for (const key of perFreedom) {
    if (entry[key] === undefined) continue;
    const kept: Answer = {};
    for (const axis of after) {
      const law = lawOf(entry, key, axis, before);
      if (law !== undefined) kept[axis] = law;
    }
    const names = Object.keys(kept);
    if (to === 'screw' && names.length > 1) delete kept.x; // its two coordinates are one
    ops.push(set(key, names.length === 0 ? null : after.length === 1 ? kept[names[0]] : kept));
  }
  if (to === 'screw' && entry.pitch === undefined) ops.push(set('pitch', '10 mm'));
  return [...ops, set('type', to)];
}
export function retypeConnection(path: (string | number)[], entry: Answer, to: string, joint: Joint, mass: number, length: number): Operation[] {
  const set = (key: string, value: unknown): Operation => ({ op: 'set', path: [...path, key], value });
  const takes: Record<string, string[]> = { spring: ['stiffness', 'damping', 'length', 'min_separation'], shock_absorber: ['stiffness', 'damping', 'length', 'min_separation'], damper: ['damping', 'min_separation'], rod: ['stiffness', 'damping', 'length', 'min_separation'], rope: ['stiffness', 'damping', 'length', 'min_separation'], rigid: [], ball: [] };
  const k = mass * (4 * Math.PI) ** 2; // two swings a second
  const tidy = (x: number) => Number(x.toPrecision(3));
  const ops: Operation[] = [];
  for (const key of ['stiffness', 'damping', 'length', 'min_separation']) if (entry[key] !== undefined && !takes[to].includes(key)) ops.push(set(key, null));
  const springy = to === 'spring' || to === 'shock_absorber';
  if (springy && entry.stiffness === undefined) ops.push(set('stiffness', tidy(k)));
  if ((to === 'shock_absorber' || to === 'damper') && entry.damping === undefined) ops.push(set('damping', tidy(1.4 * Math.sqrt(k * mass))));
  // rods and ropes that were springs are stiff
  if ((to === 'rod' || to === 'rope') && (entry.type === 'spring' || entry.type === 'shock_absorber' || entry.type === 'damper')) for (const key of ['stiffness', 'damping', 'min_separation']) if (entry[key] !== undefined) ops.push(set(key, null));
  if (springy && entry.length === undefined && length > 0) ops.push(set('length', Number(length.toFixed(6))));
  // both at one point
  if (to === 'rigid' || to === 'ball') ops.push(set('at', null), set('to', null), set('point_a', entry.a === joint.a ? joint.pa : joint.pb), set('point_b', null));
  return [...ops.filter((o, i) => ops.findIndex((p) => p.path!.at(-1) === o.path!.at(-1)) === i), set('type', to)];
}

export interface Place {
  p: THREE.Vector3;
  q: THREE.Quaternion;
}
const quaternion = (q: number[]) => new THREE.Quaternion(q[1], q[2], q[3], q[0]);
export const bodyPlace = (store: Store, body: string): Place => {
  if (body === 'world') return { p: new THREE.Vector3(), q: new THREE.Quaternion() };
  const pose = store.pose(body);
  return { p: new THREE.Vector3(pose[0], pose[1], pose[2]), q: quaternion(pose.slice(3)) };
};
const compose = (a: Place, b: Place): Place => ({ p: b.p.clone().applyQuaternion(a.q).add(a.p), q: a.q.clone().multiply(b.q) });
const into = (a: Place, b: Place): Place => {
  const back = a.q.clone().invert();
  return { p: b.p.clone().sub(a.p).applyQuaternion(back), q: back.clone().multiply(b.q) };
};
// The two frames of a joint in the world, as bodies stand now.
export function frames(store: Store, joint: Joint): { a: Place; b: Place } {
  return {
    a: compose(bodyPlace(store, joint.a), { p: new THREE.Vector3(...joint.pa), q: quaternion(joint.qa) }),
    b: compose(bodyPlace(store, joint.b), { p: new THREE.Vector3(...joint.pb), q: quaternion(joint.qb) }),
  };
}
// A coordinate of a joint as engine/joints/joint_def.h has it; angles within half a turn of `near`.
export function coordinate(store: Store, joint: Joint, axis: Axis, near = 0): number {
  const { a, b } = frames(store, joint);
  const J = into(a, b);
  if (joint.type === 'distance') return J.p.length();
  if (!turns(axis)) return J.p.getComponent('xyz'.indexOf(axis));
  const x = new THREE.Vector3(1, 0, 0).applyQuaternion(J.q);
  let angle: number;
  if (joint.type === 'universal') {
    // R = Rx(first) Ry(second): y of C has turned by the first, x of C tilts by the second
    const y = new THREE.Vector3(0, 1, 0).applyQuaternion(J.q);
    const first = Math.atan2(y.z, y.y);
    angle = axis === 'rx' ? first : Math.atan2(-(x.z * Math.cos(first) - x.y * Math.sin(first)), x.x);
  } else if (axis === 'rx') angle = 2 * Math.atan2(J.q.x, J.q.w);
  else return Math.asin(Math.max(-1, Math.min(1, axis === 'ry' ? -x.z : x.y)));
  return angle - 2 * Math.PI * Math.round((angle - near) / (2 * Math.PI));
}

const tidy = (x: number) => Number(x.toFixed(9)) + 0;
const frameEntry = (f: Place) => ({ position: f.p.toArray().map(tidy), orientation: [f.q.w, f.q.x, f.q.y, f.q.z].map(tidy) });
// Frames on the bodies instead of whatever says where a joint is, the world frames being given: holds at any instant.
export function writeFrames(store: Store, path: (string | number)[], entry: Answer, bodies: { a: string; b: string }, world: { a: Place; b: Place }): Operation[] {
  const set = (key: string, value: unknown): Operation => ({ op: 'set', path: [...path, key], value });
  const gone = ['at', 'to', 'axis', 'axis2'].filter((key) => entry[key] !== undefined).map((key) => set(key, null));
  return [...gone, set('parent_frame', frameEntry(into(bodyPlace(store, bodies.a), world.a))), set('child_frame', frameEntry(into(bodyPlace(store, bodies.b), world.b)))];
}
// The least turn of both frames after which x points along a direction.
export function turnedTo(world: { a: Place; b: Place }, direction: THREE.Vector3): { a: Place; b: Place } {
  const x = new THREE.Vector3(1, 0, 0).applyQuaternion(world.a.q);
  const turn = new THREE.Quaternion().setFromUnitVectors(x, direction.clone().normalize());
  return { a: { p: world.a.p, q: turn.clone().multiply(world.a.q) }, b: { p: world.b.p, q: turn.clone().multiply(world.b.q) } };
}
// The points of a connection in the bodies that its entry calls a and b.
export const connectionPoints = (joint: Joint, entry: Answer): { point_a: Vec; point_b: Vec } => (entry.a === joint.a || entry.b === joint.b ? { point_a: joint.pa, point_b: joint.pb } : { point_a: joint.pb, point_b: joint.pa });
