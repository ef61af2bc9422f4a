// What the graphics card computes for the replay page.
// Lighting: Lambert's law and the distribution of [Walter2007, eq. 33] for highlights, Fresnel by
// Schlick's approximation [Schlick1994, eq. 15]; the sky is a gradient that metals mirror.
#include "tenon/render/export/detail/replay_page.h"

namespace tenon::exports {

const char* const kReplayShaders = R"js(
const kVertex = `#version 300 es
layout(location=0) in vec3 aPoint;
layout(location=1) in vec3 aNormal;
layout(location=2) in vec4 aX;       // rows of the 3x4 matrix from the mesh to the world
layout(location=3) in vec4 aY;
layout(location=4) in vec4 aZ;
layout(location=5) in vec4 aColor;   // linear rgb, transparency
layout(location=6) in vec4 aSurface; // roughness, metallic, reflection, pattern
layout(location=7) in vec2 aPattern; // size, whether it is picked
uniform mat4 uView;
out vec3 vPoint, vNormal, vLocal;
flat out vec4 vColor, vSurface;
flat out vec2 vPattern;
void main() {
  vec4 p = vec4(aPoint, 1);
  vPoint = vec3(dot(aX, p), dot(aY, p), dot(aZ, p));
  vNormal = vec3(dot(aX.xyz, aNormal), dot(aY.xyz, aNormal), dot(aZ.xyz, aNormal));
  vLocal = aPoint;
  vColor = aColor; vSurface = aSurface; vPattern = aPattern;
  gl_Position = uView * vec4(vPoint, 1);
}`;

const kDepthFragment = `#version 300 es
precision mediump float;
flat in vec4 vColor;
void main() { if (vColor.a > 0.5) discard; }`;

const kSky = `
uniform float uSky;
vec3 sky(vec3 d) {
  float up = clamp(d.y, -1., 1.);
  vec3 low = vec3(.93, .91, .87), mid = vec3(.72, .82, .92), high = vec3(.40, .57, .80);
  return uSky * (up > 0. ? mix(mid, high, pow(up, .6)) : mix(mid, low * .75, pow(-up, .4)));
}
vec3 show(vec3 c) { // linear light as sRGB, with a soft shoulder
  c = c / (1. + .18 * max(c - .6, 0.));
  return mix(12.92 * c, 1.055 * pow(max(c, 0.), vec3(1. / 2.4)) - .055, step(.0031308, c));
}`;

const kFragment = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 vPoint, vNormal, vLocal;
flat in vec4 vColor, vSurface;
flat in vec2 vPattern;
uniform vec3 uEye, uToSun, uSun, uAmbient;
uniform vec4 uLamps[4];     // place, 1 if there is one
uniform vec3 uLampColors[4];
uniform mat4 uShadow;
uniform sampler2DShadow uDepth;
uniform float uShadows, uFar;
out vec4 color;
${kSky}
float hash(vec3 p) { p = fract(p * .3183099 + .1); p *= 17.; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float noise(vec3 x) {
  vec3 i = floor(x), f = fract(x); f = f * f * (3. - 2. * f);
  return mix(mix(mix(hash(i), hash(i + vec3(1,0,0)), f.x), mix(hash(i + vec3(0,1,0)), hash(i + vec3(1,1,0)), f.x), f.y),
             mix(mix(hash(i + vec3(0,0,1)), hash(i + vec3(1,0,1)), f.x), mix(hash(i + vec3(0,1,1)), hash(i + vec3(1,1,1)), f.x), f.y), f.z);
}
// checkered, averaged over the pixel so that far fields do not flicker
float checker(vec2 p) {
  vec2 w = max(abs(dFdx(p)), abs(dFdy(p))) + 1e-4;
  vec2 i = 2. * (abs(fract((p - .5 * w) * .5) - .5) - abs(fract((p + .5 * w) * .5) - .5)) / w;
  return .5 - .5 * i.x * i.y;
}
vec3 surface(float size) {
  vec3 c = vColor.rgb, p = vLocal / size;
  if (vSurface.w >= 10.) { // wood: year rings about an axis along the body and a little beside it
    p = vSurface.w == 10. ? p.yxz : vSurface.w == 12. ? p.xzy : p;
    float r = length(p.xz + vec2(2.3, 1.1) + .25 * vec2(noise(p * 1.3), noise(p * 1.3 + 7.)));
    float ring = .5 + .5 * sin(6.2832 * r * 1.5);
    return c * (.72 + .38 * ring * ring) * (.92 + .16 * noise(p * vec3(24., 1.5, 24.)));
  }
  if (vSurface.w == 2.) return c * (.72 + .3 * noise(p * 4.) + .2 * noise(p * 13.));
  if (vSurface.w == 3.) return c * (.9 + .2 * noise(p * vec3(2., 60., 2.)));
  if (vSurface.w == 5.) return mix(c, vec3(1), .35 * noise(p * 5.));
  if (vSurface.w == 6.) return c * mix(.84, 1., checker(vLocal.xz / size));
  return c;
}
float lit() {
  if (uShadows < .5) return 1.;
  vec4 s = uShadow * vec4(vPoint, 1);
  vec3 p = s.xyz / s.w * .5 + .5;
  if (any(lessThan(p, vec3(0))) || any(greaterThan(p, vec3(1)))) return 1.;
  float sum = 0., d = 1. / float(textureSize(uDepth, 0).x);
  for (int x = -1; x <= 1; x++) for (int y = -1; y <= 1; y++)
    sum += texture(uDepth, vec3(p.xy + d * 1.2 * vec2(x, y), p.z - .0012));
  return sum / 9.;
}
// what a smooth surface mirrors: the sky, and below it a ground that is darker than the haze at its
// end, without which metals would look like bubbles
vec3 around(vec3 d, vec3 ground) {
  return mix(sky(vec3(d.x, max(d.y, 0.), d.z)), ground, smoothstep(.02, -.12, d.y));
}
// light of one direction: diffuse and highlight
vec3 light(vec3 n, vec3 v, vec3 l, vec3 rgb, vec3 base, vec3 f0, float rough, float diffuse) {
  float nl = max(dot(n, l), 0.);
  if (nl <= 0.) return vec3(0);
  vec3 h = normalize(l + v);
  float nh = max(dot(n, h), 0.), a = max(rough * rough, .02), k = nh * nh * (a * a - 1.) + 1.;
  float d = a * a / (3.14159 * k * k);
  vec3 f = f0 + (1. - f0) * pow(1. - max(dot(h, v), 0.), 5.);
  return rgb * nl * (base * diffuse + f * d * .25 / max(.1, max(dot(n, v), nl)));
}
void main() {
  vec3 n = normalize(vNormal), v = normalize(uEye - vPoint);
  if (dot(n, v) < 0.) n = -n;
  vec3 base = surface(max(vPattern.x, 1e-6));
  float rough = vSurface.x, metal = vSurface.y;
  vec3 f0 = mix(vec3(vSurface.z), base, metal);
  float diffuse = (1. - metal) * (1. - .5 * vSurface.z) * (1. - .8 * vColor.a);
  vec3 sum = uAmbient * base * diffuse * (.75 + .25 * n.y);
  sum += light(n, v, uToSun, uSun * lit(), base, f0, rough, diffuse);
  for (int i = 0; i < 4; i++) {
    if (uLamps[i].w < .5) continue;
    vec3 d = uLamps[i].xyz - vPoint;
    sum += light(n, v, normalize(d), uLampColors[i] / max(dot(d, d), 1e-4), base, f0, rough, diffuse);
  }
  float grazing = pow(1. - max(dot(n, v), 0.), 5.);
  vec3 fill = uAmbient + .4 * uSun;
  // rough surfaces mirror all that is about them, more of it from above
  vec3 mirrored = mix(around(reflect(-v, n), .30 * fill), fill * (.55 + .45 * n.y), rough * .7);
  vec3 f = f0 + (max(vec3(1. - rough), f0) - f0) * grazing;
  sum += mirrored * f * (1. - .6 * rough);
  float alpha = 1. - .88 * vColor.a * (1. - grazing);
  if (vPattern.y > .5) sum = mix(sum, vec3(1., .55, .1), .35 + .3 * grazing);
  if (vSurface.w == 6.) { // the floor ends in the haze
    float far = clamp(length(vPoint - uEye) / uFar, 0., 1.);
    sum = mix(sum, sky(normalize(vPoint - uEye)), smoothstep(.25, 1., far));
  }
  color = vec4(show(sum), alpha);
}`;

const kSkyVertex = `#version 300 es
uniform mat4 uInverse;
uniform vec3 uEye;
out vec3 vRay;
void main() {
  vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1.;
  vec4 far = uInverse * vec4(p, 1, 1);
  vRay = far.xyz / far.w - uEye;
  gl_Position = vec4(p, 1, 1);
}`;
const kSkyFragment = `#version 300 es
precision highp float;
in vec3 vRay;
out vec4 color;
${kSky}
void main() { color = vec4(show(sky(normalize(vRay))), 1); }`;
)js";

}  // namespace tenon::exports
