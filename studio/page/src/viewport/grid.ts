// The squares that lengths are read from. They are drawn after the ground and before everything that stands on it,
// without depth: nothing flickers where they lie in one plane. Far away they fade, where they would only be noise.
import * as THREE from 'three';

const kHalf = 24; // squares from the middle to the edge
const kParts = 12; // of each half of a line, so that it can fade along its way

export function makeGrid(step: number, dark: boolean): THREE.LineSegments {
  const [middle, other] = [new THREE.Color(dark ? 0x3b4654 : 0xa9b4c0), new THREE.Color(dark ? 0x27303b : 0xcbd3db)];
  const places: number[] = [];
  const colors: number[] = [];
  const put = (x: number, z: number, color: THREE.Color) => {
    places.push(x * step, 0, z * step);
    const far = Math.min(1, Math.hypot(x, z) / kHalf);
    const left = 1 - THREE.MathUtils.smoothstep(far, 0.3, 1);
    colors.push(color.r, color.g, color.b, left);
  };
  for (let i = -kHalf; i <= kHalf; ++i) {
    const color = i === 0 ? middle : other;
    for (let k = -kParts; k < kParts; ++k) {
      const [from, to] = [(k * kHalf) / kParts, ((k + 1) * kHalf) / kParts];
      put(i, from, color);
      put(i, to, color);
      put(from, i, color);
      put(to, i, color);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
  // blended, yet with what is opaque: what is called transparent is drawn last
  const material = new THREE.LineBasicMaterial({ vertexColors: true, blending: THREE.CustomBlending, blendSrc: THREE.SrcAlphaFactor, blendDst: THREE.OneMinusSrcAlphaFactor, depthTest: false, depthWrite: false, toneMapped: false });
  const grid = new THREE.LineSegments(geometry, material);
  grid.renderOrder = -10;
  grid.frustumCulled = false;
  return grid;
}
