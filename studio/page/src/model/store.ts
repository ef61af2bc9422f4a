// What the page knows: the scene as the engine tells it, the state of the playhead, the selection.
import type { Frame } from '../link/frame';
import type { Answer, EngineError } from '../link/link';
import { labelText } from '../ui/session_labels';

export type Vec = [number, number, number];
export interface Shape {
  type: string;
  radius?: number;
  size?: Vec;
  height?: number;
  length?: number;
  normal?: Vec;
  offset?: number;
  points?: Vec[];
  mesh?: number; // of the scene; -1: too many triangles to draw
  parts?: { shape: Shape; position: Vec; orientation: number[]; material: string; color?: Vec }[];
}
export interface Look {
  color: Vec;
  roughness: number;
  metallic: number;
  transparency: number;
  texture: string;
}
export interface Body {
  name: string;
  shape: Shape;
  material: string;
  motion: 'dynamic' | 'static' | 'kinematic';
  position: Vec;
  orientation: number[];
  look?: Look;
  mass?: number;
  own: boolean; // has an entry of its own in the document
}
export interface Joint {
  name: string;
  type: string;
  a: string;
  b: string;
  pa: Vec;
  qa: number[];
  pb: Vec;
  qb: number[];
  section: 'joints' | 'connections';
  own: boolean;
  limit?: { axis: string; min?: number; max?: number };
  free?: { axis: string; min?: number; max?: number }[]; // what it leaves free
  length?: number; // m, of a connection whose scene gives it
  frequency?: number; // Hz, of what its springs hold
  damping_ratio?: number;
}
export interface Force {
  name: string;
  body: string;
  point?: Vec;
  frame: 'world' | 'body';
  force: Vec;
  torque: Vec;
  toward?: { body: string; point?: Vec };
  magnitude?: number;
  from: number;
  until?: number;
  ramp?: [number, number];
  curve?: [number, number][];
  own: boolean;
}
export interface Camera {
  name: string;
  auto: boolean;
  type: 'fixed' | 'orbit' | 'follow' | 'mounted' | 'path';
  body: string;
  position: Vec;
  look_at: Vec;
  up: Vec;
  fov: number;
  period: number;
  horizon: boolean;
  smoothing: number;
  keyframes: { t: number; position: Vec; look_at: Vec; fov: number }[];
  own: boolean;
}
export interface Light {
  name: string;
  type: 'sun' | 'point' | 'ambient';
  direction: Vec;
  position: Vec;
  color: Vec;
  intensity: number;
}
export interface Instance {
  name: string;
  prefab: string;
  position: Vec;
  orientation: number[];
}
export type Kind = 'body' | 'joint' | 'force' | 'camera' | 'light' | 'instance' | 'prefab' | 'sync' | 'cut' | 'shot';
export const sections: Record<Kind, string> = { body: 'bodies', joint: 'joints', force: 'forces', camera: 'cameras', light: 'lights', instance: 'instances', prefab: 'prefabs', sync: '', cut: '', shot: 'shots' };
export interface MaterialInfo extends Look {
  density: number;
  restitution: number;
  static_friction: number;
  sliding_friction: number;
  rolling_friction: number;
  spinning_friction: number;
  stiffness: number;
  damping: number;
  builtin: boolean;
}
export interface Scene {
  scene: number;
  name: string;
  title: string;
  duration: number;
  step_length: number;
  document: Answer;
  bodies: Body[];
  meshes: { id: string; vertices?: number[]; triangles?: number[] }[];
  joints: Joint[];
  materials: Record<string, MaterialInfo>;
  instances: Instance[];
  forces: Force[];
  cameras: Camera[];
  shots: { t: number; camera: string }[];
  lights: Light[];
  errors: EngineError[];
  warnings: EngineError[];
}
export interface PlayState {
  mode: 'paused' | 'playing' | 'until';
  take: number;
  scene: number;
  step: number;
  end: number;
  wanted: number;
  step_length: number;
  speed: number;
  stopped_by: string;
  undo?: string;
  redo?: string;
  edits: number;
  file: string; // of the folder, that the scene is of; or nothing
  bytes: number;
  budget: number;
}
export interface TakeInfo {
  id: number;
  parent: number;
  label: string;
  at: number;
  end: number;
  wanted: number;
  chain: boolean;
  own: boolean;
  begins: number; // s, at its first step
  step_length: number; // s
  changes: number; // operations of its change
  what?: string[]; // in words, of those that the one on the stage grew from
  pull: string; // the body that a hand pulled, or nothing
}
export interface SyncInfo {
  id: number;
  take: number;
  name: string;
  step: number;
  time: number; // s
  here: boolean;
}
export interface SceneEvent {
  step: number;
  time: number;
  kind: string;
  a: string;
  b: string;
  value: number;
  impulse: number;
}
export const stereos = ['off', 'red-cyan', 'red-green', 'side-by-side'] as const;
export type Stereo = (typeof stereos)[number];
export type Topic = 'scene' | 'state' | 'takes' | 'events' | 'frame' | 'picture' | 'ghost' | 'selection' | 'tool' | 'link' | 'show';

