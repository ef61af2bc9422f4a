#include "tenon/render/detail/lighting.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/color.h"

namespace tenon::render {
namespace {

constexpr double kLeastAmbient = 0.15;  // what is turned away from all light is still seen

double round_to(double value, double step) { return step * std::floor(value / step + 0.5); }

}  // namespace

Lighting::Lighting(const scene::Document& document) {
  double strongest = 0;
  for (const scene::Light& light : document.lights) {
    const Vec3 rgb = light.intensity * to_linear(light.color);
    if (light.type == scene::LightType::kAmbient) everywhere_.ambient += rgb;
    if (light.type == scene::LightType::kPoint) points_.push_back({light.position, rgb});
    if (light.type != scene::LightType::kSun) continue;
    const Vec3 direction = normalized(light.direction, {0, -1, 0});
    everywhere_.rays.push_back({-direction, rgb});
    if (light.intensity > strongest) sun_W_ = direction;
    strongest = std::max(strongest, light.intensity);
  }
  if (document.lights.empty()) {
    sun_W_ = normalized(Vec3{-0.5, -1, -0.3});
    everywhere_.rays.push_back({-sun_W_, {1, 1, 1}});
    everywhere_.ambient = {0.4, 0.4, 0.4};
  }
  const Vec3 least{kLeastAmbient, kLeastAmbient, kLeastAmbient};
  everywhere_.ambient = cwise_max(everywhere_.ambient, least);
  // a light grey surface square to the sun comes out white
  Vec3 sum = everywhere_.ambient;
  for (const auto& ray : everywhere_.rays) sum += ray.rgb;
  const double brightest = max_component(sum);
  everywhere_.exposure = 1.45 / (everywhere_.rays.empty() ? std::max(1.0, brightest) : brightest);
}

Illumination Lighting::at(const Vec3& p_W) const {
  Illumination light = everywhere_;
  for (const PointLight& point : points_) {
    const Vec3 d = point.p_W - p_W;
    const Vec3 u = normalized(d, {0, 1, 0});
    // the inverse square law, bounded near the light
    const double share = round_to(1 / std::max(norm2(d), 0.25), 0.05);
    if (!(share > 0)) continue;
    const Vec3 coarse{round_to(u.x, 0.25), round_to(u.y, 0.25), round_to(u.z, 0.25)};
    light.rays.push_back({normalized(coarse, u), share * point.rgb});
  }
  return light;
}

scene::Color shade(const Surface& surface, const Illumination& light, const Vec3& normal_W,
                   const Vec3& to_eye_W) {
  // light from everywhere is a little stronger from the sky than from the ground
  Vec3 diffuse = (0.8 + 0.2 * normal_W.y) * light.ambient;
  Vec3 gloss;
  const double smooth = 1 - std::clamp(surface.roughness, 0.0, 1.0);
  const double power = 6 + 90 * smooth * smooth;
  for (const auto& ray : light.rays) {
    const double facing = dot(normal_W, ray.to_light_W);
    if (!(facing > 0)) continue;
    diffuse += facing * ray.rgb;
    // Blinn's highlight about the half vector
    const Vec3 half = normalized(ray.to_light_W + to_eye_W, normal_W);
    const double c = std::max(0.0, dot(normal_W, half));
    gloss += (0.55 * smooth * smooth * pow(c, power)) * ray.rgb;
  }
  const Vec3 rgb = light.exposure * (cwise_mul(to_linear(surface.color), diffuse) + gloss);
  return {to_srgb(rgb.x), to_srgb(rgb.y), to_srgb(rgb.z)};
}

std::string hex(const scene::Color& color) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "#";
  for (double c : {color.r, color.g, color.b}) {
    const int level = static_cast<int>(255 * std::clamp(c, 0.0, 1.0) + 0.5);
    text += kDigits[level / 16];
    text += kDigits[level % 16];
  }
  return text;
}

scene::Color mix(const scene::Color& a, const scene::Color& b, double share_of_b) {
  const double s = share_of_b;
  return {a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b)};
}

}  // namespace tenon::render
