// Four views of one stage on one canvas: front, right, top in parallel projection, and a camera; or
// one of them alone. AERO's order: front above top, right beside front.
import * as THREE from 'three';
import type { Camera } from '../model/store';
import type { Stereo } from '../model/store';
import { seeThrough } from './cameras';
import { drawEyes } from './eyes';
import type { Stage } from './stage';

export type ViewName = 'front' | 'right' | 'top' | 'camera';
export interface View {
  name: ViewName;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  target: THREE.Vector3;
  span: number; // height of what is seen at the target, m
  yaw: number;
  pitch: number;
  left: number;
  top: number;
  width: number;
  height: number;
  stale: boolean; // what it shows is not what is
}
const kFov = 40;
const directions: Record<string, [THREE.Vector3, THREE.Vector3]> = {
  front: [new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 1, 0)],
  right: [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0)],
  top: [new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, -1)],
};

// Whether the browser draws by the processor.
function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /llvmpipe|swiftshader|software/i.test(name);
}

export class Views {
  readonly renderer: THREE.WebGLRenderer;
  readonly software: boolean;
  readonly views: View[];
  readonly labels: HTMLElement[] = [];
  readonly notes: HTMLElement[] = []; // at the foot of the flat ones
  single: ViewName | null = null;
  other: Stage | null = null; // drawn in the right half, by the camera of the left one
  through: string | null = null; // the camera of the scene that the camera view looks through
  followShots = false;
  filming = false;
  recording = false; // a film is made of the camera view: nothing but the picture
  beforeRecording: () => void = () => {};
  beforeCamera: () => Camera | null = () => null;
  stereo: Stereo = 'off';
  away = false; // the stage is seen through glasses instead
  beforeView: (view: View) => void = () => {};
  slow = false; // a few pictures a second
  sparing = false; // in a run, only what is looked at gets every picture
  looked: ViewName = 'camera'; // where the pointer was last
  private bare = true; // the canvas between the views
  beforeDraw: () => void = () => {};
  onDrawn: (ms: number) => void = () => {};
  drawn = 0; // pictures so far
  readonly afterPicture: (() => void)[] = []; // once each, after the next one

  constructor(
    readonly canvas: HTMLCanvasElement,
    private stage: Stage,
  ) {
    // without a graphics card, smooth edges cost more than everything else together
    this.software = isSoftware();
    // opaque, so that the browser need not mix it with what lies below; and what was drawn stays, so
    // that a view that is not looked at may be left as it is for a picture
    const context = canvas.getContext('webgl2', { alpha: false, antialias: !this.software, preserveDrawingBuffer: this.software, stencil: false, powerPreference: 'high-performance' });
    this.renderer = new THREE.WebGLRenderer({ canvas, context: context ?? undefined });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.setScissorTest(true);
    this.views = (['front', 'right', 'top', 'camera'] as ViewName[]).map((name) => ({
      name,
      camera: name === 'camera' ? new THREE.PerspectiveCamera(kFov) : new THREE.OrthographicCamera(),
      target: new THREE.Vector3(0, 0.5, 0),
      span: 4,
      yaw: 0.6,
      pitch: 0.32,
      left: 0,
      top: 0,
      width: 0,
      height: 0,
      stale: true,
    }));
    canvas.addEventListener('pointermove', (e) => (this.looked = this.at(e.offsetX, e.offsetY)?.name ?? this.looked));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.loop();
  }

  redraw() {
    for (const view of this.views) view.stale = true;
  }
  get visible(): View[] {
    return this.views.filter((v) => v.width > 0);
  }

  // A size of its own for films, whatever the window has; null: that of the window again.
  fixSize(size: [number, number] | null) {
    this.fixed = size;
    this.ratio ??= this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(size ? 1 : this.ratio);
    if (!size) this.ratio = null;
    this.resize();
  }
  private fixed: [number, number] | null = null;
  private ratio: number | null = null;
  resize() {
    const parent = this.canvas.parentElement!;
    const [w, hgt] = this.fixed ?? [parent.clientWidth, parent.clientHeight];
    if (w < 2 || hgt < 2) return;
    const size = this.renderer.getSize(new THREE.Vector2());
    const other = size.x !== w || size.y !== hgt;
    if (other) this.renderer.setSize(w, hgt, false);
    this.bare = true;
    this.canvas.style.width = `${w}px`;
    this.canvas.style.height = `${hgt}px`;
    const gap = 1;
    const cells: Record<ViewName, [number, number]> = { front: [0, 0], right: [1, 0], top: [0, 1], camera: [1, 1] };
    for (const view of this.views) {
      if (this.single) {
        const on = view.name === this.single;
        Object.assign(view, { left: 0, top: 0, width: on ? (this.other && !this.recording ? (w - gap) / 2 : w) : 0, height: on ? hgt : 0 });
        continue;
      }
      const [cx, cy] = cells[view.name];
      const cw = (w - gap) / 2;
      const ch = (hgt - gap) / 2;
      Object.assign(view, { left: cx * (cw + gap), top: cy * (ch + gap), width: cw, height: ch });
    }
    this.views.forEach((view, i) => {
      const label = this.labels[i];
      if (!label) return;
      label.hidden = view.width === 0;
      label.style.left = `${view.left + 10}px`;
      label.style.top = `${view.top + 10}px`;
      const note = this.notes[i];
      if (!note) return;
      note.hidden = view.width === 0;
      note.style.left = `${view.left + 10}px`;
      note.style.top = `${view.top + view.height - 24}px`;
    });
    // a canvas of another size is empty: drawn at once, nobody sees that
    if (other) this.draw(true);
    this.redraw();
  }

