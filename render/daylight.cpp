#include "tenon/render/daylight.h"

#include <algorithm>

namespace tenon::render {

double find_exposure(std::span<const StageLight> lights) {
  Vec3 sum;
  bool sun = false;
  for (const StageLight& light : lights) {
    sun = sun || light.type == scene::LightType::kSun;
    if (light.type != scene::LightType::kPoint) sum += light.rgb;
  }
  return 1 / std::max(sun ? 0.01 : 1.0, max_component(sum));
}

Vec3 find_ambient(std::span<const StageLight> lights) {
  Vec3 ambient;
  for (const StageLight& light : lights)
    if (light.type == scene::LightType::kAmbient) ambient += light.rgb;
  return ambient;
}

Vec3 sky_tint(double y) {
  const Vec3 zenith{0.34, 0.68, 1.42}, horizon{1.60, 1.62, 1.62}, ground{0.80, 0.77, 0.73};
  if (y >= 0) {
    const double rest = (1 - y) * (1 - y) * (1 - y);
    return rest * horizon + (1 - rest) * zenith;
  }
  const double s = std::clamp(-y / 0.6, 0.0, 1.0), fall = s * s * (3 - 2 * s);
  return (1 - fall) * horizon + fall * ground;
}

}  // namespace tenon::render
