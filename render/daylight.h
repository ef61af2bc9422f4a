// Light that every renderer of a stage has alike: how bright the picture is and what the sky is
// like.
#pragma once

#include <span>

#include "tenon/render/stage.h"

namespace tenon::render {

// By which all light is scaled so that a light grey surface in full light comes out nearly white:
// the inverse of suns and ambient light together. Lamps do not count, for they are strong near by
// only; without a sun the sum counts as at least 1, so that a night with lamps stays a night.
double find_exposure(std::span<const StageLight> lights);

// Sum of the ambient lights, linear rgb.
Vec3 find_ambient(std::span<const StageLight> lights);

// Light of the sky over the ambient light, for a direction with this height (its y, -1 ... 1): blue
// above, brightest at the horizon, below it light from the ground. A level white surface under the
// whole sky is three quarters as bright as the ambient light, since
//   integral of g(y) 2 y dy over 0 ... 1 = 0.757 in luminance                                 (1)
// and the air about a sun, which is not in g, adds to it.
Vec3 sky_tint(double y);

}  // namespace tenon::render
