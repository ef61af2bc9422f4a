// Joints and connections in shape: coils, dampers, rods, axes.
import * as THREE from 'three';
import type { Joint, Store } from '../model/store';

const up = new THREE.Vector3(0, 1, 0);
const shared = {
  coil: coilGeometry(),
  rod: new THREE.CylinderGeometry(1, 1, 1, 12),
  ball: new THREE.SphereGeometry(1, 16, 12),
};

function coilGeometry(): THREE.BufferGeometry {
  class Coil extends THREE.Curve<THREE.Vector3> {
    // its constructor is protected in the types
    constructor() {
      super();
    }
    override getPoint(s: number, out = new THREE.Vector3()) {
      const turns = 9;
      const inside = Math.min(1, Math.max(0, (s - 0.08) / 0.84));
      const r = s < 0.08 || s > 0.92 ? 0 : 1;
      return out.set(r * Math.cos(inside * turns * 2 * Math.PI), s - 0.5, r * Math.sin(inside * turns * 2 * Math.PI));
    }
  }
  return new THREE.TubeGeometry(new Coil(), 220, 0.16, 6);
}

const looks = {
  spring: new THREE.MeshStandardMaterial({ color: 0xf59e0b, roughness: 0.35, metalness: 0.4 }),
  damper: new THREE.MeshStandardMaterial({ color: 0x38bdf8, roughness: 0.4, metalness: 0.3 }),
  rod: new THREE.MeshStandardMaterial({ color: 0x94a3b8, roughness: 0.35, metalness: 0.6 }),
  joint: new THREE.MeshStandardMaterial({ color: 0xe11d48, roughness: 0.45 }),
  picked: new THREE.MeshStandardMaterial({ color: 0x14b8a6, emissive: 0x0d9488, roughness: 0.4 }),
};

interface Piece {
  mesh: THREE.Mesh;
  from: number; // share of the way from a to b
  to: number;
  width: number;
  uniform?: boolean;
  look: THREE.Material;
}

export class LinkObject {
  readonly group = new THREE.Group();
  private pieces: Piece[] = [];
  private a = new THREE.Vector3();
  private b = new THREE.Vector3();

  constructor(
    readonly joint: Joint,
    size: number,
  ) {
    const w = 0.035 * size;
    const long = ['distance', 'spring', 'damper', 'rod', 'shock absorber', 'rope'].includes(joint.type);
    if (joint.type === 'spring') this.add('coil', 0, 1, 1.6 * w, looks.spring);
    else if (joint.type === 'damper') this.addDamper(w);
    else if (joint.type === 'shock absorber') {
      this.add('coil', 0.05, 0.95, 2.2 * w, looks.spring);
      this.addDamper(0.8 * w);
    } else if (long) this.add('rod', 0, 1, (joint.type === 'rope' ? 0.25 : 0.45) * w, looks.rod);
    else if (joint.type === 'hinge' || joint.type === 'slider' || joint.type === 'twist')
      this.add('rod', 0, 0, 0.9 * w, looks.joint);
    else this.add('ball', 0, 0, 1.1 * w, looks.joint);
    this.group.traverse((o) => (o.userData.joint = joint.name));
  }

  private add(kind: keyof typeof shared, from: number, to: number, width: number, look: THREE.Material) {
    const mesh = new THREE.Mesh<THREE.BufferGeometry, THREE.Material>(shared[kind], look);
    mesh.castShadow = true;
    this.pieces.push({ mesh, from, to, width, look, uniform: from === to });
    this.group.add(mesh);
  }
  private addDamper(w: number) {
    this.add('rod', 0, 0.6, 1.1 * w, looks.damper);
    this.add('rod', 0.35, 1, 0.5 * w, looks.rod);
  }

  highlight(picked: boolean) {
    for (const piece of this.pieces) piece.mesh.material = picked ? looks.picked : piece.look;
  }

  update(store: Store) {
    const place = (body: string, p: number[], out: THREE.Vector3) => {
      out.set(p[0], p[1], p[2]);
      if (body === 'world') return;
      const [x, y, z, qw, qx, qy, qz] = store.pose(body);
      out.applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw)).add(new THREE.Vector3(x, y, z));
    };
    const { joint } = this;
    place(joint.a, joint.pa, this.a);
    place(joint.b, joint.pb, this.b);
    const d = this.b.clone().sub(this.a);
    for (const piece of this.pieces) {
      const { mesh, width } = piece;
      if (piece.uniform) {
        mesh.position.copy(this.a);
        const [w, x, y, z] = joint.qa;
        const axis = new THREE.Vector3(1, 0, 0).applyQuaternion(new THREE.Quaternion(x, y, z, w));
        if (joint.a !== 'world') {
          const [, , , qw, qx, qy, qz] = store.pose(joint.a);
          axis.applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw));
        }
        mesh.quaternion.setFromUnitVectors(up, axis.normalize());
        mesh.scale.set(width, mesh.geometry === shared.rod ? 5 * width : width, width);
        continue;
      }
      const length = Math.max(1e-6, d.length());
      mesh.position.copy(this.a).addScaledVector(d, (piece.from + piece.to) / 2);
      mesh.quaternion.setFromUnitVectors(up, d.clone().divideScalar(length));
      mesh.scale.set(width, length * (piece.to - piece.from), width);
    }
  }
}
