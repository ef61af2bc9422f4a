// Places of bodies that connections, forces and measures snap to: middles, ends, poles, corners, middles
// of edges and sides; then lines: axes and edges. In a parallel view what is clicked lies in the
// middle plane of its body.
import * as THREE from 'three';
import type { Shape, Store } from '../model/store';
import { isCoarse } from '../ui/dom';
import type { View } from '../viewport/views';
import type { Pointer } from './pointer';

const kNear = isCoarse ? 26 : 13; // px, of points
const kBeside = isCoarse ? 12 : 6; // px, of lines
const kMost = 300; // corners of hulls that are looked at

export interface Spot {
  p: THREE.Vector3;
  what: 'center' | 'end' | 'pole' | 'corner' | 'edge' | 'side' | 'axis';
}
interface Places {
  spots: Spot[];
  lines: { a: THREE.Vector3; b: THREE.Vector3; what: 'axis' | 'edge' }[];
}
const vec = (x: number, y: number, z: number) => new THREE.Vector3(x, y, z);

function boxPlaces([sx, sy, sz]: number[]): Places {
  const half = [sx / 2, sy / 2, sz / 2];
  const out: Places = { spots: [], lines: [] };
  const longest = half.indexOf(Math.max(...half));
  const rod = half.every((v, i) => i === longest || 2.5 * v <= half[longest]);
  for (const i of [-1, 0, 1])
    for (const j of [-1, 0, 1])
      for (const k of [-1, 0, 1]) {
        const s = [i, j, k];
        const n = s.filter((v) => v !== 0).length;
        if (n === 0) continue;
        const what = n === 3 ? 'corner' : n === 2 ? 'edge' : rod && s[longest] !== 0 ? 'end' : 'side';
        out.spots.push({ p: vec(i * half[0], j * half[1], k * half[2]), what });
        // the edge through its middle
        const along = s.indexOf(0);
        if (n !== 2) continue;
        const e = vec(0, 0, 0).setComponent(along, half[along]);
        const middle = vec(i * half[0], j * half[1], k * half[2]);
        out.lines.push({ a: middle.clone().sub(e), b: middle.clone().add(e), what: 'edge' });
      }
  if (rod) {
    const e = vec(0, 0, 0).setComponent(longest, half[longest]);
    out.lines.push({ a: e.clone().negate(), b: e, what: 'axis' });
  }
  return out;
}
// Round about y; `side` is where its outline is seen.
function roundPlaces(radius: number, half: number, cap: number, side: THREE.Vector3): Places {
  const out: Places = { spots: [], lines: [{ a: vec(0, -half - cap, 0), b: vec(0, half + cap, 0), what: 'axis' }] };
  for (const s of [-1, 1]) {
    out.spots.push({ p: vec(0, s * half, 0), what: 'end' });
    if (cap) out.spots.push({ p: vec(0, s * (half + cap), 0), what: 'pole' });
    for (const r of [side.clone(), vec(-side.z, 0, side.x)]) {
      out.spots.push({ p: r.clone().multiplyScalar(s * radius), what: 'side' });
      if (!cap) for (const u of [-1, 1]) out.spots.push({ p: r.clone().multiplyScalar(s * radius).setY(u * half), what: 'edge' });
    }
  }
  return out;
}
// In the frame of the body; way: where the view looks, in the same.
function localPlaces(shape: Shape, way: THREE.Vector3, axes: THREE.Vector3[]): Places {
  const out: Places = { spots: [{ p: vec(0, 0, 0), what: 'center' }], lines: [] };
  const add = (more: Places) => (out.spots.push(...more.spots), out.lines.push(...more.lines));
  const side = vec(way.z, 0, -way.x);
  if (side.lengthSq() < 1e-6) side.set(1, 0, 0);
  side.normalize();
  if (shape.size) add(boxPlaces(shape.size));
  else if (shape.type === 'cylinder') add(roundPlaces(shape.radius ?? 0, (shape.height ?? 0) / 2, 0, side));
  else if (shape.type === 'capsule') add(roundPlaces(shape.radius ?? 0, (shape.length ?? 0) / 2, shape.radius ?? 0, side));
  else if (shape.type === 'sphere') for (const e of axes) for (const s of [-1, 1]) out.spots.push({ p: e.clone().multiplyScalar(s * (shape.radius ?? 0)), what: 'pole' });
  else if (shape.points) for (const p of shape.points.slice(0, kMost)) out.spots.push({ p: vec(...p), what: 'corner' });
  for (const part of shape.parts ?? []) {
    const q = new THREE.Quaternion(part.orientation[1], part.orientation[2], part.orientation[3], part.orientation[0]);
    const back = q.clone().invert();
    const at = (p: THREE.Vector3) => p.applyQuaternion(q).add(vec(...part.position));
    const inner = localPlaces(part.shape, way.clone().applyQuaternion(back), axes.map((e) => e.clone().applyQuaternion(back)));
    add({ spots: inner.spots.map((s) => ({ ...s, p: at(s.p) })), lines: inner.lines.map((l) => ({ ...l, a: at(l.a), b: at(l.b) })) });
  }
  return out;
}
function places(store: Store, body: string, view?: View): Places {
  const shape = store.body(body)?.shape;
  if (!shape || shape.type === 'plane') return { spots: [], lines: [] };
  const [x, y, z, qw, qx, qy, qz] = store.pose(body);
  const q = new THREE.Quaternion(qx, qy, qz, qw);
  const back = q.clone().invert();
  const way = (view ? view.camera.getWorldDirection(vec(0, 0, 0)) : vec(0, 0, -1)).applyQuaternion(back);
  const local = localPlaces(shape, way, [vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)].map((e) => e.applyQuaternion(back)));
  const at = (p: THREE.Vector3) => p.applyQuaternion(q).add(vec(x, y, z));
  return { spots: local.spots.map((s) => ({ ...s, p: at(s.p) })), lines: local.lines.map((l) => ({ ...l, a: at(l.a), b: at(l.b) })) };
}
export const snapPoints = (store: Store, body: string): THREE.Vector3[] => places(store, body).spots.map((s) => s.p);

