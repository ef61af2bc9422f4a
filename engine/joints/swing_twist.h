// Rotations split into a swing and a twist [Dobrowolski2015]: q = swing * twist, the twist about x,
// the swing about an axis at right angles to x. The swing alone decides where the x axis points, so
// limits of the two do not disturb each other, unlike those of Euler angles.
#pragma once

#include "tenon/engine/math/quat.h"

namespace tenon {

struct SwingTwist {
  Quat swing;
  double twist = 0;  // rad, -pi ... pi
};

// Where the swing is pi the twist is undefined: it is taken as zero.
SwingTwist split_swing_twist(const Quat& q);

inline Quat twist_about(int axis, double angle) {
  const double s = sin(0.5 * angle);
  return {cos(0.5 * angle), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

// The rotation by the smallest angle that takes the unit vector a to the unit vector b; about some
// axis at right angles where they are opposite.
Quat shortest_arc(const Vec3& a, const Vec3& b);

// The angle nearest to zero that is the same up to full turns, -pi ... pi.
double wrap(double angle);

}  // namespace tenon
