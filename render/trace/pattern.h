// Solid patterns: grain of wood, stone, brushed metal, ice, checkers; functions of the place inside
// the solid, so that cut faces fit together.
#pragma once

#include "tenon/render/trace/geometry.h"

namespace tenon::render {

// What a surface is like at one place.
struct Finish {
  V3 color;
  float roughness = 0.5f;
  V3 tilt;  // added to the normal: small unevenness
};

// `footprint` is the width of a pixel there, m: what is finer is averaged away.
Finish find_finish(const Hit& hit, float footprint);

// The mean over the whole solid.
Finish plain_finish(const Hit& hit);

// -1 ... 1, smooth, about one wave per unit; the same everywhere for the same place.
float noise(const V3& p);

}  // namespace tenon::render
