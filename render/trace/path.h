// Light along one path, backwards from the eye: at every surface the lamps that reach it and one
// direction at random [Kajiya1986].
#pragma once

#include "tenon/render/trace/geometry.h"
#include "tenon/render/trace/light.h"

namespace tenon::render {

struct PathOptions {
  int bounces = 2;            // off matt or rough surfaces; lamps are counted at each
  float horizon = 1e30f;      // m, where grounds begin to fade into the sky
  float pixel_angle = 1e-3f;  // rad
  bool unlit = false;         // only what is there, without the light on it
};

// What the eye sees along a ray, and what the denoiser wants to know: of the first surface that is
// neither mirror nor glass.
struct PathResult {
  V3 light;
  V3 albedo{1, 1, 1}, normal, point;
  V3 face;          // the normal without the grain of the surface
  bool lit = true;  // false: on the surface lies light that was not asked for
};

PathResult trace_path(const Geometry& geometry, const LightSet& lights, const PathOptions& options,
                      Ray ray, Sampler& sampler);

}  // namespace tenon::render
