// A scene of the gallery that runs in its card while somebody points at it or has come to it by Tab: four seconds,
// over and over. It has an engine of its own (another session of the server, another worker of the site), so that
// nothing of it touches the work. Whose system asks for little motion keeps the pictures that stand still.
import * as THREE from 'three';
import { type Answer, EngineLink } from '../link/link';
import { Store } from '../model/store';
import { h } from '../ui/dom';
import { seeThrough, shotAt } from '../viewport/cameras';
import { Stage } from '../viewport/stage';

const kSeconds = 4;
const kPatience_ms = 250; // pointers pass over many cards on their way to one
const kRest_ms = 20_000; // after that the engine goes

export class Preview {
  private store = new Store();
  private stage = new Stage(this.store);
  private canvas = h('canvas', { class: 'moving', 'aria-hidden': 'true' });
  private renderer: THREE.WebGLRenderer | null = null;
  private camera = new THREE.PerspectiveCamera(40);
  private link: EngineLink | null = null;
  private picture: HTMLElement | null = null;
  private wanted = '';
  private shown = ''; // of what the engine plays
  private timer = 0;
  private drawing = false;
  private little = matchMedia('(prefers-reduced-motion: reduce)');
  drawn = 0; // pictures so far

  constructor(
    private site: () => Answer,
    private software: () => boolean,
  ) {
    this.store.on('scene', () => this.build());
    this.store.on('frame', () => this.frame());
  }

  show(name: string, picture: HTMLElement) {
    if (this.little.matches || this.wanted === name) return;
    this.hide();
    this.wanted = name;
    this.picture = picture;
    this.timer = window.setTimeout(() => this.start(), kPatience_ms);
  }
  hide() {
    clearTimeout(this.timer);
    this.canvas.remove();
    if (this.wanted && this.link) void this.link.request('pause').catch(() => {});
    this.wanted = this.shown = '';
    this.picture = null;
    this.timer = window.setTimeout(() => this.close(), kRest_ms);
  }
  close() {
    clearTimeout(this.timer);
    this.canvas.remove();
    this.wanted = this.shown = '';
    this.link?.stop();
    this.link = null;
  }

  private start() {
    if (this.link) return void this.load();
    const lost = () => this.close(); // a picture that stands still says as much
    this.link = new EngineLink(this.site().transport, { message: (m) => this.store.take(m), frame: (f) => this.store.accept(f), open: () => void this.load(), lost }, this.site(), 'tenon.preview');
    this.link.start();
  }
  private async load() {
    const name = this.wanted;
    try {
      await this.link!.request('load', { gallery: name });
      if (this.wanted !== name) return;
      this.shown = name;
      await this.link!.request('play', { speed: 1 });
    } catch {
      // gone meanwhile, or it cannot run: the picture stays
    }
  }
  private async again() {
    const name = this.shown;
    this.shown = '';
    try {
      await this.link!.request('seek', { step: 0 });
      if (this.wanted === name) await this.link!.request('play', { speed: 1 });
    } catch {
      return;
    }
    if (this.wanted === name) this.shown = name;
  }

  private build() {
    if (!this.store.scene || this.store.scene.errors?.length) return;
    if (!this.renderer) {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !this.software() });
      this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
      this.renderer.shadowMap.enabled = !this.software();
      this.stage.sun.castShadow = !this.software();
      this.stage.light(this.renderer);
    }
    this.store.show.forces = false;
    this.stage.rebuild(false); // as bright as the pictures around it
    this.stage.grid.visible = false;
  }
  private frame() {
    const { store, shown } = this;
    if (!shown || shown !== this.wanted || store.scene?.name !== `${shown}.json`) return;
    if (store.frame!.time >= Math.min(kSeconds, store.scene.duration) - 1e-9) return void this.again();
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (this.shown === shown && this.renderer) this.draw();
    });
  }
  private draw() {
    const { picture, canvas, renderer, stage, camera } = this;
    if (!picture?.isConnected) return this.hide();
    const [w, hgt] = [picture.clientWidth, picture.clientHeight];
    if (canvas.width !== w || canvas.height !== hgt) renderer!.setSize(w, hgt, false);
    stage.move();
    this.aim(w / Math.max(1, hgt));
    stage.forView(false, shotAt(this.store, 0), camera.position);
    renderer!.render(stage.scene, camera);
    if (!canvas.isConnected) picture.append(canvas);
    ++this.drawn;
  }
  // By the scene's own camera, or where the studio would stand.
  private aim(aspect: number) {
    const { camera, store, stage } = this;
    const own = store.scene!.cameras.find((c) => !c.auto && c.name === shotAt(store, store.frame?.time ?? 0));
    const sight = own && seeThrough(own, store);
    const box = stage.centre;
    const target = sight?.target ?? box.getCenter(new THREE.Vector3());
    const far = 1.3 * Math.max(0.2, 0.72 * box.getSize(new THREE.Vector3()).length());
    const away = far / 2 / Math.tan(THREE.MathUtils.degToRad(20));
    camera.position.copy(sight?.position ?? new THREE.Vector3(0.54, 0.31, 0.78).multiplyScalar(away).add(target));
    camera.up.copy(sight?.up ?? new THREE.Vector3(0, 1, 0));
    const distance = Math.max(1e-3, camera.position.distanceTo(target));
    Object.assign(camera, { aspect, fov: sight ? THREE.MathUtils.radToDeg(sight.fov) : 40, near: distance / 200, far: 60 * distance + 100 });
    camera.lookAt(target);
    camera.updateProjectionMatrix();
  }
}
