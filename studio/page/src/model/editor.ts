// What a person can do, as requests to the engine. Every change is an edit with operations on the
// scene document; numbers go through the engine's own reader.
import * as THREE from 'three';
import { type Answer, type EngineLink, Refusal, describe } from '../link/link';
import { hasWork, keepWork } from '../app/recent';
import type { Toasts } from '../ui/dom';
import { t } from '../ui/texts';
import { placeInstance, placeOperations } from './prefabs';
import { Presses } from './presses';
import { type Joint, type Kind, type Shape, type Store, type Vec } from './store';

export type Operation = { op: string; path?: (string | number)[]; value?: unknown; to?: string; entry?: boolean; users?: string };
export const linkKinds = ['spring', 'damper', 'rod', 'point', 'hinge', 'slider', 'rigid', 'shock_absorber', 'rope'] as const;
export type LinkKind = (typeof linkKinds)[number];
export interface Pick {
  body: string; // or "world"
  point: THREE.Vector3; // world coordinates
}
const round = (x: number) => Number(x.toFixed(6));
const list = (v: THREE.Vector3): Vec => [round(v.x), round(v.y), round(v.z)];
const quatList = (q: THREE.Quaternion) => [q.w, q.x, q.y, q.z].map(round);

// From one click to the other; what is nearly along an axis of the world is meant to be.
function slideWay(first: Pick, second: Pick): THREE.Vector3 {
  const way = second.point.clone().sub(first.point);
  const length = way.length();
  const axis = way.toArray().findIndex((v) => Math.abs(v) > Math.cos(0.14) * length);
  return axis < 0 || length < 1e-9 ? way : new THREE.Vector3().setComponent(axis, Math.sign(way.getComponent(axis)));
}

export class Editor {
  constructor(
    readonly store: Store,
    private link: () => EngineLink,
    private toasts: Toasts,
  ) {
    store.on('state', () => this.dropNotes());
    store.on('state', () => this.seeks === 0 && (this.heading = null));
    this.presses = new Presses(store, (key, sum) => this.moveBy(JSON.parse(key), sum), (a, b) => a.clone().add(b));
  }

  async request(what: string, values: Answer = {}): Promise<Answer | null> {
    try {
      return await this.link().request(what, values);
    } catch (error) {
      if (error instanceof Refusal) this.toasts.show(error.message, 'error');
      else this.toasts.show(t('not_connected'), 'error');
      return null;
    }
  }

  // For what is asked again anyway.
  quiet(what: string, values: Answer = {}): Promise<Answer | null> {
    return this.link().request(what, values).catch(() => null);
  }

  // The error is the caller's to show where `quiet`.
  async edit(ops: Operation[], label: string, options: { merge?: string; quiet?: boolean } = {}): Promise<Answer> {
    if (ops.length === 0) return {};
    const send = () => this.link().request('edit', { ops, label, merge: options.merge });
    try {
      const answer = await send();
      this.edits = answer.edits;
      if (answer.merged) this.cutOps.push(...ops);
      else if (answer.cut) this.tellCut((this.cutOps = [...ops]), label, answer.edits);
      return answer;
    } catch (error) {
      if (error instanceof Refusal && this.ofArray(ops)) return this.expandFor(ops, label);
      if (!(error instanceof Refusal)) this.toasts.show(t('not_connected'), 'error');
      else if (!options.quiet) this.toasts.show(describe(error.error), 'error');
      throw error;
    }
  }
  private cutOps: Operation[] = []; // of the last change in mid-run, with all that is one edit with it
  edits = 0; // done so far, after the last one from here
  // Whether a body is meant that has no entry of its own.
  private ofArray(ops: Operation[]): boolean {
    return ops.some((o) => o.path?.[0] === 'bodies' && o.path.length > 1 && this.store.body(String(o.path[1]))?.own === false);
  }
  // Arrays and prefabs become single bodies, for the sake of a change and in one edit with it.
  async expandFor(ops: Operation[] = [], label = ''): Promise<Answer> {
    const answer = await this.link().request('expand', { ops, label });
    const time = (this.store.frame?.time ?? 0).toFixed(2);
    const { edits } = answer;
    this.edits = edits;
    const undo = { label: t('undo'), perform: () => void this.request('undo', { edits }) };
    this.aboutEdit(edits, this.toasts.show(answer.cut ? `${t('cut_made', { t: time })} ${t('expanded')}` : t('expanded'), 'note', [undo]));
    return answer;
  }
  private tellCut(ops: Operation[], label: string, edits: number) {
    const time = (this.store.frame?.time ?? 0).toFixed(2);
    const atStart = async () => {
      if (!(await this.request('undo', { edits })) || !(await this.request('seek', { step: 0 }))) return;
      await this.edit(ops, label).catch(() => {});
    };
    const note = this.toasts.show(t('cut_made', { t: time }), 'note', [
      { label: t('at_start'), perform: () => void atStart() },
      { label: t('undo'), perform: () => void this.request('undo', { edits }) },
    ]);
    this.aboutEdit(edits, note);
  }
  // A note whose buttons are about one edit goes when another one is done, or that one undone.
  private aboutEdit(edits: number, note: HTMLElement) {
    this.notes.push({ edits, note });
  }
  private notes: { edits: number; note: HTMLElement }[] = [];
  private dropNotes() {
    const now = this.store.state?.edits;
    for (const { edits, note } of this.notes) if (edits !== now && note.dataset.seen) note.remove();
    for (const { edits, note } of this.notes) if (edits === now) note.dataset.seen = 'true';
    this.notes = this.notes.filter(({ note }) => note.isConnected);
  }

