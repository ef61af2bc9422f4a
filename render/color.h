// sRGB as people write colours, and linear light as renderers add it up.
#pragma once

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/shape.h"

namespace tenon::render {

// The transfer function of IEC 61966-2-1 and its inverse; values are clamped to 0 ... 1.
double to_linear(double srgb);
double to_srgb(double linear);

Vec3 to_linear(const scene::Color& color);
scene::Color to_srgb(const Vec3& linear);

}  // namespace tenon::render