// What is meant by a place on a body: a point near it on the screen, the one nearest to the middle
// where several lie behind each other; else a line; else the place itself.
export function spotAt(tools: Pointer, body: string, point: THREE.Vector3, view: View, loose = false): { p: THREE.Vector3; what?: Spot['what'] } {
  const { spots, lines } = places(tools.store, body, view);
  if (!spots.length) return { p: point };
  const middle = spots[0].p;
  const [x, y] = tools.views.pixel(view, point);
  const flat = view.name !== 'camera';
  const way = view.camera.getWorldDirection(vec(0, 0, 0));
  // parallel views: in the plane of the middle
  const level = (p: THREE.Vector3) => (flat ? p.clone().addScaledVector(way, middle.clone().sub(p).dot(way)) : p.clone());
  if (loose) return { p: level(point) };
  const hidden = (p: THREE.Vector3) => !flat && p !== middle && p.clone().sub(point).dot(way) > 0.01 * view.span;
  const depth = (p: THREE.Vector3) => Math.abs(p.clone().sub(middle).dot(way));
  let best: { spot: Spot; score: number } | null = null;
  for (const spot of spots) {
    const [px, py] = tools.views.pixel(view, spot.p);
    const far = Math.hypot(px - x, py - y);
    if (far > kNear || hidden(spot.p)) continue;
    const score = Math.round(far / 3) - (spot.p === middle ? 1 : 0) + (flat ? 0.01 * Math.min(1, depth(spot.p) / view.span) : 0);
    if (!best || score < best.score - 1e-9) best = { spot, score };
  }
  if (best) return { p: level(best.spot.p), what: best.spot.what };
  let line: { p: THREE.Vector3; what: Spot['what']; far: number } | null = null;
  for (const { a, b, what } of lines) {
    const [[ax, ay], [bx, by]] = [tools.views.pixel(view, a), tools.views.pixel(view, b)];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    if (length < 1) continue;
    const share = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    const far = Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
    const p = a.clone().lerp(b, share);
    if (far > kBeside || (what === 'edge' && hidden(p)) || (line && far >= line.far)) continue;
    line = { p, what, far };
  }
  return line ? { p: level(line.p), what: line.what } : { p: level(point) };
}
export const meant = (tools: Pointer, body: string, point: THREE.Vector3, view: View) => spotAt(tools, body, point, view).p;