  opening = false;
  // Begins with something else; what was there before is one click away.
  async load(values: Answer = {}): Promise<Answer | null> {
    const before = (await this.link().request('project').catch(() => null))?.project;
    this.opening = true; // what comes is looked at anew, also under the same name
    const answer = await this.request('load', values);
    if (!answer) this.opening = false;
    if (answer && before && hasWork(before)) {
      await keepWork(before);
      const back = () => void this.load({ project: before });
      this.toasts.show(t('opened', { name: answer.name }), 'note', [{ label: t('go_back'), perform: back }]);
    }
    return answer;
  }

  // 'taken': another scene has that name, and stays unless it is to be replaced.
  async save(file: string, replace: boolean): Promise<Answer | 'taken' | null> {
    try {
      return await this.link().request('save', { file, replace });
    } catch (error) {
      if (error instanceof Refusal && error.error.place === 'replace') return 'taken';
      this.toasts.show(error instanceof Refusal ? error.message : t('not_connected'), 'error');
      return null;
    }
  }

  undo(what: 'undo' | 'redo') {
    if (this.store.state?.[what] === undefined) return void this.toasts.show(t(`nothing_${what}`));
    return this.request(what);
  }

  // Another future from here, without any change yet: a colour becomes what it is.
  branch() {
    const name = this.store.scene?.bodies.find((b) => b.own)?.name;
    const color = name && this.store.entry('bodies', name)?.color;
    return name ? this.edit([{ op: 'set', path: ['bodies', name, 'color'], value: color ?? null }], t('branch')).catch(() => null) : Promise.resolve(null);
  }

