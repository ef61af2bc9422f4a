#include "tenon/render/trace/surface.h"

namespace tenon::render {
namespace {

constexpr float kPiF2 = 3.14159265f;

V3 schlick(const V3& mirror, float c) {
  const float s = std::clamp(1 - c, 0.0f, 1.0f), s2 = s * s;
  return mirror + (s2 * s2 * s) * (V3{1, 1, 1} - mirror);
}

// Smith's masking of GGX for a direction with this cosine: 1 / (1 + Lambda).
float masking(float c, float alpha) {
  const float c2 = std::max(c * c, 1e-8f), tan2 = (1 - std::min(c2, 1.0f)) / c2;
  return 2 / (1 + std::sqrt(1 + alpha * alpha * tan2));
}

// A facet whose normal is seen from v (z up), [Heitz2018, listing 1].
V3 visible_normal(const V3& v, float alpha, const Pair& random) {
  const V3 vh = unit({alpha * v.x, alpha * v.y, v.z});
  const float across = vh.x * vh.x + vh.y * vh.y;
  const V3 t1 = across > 0 ? (1 / std::sqrt(across)) * V3{-vh.y, vh.x, 0} : V3{1, 0, 0};
  const V3 t2 = cross(vh, t1);
  const float r = std::sqrt(random.u), phi = 2 * kPiF2 * random.v;
  const float a = r * std::cos(phi), s = 0.5f * (1 + vh.z);
  const float b = (1 - s) * std::sqrt(std::max(0.0f, 1 - a * a)) + s * r * std::sin(phi);
  const V3 n = a * t1 + b * t2 + std::sqrt(std::max(0.0f, 1 - a * a - b * b)) * vh;
  return unit({alpha * n.x, alpha * n.y, std::max(0.0f, n.z)});
}

V3 cosine_direction(const Pair& random) {
  const float r = std::sqrt(random.u), phi = 2 * kPiF2 * random.v;
  return {r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(0.0f, 1 - random.u))};
}

}  // namespace

Coating make_surface(const Hit& hit, const Finish& finish, const V3& normal) {
  const StageLook& look = *hit.look;
  const auto metal = static_cast<float>(look.metallic);
  const auto coat = static_cast<float>(std::clamp(look.reflection, 0.0, 1.0));
  Coating surface;
  surface.normal = normal;
  surface.matt = (1 - metal) * finish.color;
  surface.mirror = mix(V3{coat, coat, coat}, finish.color, metal);
  // perceived roughness goes with the square root of the width of highlights
  surface.alpha = std::clamp(finish.roughness * finish.roughness, 0.001f, 1.0f);
  return surface;
}

V3 mirrored(const Coating& s, float cosine) { return schlick(s.mirror, cosine); }

V3 reflected(const Coating& s, const V3& to_eye, const V3& to_light) {
  const float nl = dot(s.normal, to_light), nv = std::max(dot(s.normal, to_eye), 1e-3f);
  if (!(nl > 0)) return {};
  const V3 half = unit(to_eye + to_light);
  const V3 F = schlick(s.mirror, dot(half, to_light));
  V3 out = nl * (s.matt * (V3{1, 1, 1} - F));
  if (s.alpha < kSharpAlpha) return out;
  const float a2 = s.alpha * s.alpha, nh = dot(s.normal, half);
  const float d = nh * nh * (a2 - 1) + 1;
  // D G F / (4 nl nv) nl, times pi
  const float D = a2 / (d * d);
  const float G = masking(nl, s.alpha) * masking(nv, s.alpha);
  return out + (D * G / (4 * nv)) * F;
}

Bounce sample_bounce(const Coating& s, const V3& to_eye, float choice, const Pair& random) {
  const Axes axes(s.normal);
  const V3 v{dot(axes.x, to_eye), dot(axes.y, to_eye), std::max(dot(axes.z, to_eye), 1e-3f)};
  const float coat = luminance(schlick(s.mirror, v.z)), matt = luminance(s.matt);
  const float p = std::clamp(coat / std::max(coat + matt, 1e-6f), 0.0f, 1.0f);
  Bounce bounce;
  if (choice < p) {
    const V3 h = visible_normal(v, s.alpha, random);
    const float c = dot(v, h);
    const V3 l = 2 * c * h - v;
    if (!(l.z > 0)) return bounce;
    bounce.along = axes.to_world(l);
    bounce.weight = (masking(l.z, s.alpha) / p) * schlick(s.mirror, c);
    bounce.sharp = s.alpha < kSharpAlpha;
    return bounce;
  }
  const V3 l = cosine_direction(random);
  bounce.along = axes.to_world(l);
  const V3 F = schlick(s.mirror, std::max(0.0f, dot(unit(v + l), l)));
  bounce.weight = (1 / std::max(1 - p, 1e-6f)) * (s.matt * (V3{1, 1, 1} - F));
  return bounce;
}

V3 sample_facet(const V3& normal, const V3& to_eye, float alpha, const Pair& random) {
  if (alpha < 0.002f) return normal;
  const Axes axes(normal);
  const V3 v{dot(axes.x, to_eye), dot(axes.y, to_eye), std::max(dot(axes.z, to_eye), 1e-3f)};
  return axes.to_world(visible_normal(v, alpha, random));
}

float fresnel(float c, float ratio) {
  const float sin2 = ratio * ratio * (1 - c * c);
  if (sin2 >= 1) return 1;
  const float ct = std::sqrt(1 - sin2);
  const float rs = (ratio * c - ct) / (ratio * c + ct), rp = (c - ratio * ct) / (c + ratio * ct);
  return 0.5f * (rs * rs + rp * rp);
}

}  // namespace tenon::render
