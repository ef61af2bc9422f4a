// The scene as objects: made anew when the scene changes, moved by frames. Writes nothing back.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import type { Store } from '../model/store';
import { LinkObject } from './links';
import { makeBody } from './shapes';

export class Stage {
  readonly scene = new THREE.Scene();
  readonly bodies = new THREE.Group();
  readonly links = new THREE.Group();
  readonly overlay = new THREE.Group(); // rubber bands, previews
  readonly grid = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private hemi = new THREE.HemisphereLight(0xffffff, 0x64748b, 0.55);
  private linkObjects: LinkObject[] = [];
  private byName = new Map<string, THREE.Group>();
  private outlines = new Map<string, THREE.Object3D>();
  extent = new THREE.Box3();
  size = 1;
  private shown = -1;

  constructor(private store: Store) {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.bodies, this.links, this.overlay, this.grid, this.sun, this.sun.target, this.hemi);
  }

  light(renderer: THREE.WebGLRenderer) {
    const generator = new THREE.PMREMGenerator(renderer);
    this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.45;
    generator.dispose();
  }

  theme(dark: boolean) {
    this.scene.background = new THREE.Color(dark ? 0x151a21 : 0xe8edf2);
    this.scene.fog = null;
    this.bodies.traverse((object) => {
      if (!(object instanceof THREE.Mesh) || !object.userData.ground) return;
      (object.material as THREE.MeshStandardMaterial).color.set(dark ? 0x232a34 : 0xdfe5ea);
    });
    this.grid.clear();
    const step = 10 ** Math.round(Math.log10(Math.max(1e-3, this.size)) - 0.8);
    const grid = new THREE.GridHelper(40 * step, 40, dark ? 0x3b4654 : 0xa9b4c0, dark ? 0x27303b : 0xcbd3db);
    grid.position.y = 0.0005 * this.size;
    this.grid.add(grid);
    this.gridStep = step;
  }
  gridStep = 1;

  rebuild(dark: boolean) {
    const scene = this.store.scene;
    if (!scene) return;
    const dispose = (root: THREE.Object3D) =>
      root.traverse((o) => {
        if (o instanceof THREE.Mesh && root !== this.links) o.geometry.dispose();
      });
    dispose(this.bodies);
    this.bodies.clear();
    this.links.clear();
    this.byName.clear();
    this.linkObjects = [];
    this.outlines.clear();
    this.extent.makeEmpty();
    for (const body of scene.bodies) {
      if (body.shape.type === 'plane') continue;
      this.extent.expandByPoint(new THREE.Vector3(...body.position));
    }
    for (const body of scene.bodies) {
      const object = makeBody(body, scene, 0.04);
      this.bodies.add(object);
      this.byName.set(body.name, object);
    }
    this.move();
    const box = new THREE.Box3();
    for (const body of scene.bodies) {
      if (body.shape.type === 'plane') continue;
      box.setFromObject(this.byName.get(body.name)!);
      if (!box.isEmpty() && box.getSize(new THREE.Vector3()).length() < 500) this.extent.union(box);
    }
    if (this.extent.isEmpty()) this.extent.set(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1));
    this.size = Math.max(0.2, this.extent.getSize(new THREE.Vector3()).length());
    const small = Math.min(1.6, Math.max(0.15, 0.35 * this.size));
    for (const joint of scene.joints) {
      const object = new LinkObject(joint, small);
      this.linkObjects.push(object);
      this.links.add(object.group);
    }
    this.aimSun();
    this.theme(dark);
    this.highlight();
    this.shown = scene.scene;
    this.move();
  }

  private aimSun() {
    const centre = this.extent.getCenter(new THREE.Vector3());
    const r = 0.75 * this.size + 0.5;
    this.sun.position.copy(centre).add(new THREE.Vector3(0.55, 1.25, 0.75).multiplyScalar(1.6 * r));
    this.sun.target.position.copy(centre);
    const camera = this.sun.shadow.camera;
    Object.assign(camera, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * r, far: 6 * r });
    camera.updateProjectionMatrix();
  }

  object(name: string) {
    return this.byName.get(name);
  }

  // Puts everything where the last frame has it.
  move() {
    const scene = this.store.scene;
    if (!scene) return;
    for (const body of scene.bodies) {
      const [x, y, z, qw, qx, qy, qz] = this.store.pose(body.name);
      const object = this.byName.get(body.name);
      if (!object) continue;
      object.position.set(x, y, z);
      object.quaternion.set(qx, qy, qz, qw);
    }
    for (const link of this.linkObjects) link.update(this.store);
  }

  highlight() {
    const picked = new Set(this.store.selectionKind === 'body' ? this.store.selection : []);
    for (const [name, outline] of this.outlines) {
      if (picked.has(name)) continue;
      outline.removeFromParent();
      this.outlines.delete(name);
    }
    for (const name of picked) {
      const object = this.byName.get(name);
      if (!object || this.outlines.has(name)) continue;
      const group = new THREE.Group();
      object.traverse((o) => {
        if (!(o instanceof THREE.Mesh) || o.userData.ground) return;
        const edges = new THREE.LineSegments(
          new THREE.EdgesGeometry(o.geometry, 25),
          new THREE.LineBasicMaterial({ color: 0x2dd4bf, depthTest: false, transparent: true }),
        );
        const glow = new THREE.Mesh(
          o.geometry,
          new THREE.MeshBasicMaterial({ color: 0x2dd4bf, transparent: true, opacity: 0.22, depthWrite: false }),
        );
        for (const copy of [edges, glow]) {
          copy.position.copy(o.position);
          copy.quaternion.copy(o.quaternion);
          copy.scale.setScalar(1.004);
          copy.renderOrder = 5;
          copy.raycast = () => {};
          group.add(copy);
        }
      });
      object.add(group);
      this.outlines.set(name, group);
    }
    const joint = this.store.selectionKind === 'joint' ? this.store.selection[0] : null;
    for (const link of this.linkObjects) link.highlight(link.joint.name === joint);
  }

  get sceneShown() {
    return this.shown;
  }
}
