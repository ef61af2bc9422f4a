// Distance of two convex cores by GJK.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

struct GjkOptions {
  double gap = 0;                 // stop when upper - lower bound <= gap (m)
  double max_separation = 1e300;  // stop when the lower bound exceeds this
  Vec3 guess;                     // first direction from A to B; zero: between the middles
};

struct GjkResult {
  enum class Status {
    kApart,    // n, lower, upper, a, b describe the shortest distance up to the gap
    kFar,      // lower > max_separation; a, b are only some points of the cores
    kOverlap,  // the cores overlap, or touch within round-off
  };
  Status status = Status::kOverlap;
  Vec3 n{0, 1, 0};        // direction of the best lower bound
  double lower = -1e300;  // s(n)
  double upper = 1e300;   // |b - a|
  Vec3 a, b;              // closest points found, in P
};

// At most 64 iterations. Deterministic; uses only + - * / and sqrt.
GjkResult find_distance_gjk(const CorePair& pair, const GjkOptions& options);

}  // namespace tenon::narrow
