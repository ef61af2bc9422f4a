#include "tenon/engine/joints/swing_twist.h"

namespace tenon {

SwingTwist split_swing_twist(const Quat& q) {
  const double n = std::sqrt(q.w * q.w + q.x * q.x);
  if (!(n > 1e-12)) return {q, 0};
  // half angles beyond pi/2 are the same rotation as those below with the other sign
  const Quat twist{q.w / n, q.x / n, 0, 0};
  const double sign = q.w < 0 ? -1.0 : 1.0;
  return {q * conjugate(twist), 2 * atan2(sign * q.x, sign * q.w)};
}

Quat shortest_arc(const Vec3& a, const Vec3& b) {
  const double w = 1 + dot(a, b);
  // opposite within 1e-8 rad: the axis is lost in round-off
  if (w < 1e-16) {
    const Vec3 n = any_orthogonal(a);
    return {0, n.x, n.y, n.z};
  }
  const Vec3 v = cross(a, b);
  return normalized(Quat{w, v.x, v.y, v.z});
}

double wrap(double angle) { return angle - 2 * kPi * std::round(angle / (2 * kPi)); }

}  // namespace tenon
