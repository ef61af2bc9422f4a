// Points on the rim of a disk feature (an ellipse once projected along the normal).
#pragma once

#include "tenon/engine/collision/narrow/detail/feature.h"

namespace tenon::detail {

// The rim point where the gap is least; not valid where the rim is level (kLevelTilt).
// gap_slope_PQ: slope of the other feature's height minus that of the disk.
struct RimLow {
  bool valid = false;
  Vec2 x{0, 0};
};
RimLow find_rim_low(const Feature& disk, const Vec2& gap_slope_PQ);

// Where the ray from a place inside of the rim meets it.
Vec2 find_rim_point(const Feature& disk, const Vec2& from, const Vec2& direction);

// Parameters of the line from a (t = 0) to b (t = 1) at which it enters and leaves the disk; not
// valid where it misses or touches it.
struct RimCut {
  bool valid = false;
  double t0 = 0, t1 = 0;
};
RimCut cut_by_rim(const Feature& disk, const Vec2& a, const Vec2& b);

}  // namespace tenon::detail
