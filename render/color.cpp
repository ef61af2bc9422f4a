#include "tenon/render/color.h"

#include <algorithm>

#include "tenon/engine/math/elementary.h"

namespace tenon::render {

double to_linear(double c) {
  c = std::clamp(c, 0.0, 1.0);
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

double to_srgb(double c) {
  c = std::clamp(c, 0.0, 1.0);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

Vec3 to_linear(const scene::Color& c) { return {to_linear(c.r), to_linear(c.g), to_linear(c.b)}; }

scene::Color to_srgb(const Vec3& c) { return {to_srgb(c.x), to_srgb(c.y), to_srgb(c.z)}; }

}  // namespace tenon::render
