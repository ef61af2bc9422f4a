// Bodies as three.js objects: geometry by shape, looks by material.
import * as THREE from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Body, Look, Scene, Shape } from '../model/store';

export function makeLook(look: Look | undefined): THREE.MeshStandardMaterial {
  const c = look?.color ?? [0.7, 0.7, 0.7];
  const transparency = look?.transparency ?? 0;
  return new THREE.MeshStandardMaterial({
    color: new THREE.Color().setRGB(c[0], c[1], c[2], THREE.SRGBColorSpace),
    roughness: Math.max(0.08, look?.roughness ?? 0.6),
    metalness: look?.metallic ?? 0,
    transparent: transparency > 0.02,
    opacity: 1 - 0.75 * transparency,
  });
}

function makeMesh(mesh: Scene['meshes'][number]): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute('position', new THREE.Float32BufferAttribute(mesh.vertices ?? [], 3));
  indexed.setIndex(mesh.triangles ?? []);
  return toCreasedNormals(indexed, 0.6);
}

// Hundreds of bodies are small in the picture: fewer triangles each, so that all of them together
// stay within what a machine without a graphics card draws in time.
const detailOf = (scene: Scene) => (scene.bodies.length > 300 ? 0.3 : scene.bodies.length > 100 ? 0.5 : 1);

export function makeGeometry(shape: Shape, scene: Scene): THREE.BufferGeometry | null {
  const detail = detailOf(scene);
  const parts = (n: number) => Math.max(6, Math.round(n * detail));
  switch (shape.type) {
    case 'sphere':
      return new THREE.SphereGeometry(shape.radius, parts(32), parts(20));
    case 'box':
      return new THREE.BoxGeometry(...shape.size!);
    case 'cylinder':
      return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.height, parts(40));
    case 'capsule':
      return new THREE.CapsuleGeometry(shape.radius, shape.length, Math.max(3, Math.round(8 * detail)), parts(28));
    case 'hull':
      return new ConvexGeometry(shape.points!.map((p) => new THREE.Vector3(...p)));
    case 'mesh':
      return shape.mesh! >= 0 ? makeMesh(scene.meshes[shape.mesh!]) : null;
    default:
      return null;
  }
}

// One piece of a body: what is drawn, where it is in the body's frame, and a key that pieces with the
// same geometry and look share, so that they are drawn in one go.
export interface Piece {
  key: string;
  geometry(): THREE.BufferGeometry;
  material(): THREE.Material;
  local: THREE.Matrix4;
  plain: boolean; // local is the identity
  ground: boolean;
  ball?: number; // radius of a sphere
}

function planePiece(shape: Shape): Piece {
  const normal = new THREE.Vector3(...(shape.normal ?? [0, 1, 0])).normalize();
  const q = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
  return {
    key: 'plane',
    geometry: () => new THREE.CircleGeometry(200, 64),
    material: () => new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0 }),
    local: new THREE.Matrix4().compose(normal.multiplyScalar(shape.offset ?? 0), q, new THREE.Vector3(1, 1, 1)),
    plain: false,
    ground: true,
  };
}
function solidPiece(shape: Shape, look: Look | undefined, local: THREE.Matrix4, small: number, scene: Scene): Piece {
  const marker = () => new THREE.OctahedronGeometry(small);
  const fixed = shape.type === 'fixed_point';
  const known = ['sphere', 'box', 'cylinder', 'capsule', 'hull', 'mesh'].includes(shape.type);
  return {
    key: JSON.stringify([shape, known ? look : 0]),
    geometry: () => makeGeometry(shape, scene) ?? marker(),
    material: () => (known ? makeLook(look) : new THREE.MeshStandardMaterial({ color: fixed ? 0xd97706 : 0x0ea5e9, roughness: 0.4 })),
    local,
    plain: local.equals(new THREE.Matrix4()),
    ground: false,
    ball: shape.type === 'sphere' ? shape.radius : undefined,
  };
}

export function makePieces(body: Body, scene: Scene, small: number): Piece[] {
  if (body.shape.type === 'plane') return [planePiece(body.shape)];
  if (body.shape.type !== 'compound') return [solidPiece(body.shape, body.look, new THREE.Matrix4(), small, scene)];
  return body.shape.parts!.map((part) => {
    const own: Look | undefined = part.material ? scene.materials[part.material] : body.look;
    const look = part.color && own ? { ...own, color: part.color } : own;
    const [w, x, y, z] = part.orientation;
    const local = new THREE.Matrix4().compose(new THREE.Vector3(...part.position), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1));
    return solidPiece(part.shape, look, local, small, scene);
  });
}

// Half of the height of a shape that stands upright, for putting it on something.
export function halfHeight(shape: Shape): number {
  switch (shape.type) {
    case 'sphere':
      return shape.radius!;
    case 'box':
      return shape.size![1] / 2;
    case 'cylinder':
      return shape.height! / 2;
    case 'capsule':
      return shape.length! / 2 + shape.radius!;
    default:
      return 0;
  }
}
