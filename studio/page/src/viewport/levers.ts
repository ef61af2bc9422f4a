// Arms that nothing shows otherwise: from the middle of a body to a point of it that lies outside of its shape.
import * as THREE from 'three';
import type { Joint, Shape, Store } from '../model/store';

// Whether a point of the body frame lies clearly outside; false where that takes more than a few numbers to tell.
export function isOutside(shape: Shape, p: THREE.Vector3): boolean {
  const margin = 1.02;
  if (shape.size) return shape.size.some((s, i) => Math.abs(p.getComponent(i)) > (margin * s) / 2 + 1e-6);
  const around = Math.hypot(p.x, p.z);
  const r = margin * (shape.radius ?? 0) + 1e-6;
  if (shape.type === 'sphere') return p.length() > r;
  if (shape.type === 'cylinder') return around > r || Math.abs(p.y) > (margin * (shape.height ?? 0)) / 2 + 1e-6;
  if (shape.type === 'capsule') return Math.hypot(around, Math.max(0, Math.abs(p.y) - (shape.length ?? 0) / 2)) > r;
  if (shape.points) return p.length() > margin * Math.max(...shape.points.map((v) => Math.hypot(...v)));
  if (shape.parts?.length)
    return shape.parts.every((part) => {
      const q = new THREE.Quaternion(part.orientation[1], part.orientation[2], part.orientation[3], part.orientation[0]).invert();
      const local = p.clone().sub(new THREE.Vector3(...part.position)).applyQuaternion(q);
      return part.shape.type !== 'mesh' && isOutside(part.shape, local);
    });
  return (shape.type === 'point_mass' || shape.type === 'fixed_point') && p.length() > 1e-6;
}
// The arms of a joint: bodies, with their points.
export const leversOf = (store: Store, joint: Joint): { body: string; p: THREE.Vector3 }[] =>
  [
    { body: joint.a, p: new THREE.Vector3(...joint.pa) },
    { body: joint.b, p: new THREE.Vector3(...joint.pb) },
  ].filter(({ body, p }) => {
    const shape = store.body(body)?.shape;
    return shape !== undefined && store.body(body)!.motion !== 'static' && isOutside(shape, p);
  });
