// Looks for machines without a graphics card: light is found at the corners of triangles and only
// mixed between them, so that a pixel costs next to nothing. The same light as that of matt surfaces
// in three.js: Lambert's law, the filmic curve, sRGB.
import * as THREE from 'three';

const kLamps = 4; // of the scene; more are left out

// Shared by all plain looks of a stage; set once per change of the scene, the fog once per view.
export const plainLight = {
  sunWay: { value: new THREE.Vector3(0, 1, 0) },
  sun: { value: new THREE.Color() },
  sky: { value: new THREE.Color() },
  soil: { value: new THREE.Color() },
  lampAt: { value: Array.from({ length: kLamps }, () => new THREE.Vector3()) },
  lamp: { value: Array.from({ length: kLamps }, () => new THREE.Color(0, 0, 0)) },
  lamps: { value: 0 },
  exposure: { value: 1 },
  haze: { value: new THREE.Color() },
  hazeFrom: { value: 1 },
  hazeTo: { value: 0 }, // not beyond hazeFrom: no haze
};

const vertexShader = /* glsl */ `
uniform vec3 color, sunWay, sun, sky, soil, haze;
uniform vec3 lampAt[${kLamps}], lamp[${kLamps}];
uniform int lamps;
uniform float exposure, hazeFrom, hazeTo, radius;
varying vec3 shade;

// the filmic curve of THREE.ACESFilmicToneMapping, then sRGB with the square root for its power
vec3 developed(vec3 c) {
  const mat3 toFilm = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
  const mat3 fromFilm = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
  vec3 v = toFilm * (c * (exposure / 0.6));
  v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
  return pow(clamp(fromFilm * v, 0.0, 1.0), vec3(0.4545));
}

void main() {
#ifdef BALL
  // a ball looks the same from everywhere: the half that is seen, turned to the viewer
  vec3 c = (viewMatrix * (modelMatrix * instanceMatrix)[3]).xyz;
  vec3 toward = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-c);
  vec3 x = normalize(vec3(toward.z, 0.0, -toward.x));
  vec3 m = position.x * x + position.y * cross(toward, x) + position.z * toward;
  vec3 n = m * mat3(viewMatrix);
  vec4 at = (modelMatrix * instanceMatrix)[3] + vec4(radius * n, 0.0);
  vec4 seen = vec4(c + radius * m, 1.0);
#else
  vec4 at = modelMatrix * (instanceMatrix * vec4(position, 1.0));
  vec3 n = mat3(modelMatrix) * (mat3(instanceMatrix) * normal);
  vec4 seen = viewMatrix * at;
#endif
  vec3 light = mix(soil, sky, 0.5 * n.y + 0.5) + sun * max(0.0, dot(n, sunWay));
  for (int i = 0; i < lamps; ++i) {
    vec3 d = lampAt[i] - at.xyz;
    light += lamp[i] * max(0.0, dot(n, d)) / max(1e-6, dot(d, d) * length(d));
  }
  gl_Position = projectionMatrix * seen;
  shade = developed(color * light * 0.31831);
  if (hazeTo > hazeFrom) shade = mix(shade, haze, smoothstep(hazeFrom, hazeTo, -seen.z));
}`;
const fragmentShader = /* glsl */ `
uniform float opacity;
varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, opacity);
}`;

export class PlainLook extends THREE.ShaderMaterial {
  // radius: of a ball that is drawn by half of it, as halfBall makes it
  constructor(color: THREE.Color, opacity: number, radius: number | null) {
    super({
      vertexShader,
      fragmentShader,
      defines: radius === null ? {} : { BALL: '' },
      uniforms: { ...plainLight, color: { value: color.clone() }, opacity: { value: opacity }, radius: { value: radius ?? 0 } },
      transparent: opacity < 1,
      toneMapped: false,
      fog: false,
    });
  }
  get color(): THREE.Color {
    return this.uniforms.color.value;
  }
}

// Half of a ball of radius one, to the viewer (+z): a few triangles instead of hundreds.
export function halfBall(corners: number, rings: number): THREE.BufferGeometry {
  const at = [0, 0, 1];
  const index: number[] = [];
  for (let ring = 1; ring <= rings; ++ring) {
    const polar = (ring / rings) * (Math.PI / 2);
    for (let i = 0; i < corners; ++i) {
      const around = (2 * Math.PI * i) / corners;
      at.push(Math.sin(polar) * Math.cos(around), Math.sin(polar) * Math.sin(around), Math.cos(polar));
      const [a, b] = [1 + (ring - 1) * corners + i, 1 + (ring - 1) * corners + ((i + 1) % corners)];
      if (ring === 1) index.push(0, a, b);
      else index.push(a - corners, a, b, a - corners, b, b - corners);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(at, 3));
  geometry.setIndex(index);
  return geometry;
}

// What the lights of the stage are, for the looks above. Colours are linear.
export function setPlainLight(sun: THREE.DirectionalLight, hemi: THREE.HemisphereLight, others: THREE.Object3D[], exposure: number) {
  plainLight.sunWay.value.copy(sun.position).sub(sun.target.position).normalize();
  plainLight.sun.value.copy(sun.color).multiplyScalar(sun.visible ? sun.intensity : 0);
  plainLight.sky.value.copy(hemi.color).multiplyScalar(hemi.intensity);
  plainLight.soil.value.copy(hemi.groundColor).multiplyScalar(hemi.intensity);
  plainLight.exposure.value = exposure;
  for (const light of others) {
    if (!(light instanceof THREE.AmbientLight)) continue;
    for (const term of [plainLight.sky, plainLight.soil]) term.value.add(light.color.clone().multiplyScalar(light.intensity));
  }
  const lamps = others.filter((o): o is THREE.PointLight => o instanceof THREE.PointLight);
  plainLight.lamps.value = Math.min(kLamps, lamps.length);
  for (let i = 0; i < kLamps; ++i) {
    plainLight.lampAt.value[i].copy(lamps[i]?.position ?? new THREE.Vector3());
    plainLight.lamp.value[i].copy(lamps[i]?.color ?? new THREE.Color(0)).multiplyScalar(lamps[i]?.intensity ?? 0);
  }
}
// Distance dims in perspective only; the haze is mixed in as it is seen, not as light.
export function setHaze(fog: THREE.Fog | null) {
  plainLight.hazeFrom.value = fog?.near ?? 1;
  plainLight.hazeTo.value = fog?.far ?? 0;
  if (fog) plainLight.haze.value.copy(fog.color).convertLinearToSRGB();
}