export class Store {
  scene: Scene | null = null;
  state: PlayState | null = null;
  takes: TakeInfo[] = [];
  syncs: SyncInfo[] = [];
  events: SceneEvent[] = [];
  eventsFull = false; // of contacts no more are recorded
  frame: Frame | null = null;
  hello: Answer = {};
  connected = false;
  previews = new Set<string>();
  selection: string[] = []; // names of bodies, or of one of something else
  selectionKind: Kind = 'body';
  ghost: { take: number; scene: number; names: string[]; poses: Float32Array | null } | null = null;
  split: number | null = null; // the take that is seen beside the one on the stage
  ghostView: Answer | null = null; // its scene, until it is drawn
  ghostFrame: Frame | null = null;
  hidden = new Set<string>(); // bodies, in these views only
  locked = new Set<string>(); // bodies that no pointer picks
  show = { contacts: false, trails: false, forces: true, joints: true, stereo: 'off' as Stereo };
  private meshes = new Map<string, { id: string; vertices?: number[]; triangles?: number[] }>();
  private borrows = false; // they are another store's to forget
  tool = 'select';
  prefab = ''; // of the tool that places instances
  gizmo: 'translate' | 'rotate' | 'scale' = 'translate';
  snap = true;
  sparing = false; // pictures are late: what is looked at least waits
  private shownName = '';
  private listeners = new Map<Topic, Set<() => void>>();
  private index = new Map<string, number>();

