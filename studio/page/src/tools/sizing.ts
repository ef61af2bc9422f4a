// Rules of sizes: which handles a shape has, and what becomes of the shape when one is pulled. Lengths
// are in the frame of the body. No DOM, no picture: model/ and tests can use it.
import type { Shape, Vec } from '../model/store';

export interface Handle {
  axis: 0 | 1 | 2;
  side: 1 | -1;
}
export interface Pull {
  handle: Handle;
  by: number; // m, outwards
  both: boolean; // the opposite side goes along
  even: boolean; // in proportion
}
export interface Sized {
  shape: Shape; // of the same type, with the new lengths
  shift: Vec; // of the middle
}
const kLeast = 1e-4; // m

const bounds = (points: Vec[]) => [0, 1, 2].map((i) => [Math.min(...points.map((p) => p[i])), Math.max(...points.map((p) => p[i]))]);

// Where the handles are: half of the extent along each axis, none where there is no size to change.
export function extentOf(shape: Shape): { low: Vec; high: Vec } | null {
  const even = (x: number, y: number, z: number) => ({ low: [-x, -y, -z] as Vec, high: [x, y, z] as Vec });
  const r = shape.radius ?? 0;
  switch (shape.type) {
    case 'box':
      return even(shape.size![0] / 2, shape.size![1] / 2, shape.size![2] / 2);
    case 'sphere':
      return even(r, r, r);
    case 'cylinder':
      return even(r, shape.height! / 2, r);
    case 'capsule':
      return even(r, shape.length! / 2 + r, r);
    case 'hull': {
      const b = bounds(shape.points!);
      return { low: b.map((x) => x[0]) as Vec, high: b.map((x) => x[1]) as Vec };
    }
    default:
      return null;
  }
}

// Boxes, hulls, heights and lengths grow on the side that is pulled; what is round keeps its middle.
export function pulled(shape: Shape, { handle, by, both, even }: Pull): Sized {
  const { low, high } = extentOf(shape)!;
  const { axis, side } = handle;
  const extent = high[axis] - low[axis];
  const round = shape.type === 'sphere' || ((shape.type === 'cylinder' || shape.type === 'capsule') && axis !== 1);
  const grown = Math.max(kLeast, extent + (both || round ? 2 : 1) * by);
  const f = grown / extent;
  const scales: Vec = even ? [f, f, f] : [1, 1, 1];
  scales[axis] = f;
  const shift: Vec = [0, 0, 0];
  if (!both && !round) shift[axis] = (side * (grown - extent)) / 2;
  if (shape.type === 'hull') return pulledHull(shape, scales, handle, both);
  return { shape: scaled(shape, scales, axis, grown), shift };
}
function scaled(shape: Shape, scales: Vec, axis: number, grown: number): Shape {
  const tidy = (x: number) => Number(Math.max(kLeast, x).toFixed(6));
  const across = axis === 1 ? scales[0] : scales[axis]; // of what is round
  switch (shape.type) {
    case 'box':
      return { ...shape, size: shape.size!.map((x, i) => tidy(x * scales[i])) as Vec };
    case 'sphere':
      return { ...shape, radius: tidy(grown / 2) };
    case 'cylinder':
      return { ...shape, radius: tidy(shape.radius! * across), height: tidy(shape.height! * scales[1]) };
    default: {
      // a capsule's length is between the centres of its caps
      const radius = tidy(shape.radius! * across);
      const whole = (shape.length! + 2 * shape.radius!) * scales[1];
      return { ...shape, radius, length: axis === 1 ? tidy(whole - 2 * radius) : tidy(shape.length! * scales[1]) };
    }
  }
}
// The points move themselves; the side opposite the handle stays.
function pulledHull(shape: Shape, scales: Vec, handle: Handle, both: boolean): Sized {
  const { low, high } = extentOf(shape)!;
  const fixed = low.map((l, i) => (both || i !== handle.axis ? (l + high[i]) / 2 : handle.side > 0 ? l : high[i]));
  const points = shape.points!.map((p) => p.map((x, i) => Number((fixed[i] + (x - fixed[i]) * scales[i]).toFixed(6))) as Vec);
  return { shape: { ...shape, points }, shift: [0, 0, 0] };
}
// Lengths that differ, as keys of the shape in the document.
export function changedKeys(before: Shape, after: Shape): [string, unknown][] {
  return (['size', 'radius', 'height', 'length', 'points'] as const).filter((k) => JSON.stringify(before[k]) !== JSON.stringify(after[k])).map((k) => [k, after[k]]);
}
export function describeSize(shape: Shape): string {
  const e = extentOf(shape);
  return e ? e.high.map((x, i) => (x - e.low[i]).toFixed(3)).join(' × ') + ' m' : '';
}