  // --- time
  togglePlay() {
    return this.store.running ? this.request('pause') : this.request('play', { speed: this.speed });
  }
  speed = 1;
  play(speed: number) {
    return this.request('play', { speed });
  }
  // Where the playhead is going, until that is told: a key that is pressed meanwhile counts from there.
  heading: number | null = null;
  private seeks = 0;
  async seek(step: number): Promise<Answer | null> {
    this.heading = Math.max(0, Math.round(step));
    ++this.seeks;
    const answer = await this.request('seek', { step: this.heading });
    --this.seeks;
    if (!answer) this.heading = null;
    return answer;
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

  // `at`: the one place of a joint; a connection goes from the first point to the second.
  async connect(kind: LinkKind, first: Pick, second: Pick, axis: THREE.Vector3, at = (second.body === 'world' ? first : second).point): Promise<string | null> {
    let [a, b] = [first, second];
    const movable = (p: Pick) => this.store.body(p.body)?.motion === 'dynamic';
    if (!movable(b) && movable(a)) [a, b] = [b, a];
    const name = this.store.freeName(t(kind === 'point' ? 'ball_joint' : kind).toLowerCase());
    const soft = ['spring', 'damper', 'rod', 'shock_absorber', 'rope'].includes(kind);
    const value: Answer = soft ? this.connection(kind, name, a, b) : this.jointEntry(kind, name, a, b, at, kind === 'slider' ? slideWay(first, second) : axis.clone());
    const op = { op: 'add', path: [soft ? 'connections' : 'joints'], value };
    const answer = await this.edit([op], `+ ${name}`).catch(() => null);
    if (answer) this.store.select([name], 'joint');
    return answer ? name : null;
  }
  // Rest length as drawn; two swings a second for the lighter body, a fifth of critical damping.
  private connection(kind: LinkKind, name: string, a: Pick, b: Pick): Answer {
    const value: Answer = { name, type: kind, a: a.body, b: b.body, point_a: this.local(a).p, point_b: this.local(b).p, ...this.softness(kind, a.body, b.body) };
    if (kind !== 'damper') value.length = round(a.point.distanceTo(b.point));
    return value;
  }
  softness(kind: string, a: string, b: string): { stiffness?: number; damping?: number } {
    const masses = [a, b].map((name) => this.store.body(name)).filter((x) => x?.motion === 'dynamic' && x.mass).map((x) => x!.mass!);
    const m = masses.length ? Math.min(...masses) : 1;
    const k = m * (2 * Math.PI * 2) ** 2;
    const tidy = (x: number) => Number(x.toPrecision(3));
    const damping = (ratio: number) => tidy(2 * ratio * Math.sqrt(k * m));
    if (kind === 'damper') return { damping: damping(1) };
    return kind === 'spring' || kind === 'shock_absorber' ? { stiffness: tidy(k), damping: damping(kind === 'spring' ? 0.2 : 0.7) } : {};
  }
  // Where a joint is, by its frame on the first body; and its frames on both for another place.
  jointFrame(joint: Joint): { p: THREE.Vector3; q: THREE.Quaternion } {
    const p = new THREE.Vector3(...joint.pa);
    const q = new THREE.Quaternion(joint.qa[1], joint.qa[2], joint.qa[3], joint.qa[0]);
    if (joint.a === 'world') return { p, q };
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(joint.a);
    const body = new THREE.Quaternion(qx, qy, qz, qw);
    return { p: p.applyQuaternion(body).add(new THREE.Vector3(x, y, z)), q: body.multiply(q) };
  }
  jointPlace(joint: Joint, place: THREE.Vector3, world: THREE.Quaternion): Operation[] {
    const entry = this.store.entry(joint.section, joint.name) ?? {};
    const set = (key: string, value: unknown): Operation => ({ op: 'set', path: [joint.section, joint.name, key], value });
    const frame = (body: string) => {
      const { p, q } = this.local({ body, point: place });
      return { position: p, orientation: quatList(q.clone().multiply(world)) };
    };
    const gone = ['at', 'to', 'axis', 'axis2'].filter((key) => key in entry).map((key) => set(key, null));
    return [...gone, set('parent_frame', frame(entry.parent ?? 'world')), set('child_frame', frame(entry.child))];
  }
  // Frames on both bodies at one place, so that it holds at any instant of a run.
  private jointEntry(kind: LinkKind, name: string, a: Pick, b: Pick, at: THREE.Vector3, direction: THREE.Vector3): Answer {
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
    const ops = [...placeOperations(this.store, poses), ...this.rodOperations(poses)];
    return this.edit(ops, label, { merge }).catch(() => null);
  }
  // At the start a rod is as long as it is drawn: it follows, if it fitted before.
  rodOperations(poses: Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>): Operation[] {
    if (!this.store.atStart) return [];
    const end = (body: string, point: Vec, moved: boolean) => {
      const v = new THREE.Vector3(...point);
      if (body === 'world') return v;
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(body);
      const to = moved ? poses.get(body) : undefined;
      return v.applyQuaternion(to?.q ?? new THREE.Quaternion(qx, qy, qz, qw)).add(to?.p ?? new THREE.Vector3(x, y, z));
    };
    return (this.store.scene?.joints ?? []).flatMap((j) => {
      const length = j.own && j.section === 'connections' ? this.store.entry('connections', j.name)?.length : undefined;
      if (typeof length !== 'number' || j.type !== 'rod' || !(poses.has(j.a) || poses.has(j.b))) return [];
      const before = end(j.a, j.pa, false).distanceTo(end(j.b, j.pb, false));
      const after = end(j.a, j.pa, true).distanceTo(end(j.b, j.pb, true));
      return Math.abs(before - length) < 1e-3 && Math.abs(after - length) > 1e-6 ? [{ op: 'set', path: ['connections', j.name, 'length'], value: round(after) }] : [];
    });
  }
  nudge(delta: THREE.Vector3) {
    const names = this.store.selectedBodies.filter((n) => !this.store.locked.has(n));
    if (names.length) this.presses.add(JSON.stringify(names), delta);
  }
  private presses: Presses<THREE.Vector3>;
  private moveBy(names: string[], delta: THREE.Vector3) {
    const poses = new Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>();
    for (const name of names.filter((n) => this.store.body(n))) {
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(name);
      poses.set(name, { p: new THREE.Vector3(x, y, z).add(delta), q: new THREE.Quaternion(qx, qy, qz, qw) });
    }
    return this.place(poses, t('move'), `nudge ${names.join()}`);
  }
  async remove() {
    const { selection, selectionKind, store } = { selection: this.store.selection, selectionKind: this.store.selectionKind, store: this.store };
    if (!selection.length) return;
    if (selectionKind === 'sync') return void (await this.request('sync', { remove: Number(selection[0]) }));
    if (selectionKind === 'cut') return void (await this.request('cut', { take: Number(selection[0]), remove: true }));
    if (selectionKind === 'shot') {
      await this.setShots(store.scene!.shots.filter((_, i) => i !== Number(selection[0])), `− ${t('shot')}`);
      return store.select([]);
    }
    if (selectionKind === 'prefab' && store.scene!.instances.some((i) => selection.includes(i.prefab))) return this.toasts.show(t('prefab_used'), 'error');
    const ops: Operation[] = selection.map((name) => ({ op: 'remove', path: store.path(selectionKind, name) }));
    const answer = await this.edit(ops, `− ${selection.join(', ')}`).catch(() => null);
    if (answer) store.select([]);
  }
  async duplicate() {
    if (this.store.selectionKind === 'instance') return void this.duplicateInstance(this.store.selection[0]);
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
  private duplicateInstance(name: string) {
    const instance = this.store.scene?.instances.find((i) => i.name === name);
    const entry = this.store.entry('instances', name);
    if (!instance || !entry) return null;
    const [lo, hi] = this.spread(this.store.bodiesOf(name));
    const wide = Number((1.1 * Math.max(0.1, hi - lo)).toPrecision(2));
    return placeInstance(this.store, this, instance.prefab, new THREE.Vector3(...instance.position).add(new THREE.Vector3(wide, 0, 0)), entry);
  }
  // From where to where bodies reach along x.
  private spread(names: string[]): [number, number] {
    const ends = names.flatMap((n) => {
      const { shape } = this.store.body(n)!;
      const half = shape.radius ?? Math.hypot(...(shape.size ?? [0.2, 0, 0])) / 2;
      const long = half + (shape.height ?? shape.length ?? 0) / 2;
      return [this.store.pose(n)[0] - long, this.store.pose(n)[0] + long];
    });
    return [Math.min(...ends), Math.max(...ends)];
  }
  // Until they touch what is below, as one.
  async drop() {
    const names = this.store.selectedBodies;
    if (!names.length) return null;
    const single = names.every((n) => this.store.entry('bodies', n)) || !this.store.atStart;
    if (single) return this.request('drop', { bodies: names });
    const answer = await this.request('drop', { bodies: names, edit: false });
    return answer ? this.shift(names, () => new THREE.Vector3(...answer.way), t('drop')) : null;
  }
  // Copies in a row, with the joints and connections between them.
  async array(count: number, step: THREE.Vector3) {
    const names = this.store.selection;
    if (this.store.selectionKind !== 'body' || count < 2) return;
    const ops: Operation[] = [];
    const taken = new Set([...this.store.namesOf('body'), ...this.store.namesOf('joint')]);
    const free = (stem: string) => {
      let n = 2;
      while (taken.has(`${stem} ${n}`)) ++n;
      taken.add(`${stem} ${n}`);
      return `${stem} ${n}`;
    };
    const inner = (this.store.scene?.joints ?? []).filter((j) => j.own && j.type !== 'gear' && names.includes(j.a) && names.includes(j.b));
    for (let k = 1; k < count; ++k) {
      const copies = new Map(names.map((n) => [n, free(n.replace(/ \d+$/, ''))]));
      for (const [name, copy] of copies) {
        const entry = this.store.entry('bodies', name);
        if (!entry) return this.toasts.show(t('generated'), 'error');
        const [x, y, z, ...q] = this.store.pose(name);
        const p = new THREE.Vector3(x, y, z).addScaledVector(step, k);
        ops.push({ op: 'add', path: ['bodies'], value: { ...entry, name: copy, position: list(p), orientation: q.map(round) } });
      }
      for (const joint of inner) ops.push(this.copyLink(joint, copies, free(joint.name.replace(/ \d+$/, ''))));
    }
    await this.edit(ops, t('array')).catch(() => {});
  }
  private copyLink(joint: { name: string; section: string; a: string; b: string; pa: Vec; qa: number[]; pb: Vec; qb: number[] }, copies: Map<string, string>, name: string): Operation {
    const entry: Answer = { ...this.store.entry(joint.section, joint.name), name };
    for (const key of ['at', 'to', 'axis', 'axis2']) delete entry[key];
    if (joint.section === 'connections') {
      const straight = entry.a === joint.a;
      Object.assign(entry, { a: copies.get(entry.a), b: copies.get(entry.b), point_a: straight ? joint.pa : joint.pb, point_b: straight ? joint.pb : joint.pa });
    } else {
      Object.assign(entry, { parent: copies.get(joint.a), child: copies.get(joint.b), parent_frame: { position: joint.pa, orientation: joint.qa }, child_frame: { position: joint.pb, orientation: joint.qb } });
    }
    return { op: 'add', path: [joint.section], value: entry };
  }
  // Middles, or sides, of all selected bodies where those of the last one are.
  align(axis: 0 | 1 | 2, side: -1 | 0 | 1, boxOf: (name: string) => THREE.Box3) {
    const place = (box: THREE.Box3) => (side < 0 ? box.min : side > 0 ? box.max : box.getCenter(new THREE.Vector3())).getComponent(axis);
    const names = this.store.selection;
    const to = place(boxOf(names[names.length - 1]));
    return this.shift(names, (name) => new THREE.Vector3().setComponent(axis, to - place(boxOf(name))), t('align'));
  }
  // Equal distances between the first and the last along an axis.
  distribute(axis: 0 | 1 | 2) {
    const names = [...this.store.selection].sort((a, b) => this.store.pose(a)[axis] - this.store.pose(b)[axis]);
    if (names.length < 3) return Promise.resolve(null);
    const [from, to] = [this.store.pose(names[0])[axis], this.store.pose(names[names.length - 1])[axis]];
    return this.shift(names, (name) => new THREE.Vector3().setComponent(axis, from + ((to - from) * names.indexOf(name)) / (names.length - 1) - this.store.pose(name)[axis]), t('distribute'));
  }
  private shift(names: string[], by: (name: string) => THREE.Vector3, label: string) {
    const poses = new Map<string, { p: THREE.Vector3; q: THREE.Quaternion }>();
    for (const name of names) {
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(name);
      poses.set(name, { p: new THREE.Vector3(x, y, z).add(by(name)), q: new THREE.Quaternion(qx, qy, qz, qw) });
    }
    return this.place(poses, label);
  }

  // What a hand did is a take; it can be forces that are moved and changed.
  offerForces() {
    const take = this.store.state?.take;
    const convert = async () => {
      const answer = await this.request('pull', { take });
      if (answer) this.store.select([answer.forces[0]], 'force');
    };
    this.toasts.show(t('pull_kept'), 'note', [{ label: t('pull_force'), perform: () => void convert() }]);
  }

  // --- forces, cameras, lights, shots
  // Half a second from the playhead on.
  async push(body: string, point: THREE.Vector3 | null, force: THREE.Vector3, toward?: string) {
    const name = this.store.freeName(t('force').toLowerCase());
    const now = round(this.store.frame?.time ?? 0);
    const tidy = (v: number) => Number(v.toPrecision(4));
    const value: Answer = { name, body, from: now, until: round(now + 0.5) };
    if (point) value.point = this.local({ body, point }).p;
    if (toward) Object.assign(value, { toward: toward === 'world' ? { point: list(force) } : { body: toward }, magnitude: tidy(force.length()) });
    else value.force = [force.x, force.y, force.z].map(tidy);
    if (await this.edit([{ op: 'add', path: ['forces'], value }], `+ ${name}`).catch(() => null)) this.store.select([name], 'force');
  }
  async add(kind: Kind, stem: string, value: Answer): Promise<string | null> {
    const name = this.store.freeName(stem);
    const path = this.store.path(kind, name).slice(0, 1);
    const answer = await this.edit([{ op: 'add', path, value: { name, ...value } }], `+ ${name}`).catch(() => null);
    if (answer) this.store.select([name], kind);
    return answer ? name : null;
  }
  // All shots at once: they are a list in order of time.
  setShots(shots: { t: number; camera: string }[], label: string) {
    const value = shots.sort((a, b) => a.t - b.t).filter((s, i, all) => i === 0 || s.t > all[i - 1].t);
    return this.edit([{ op: 'set', path: ['shots'], value: value.length ? value.map((s) => ({ t: round(s.t), camera: s.camera })) : null }], label).catch(() => null);
  }

  async rename(section: string, from: string, to: string) {
    if (!to || to === from) return;
    if (section === 'sync') return void (await this.request('sync', { rename: Number(from), name: to }));
    if (section === 'cut') return void (await this.request('take', { take: Number(from), label: to }));
    const kind = this.store.selectionKind;
    const answer = await this.edit([{ op: 'rename', path: [section, from], to }], `${from} → ${to}`).catch(() => null);
    if (answer) this.store.select([to], kind);
  }
}
