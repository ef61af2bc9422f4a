// What the page knows: the scene as the engine tells it, the state of the playhead, the selection.
import type { Frame } from '../link/frame';
import type { Answer, EngineError } from '../link/link';

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
}
export interface Scene {
  scene: number;
  name: string;
  title: string;
  duration: number;
  step_length: number;
  document: Answer;
  bodies: Body[];
  meshes: { vertices: number[]; triangles: number[] }[];
  joints: Joint[];
  materials: Record<string, Look & { density: number }>;
  cameras: { name: string; auto: boolean; position: Vec; look_at: Vec; fov: number; body: string }[];
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
}
export interface SyncInfo {
  id: number;
  take: number;
  name: string;
  step: number;
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
export type Topic = 'scene' | 'state' | 'takes' | 'events' | 'frame' | 'selection' | 'tool' | 'link';

export class Store {
  scene: Scene | null = null;
  state: PlayState | null = null;
  takes: TakeInfo[] = [];
  syncs: SyncInfo[] = [];
  events: SceneEvent[] = [];
  frame: Frame | null = null;
  hello: Answer = {};
  connected = false;
  previews = new Set<string>();
  selection: string[] = []; // names of bodies, or of one joint
  selectionKind: 'body' | 'joint' = 'body';
  tool = 'select';
  gizmo: 'translate' | 'rotate' = 'translate';
  snap = true;
  private listeners = new Map<Topic, Set<() => void>>();
  private index = new Map<string, number>();

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
        this.scene = message as Scene;
        this.index = new Map(this.scene.bodies.map((b, i) => [b.name, i]));
        const names =
          this.selectionKind === 'body'
            ? new Set(this.scene.bodies.map((b) => b.name))
            : new Set(this.scene.joints.map((j) => j.name));
        const kept = this.selection.filter((name) => names.has(name));
        this.tell('scene');
        if (kept.length !== this.selection.length) this.select(kept, this.selectionKind);
        break;
      }
      case 'state':
        this.state = message as PlayState;
        this.tell('state');
        break;
      case 'takes':
        this.takes = message.takes;
        this.syncs = message.syncs;
        this.tell('takes');
        break;
      case 'events':
        if (message.anew) this.events = [];
        this.events.push(...message.events);
        this.tell('events');
        break;
    }
  }

  // Frames carry how far the take on the stage goes, so that the strip grows while it runs.
  show(frame: Frame) {
    this.frame = frame;
    if (this.state) {
      this.state.end = frame.end;
      this.state.step = Math.floor(frame.step + 1e-9);
      const take = this.takes.find((x) => x.id === this.state!.take);
      if (take) take.end = frame.end;
    }
    this.tell('frame');
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
  select(names: string[], kind: 'body' | 'joint' = 'body') {
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
    for (const section of ['joints', 'connections', 'forces', 'bodies'])
      for (const e of this.scene?.document?.[section] ?? []) taken.add(e.name);
    for (const j of this.scene?.joints ?? []) taken.add(j.name);
    if (!taken.has(stem)) return stem;
    let n = 2;
    while (taken.has(`${stem} ${n}`)) ++n;
    return `${stem} ${n}`;
  }
}
