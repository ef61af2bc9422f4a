// What is not there, drawn all the same: forces, contacts, trails, ghosts of other takes, distances,
// cameras, limits of joints.
import * as THREE from 'three';
import type { Force, Store } from '../model/store';
import { seeThrough } from './cameras';
import { emptied, share } from './dispose';

const up = new THREE.Vector3(0, 1, 0);
const shaft = share(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
const head = share(new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0));
const dot = share(new THREE.SphereGeometry(1, 12, 8));

// Forces span many decades: arrows grow with the logarithm.
export const arrowLength = (newtons: number, size: number) => 0.1 * size * Math.log10(1 + newtons);
export const arrowForce = (length: number, size: number) => Number((10 ** Math.min(9, length / (0.1 * size)) - 1).toPrecision(2));

export class Arrow {
  readonly group = new THREE.Group();
  private shaft: THREE.Mesh;
  private head: THREE.Mesh;
  constructor(material: THREE.Material) {
    this.shaft = new THREE.Mesh(shaft, material);
    this.head = new THREE.Mesh(head, material);
    this.group.add(this.shaft, this.head);
  }
  set(from: THREE.Vector3, along: THREE.Vector3, width: number) {
    const length = along.length();
    this.group.visible = length > 1e-9;
    if (!this.group.visible) return;
    this.group.position.copy(from);
    this.group.quaternion.setFromUnitVectors(up, along.clone().divideScalar(length));
    const tip = Math.min(0.4 * length, 5 * width);
    this.shaft.scale.set(width, length - tip, width);
    this.head.scale.set(2.6 * width, tip, 2.6 * width);
    this.head.position.set(0, length - tip, 0);
  }
}

const ink = (color: number, opacity = 1) => new THREE.MeshBasicMaterial({ color, transparent: opacity < 1, opacity, depthTest: false });
const looks = { on: ink(0xf97316), off: ink(0xf97316, 0.35), picked: ink(0x14b8a6), contact: ink(0xfacc15), camera: new THREE.LineBasicMaterial({ color: 0x60a5fa }), cameraPicked: new THREE.LineBasicMaterial({ color: 0x14b8a6 }) };
Object.values(looks).forEach(share);

export class Overlays {
  readonly group = new THREE.Group();
  private forces = new THREE.Group();
  private touches = new THREE.Group();
  private trails = new THREE.Group();
  private ghosts = new THREE.Group();
  private cameras = new THREE.Group();
  private measures = new THREE.Group();
  private arrows: { force: Force; arrow: Arrow }[] = [];
  private frustums: { name: string; lines: THREE.LineSegments }[] = [];
  size = 1;
  reach = 1; // that arrows are measured by: of what can move, not of its ground

  constructor(
    private store: Store,
    private geometryOf: (body: string) => { geometry: THREE.BufferGeometry; local: THREE.Matrix4 }[],
  ) {
    this.group.add(this.forces, this.touches, this.trails, this.ghosts, this.cameras, this.measures);
    this.group.renderOrder = 8;
  }

