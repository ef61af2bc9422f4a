// Roll, pitch and yaw, as model files have them.
#pragma once

#include "tenon/engine/math/quat.h"

namespace tenon::scene::model {

// The rotation by fixed-axis angles roll (x), then pitch (y), then yaw (z):
// R = Rz(yaw) Ry(pitch) Rx(roll).
Quat from_rpy(const Vec3& rpy);

// Its inverse, with the pitch from -pi/2 to pi/2. Where that is a right angle only the sum of the
// other two counts; roll is then 0.
Vec3 calc_rpy(const Quat& q);

// Rounded to so many digits behind the point.
double rounded(double x, int digits);

}  // namespace tenon::scene::model
