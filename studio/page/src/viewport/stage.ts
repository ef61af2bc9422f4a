// The scene as objects: made anew when the scene changes, moved by frames. Writes nothing back.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import type { Scene, Store } from '../model/store';
import { emptied, share } from './dispose';
import { makeGrid } from './grid';
import { LinkObject } from './links';
import { Overlays } from './overlays';
import { PlainLook, halfBall, setHaze, setPlainLight } from './plain';
import { type Piece, makePieces } from './shapes';

const hoverLook = share(new THREE.MeshBasicMaterial({ color: 0xfbbf24, transparent: true, opacity: 0.45, depthTest: false, depthWrite: false }));
const kSky = 0.55; // light from everywhere
// Reused: hundreds of bodies are placed for every picture.
const unit = { X: new THREE.Matrix4(), Y: new THREE.Matrix4(), one: new THREE.Vector3(1, 1, 1), none: new THREE.Vector3(0, 0, 0) };

// The shape itself, whatever stands for it in the picture.
const solidOf = (mesh: THREE.InstancedMesh): THREE.BufferGeometry => share(mesh.userData.solid ?? mesh.geometry);

// A body: its pose, and the places of its pieces among the instances that are drawn.
class BodyObject {
  readonly position = new THREE.Vector3();
  readonly quaternion = new THREE.Quaternion();
  readonly pieces: { piece: Piece; mesh: THREE.InstancedMesh; index: number }[] = [];
  glow: THREE.Group | null = null;
  hidden = false;

  place() {
    unit.X.compose(this.position, this.quaternion, this.hidden ? unit.none : unit.one);
    for (const { piece, mesh, index } of this.pieces) {
      if (piece.plain) unit.X.toArray(mesh.instanceMatrix.array, 16 * index);
      else unit.Y.multiplyMatrices(unit.X, piece.local).toArray(mesh.instanceMatrix.array, 16 * index);
    }
    this.glow?.position.copy(this.position);
    this.glow?.quaternion.copy(this.quaternion);
  }
  box(): THREE.Box3 {
    const box = new THREE.Box3();
    const m = new THREE.Matrix4();
    for (const { piece, mesh, index } of this.pieces) {
      if (piece.ground) continue;
      solidOf(mesh).computeBoundingBox();
      mesh.getMatrixAt(index, m);
      box.union(solidOf(mesh).boundingBox!.clone().applyMatrix4(m));
    }
    return box;
  }
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly bodies = new THREE.Group();
  readonly links = new THREE.Group();
  readonly overlay = new THREE.Group(); // rubber bands, previews
  readonly grid = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private hemi = new THREE.HemisphereLight(0xffffff, 0x64748b, kSky);
  private linkObjects: LinkObject[] = [];
  private byName = new Map<string, BodyObject>();
  private inOrder: BodyObject[] = [];
  private glows = new THREE.Group();
  private fog = new THREE.Fog(0, 1, 2);
  extent = new THREE.Box3();
  private moving = new THREE.Box3(); // of what can move
  size = 1;
  private shown = -1;

  readonly overlays: Overlays;
  private sceneLights = new THREE.Group();

