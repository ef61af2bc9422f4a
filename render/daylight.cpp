#include "tenon/render/daylight.h"

#include <algorithm>

namespace tenon::render {

Subject find_subject(const Stage& stage, const StageCamera& camera) {
  // all of it is seen from about two and a half times that far
  if (stage.extent > 0) return {stage.middle_W, 2.5 * stage.extent};
  return {camera.p_WE + camera.focus_m * camera.forward_W, camera.focus_m};
}

double find_exposure(std::span<const StageLight> lights, const Subject& subject) {
  Vec3 sum;
  bool sun = false;
  for (const StageLight& light : lights) {
    sun = sun || light.type == scene::LightType::kSun;
    // nothing that matters is nearer to a lamp than a part of the subject's size
    const double near = std::max(norm(light.p_W - subject.p_W), 0.1 * subject.size);
    const bool lamp = light.type == scene::LightType::kPoint;
    sum += (lamp ? 1 / std::max(near * near, 1e-12) : 1.0) * light.rgb;
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
  const Vec3 zenith{0.69, 0.95, 1.44}, horizon{1.60, 1.62, 1.62}, ground{0.80, 0.77, 0.73};
  if (y >= 0) {
    const double rest = (1 - y) * (1 - y) * (1 - y);
    return rest * horizon + (1 - rest) * zenith;
  }
  const double s = std::clamp(-y / 0.6, 0.0, 1.0), fall = s * s * (3 - 2 * s);
  return (1 - fall) * horizon + fall * ground;
}

}  // namespace tenon::render
