// What a person can do, as requests to the engine. Every change is an edit with operations on the
// scene document; numbers go through the engine's own reader.
import * as THREE from 'three';
import { type Answer, type EngineLink, Refusal, describe } from '../link/link';
import type { Toasts } from '../ui/dom';
import { t } from '../ui/texts';
import type { Shape, Store, Vec } from './store';

export type Operation = { op: string; path?: (string | number)[]; value?: unknown; to?: string };
export const linkKinds = ['spring', 'damper', 'rod', 'point', 'hinge', 'slider', 'rigid'] as const;
export type LinkKind = (typeof linkKinds)[number];
export interface Pick {
  body: string; // or "world"
  point: THREE.Vector3; // world coordinates
}
const round = (x: number) => Number(x.toFixed(6));
const list = (v: THREE.Vector3): Vec => [round(v.x), round(v.y), round(v.z)];
const quatList = (q: THREE.Quaternion) => [q.w, q.x, q.y, q.z].map(round);

export class Editor {
  constructor(
    readonly store: Store,
    private link: () => EngineLink,
    private toasts: Toasts,
  ) {}

  async request(what: string, values: Answer = {}): Promise<Answer | null> {
    try {
      return await this.link().request(what, values);
    } catch (error) {
      if (error instanceof Refusal) this.toasts.show(error.message, 'error');
      return null;
    }
  }

  // The error is the caller's to show where `quiet`.
  async edit(ops: Operation[], label: string, options: { merge?: string; quiet?: boolean } = {}): Promise<Answer> {
    if (ops.length === 0) return {};
    const send = () => this.link().request('edit', { ops, label, merge: options.merge });
    try {
      const answer = await send();
      if (answer.cut && !options.merge) this.tellCut(ops, label);
      return answer;
    } catch (error) {
      if (error instanceof Refusal && this.ofArray(ops)) this.offerExpand(ops, label);
      else if (!options.quiet && error instanceof Refusal) this.toasts.show(describe(error.error), 'error');
      throw error;
    }
  }
  // Whether a body is meant that has no entry of its own.
  private ofArray(ops: Operation[]): boolean {
    return ops.some((o) => o.path?.[0] === 'bodies' && o.path.length > 1 && this.store.body(String(o.path[1]))?.own === false);
  }
  private offerExpand(ops: Operation[], label: string) {
    const expand = async () => {
      if (await this.request('expand')) await this.edit(ops, label).catch(() => {});
    };
    this.toasts.show(t('generated'), 'note', [{ label: t('expand'), perform: () => void expand() }]);
  }
  private tellCut(ops: Operation[], label: string) {
    const time = (this.store.frame?.time ?? 0).toFixed(2);
    const atStart = async () => {
      await this.request('undo');
      await this.request('seek', { step: 0 });
      await this.edit(ops, label).catch(() => {});
    };
    this.toasts.show(t('cut_made', { t: time }), 'note', [
      { label: t('at_start'), perform: () => void atStart() },
      { label: t('undo'), perform: () => void this.request('undo') },
    ]);
  }

  // Begins with something else; what was there before is one click away.
  async load(values: Answer = {}): Promise<Answer | null> {
    const before = (await this.link().request('project').catch(() => null))?.project;
    const answer = await this.request('load', values);
    if (answer && before && before.takes.length > 1) {
      const back = () => void this.request('load', { project: before });
      this.toasts.show(t('opened', { name: answer.name }), 'note', [{ label: t('go_back'), perform: back }]);
    }
    return answer;
  }

  // --- time
  togglePlay() {
    return this.store.running ? this.request('pause') : this.request('play', { speed: this.speed });
  }
  speed = 1;
  play(speed: number) {
    return this.request('play', { speed });
  }
  seek(step: number) {
    return this.request('seek', { step: Math.max(0, Math.round(step)) });
  }

  // --- making things
  async create(shape: Shape, position: THREE.Vector3, extra: Answer = {}) {
    const name = this.store.freeName(t(shape.type).toLowerCase());
    const value = { name, shape, position: list(position), ...extra };
    const answer = await this.edit([{ op: 'add', path: ['bodies'], value }], `+ ${name}`).catch(() => null);
    if (answer) this.store.select([name]);
    return name;
  }

  private local(pick: Pick): { p: Vec; q: THREE.Quaternion } {
    if (pick.body === 'world') return { p: list(pick.point), q: new THREE.Quaternion() };
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(pick.body);
    const q = new THREE.Quaternion(qx, qy, qz, qw).invert();
    return { p: list(pick.point.clone().sub(new THREE.Vector3(x, y, z)).applyQuaternion(q)), q };
  }

