// Joints and connections in shape: coils, dampers, rods, axes.
import * as THREE from 'three';
import type { Joint, Store } from '../model/store';
import { share } from './dispose';
import { leversOf } from './levers';

const up = new THREE.Vector3(0, 1, 0);
const shared = {
  rod: share(new THREE.CylinderGeometry(1, 1, 1, 12)),
  ball: share(new THREE.SphereGeometry(1, 16, 12)),
};

// Of height 1 and radius 1, for coils that are so many radii long: wire stays round however far it is
// pulled. As many as there are different proportions, to a fifth.
const coils = new Map<string, THREE.BufferGeometry>();
function coilGeometry(turns: number, slender: number): THREE.BufferGeometry {
  const step = Math.round(4 * Math.log2(Math.min(400, Math.max(0.5, slender))));
  const key = `${turns} ${step}`;
  if (coils.has(key)) return coils.get(key)!;
  const length = 2 ** (step / 4);
  class Coil extends THREE.Curve<THREE.Vector3> {
    // its constructor is protected in the types
    constructor() {
      super();
    }
    override getPoint(s: number, out = new THREE.Vector3()) {
      const inside = Math.min(1, Math.max(0, (s - 0.08) / 0.84));
      const r = s < 0.06 || s > 0.94 ? 0 : Math.min(1, (s - 0.06) / 0.02, (0.94 - s) / 0.02);
      return out.set(r * Math.cos(inside * turns * 2 * Math.PI), (s - 0.5) * length, r * Math.sin(inside * turns * 2 * Math.PI));
    }
  }
  const wire = Math.min(0.2, (0.3 * length) / turns);
  const geometry = share(new THREE.TubeGeometry(new Coil(), 20 * turns, wire, 6).scale(1, 1 / length, 1));
  coils.set(key, geometry);
  return geometry;
}

const kTurns = 10;
// as the film has them (render/detail/stage_links.cpp)
const metal = (grey: number, metalness = 0.35) => new THREE.MeshStandardMaterial({ color: new THREE.Color(grey, grey, grey), roughness: 0.3, metalness });
const looks = {
  spring: metal(0.45),
  case: metal(0.05),
  piston: metal(0.75),
  rod: metal(0.35),
  rope: new THREE.MeshStandardMaterial({ color: new THREE.Color().setRGB(0.55, 0.42, 0.26, THREE.SRGBColorSpace), roughness: 0.9 }),
  joint: new THREE.MeshStandardMaterial({ color: 0xe11d48, roughness: 0.45 }),
  lever: new THREE.MeshStandardMaterial({ color: 0xe11d48, roughness: 0.6, transparent: true, opacity: 0.6 }),
  picked: new THREE.MeshStandardMaterial({ color: 0x14b8a6, emissive: 0x0d9488, roughness: 0.4 }),
};
Object.values(looks).forEach(share);
type Kind = 'coil' | 'rod' | 'ball' | 'rope';

interface Piece {
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  kind: Kind;
  // of what goes from a to b, m: where it begins and ends by its length and that at rest
  span: ((length: number, rest: number) => [number, number]) | null;
  width: number; // m, or times the radius of the link
  look: THREE.Material;
}

export class LinkObject {
  readonly group = new THREE.Group();
  private pieces: Piece[] = [];
  private levers: { body: string; p: THREE.Vector3; mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material> }[] | null = null;
  private rest = 0; // m
  private radius = 0; // m
  private sagged = '';
  private a = new THREE.Vector3();
  private b = new THREE.Vector3();

  // size: of symbols; extent: of the scene
  constructor(
    readonly joint: Joint,
    size: number,
    private extent = size,
  ) {
    const w = 0.035 * size;
    this.lever = 0.25 * w;
    const whole = (length: number): [number, number] => [0, length];
    const { type } = joint;
    if (type === 'spring' || type === 'shock absorber') this.add('coil', whole, 1, looks.spring);
    if (type === 'damper' || type === 'shock absorber') this.addDamper(type === 'damper' ? 0.8 : 0.5);
    else if (type === 'rod' || type === 'distance') this.add('rod', whole, 1, looks.rod);
    else if (type === 'rope') this.add('rope', whole, 1, looks.rope);
    else if (type === 'hinge' || type === 'slider' || type === 'twist') this.add('rod', null, 0.9 * w, looks.joint);
    else if (type !== 'spring' && type !== 'gear') this.add('ball', null, 1.1 * w, looks.joint);
    this.group.traverse((o) => (o.userData.joint = joint.name));
  }
  private lever: number;

  private add(kind: Kind, span: Piece['span'], width: number, look: THREE.Material) {
    const geometry = kind === 'coil' ? coilGeometry(kTurns, 10) : kind === 'rope' ? new THREE.BufferGeometry() : shared[kind];
    const mesh = new THREE.Mesh<THREE.BufferGeometry, THREE.Material>(geometry, look);
    mesh.castShadow = true;
    this.pieces.push({ mesh, kind, span, width, look });
    this.group.add(mesh);
  }
  // A case on the one end, a rod that goes into it on the other.
  private addDamper(width: number) {
    const box = (length: number, rest: number) => Math.min(0.55 * rest, length);
    this.add('rod', (length, rest) => [0, box(length, rest)], width, looks.case);
    this.add('rod', (length, rest) => [0.5 * box(length, rest), length], 0.45 * width, looks.piston);
  }