  constructor(readonly store: Store) {
    this.overlays = new Overlays(store, (name) => this.byName.get(name)?.pieces.filter((p) => !p.piece.ground).map(({ piece, mesh }) => ({ geometry: solidOf(mesh), local: piece.local })) ?? []);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.bodies, this.glows, this.hovers, this.links, this.overlay, this.overlays.group, this.sceneLights, this.grid, this.sun, this.sun.target, this.hemi);
  }

  light(renderer: THREE.WebGLRenderer) {
    if (!this.room) {
      const generator = new THREE.PMREMGenerator(renderer);
      this.room = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      generator.dispose();
    }
    this.scene.environment = this.room;
    this.scene.environmentIntensity = 0.45;
  }
  private room: THREE.Texture | null = null;

  // For machines without a graphics card: light without a room that mirrors.
  plain() {
    this.isPlain = true;
    this.scene.environment = null;
    this.hemi.intensity = 1.6;
    this.dullMetals();
  }
  // As ever again; without building where the scene is built anew anyway.
  fine(renderer: THREE.WebGLRenderer, build = true) {
    this.isPlain = false;
    this.hemi.intensity = kSky;
    this.light(renderer);
    if (build) this.rebuild(this.dark);
  }
  private dark = false;
  isPlain = false;
  // Matt surfaces: metal with nothing to mirror would be black, and light is found per corner.
  private dullMetals() {
    setPlainLight(this.sun, this.hemi, this.sceneLights.children, 1.05);
    for (const mesh of this.bodies.children as THREE.InstancedMesh[]) {
      const look = mesh.material as THREE.MeshStandardMaterial;
      if (look instanceof PlainLook) continue;
      const { ball } = mesh.userData;
      mesh.material = new PlainLook(look.color, look.opacity, ball ?? null);
      look.dispose();
      if (!ball) continue;
      // drawn by half; picked and measured whole
      const many = this.inOrder.length > 300;
      mesh.userData.solid = mesh.geometry;
      mesh.geometry = halfBall(many ? 10 : 20, many ? 2 : 4);
      mesh.raycast = (caster, hits) => {
        const half = mesh.geometry;
        mesh.geometry = solidOf(mesh);
        THREE.InstancedMesh.prototype.raycast.call(mesh, caster, hits);
        mesh.geometry = half;
      };
    }
  }

  theme(dark: boolean) {
    this.dark = dark;
    this.scene.background = new THREE.Color(dark ? 0x151a21 : 0xe8edf2);
    this.fog.color.copy(this.scene.background);
    this.fog.near = 5 * this.size;
    this.fog.far = 40 * this.size + 20;
    this.bodies.traverse((object) => {
      if (!(object instanceof THREE.InstancedMesh) || !object.userData.ground) return;
      (object.material as THREE.MeshStandardMaterial).color.set(dark ? 0x232a34 : 0xdfe5ea);
    });
    emptied(this.grid);
    const step = 10 ** Math.round(Math.log10(Math.max(1e-3, this.size)) - 0.8);
    this.grid.add(makeGrid(step, dark));
    this.gridStep = step;
  }
  gridStep = 1;

  rebuild(dark: boolean) {
    const scene = this.store.scene;
    if (!scene) return;
    this.bodies.traverse((o) => {
      if (!(o instanceof THREE.InstancedMesh)) return;
      o.geometry.dispose();
      solidOf(o).dispose();
      (o.material as THREE.Material).dispose();
      o.dispose();
    });
    this.bodies.clear();
    emptied(this.links);
    emptied(this.glows);
    emptied(this.hovers);
    this.byName.clear();
    this.inOrder = [];
    this.linkObjects = [];
    this.extent.makeEmpty();
    this.makeBodies(scene);
    this.move();
    this.moving.makeEmpty();
    const sizes = new Map<string, number>();
    for (const body of scene.bodies) {
      const box = this.byName.get(body.name)!.box();
      const size = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
      if (size > 0) sizes.set(body.name, size);
      if (!size || size >= 500) continue;
      this.extent.union(box);
      if (body.motion !== 'static') this.moving.union(box);
    }
    if (this.extent.isEmpty()) this.extent.set(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1));
    this.size = Math.max(0.2, this.extent.getSize(new THREE.Vector3()).length());
    const small = Math.min(1.6, Math.max(0.15, 0.35 * this.size));
    for (const joint of scene.joints) {
      const least = Math.min(small, ...[joint.a, joint.b].map((n) => 1.6 * (sizes.get(n) ?? Infinity))); // no symbol hides its bodies
      const object = new LinkObject(joint, least, 0.5 * this.size);
      this.linkObjects.push(object);
      this.links.add(object.group);
    }
    const stir = this.moving.isEmpty() ? this.size : Math.max(0.3, this.moving.getSize(new THREE.Vector3()).length());
    this.overlays.rebuild(this.size, Math.min(this.size, 1.5 * stir));
    this.aimSun();
    this.lightScene();
    this.theme(dark);
    if (this.isPlain) this.dullMetals();
    this.highlight();
    this.shown = scene.scene;
    this.move();
  }

  // Pieces that look alike are one draw call.
  private makeBodies(scene: Scene) {
    const alike = new Map<string, { piece: Piece; body: string }[]>();
    for (const body of scene.bodies) {
      this.byName.set(body.name, new BodyObject());
      this.inOrder.push(this.byName.get(body.name)!);
      for (const piece of makePieces(body, scene, 0.04)) {
        if (!alike.has(piece.key)) alike.set(piece.key, []);
        alike.get(piece.key)!.push({ piece, body: body.name });
      }
    }
    for (const members of alike.values()) {
      const { piece } = members[0];
      const mesh = new THREE.InstancedMesh(piece.geometry(), piece.material(), members.length);
      mesh.frustumCulled = false;
      mesh.castShadow = !piece.ground;
      if (piece.ground) mesh.renderOrder = -20; // then the grid, then what stands on it
      mesh.receiveShadow = true;
      mesh.userData = { ground: piece.ground, ball: piece.ball, bodies: members.map((m) => m.body) };
      members.forEach((m, index) => this.byName.get(m.body)!.pieces.push({ piece: m.piece, mesh, index }));
      this.bodies.add(mesh);
    }
  }
  // Distance dims in perspective only: parallel views look from far away.
  forView(flat: boolean, through: string | null = null, eye: THREE.Vector3 | null = null) {
    this.overlays.forView(through, flat, eye);
    this.scene.fog = flat ? null : this.fog;
    setHaze(flat ? null : this.fog);
    for (const mesh of this.bodies.children) if (mesh.userData.ground) mesh.visible = !flat;
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

  // Lights of the scene instead of the usual sun.
  private lightScene() {
    emptied(this.sceneLights);
    const lights = this.store.scene!.lights;
    const sun = lights.find((l) => l.type === 'sun');
    this.sun.visible = lights.length === 0 || !!sun;
    this.sun.color.setRGB(...(sun?.color ?? [1, 1, 1]), THREE.SRGBColorSpace);
    this.sun.intensity = 2.2 * (sun?.intensity ?? 1);
    if (sun) {
      const way = new THREE.Vector3(...sun.direction).normalize().multiplyScalar(-1.6 * (0.75 * this.size + 0.5));
      this.sun.position.copy(this.sun.target.position).add(way);
    }
    for (const light of lights) {
      const color = new THREE.Color().setRGB(...light.color, THREE.SRGBColorSpace);
      if (light.type === 'ambient') this.sceneLights.add(new THREE.AmbientLight(color, 0.8 * light.intensity));
      if (light.type !== 'point') continue;
      const lamp = new THREE.PointLight(color, 8 * light.intensity, 0, 2);
      lamp.position.set(...light.position);
      const bulb = new THREE.Mesh(new THREE.SphereGeometry(0.02 * Math.min(3, this.size), 12, 8), new THREE.MeshBasicMaterial({ color }));
      bulb.position.copy(lamp.position);
      this.sceneLights.add(lamp, bulb);
    }
  }

  // Of everything, where it is now.
  extentNow(): THREE.Box3 {
    const all = new THREE.Box3();
    for (const object of this.inOrder) {
      const box = object.hidden ? null : object.box();
      if (box && !box.isEmpty() && box.getSize(new THREE.Vector3()).length() < 500) all.union(box);
    }
    return all.isEmpty() ? this.extent : all;
  }
  // What is to be seen at first: everything; what moves, where that is a speck on its ground.
  get centre(): THREE.Box3 {
    const [all, part] = [this.extent, this.moving].map((box) => box.getSize(new THREE.Vector3()).length());
    return this.moving.isEmpty() || all < 3.5 * part ? this.extent : this.moving.clone().expandByScalar(0.15 * part);
  }

  object(name: string) {
    return this.byName.get(name);
  }

  // Puts everything where the last frame has it.
  move() {
    const scene = this.store.scene;
    if (!scene) return;
    const frame = this.store.frame;
    const poses = frame && frame.scene === scene.scene && frame.poses.length >= 7 * scene.bodies.length ? frame.poses : null;
    for (let i = 0; i < this.inOrder.length; ++i) {
      const object = this.inOrder[i];
      const p: ArrayLike<number> = poses ?? this.store.pose(scene.bodies[i].name);
      const k = poses ? 7 * i : 0;
      object.position.set(p[k], p[k + 1], p[k + 2]);
      object.quaternion.set(p[k + 4], p[k + 5], p[k + 6], p[k + 3]);
      object.place();
    }
    this.placed();
    for (const link of this.linkObjects) link.update(this.store);
    this.overlays.move();
  }

  // Instances have been moved: to the card, and picking looks anew.
  placed() {
    for (const mesh of this.bodies.children as THREE.InstancedMesh[]) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  highlight() {
    emptied(this.glows);
    for (const [name, object] of this.byName) {
      const hidden = this.store.hidden.has(name);
      if (hidden === object.hidden) continue;
      object.hidden = hidden;
      object.place();
      this.placed();
    }
    const picked = this.store.selectedBodies.filter((n) => !this.store.hidden.has(n));
    for (const object of this.byName.values()) object.glow = null;
    for (const name of picked) {
      const object = this.byName.get(name);
      if (!object) continue;
      object.glow = new THREE.Group();
      for (const { piece, mesh } of object.pieces) {
        if (piece.ground) continue;
        const edges = new THREE.LineSegments(
          new THREE.EdgesGeometry(solidOf(mesh), 25),
          new THREE.LineBasicMaterial({ color: 0x2dd4bf, depthTest: false, transparent: true }),
        );
        const glow = new THREE.Mesh(
          solidOf(mesh),
          new THREE.MeshBasicMaterial({ color: 0x2dd4bf, transparent: true, opacity: 0.22, depthWrite: false }),
        );
        for (const copy of [edges, glow]) {
          copy.matrixAutoUpdate = false;
          copy.matrix.copy(piece.local).scale(new THREE.Vector3(1.004, 1.004, 1.004));
          copy.renderOrder = 5;
          object.glow.add(copy);
        }
      }
      this.glows.add(object.glow);
      object.place();
    }
    this.overlays.move();
    const joint = this.store.selectionKind === 'joint' ? this.store.selection[0] : null;
    for (const link of this.linkObjects) {
      const { name, a, b } = link.joint;
      link.highlight(name === joint, this.store.show.joints);
      if (name !== joint && (this.store.hidden.has(a) || this.store.hidden.has(b))) link.group.visible = false;
    }
  }

  // What the pointer is over in the tree shines in all views.
  hover(names: string[]) {
    emptied(this.hovers);
    for (const name of names.slice(0, 60)) {
      const object = this.byName.get(name);
      if (!object || object.hidden) continue;
      for (const { piece, mesh, index } of object.pieces) {
        if (piece.ground) continue;
        const shine = new THREE.Mesh(solidOf(mesh), hoverLook);
        shine.matrixAutoUpdate = false;
        mesh.getMatrixAt(index, shine.matrix);
        shine.renderOrder = 6;
        this.hovers.add(shine);
      }
    }
  }
  private hovers = new THREE.Group();

  get sceneShown() {
    return this.shown;
  }
}
