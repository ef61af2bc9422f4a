#include "tenon/render/trace/light.h"

namespace tenon::render {
namespace {

constexpr float kPiF = 3.14159265f;
// Half the angle of a sun's disc: five times that of the real one, for shadows with soft edges.
constexpr float kSunAngle = 0.024f;

V3 in_disc(const Pair& random, const Axes& axes, float radius) {
  const float r = radius * std::sqrt(random.u), angle = 2 * kPiF * random.v;
  return r * std::cos(angle) * axes.x + r * std::sin(angle) * axes.y;
}

}  // namespace

LightSet::LightSet(std::span<const StageLight> lights, const Vec3& origin_W, const Subject& subject)
    : lamp_radius_(0.02f * static_cast<float>(subject.size)) {
  for (const StageLight& light : lights) {
    const V3 rgb = to_v3(light.rgb);
    if (light.type == scene::LightType::kPoint)
      lamps_.push_back({to_v3(light.p_W - origin_W), rgb});
    if (light.type == scene::LightType::kSun)
      suns_.push_back({unit(-to_v3(light.direction_W)), rgb});
  }
  ambient_ = to_v3(find_ambient(lights));
  exposure_ = static_cast<float>(find_exposure(lights, subject));
}

LightSample LightSet::sample(size_t i, const V3& p, const Pair& random) const {
  if (i < suns_.size()) {
    const Sun& sun = suns_[i];
    const V3 towards = unit(sun.towards + in_disc(random, Axes(sun.towards), kSunAngle));
    return {towards, 1e30f, sun.rgb};
  }
  const Lamp& lamp = lamps_[i - suns_.size()];
  const V3 to_middle = unit(lamp.p - p);
  const V3 d = lamp.p + in_disc(random, Axes(to_middle), lamp_radius_) - p;
  const float distance = std::max(length(d), 1e-6f);
  // the inverse square law, bounded inside the lamp
  const float share = 1 / std::max(distance * distance, lamp_radius_ * lamp_radius_);
  return {(1 / distance) * d, distance * 0.9999f, share * lamp.rgb};
}

V3 LightSet::sky(const V3& along) const {
  V3 g = to_v3(sky_tint(along.y));
  // light that the air scatters about the sun
  for (const Sun& sun : suns_) {
    const float c = std::max(0.0f, dot(sun.towards, along));
    const float c4 = c * c * c * c;
    g += (0.5f * c4 * c4) * V3{1.0f, 0.86f, 0.66f};
  }
  return ambient_ * g;
}

V3 LightSet::sky_with_suns(const V3& along) const {
  V3 light = sky(along);
  const float edge = std::cos(kSunAngle);
  for (const Sun& sun : suns_)
    if (dot(sun.towards, along) > edge)
      light += (1 / (kSunAngle * kSunAngle)) * sun.rgb;  // rgb pi / (pi angle^2)
  return light;
}

}  // namespace tenon::render
