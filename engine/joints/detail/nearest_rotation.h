// The nearest rotation of each kind that joints allow. Angles of the results are exact: the
// coordinates of the rotation returned are the clamped ones.
#pragma once

#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/math/quat.h"

namespace tenon::detail {

// Limits of one angle, and where it was last (`near`, for unwrapping).
struct AngleLimit {
  double min = -kInfinity, max = kInfinity;
  double near = 0;
  bool unwrapped = false;  // `near` counts turns; otherwise the turn that fits best is taken
};

double clamp_angle(double angle, const AngleLimit& limit);

// About one axis of P only.
Quat nearest_turn(const Quat& q, int axis, const AngleLimit& limit);
// A turn about P's axis `outer` after one about C's axis `inner` (two different axes).
Quat nearest_two_turns(const Quat& q, int outer, int inner, const AngleLimit& outer_limit,
                       const AngleLimit& inner_limit);
// Any rotation: twist, tilts and the cone (swing_max) limited. `cos_swing` = cos(swing_max), -1 for
// none.
struct SwingLimits {
  AngleLimit twist;
  double ry_min = -kInfinity, ry_max = kInfinity;
  double rz_min = -kInfinity, rz_max = kInfinity;
  double cos_swing = -1;
};
Quat nearest_swing_twist(const Quat& q, const SwingLimits& limits);

}  // namespace tenon::detail