  // Symbols may be hidden; springs, rods and levers are things.
  highlight(picked: boolean, symbols: boolean) {
    for (const piece of this.pieces) piece.mesh.visible = picked || symbols || piece.span !== null;
    for (const piece of this.pieces) piece.mesh.material = picked ? looks.picked : piece.look;
    for (const { mesh } of this.levers ?? []) mesh.material = picked ? looks.picked : looks.lever;
  }

  update(store: Store) {
    const { joint } = this;
    const place = (body: string, p: THREE.Vector3, out: THREE.Vector3) => {
      out.copy(p);
      if (body === 'world') return out;
      const [x, y, z, qw, qx, qy, qz] = store.pose(body);
      return out.applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw)).add(new THREE.Vector3(x, y, z));
    };
    place(joint.a, new THREE.Vector3(...joint.pa), this.a);
    place(joint.b, new THREE.Vector3(...joint.pb), this.b);
    const d = this.b.clone().sub(this.a);
    const length = Math.max(1e-6, d.length());
    if (!this.rest) {
      this.rest = Math.max(joint.length ?? length, 1e-6 * this.extent);
      const thin = joint.type === 'rod' || joint.type === 'rope' || joint.type === 'distance';
      this.radius = Math.min((thin ? 0.015 : 0.05) * this.extent, Math.max((thin ? 0.015 : 0.07) * this.rest, 0.003 * this.extent));
    }
    const along = d.divideScalar(length);
    for (const piece of this.pieces) {
      const { mesh } = piece;
      if (piece.kind === 'rope') this.hang(mesh, length);
      else if (piece.span) {
        const [from, to] = piece.span(length, this.rest);
        this.stretch(mesh, this.a, along, from, to, piece.width * this.radius);
        if (piece.kind === 'coil') mesh.geometry = coilGeometry(kTurns, (to - from) / this.radius);
      } else this.symbol(piece, store);
    }
    this.levers ??= leversOf(store, joint).map(({ body, p }) => {
      const mesh = new THREE.Mesh<THREE.BufferGeometry, THREE.Material>(shared.rod, looks.lever);
      mesh.userData.joint = joint.name;
      this.group.add(mesh);
      return { body, p, mesh };
    });
    for (const { body, p, mesh } of this.levers) {
      const from = place(body, new THREE.Vector3(), new THREE.Vector3());
      const arm = place(body, p, new THREE.Vector3()).sub(from);
      const far = Math.max(1e-6, arm.length());
      this.stretch(mesh, from, arm.divideScalar(far), 0, far, this.lever);
    }
  }
  private stretch(mesh: THREE.Mesh, a: THREE.Vector3, along: THREE.Vector3, from: number, to: number, width: number) {
    mesh.position.copy(a).addScaledVector(along, (from + to) / 2);
    mesh.quaternion.setFromUnitVectors(up, along);
    mesh.scale.set(width, Math.max(1e-6, to - from), width);
  }
  // At the frame of a, along its x.
  private symbol({ mesh, width, kind }: Piece, store: Store) {
    const { joint } = this;
    mesh.position.copy(this.a);
    const [w, x, y, z] = joint.qa;
    const axis = new THREE.Vector3(1, 0, 0).applyQuaternion(new THREE.Quaternion(x, y, z, w));
    if (joint.a !== 'world') {
      const [, , , qw, qx, qy, qz] = store.pose(joint.a);
      axis.applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw));
    }
    mesh.quaternion.setFromUnitVectors(up, axis.normalize());
    mesh.scale.set(width, kind === 'rod' ? 5 * width : width, width);
  }
  // Taut: straight. Slack: a parabola of its length, s = sqrt(3/8 (L - d) d), that hangs down.
  private hang(mesh: THREE.Mesh, length: number) {
    const key = [...this.a.toArray(), ...this.b.toArray()].map((v) => v.toFixed(4)).join();
    if (key === this.sagged) return;
    this.sagged = key;
    const slack = Math.max(0, this.rest - length);
    const sag = slack < 1e-6 * this.rest ? 0 : Math.min(Math.sqrt(0.375 * slack * Math.max(length, 0.3 * this.rest)), 0.5 * this.rest);
    const parts = sag > 0 ? 24 : 1;
    const points = Array.from({ length: parts + 1 }, (_, i) => {
      const s = i / parts;
      const p = this.a.clone().lerp(this.b, s);
      p.y -= 4 * s * (1 - s) * sag;
      return p;
    });
    mesh.geometry.dispose();
    mesh.geometry = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), parts, this.radius, 6);
  }
}
