// Witness points of a known separation direction.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

// A pair of points a on A, b = a + s n on B, where n maximises the separation s of the cores. Where
// the features that meet along n are flat, a point in the middle of (or at least inside) their
// common part.
CoreSeparation find_witness(const CorePair& pair, const Vec3& n, double s);

// The same without the last resort for features that are neither flat nor clearly tilted: the
// points may lie outside of the cores.
CoreSeparation find_flat_witness(const CorePair& pair, const Vec3& n, double s);

// How far the two points are outside of their cores (0 inside), up to a factor of sqrt(2). Points
// a, b = a + s n inside prove that s is the distance: no direction separates by more.
double calc_outside(const CorePair& pair, const CoreSeparation& witness);

// Closest points of the segments p + [-1, 1] u and q + [-1, 1] v; where they are parallel, the
// middle of the stretch that faces each other. Returns the parameters in [-1, 1].
struct SegmentParameters {
  double s, t;
};
SegmentParameters find_closest_segments(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v);

}  // namespace tenon::narrow