  // Triangles are told once, whichever take has them.
  shareMeshes(other: Store) {
    this.meshes = other.meshes;
    this.borrows = true;
  }
  on(topics: Topic | Topic[], listener: () => void) {
    for (const topic of [topics].flat()) {
      if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
      this.listeners.get(topic)!.add(listener);
    }
  }
  tell(topic: Topic) {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  take(message: Answer) {
    switch (message.event) {
      case 'scene': {
        // numbers of scenes have that of the opening above: meshes of others are told again
        if (!this.borrows && this.scene && this.scene.scene >>> 20 !== message.scene >>> 20) this.meshes.clear();
        this.scene = message as Scene;
        const scene = this.scene;
        for (const section of ['bodies', 'meshes', 'joints', 'forces', 'cameras', 'shots', 'lights', 'instances'] as const) (scene as Answer)[section] ??= [];
        scene.materials ??= {};
        // triangles are told once
        for (const mesh of scene.meshes) if (mesh.vertices) this.meshes.set(mesh.id, mesh);
        scene.meshes = scene.meshes.map((mesh) => this.meshes.get(mesh.id) ?? mesh);
        this.index = new Map(this.scene.bodies.map((b, i) => [b.name, i]));
        this.indexInstances(scene);
        // nothing is computed of a scene with mistakes: what was shown is of another one
        if (scene.errors?.length) [this.frame, this.events] = [null, []];
        if (scene.name !== this.shownName) for (const marks of [this.hidden, this.locked]) marks.clear();
        this.shownName = scene.name;
        const names = new Set(this.namesOf(this.selectionKind));
        const kept = this.selection.filter((name) => names.has(name));
        this.tell('scene');
        if (kept.length !== this.selection.length) this.select(kept, this.selectionKind);
        break;
      }
      case 'state':
        this.state = message as PlayState;
        for (const key of ['undo', 'redo'] as const) if (this.state[key] !== undefined) this.state[key] = labelText(this.state[key]!);
        this.tell('state');
        break;
      case 'takes':
        this.takes = message.takes;
        for (const take of this.takes) take.label = labelText(take.label);
        this.syncs = message.syncs;
        this.tell('takes');
        if (this.selectionKind === 'sync' || this.selectionKind === 'cut') {
          const there = this.namesOf(this.selectionKind);
          if (!this.selection.every((n) => there.includes(n))) this.select([]);
        }
        break;
      case 'ghost':
        if (this.ghost) Object.assign(this.ghost, { scene: message.scene, names: message.names });
        if (message.view) this.ghostView = message.view;
        break;
      case 'events':
        if (message.anew) this.events = [];
        this.eventsFull = !!message.full;
        for (const event of message.events) this.events.push(event);
        this.tell('events');
        break;
    }
  }

  // Frames carry how far the take on the stage goes, so that the strip grows while it runs.
  accept(frame: Frame) {
    if (frame.ghost) {
      if (this.ghost) this.ghost.poses = frame.poses;
      this.ghostFrame = frame;
      return this.tell('ghost');
    }
    this.frame = frame;
    if (this.state) {
      this.state.end = frame.end;
      this.state.step = Math.floor(frame.step + 1e-9);
      const take = this.takes.find((x) => x.id === this.state!.take);
      if (take) take.end = frame.end;
    }
    this.awaited = this.awaited.filter((looks) => !looks(frame));
    this.tell('frame');
  }
  private awaited: ((frame: Frame) => boolean)[] = [];
  // The next picture of the take on the stage that is wanted: answers come before the frames of what
  // they did. False: none came for a while.
  nextFrame(wanted: (frame: Frame) => boolean = () => true, patience = 1000): Promise<boolean> {
    return new Promise((resolve) => {
      const looks = (frame: Frame) => wanted(frame) && (clearTimeout(timer), resolve(true), true);
      const timer = setTimeout(() => {
        this.awaited = this.awaited.filter((x) => x !== looks);
        resolve(false);
      }, patience);
      this.awaited.push(looks);
    });
  }

  // --- steps and seconds of the take on the stage: changes in mid-run may have changed the length of steps
  private chain: { takes: TakeInfo[]; of: TakeInfo[] } = { takes: [], of: [] };
  private pieces(): TakeInfo[] {
    if (this.chain.of !== this.takes) this.chain = { of: this.takes, takes: this.takes.filter((x) => x.chain).sort((a, b) => a.at - b.at || a.id - b.id) };
    return this.chain.takes;
  }
  timeOf(step: number): number {
    const piece = this.pieces().findLast((x) => x.at <= step);
    return piece ? piece.begins + (step - piece.at) * piece.step_length : step * (this.state?.step_length ?? 1 / 60);
  }
  stepOf(time: number): number {
    const piece = this.pieces().findLast((x) => x.begins <= time + 1e-9);
    return Math.max(0, Math.round(piece ? piece.at + (time - piece.begins) / piece.step_length : time / (this.state?.step_length ?? 1 / 60)));
  }
  // Where a take ends, as far as it is computed; with `wanted` as far as it was once.
  endOf(take: TakeInfo, wanted = false): number {
    return take.begins + ((wanted ? Math.max(take.end, take.wanted) : take.end) - take.at) * take.step_length;
  }

  body(name: string): Body | undefined {
    const i = this.index.get(name);
    return i === undefined ? undefined : this.scene?.bodies[i];
  }
  joint(name: string): Joint | undefined {
    return this.scene?.joints.find((j) => j.name === name);
  }
  // The pose of a body as it is shown: seven numbers.
  pose(name: string): number[] {
    const i = this.index.get(name) ?? -1;
    const frame = this.frame;
    if (frame && frame.scene === this.scene?.scene && 7 * i + 7 <= frame.poses.length && i >= 0)
      return Array.from(frame.poses.subarray(7 * i, 7 * i + 7));
    const body = this.body(name);
    return body ? [...body.position, ...body.orientation] : [0, 0, 0, 1, 0, 0, 0];
  }
  entry(section: string, name: string): Answer | undefined {
    const list = this.scene?.document?.[section];
    return Array.isArray(list) ? list.find((e: Answer) => e.name === name) : undefined;
  }
  namesOf(kind: Kind): string[] {
    const scene = this.scene;
    if (!scene) return [];
    if (kind === 'light') return scene.lights.map((l, i) => l.name || `#${i}`);
    // moments are called by their numbers
    if (kind === 'sync') return this.syncs.map((s) => String(s.id));
    if (kind === 'shot') return scene.shots.map((_, i) => String(i));
    if (kind === 'cut') return this.cuts.map((c) => String(c.id));
    if (kind === 'prefab') return Object.keys(scene.document?.prefabs ?? {});
    return { body: scene.bodies, joint: scene.joints, force: scene.forces, camera: scene.cameras, instance: scene.instances }[kind].map((x) => x.name);
  }
  // How operations call an entry of the document.
  path(kind: Kind, name: string): (string | number)[] {
    if (kind === 'joint') return [this.joint(name)?.section ?? 'joints', name];
    return [sections[kind], name.startsWith('#') ? Number(name.slice(1)) : name];
  }
  // Changes in mid-run of the take on the stage.
  get cuts(): TakeInfo[] {
    return this.takes.filter((x) => x.chain && x.at > 0);
  }
  // --- instances: what is called "crate/lid" belongs to "crate"
  private instanceIndex = new Map<string, Instance>();
  private inside = new Map<string, string[]>();
  instanceOf(name: string): Instance | undefined {
    if (this.instanceIndex.size === 0) return undefined;
    for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
      const found = this.instanceIndex.get(name.slice(0, at));
      if (found) return found;
    }
    return undefined;
  }
  bodiesOf(instance: string): string[] {
    return this.inside.get(instance) ?? [];
  }
  private indexInstances(scene: Scene) {
    this.instanceIndex = new Map(scene.instances.map((i) => [i.name, i]));
    this.inside = new Map(scene.instances.map((i) => [i.name, []]));
    for (const body of scene.bodies) this.inside.get(this.instanceOf(body.name)?.name ?? '')?.push(body.name);
  }
  // Where the document says what something is: its own entry, or that of the prefab for all instances.
  source(name: string, section = 'bodies'): (string | number)[] | null {
    if (this.entry(section, name)) return [section, name];
    const instance = this.instanceOf(name);
    const inner = instance && name.slice(instance.name.length + 1);
    const list = instance && this.scene?.document?.prefabs?.[instance.prefab]?.[section];
    return Array.isArray(list) && list.some((e: Answer) => e.name === inner) ? ['prefabs', instance!.prefab, section, inner!] : null;
  }
  sourceEntry(name: string, section = 'bodies'): Answer | undefined {
    const path = this.source(name, section);
    if (!path || path[0] === section) return path ? this.entry(section, name) : undefined;
    return this.scene!.document.prefabs[path[1]][section].find((e: Answer) => e.name === path[3]);
  }
  // Bodies that are meant by the selection: also those of selected instances.
  get selectedBodies(): string[] {
    if (this.selectionKind === 'instance') return this.selection.flatMap((n) => this.bodiesOf(n));
    return this.selectionKind === 'body' ? this.selection : [];
  }
  // Hiding and locking are of who looks, not of the scene: files do not have them.
  mark(what: 'hidden' | 'locked', names: string[], on: boolean) {
    for (const name of names) if (on) this[what].add(name); else this[what].delete(name);
    this.tell('show');
  }
  get atStart() {
    return (this.state?.step ?? 0) === 0;
  }
  select(names: string[], kind: Kind = 'body') {
    this.selection = names;
    this.selectionKind = kind;
    this.tell('selection');
  }
  get running() {
    return this.state !== null && this.state.mode !== 'paused';
  }
  // A name that is free in the document, such as "ball 3".
  freeName(stem: string): string {
    const taken = new Set<string>();
    for (const b of this.scene?.bodies ?? []) taken.add(b.name);
    for (const section of ['joints', 'connections', 'forces', 'bodies', 'cameras', 'lights'])
      for (const e of this.scene?.document?.[section] ?? []) taken.add(e.name);
    for (const j of this.scene?.joints ?? []) taken.add(j.name);
    for (const name of [...this.namesOf('instance'), ...this.namesOf('prefab')]) taken.add(name);
    if (!taken.has(stem)) return stem;
    let n = 2;
    while (taken.has(`${stem} ${n}`)) ++n;
    return `${stem} ${n}`;
  }
}