  rebuild(size: number, reach: number) {
    this.size = size;
    this.reach = reach;
    emptied(this.forces);
    this.arrows = [];
    for (const force of this.store.scene?.forces ?? []) {
      const arrow = new Arrow(looks.on);
      arrow.group.traverse((o) => (o.userData.force = force.name));
      this.arrows.push({ force, arrow });
      this.forces.add(arrow.group);
    }
    emptied(this.cameras);
    this.frustums = [];
    for (const camera of this.store.scene?.cameras ?? []) {
      if (camera.auto) continue;
      const h = Math.tan(camera.fov / 2);
      const w = (16 / 9) * h;
      const c = [[-w, -h], [w, -h], [w, h], [-w, h]].map(([x, y]) => new THREE.Vector3(x, y, -1));
      const o = new THREE.Vector3();
      const points = [...c.flatMap((p) => [o, p]), ...c.flatMap((p, i) => [p, c[(i + 1) % 4]]), new THREE.Vector3(-0.3 * w, h, -1), new THREE.Vector3(0, 1.4 * h, -1), new THREE.Vector3(0.3 * w, h, -1), new THREE.Vector3(0, 1.4 * h, -1)];
      const lines = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), looks.camera);
      lines.scale.setScalar(0.14 * Math.min(4, size));
      lines.userData.camera = camera.name;
      lines.frustumCulled = false;
      this.cameras.add(lines);
      this.frustums.push({ name: camera.name, lines });
    }
    this.rebuildGhost();
  }

  // Where a force acts and along what, now; null: not drawn.
  private placeForce(f: Force): { at: THREE.Vector3; along: THREE.Vector3 } {
    const [x, y, z, qw, qx, qy, qz] = this.store.pose(f.body);
    const q = new THREE.Quaternion(qx, qy, qz, qw);
    const at = new THREE.Vector3(...(f.point ?? [0, 0, 0])).applyQuaternion(q).add(new THREE.Vector3(x, y, z));
    const along = new THREE.Vector3(...f.force);
    let newtons = along.length();
    if (f.toward) {
      const there = new THREE.Vector3(...(f.toward.point ?? [0, 0, 0]));
      if (this.store.body(f.toward.body)) {
        const [bx, by, bz, bw, b1, b2, b3] = this.store.pose(f.toward.body);
        there.applyQuaternion(new THREE.Quaternion(b1, b2, b3, bw)).add(new THREE.Vector3(bx, by, bz));
      }
      along.copy(there.sub(at)).multiplyScalar(Math.sign(f.magnitude ?? 1));
      newtons = Math.abs(f.magnitude ?? 0);
    } else if (newtons === 0) {
      along.set(...f.torque);
      newtons = along.length();
      if (f.frame === 'body') along.applyQuaternion(q);
    } else if (f.frame === 'body') along.applyQuaternion(q);
    return { at, along: along.normalize().multiplyScalar(arrowLength(newtons, this.reach)) };
  }

  move() {
    const { store } = this;
    const time = store.frame?.time ?? 0;
    const picked = store.selectionKind === 'force' ? store.selection[0] : null;
    const pickedBodies = store.selectionKind === 'body' ? store.selection : [];
    for (const { force, arrow } of this.arrows) {
      const acts = time >= force.from - 1e-9 && (force.until === undefined || time < force.until);
      const shown = picked === force.name || (store.show.forces && (acts || pickedBodies.includes(force.body)));
      const { at, along } = this.placeForce(force);
      arrow.set(at, along, 0.012 * Math.min(3, this.size));
      arrow.group.visible = arrow.group.visible && shown;
      arrow.group.traverse((o) => {
        if (o instanceof THREE.Mesh) o.material = picked === force.name ? looks.picked : acts ? looks.on : looks.off;
      });
    }
    const pickedCamera = store.selectionKind === 'camera' ? store.selection[0] : null;
    for (const { name, lines } of this.frustums) {
      const camera = store.scene?.cameras.find((c) => c.name === name);
      if (!camera) continue;
      const sight = seeThrough(camera, store);
      const m = new THREE.Matrix4().lookAt(sight.position, sight.target, sight.up);
      lines.position.copy(sight.position);
      lines.quaternion.setFromRotationMatrix(m);
      lines.material = name === pickedCamera ? looks.cameraPicked : looks.camera;
    }
    this.moveGhost();
  }
  // Cameras do not see themselves, nor does who stands where one is or looks over its shoulder.
  forView(through: string | null, flat: boolean, eye: THREE.Vector3 | null) {
    for (const { name, lines } of this.frustums) lines.visible = name !== through && (flat || (through === null && !(eye && this.isBehind(eye, lines))));
  }
  private isBehind(eye: THREE.Vector3, lines: THREE.LineSegments): boolean {
    const way = lines.position.clone().sub(eye);
    const distance = way.length();
    if (distance < 4 * lines.scale.x) return true;
    return way.dot(new THREE.Vector3(0, 0, -1).applyQuaternion(lines.quaternion)) > Math.cos(0.25) * distance;
  }

  showContacts(contacts: { point: number[]; force: number[] }[]) {
    emptied(this.touches);
    const r = 0.01 * Math.min(3, this.size);
    for (const { point, force } of contacts.slice(0, 400)) {
      const mark = new THREE.Mesh(dot, looks.contact);
      mark.position.set(point[0], point[1], point[2]);
      mark.scale.setScalar(r);
      const arrow = new Arrow(looks.contact);
      const along = new THREE.Vector3(force[0], force[1], force[2]);
      arrow.set(mark.position, along.normalize().multiplyScalar(arrowLength(Math.hypot(...force), this.reach)), 0.5 * r);
      this.touches.add(mark, arrow.group);
    }
  }
  showTrails(trails: Float32Array[]) {
    emptied(this.trails);
    trails.forEach((points, i) => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(points, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: [0x14b8a6, 0xf59e0b, 0x60a5fa, 0xe11d48][i % 4] }));
      line.frustumCulled = false;
      this.trails.add(line);
    });
  }

  private rebuildGhost() {
    emptied(this.ghosts);
  }
  private moveGhost() {
    const ghost = this.store.split === null ? this.store.ghost : null; // seen beside, not over it
    this.ghosts.visible = !!ghost?.poses;
    if (!ghost?.poses) return void emptied(this.ghosts);
    if (this.ghosts.children.length === 0) {
      const look = new THREE.MeshBasicMaterial({ color: 0x38bdf8, transparent: true, opacity: 0.28, depthWrite: false });
      ghost.names.forEach((name, index) => {
        const body = this.store.body(name);
        if (!body || body.motion === 'static') return;
        const group = new THREE.Group();
        group.userData.index = index;
        for (const { geometry, local } of this.geometryOf(name)) {
          const mesh = new THREE.Mesh(geometry, look);
          mesh.matrixAutoUpdate = false;
          mesh.matrix.copy(local);
          group.add(mesh);
        }
        this.ghosts.add(group);
      });
    }
    for (const group of this.ghosts.children) {
      const i = 7 * group.userData.index;
      if (i + 7 > ghost.poses.length) continue;
      const p = ghost.poses;
      group.position.set(p[i], p[i + 1], p[i + 2]);
      group.quaternion.set(p[i + 4], p[i + 5], p[i + 6], p[i + 3]);
    }
  }
  forgetGhost() {
    emptied(this.ghosts);
  }

  // A dimension line between two points.
  showDistance(a: THREE.Vector3 | null, b: THREE.Vector3 | null) {
    emptied(this.measures);
    if (!a || !b) return;
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([a, b]), new THREE.LineBasicMaterial({ color: 0xe879f9, depthTest: false }));
    line.frustumCulled = false;
    this.measures.add(line);
    for (const p of [a, b]) {
      const end = new THREE.Mesh(dot, ink(0xe879f9));
      end.position.copy(p);
      end.scale.setScalar(0.008 * Math.min(3, this.size));
      this.measures.add(end);
    }
  }
}
