// Bodies as three.js objects: geometry by shape, looks by material.
import * as THREE from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
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

export function makeGeometry(shape: Shape): THREE.BufferGeometry | null {
  switch (shape.type) {
    case 'sphere':
      return new THREE.SphereGeometry(shape.radius, 32, 20);
    case 'box':
      return new THREE.BoxGeometry(...shape.size!);
    case 'cylinder':
      return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.height, 40);
    case 'capsule':
      return new THREE.CapsuleGeometry(shape.radius, shape.length, 8, 28);
    case 'hull':
      return new ConvexGeometry(shape.points!.map((p) => new THREE.Vector3(...p)));
    default:
      return null;
  }
}

function makePlane(shape: Shape): THREE.Object3D {
  const normal = new THREE.Vector3(...(shape.normal ?? [0, 1, 0])).normalize();
  const mesh = new THREE.Mesh(
    new THREE.CircleGeometry(60, 64),
    new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0 }),
  );
  mesh.userData.ground = true;
  mesh.receiveShadow = true;
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
  mesh.position.copy(normal).multiplyScalar(shape.offset ?? 0);
  return mesh;
}

function makeMarker(radius: number, fixed: boolean): THREE.Object3D {
  const mesh = new THREE.Mesh(
    new THREE.OctahedronGeometry(radius),
    new THREE.MeshStandardMaterial({ color: fixed ? 0xd97706 : 0x0ea5e9, roughness: 0.4 }),
  );
  return mesh;
}

export function makeBody(body: Body, scene: Scene, small: number): THREE.Group {
  const group = new THREE.Group();
  group.name = body.name;
  const add = (object: THREE.Object3D) => {
    object.castShadow = !object.userData.ground;
    object.receiveShadow = true;
    group.add(object);
  };
  if (body.shape.type === 'plane') {
    add(makePlane(body.shape));
  } else if (body.shape.type === 'compound') {
    for (const part of body.shape.parts!) {
      const geometry = makeGeometry(part.shape);
      if (!geometry) continue;
      const look: Look | undefined = part.material ? scene.materials[part.material] : body.look;
      const mesh = new THREE.Mesh(geometry, makeLook(part.color && look ? { ...look, color: part.color } : look));
      mesh.position.set(...part.position);
      const [w, x, y, z] = part.orientation;
      mesh.quaternion.set(x, y, z, w);
      add(mesh);
    }
  } else {
    const geometry = makeGeometry(body.shape);
    if (geometry) add(new THREE.Mesh(geometry, makeLook(body.look)));
    else add(makeMarker(small, body.shape.type === 'fixed_point'));
  }
  group.traverse((object) => (object.userData.body = body.name));
  return group;
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