  place(view: View) {
    const { camera, target, span } = view;
    const halves = this.stereo === 'side-by-side' && view.name === 'camera' ? 2 : 1;
    const aspect = view.width / halves / Math.max(1, view.height);
    const film = camera instanceof THREE.PerspectiveCamera ? this.beforeCamera() : null;
    if (film && camera instanceof THREE.PerspectiveCamera) {
      const sight = seeThrough(film, this.stage.store);
      camera.position.copy(sight.position);
      camera.up.copy(sight.up);
      const distance = Math.max(1e-3, sight.position.distanceTo(sight.target));
      // a film is 16 to 9; what is beside it is seen as well
      camera.fov = THREE.MathUtils.radToDeg(aspect >= 16 / 9 ? sight.fov : 2 * Math.atan((Math.tan(sight.fov / 2) * (16 / 9)) / aspect));
      Object.assign(camera, { near: distance / 200, far: distance * 60 + 100, aspect });
      camera.lookAt(sight.target);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      return;
    }
    if (camera instanceof THREE.PerspectiveCamera) {
      camera.fov = kFov;
      const distance = span / 2 / Math.tan((kFov / 2) * THREE.MathUtils.DEG2RAD);
      const c = Math.cos(view.pitch);
      camera.position
        .set(c * Math.sin(view.yaw), Math.sin(view.pitch), c * Math.cos(view.yaw))
        .multiplyScalar(distance)
        .add(target);
      camera.up.set(0, 1, 0);
      camera.near = Math.max(0.001, distance / 200);
      camera.far = distance * 60 + 100;
      camera.aspect = aspect;
    } else {
      const [direction, up] = directions[view.name];
      camera.position.copy(target).addScaledVector(direction, 100);
      camera.up.copy(up);
      Object.assign(camera, { top: span / 2, bottom: -span / 2, left: (-span / 2) * aspect, right: (span / 2) * aspect, near: 0.1, far: 400 });
    }
    camera.lookAt(target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  // Looking through a camera of the scene, the free view stays in a corner.
  private drawInset(view: View, bottom: number) {
    const w = Math.round(0.24 * view.width);
    const hgt = Math.round(0.24 * view.height);
    const left = view.left + view.width - w - 10;
    this.renderer.setViewport(left, bottom + 10, w, hgt);
    this.renderer.setScissor(left, bottom + 10, w, hgt);
    const through = this.through;
    const follow = this.followShots;
    this.through = null;
    this.followShots = false;
    this.place({ ...view, width: w, height: hgt });
    this.stage.forView(false, null);
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.render(this.stage.scene, view.camera);
    this.through = through;
    this.followShots = follow;
    this.place(view);
  }

  private drawOther(view: View, other: Stage, bottom: number) {
    this.renderer.setViewport(view.left + view.width + 1, bottom, view.width, view.height);
    this.renderer.setScissor(view.left + view.width + 1, bottom, view.width, view.height);
    if (this.stage.isPlain && !other.isPlain) other.plain();
    if (!this.stage.isPlain && other.isPlain) other.fine(this.renderer);
    other.scene.environment = this.stage.scene.environment;
    other.scene.environmentIntensity = this.stage.scene.environmentIntensity;
    other.sun.castShadow = this.stage.sun.castShadow;
    other.forView(false, null);
    this.renderer.shadowMap.needsUpdate = true;
    this.renderer.render(other.scene, view.camera);
  }

  frame(box: THREE.Box3, margin = 1.25) {
    const centre = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    for (const view of this.views) {
      const aspect = view.width > 0 ? view.width / view.height : 1.6;
      const [w, hgt] =
        view.name === 'front' ? [size.x, size.y] : view.name === 'right' ? [size.z, size.y] : view.name === 'top' ? [size.x, size.z] : [size.length(), size.length() * 0.72];
      view.target.copy(centre);
      // what is flat at first may swing out of it
      view.span = margin * Math.max(0.2, hgt, w / aspect, 0.45 * Math.max(size.x, size.y, size.z));
    }
    this.redraw();
  }

  // The free camera where one of the scene stands.
  standAt({ position, target, fov }: { position: THREE.Vector3; target: THREE.Vector3; fov: number }) {
    const view = this.views[3];
    const away = position.clone().sub(target);
    const distance = Math.max(1e-3, away.length());
    const aspect = view.width > 0 ? view.width / view.height : 16 / 9;
    view.target.copy(target);
    view.yaw = Math.atan2(away.x, away.z);
    view.pitch = Math.min(1.5, Math.max(-1.5, Math.asin(away.y / distance)));
    // as much as the film shows, which is 16 to 9
    view.span = Math.min(500, Math.max(0.02, 2 * distance * Math.tan(fov / 2) * Math.max(1, 16 / 9 / aspect)));
    this.redraw();
  }

  at(x: number, y: number): View | undefined {
    return this.visible.find((v) => x >= v.left && x < v.left + v.width && y >= v.top && y < v.top + v.height);
  }
  // From pixels of the canvas to the -1 ... 1 of a view.
  ndc(view: View, x: number, y: number): THREE.Vector2 {
    return new THREE.Vector2(((x - view.left) / view.width) * 2 - 1, 1 - ((y - view.top) / view.height) * 2);
  }
  ray(view: View, x: number, y: number): THREE.Raycaster {
    this.place(view);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(this.ndc(view, x, y), view.camera);
    return caster;
  }
  // Where a world point is on the canvas, in pixels.
  pixel(view: View, p: THREE.Vector3): [number, number] {
    this.place(view);
    const q = p.clone().project(view.camera);
    return [view.left + ((q.x + 1) / 2) * view.width, view.top + ((1 - q.y) / 2) * view.height];
  }

  private loop = () => {
    requestAnimationFrame(this.loop);
    if (!this.away && this.visible.some((v) => v.stale)) this.draw();
  };
  drawNow() {
    this.redraw();
    this.draw(true);
  }
  // What is drawn in this picture: everything, or what is looked at and half of the rest.
  private due(whole: boolean): View[] {
    if (!this.software) return this.visible; // its canvas is empty after each picture
    const all = this.visible.filter((v) => v.stale);
    // where pictures come seldom, all views show the same instant rather than a few more of them
    if (whole || this.bare || !this.sparing || this.slow || !this.stage.store.running) return all;
    return all.filter((v, i) => v.name === this.looked || this.visible.length === 1 || (i + this.drawn) % 2 === 0);
  }
  private clearGaps() {
    if (!this.bare && this.software) return;
    this.bare = false;
    const size = this.renderer.getSize(new THREE.Vector2());
    this.renderer.setScissor(0, 0, size.x, size.y);
    this.renderer.setClearColor(getComputedStyle(this.canvas).getPropertyValue('--line').trim() || '#888');
    this.renderer.clear();
  }
  private draw(whole = false) {
    const began = performance.now();
    this.beforeDraw();
    const height = this.canvas.clientHeight;
    const due = this.due(whole);
    this.clearGaps();
    for (const view of due) {
      view.stale = false;
      this.place(view);
      this.beforeView(view);
      const bottom = height - view.top - view.height;
      this.renderer.setViewport(view.left, bottom, view.width, view.height);
      this.renderer.setScissor(view.left, bottom, view.width, view.height);
      const flat = view.name !== 'camera';
      this.stage.grid.rotation.set(view.name === 'front' ? Math.PI / 2 : 0, 0, view.name === 'right' ? Math.PI / 2 : 0);
      // under what is looked at, in whole steps
      const cell = 10 * this.stage.gridStep;
      const [gx, gy, gz] = view.target.toArray().map((v) => Math.round(v / cell) * cell);
      this.stage.grid.position.set(view.name === 'right' ? 0 : gx, view.name === 'front' || view.name === 'right' ? gy : 0, view.name === 'front' ? 0 : gz);
      this.stage.forView(flat, flat ? null : this.through, view.camera.position);
      this.renderer.shadowMap.autoUpdate = !flat;
      if (!flat && this.stereo !== 'off') drawEyes(this, this.stage, view);
      else this.renderer.render(this.stage.scene, view.camera);
      if (!flat && this.through && !this.recording && !this.filming) this.drawInset(view, bottom);
      if (!flat && this.other && !this.recording) this.drawOther(view, this.other, bottom);
    }
    this.stage.forView(false);
    ++this.drawn;
    for (const done of this.afterPicture.splice(0)) done();
    this.onDrawn(performance.now() - began);
  }
}
