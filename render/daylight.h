// Light that every renderer of a stage has alike: how bright the picture is and what the sky is
// like.
#pragma once

#include <span>

#include "tenon/render/stage.h"

namespace tenon::render {

// What the light is for: what all pictures of a run show.
struct Subject {
  Vec3 p_W;         // its middle
  double size = 1;  // m, about the distance from which all of it is seen
};
// Of the whole run, where the stage knows it, else what the camera looks at: light must not depend
// on how far away a camera's point of interest happens to be, nor on which part of a run is shown.
Subject find_subject(const Stage& stage, const StageCamera& camera);

// By which all light is scaled so that a light grey surface in full light comes out nearly white:
// the inverse of all lights together, lamps as bright as they are at the subject. Without a sun the
// sum counts as at least 1, so that a night with lamps stays a night.
double find_exposure(std::span<const StageLight> lights, const Subject& subject);

// Sum of the ambient lights, linear rgb.
Vec3 find_ambient(std::span<const StageLight> lights);

// Light of the sky over the ambient light, for a direction with this height (its y, -1 ... 1): blue
// above, brightest at the horizon, below it light from the ground. A level white surface under the
// whole sky is as bright as the ambient light: with g = mix(horizon, zenith, 1 - (1 - y)^3)
//   integral of g(y) 2 y dy over 0 ... 1 = 0.1 horizon + 0.9 zenith = 1 in luminance          (1)
// and the air about a sun, which is not in g, adds to it.
Vec3 sky_tint(double y);

}  // namespace tenon::render
