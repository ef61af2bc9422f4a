// Rotations nearest to q: those with the largest |q . q'|, that is, the smallest angle between.
//
// One axis: of all turns about axis i the nearest keeps w and component i of the quaternion.
// Two axes: R_o(a) R_i(b) has the quaternion (c_a c_b, c_a s_b e_i, s_a c_b e_o, s_a s_b e_o x e_i)
// of half angles. With e_o x e_i = sign e_m, the product with q is bilinear in (c_a, s_a), (c_b,
// s_b):
//   w c_a c_b + q_i c_a s_b + q_o s_a c_b + sign q_m s_a s_b
//   = [(w + z) cos(A-B) + (x - y) sin(A-B) + (w - z) cos(A+B) + (x + y) sin(A+B)] / 2       (1)
// with x = q_o, y = q_i, z = sign q_m and half angles A, B; both parts are largest at
//   A - B = atan2(x - y, w + z),   A + B = atan2(x + y, w - z)                              (2)
// Swing and twist: the twist is clamped as an angle, the swing as the place of the x axis.
#include "tenon/engine/joints/detail/nearest_rotation.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/detail/turns.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon::detail {
namespace {

double component(const Quat& q, int axis) { return axis == 0 ? q.x : (axis == 1 ? q.y : q.z); }

// A unit vector with y, z as near to those of u as the tilts allow: rz limits y, ry limits -z.
Vec3 clamp_tilts(const Vec3& u, const SwingLimits& s) {
  const double y = std::clamp(u.y, s.rz_min > -kInfinity ? sin(s.rz_min) : -1.0,
                              s.rz_max < kInfinity ? sin(s.rz_max) : 1.0);
  const double z = std::clamp(u.z, s.ry_max < kInfinity ? -sin(s.ry_max) : -1.0,
                              s.ry_min > -kInfinity ? -sin(s.ry_min) : 1.0);
  if (y == u.y && z == u.z) return u;
  const double x2 = 1 - y * y - z * z;
  // limits that ask for more than a unit vector can do: as far as it goes
  if (x2 <= 0) return normalized(Vec3{0, y, z});
  return {u.x < 0 ? -std::sqrt(x2) : std::sqrt(x2), y, z};
}

Vec3 clamp_cone(const Vec3& u, double cos_swing) {
  if (u.x >= cos_swing) return u;
  const double side = std::sqrt(std::max(0.0, 1 - cos_swing * cos_swing));
  const Vec3 across = normalized(Vec3{0, u.y, u.z}, {0, 1, 0});
  return {cos_swing, side * across.y, side * across.z};
}

}  // namespace

double clamp_angle(double angle, const AngleLimit& limit) {
  const double c =
      limit.unwrapped ? unwrap(angle, limit.near) : on_best_turn(angle, limit.min, limit.max);
  return std::clamp(c, limit.min, limit.max);
}

Quat nearest_turn(const Quat& q, int axis, const AngleLimit& limit) {
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const double angle = 2 * atan2(sign * component(q, axis), sign * q.w);
  return twist_about(axis, clamp_angle(angle, limit));
}

Quat nearest_two_turns(const Quat& q, int outer, int inner, const AngleLimit& outer_limit,
                       const AngleLimit& inner_limit) {
  const double sign = (outer + 1) % 3 == inner ? 1.0 : -1.0;
  const double x = component(q, outer), y = component(q, inner);
  const double z = sign * component(q, 3 - outer - inner);
  const double minus = atan2(x - y, q.w + z), plus = atan2(x + y, q.w - z);
  const double a = clamp_angle(wrap(plus + minus), outer_limit);
  const double b = clamp_angle(wrap(plus - minus), inner_limit);
  return twist_about(outer, a) * twist_about(inner, b);
}

Quat nearest_swing_twist(const Quat& q, const SwingLimits& limits) {
  const SwingTwist split = split_swing_twist(q);
  const double twist = clamp_angle(split.twist, limits.twist);
  const Vec3 from = rotate(split.swing, {1, 0, 0});
  Vec3 to = from;
  // each of the two may push the axis out of the other: a few rounds settle it
  for (int n = 0; n < 20; ++n) {
    const Vec3 next = clamp_cone(clamp_tilts(to, limits), limits.cos_swing);
    if (next == to) break;
    to = next;
  }
  const bool same_twist = wrap(twist - split.twist) == 0;
  if (to == from && same_twist) return q;
  const Quat swing = to == from ? split.swing : shortest_arc({1, 0, 0}, normalized(to));
  return swing * twist_about(0, twist);
}

}  // namespace tenon::detail
