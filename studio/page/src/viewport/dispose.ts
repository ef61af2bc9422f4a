// What lies on the graphics card does not go with the objects that show it: it is given back here.
import type * as THREE from 'three';

const kept = new WeakSet<object>();
// Used by many objects, or by others that give it back themselves.
export function share<T extends object>(resource: T): T {
  kept.add(resource);
  return resource;
}
// Empties a group; geometries and materials that are not shared go with what used them.
export function emptied(group: THREE.Object3D) {
  group.traverse((object) => {
    const { geometry, material } = object as Partial<THREE.Mesh>;
    for (const resource of [geometry, material].flat()) if (resource && !kept.has(resource)) resource.dispose();
  });
  group.clear();
}