  async connect(kind: LinkKind, first: Pick, second: Pick, axis: THREE.Vector3): Promise<string | null> {
    let [a, b] = [first, second];
    const movable = (p: Pick) => this.store.body(p.body)?.motion === 'dynamic';
    if (!movable(b) && movable(a)) [a, b] = [b, a];
    const name = this.store.freeName(t(kind).toLowerCase());
    const soft = kind === 'spring' || kind === 'damper' || kind === 'rod';
    const value: Answer = soft ? this.connection(kind, name, a, b) : this.jointEntry(kind, name, a, b, first, second, axis);
    const op = { op: 'add', path: [soft ? 'connections' : 'joints'], value };
    const answer = await this.edit([op], `+ ${name}`).catch(() => null);
    if (answer) this.store.select([name], 'joint');
    return answer ? name : null;
  }
  // Rest length as drawn; two swings a second for the lighter body, a fifth of critical damping.
  private connection(kind: LinkKind, name: string, a: Pick, b: Pick): Answer {
    const masses = [a, b].map((p) => this.store.body(p.body)).filter((x) => x?.motion === 'dynamic' && x.mass).map((x) => x!.mass!);
    const m = masses.length ? Math.min(...masses) : 1;
    const k = m * (2 * Math.PI * 2) ** 2;
    const tidy = (x: number) => Number(x.toPrecision(3));
    const value: Answer = { name, type: kind, a: a.body, b: b.body, point_a: this.local(a).p, point_b: this.local(b).p };
    if (kind === 'spring') value.stiffness = tidy(k);
    if (kind === 'spring') value.damping = tidy(2 * 0.2 * Math.sqrt(k * m));
    if (kind === 'damper') value.damping = tidy(2 * Math.sqrt(k * m));
    if (kind !== 'damper') value.length = round(a.point.distanceTo(b.point));
    return value;
  }
  // Frames on both bodies at one place, so that it holds at any instant of a run.
  private jointEntry(kind: LinkKind, name: string, a: Pick, b: Pick, first: Pick, second: Pick, axis: THREE.Vector3): Answer {
    const at = second.body === 'world' ? second.point : second.point.clone();
    const direction = kind === 'slider' ? second.point.clone().sub(first.point) : axis.clone();
    if (direction.lengthSq() < 1e-12) direction.set(0, 0, 1);
    direction.normalize();
    const side = new THREE.Vector3(0, 1, 0);
    if (Math.abs(side.dot(direction)) > 0.9) side.set(1, 0, 0);
    const x = direction;
    const z = x.clone().cross(side).normalize();
    const y = z.clone().cross(x);
    const world = new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z));
    const frame = (body: string) => {
      const { p, q } = this.local({ body, point: at });
      return { position: p, orientation: quatList(q.clone().multiply(world)) };
    };
    return { name, type: kind, parent: a.body, child: b.body, parent_frame: frame(a.body), child_frame: frame(b.body) };
  }

  // --- changing things
  // Places of bodies, as they are dragged: {position, quaternion} by name.
  place(poses: Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>, label: string, merge?: string) {
    const ops: Operation[] = [];
    for (const [name, { p, q }] of poses) {
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(name);
      if (p.distanceTo(new THREE.Vector3(x, y, z)) > 1e-7) ops.push({ op: 'set', path: ['bodies', name, 'position'], value: list(p) });
      if (Math.abs(q.dot(new THREE.Quaternion(qx, qy, qz, qw))) < 1 - 1e-10) ops.push({ op: 'set', path: ['bodies', name, 'orientation'], value: quatList(q) });
    }
    return this.edit(ops, label, { merge }).catch(() => null);
  }
  nudge(delta: THREE.Vector3) {
    const poses = new Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>();
    for (const name of this.store.selection) {
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(name);
      poses.set(name, { p: new THREE.Vector3(x, y, z).add(delta), q: new THREE.Quaternion(qx, qy, qz, qw) });
    }
    return this.place(poses, t('move'), `nudge ${this.store.selection.join()}`);
  }
  async remove() {
    const { selection, selectionKind, store } = { selection: this.store.selection, selectionKind: this.store.selectionKind, store: this.store };
    if (!selection.length) return;
    const ops: Operation[] = selection.map((name) => ({
      op: 'remove',
      path: [selectionKind === 'body' ? 'bodies' : (store.joint(name)?.section ?? 'joints'), name],
    }));
    const answer = await this.edit(ops, `− ${selection.join(', ')}`).catch(() => null);
    if (answer) store.select([]);
  }
  async duplicate() {
    if (this.store.selectionKind !== 'body') return;
    const ops: Operation[] = [];
    const made: string[] = [];
    for (const name of this.store.selection) {
      const entry = this.store.entry('bodies', name);
      const object = this.store.body(name);
      if (!entry || !object) continue;
      const stem = name.replace(/ \d+$/, '');
      let copy = this.store.freeName(stem);
      for (let n = 2; made.includes(copy); ++n) copy = `${stem} ${this.store.scene!.bodies.length + n}`;
      const [x, y, z, ...q] = this.store.pose(name);
      const step = object.shape.radius ? 2.2 * object.shape.radius : object.shape.size ? 1.1 * object.shape.size[0] : 0.2;
      ops.push({ op: 'add', path: ['bodies'], value: { ...entry, name: copy, position: [round(x + step), round(y), round(z)], orientation: q.map(round) } });
      made.push(copy);
    }
    if (await this.edit(ops, t('duplicate')).catch(() => null)) this.store.select(made);
  }
  async rename(section: string, from: string, to: string) {
    if (!to || to === from) return;
    const kind = this.store.selectionKind;
    const answer = await this.edit([{ op: 'rename', path: [section, from], to }], `${from} → ${to}`).catch(() => null);
    if (answer) this.store.select([to], kind);
  }
}
