// Where the cameras of a scene are at an instant, as films have them (render/detail/cameras.cpp);
// smoothing, which looks ahead, is the film's alone.
import * as THREE from 'three';
import type { Camera, Store } from '../model/store';

export interface Sight {
  position: THREE.Vector3;
  target: THREE.Vector3;
  up: THREE.Vector3;
  fov: number; // rad, vertical
}
const vec = (v: number[]) => new THREE.Vector3(v[0], v[1], v[2]);

function smooth(t: number[], p: THREE.Vector3[], at: number): THREE.Vector3 {
  if (at <= t[0]) return p[0].clone();
  if (at >= t[t.length - 1]) return p[p.length - 1].clone();
  let i = 0;
  while (t[i + 1] <= at) ++i;
  const h = t[i + 1] - t[i];
  const s = (at - t[i]) / h;
  const slope = (k: number) => (k === 0 || k + 1 === t.length ? new THREE.Vector3() : p[k + 1].clone().sub(p[k - 1]).divideScalar(t[k + 1] - t[k - 1]));
  const [s2, s3] = [s * s, s * s * s];
  return p[i].clone().multiplyScalar(2 * s3 - 3 * s2 + 1)
    .addScaledVector(slope(i), (s3 - 2 * s2 + s) * h)
    .addScaledVector(p[i + 1], 3 * s2 - 2 * s3)
    .addScaledVector(slope(i + 1), (s3 - s2) * h);
}

export function seeThrough(camera: Camera, store: Store): Sight {
  const time = store.frame?.time ?? 0;
  const sight: Sight = { position: vec(camera.position), target: vec(camera.look_at), up: vec(camera.up), fov: camera.fov };
  const body = camera.body ? store.body(camera.body) : undefined;
  const [x, y, z, qw, qx, qy, qz] = body ? store.pose(camera.body) : [0, 0, 0, 1, 0, 0, 0];
  const at = new THREE.Vector3(x, y, z);
  if (camera.type === 'fixed' && body) sight.target = at;
  if (camera.type === 'orbit') {
    const centre = body ? at : sight.target;
    const begin = body ? vec(body.position) : sight.target;
    const turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), (2 * Math.PI * time) / camera.period);
    sight.position.sub(begin).applyQuaternion(turn).add(centre);
    sight.target = centre.clone();
  }
  if (camera.type === 'follow' && body) {
    sight.position.add(at).sub(vec(body.position));
    sight.target = at;
  }
  if (camera.type === 'mounted' && body) {
    const q = new THREE.Quaternion(qx, qy, qz, qw);
    if (camera.horizon) q.set(0, qy, 0, qw).normalize();
    sight.position.applyQuaternion(q).add(at);
    sight.target.applyQuaternion(q).add(at);
    if (camera.horizon) sight.up.set(0, 1, 0);
    else sight.up.applyQuaternion(q);
  }
  if (camera.type === 'path' && camera.keyframes.length) {
    const times = camera.keyframes.map((k) => k.t);
    sight.position = smooth(times, camera.keyframes.map((k) => vec(k.position)), time);
    sight.target = smooth(times, camera.keyframes.map((k) => vec(k.look_at)), time);
    sight.fov = smooth(times, camera.keyframes.map((k) => new THREE.Vector3(k.fov, 0, 0)), time).x;
  }
  return sight;
}

// The camera that the shots choose for an instant; null: the automatic one.
export function shotAt(store: Store, time: number): string | null {
  let name: string | null = store.scene?.cameras[0]?.name ?? null;
  for (const shot of store.scene?.shots ?? []) if (shot.t <= time + 1e-9) name = shot.camera;
  return name === 'auto' || store.scene?.cameras.find((c) => c.name === name)?.auto ? null : name;
}
