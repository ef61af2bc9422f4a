// A ball joint whose x axis stays inside an elliptic cone. The swing, as a rotation vector in the
// y-z plane, is clamped to an ellipse; the twist is left alone.
#include <cmath>
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/ellipse.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

// Rotation by which exp(s) turns further as s changes: d exp(s) exp(-s) = L(s) ds
// [Sola2018, eq. 145].
Mat3 left_jacobian(const Vec3& s) {
  const double a2 = norm2(s), a = std::sqrt(a2);
  double first = 0.5 - a2 / 24, second = 1.0 / 6 - a2 / 120;
  if (a2 > 1e-5) {
    first = (1 - cos(a)) / a2;
    second = (a - sin(a)) / (a2 * a);
  }
  const Mat3 S = skew(s);
  return Mat3::identity() + first * S + second * (S * S);
}

// What a frame at the swing s turns by with s.y, s.z and the twist, in columns.
Mat3 turn_columns(const Vec3& s) {
  const Mat3 L = left_jacobian(s);
  return Mat3::from_columns(L.column(1), L.column(2), rotate(exp_map(s), {1, 0, 0}));
}

Pose clamp_to_cone(const ReachCone& cone, const Pose& X) {
  const SwingTwist split = split_swing_twist(X.q);
  const Vec3 s = log_map(split.swing);
  const double y = s.y / cone.about_y, z = s.z / cone.about_z;
  if (y * y + z * z <= 1) return {{}, X.q};
  const Vec3 edge = detail::nearest_on_ellipsoid({0, cone.about_y, cone.about_z}, {0, s.y, s.z});
  return {{}, exp_map(edge) * twist_about(0, split.twist)};
}

FrameDerivative derive_cone(const ReachCone& cone, const Pose& X) {
  const SwingTwist split = split_swing_twist(X.q);
  const Vec3 s = log_map(split.swing);
  const double y = s.y / cone.about_y, z = s.z / cone.about_z;
  FrameDerivative D;
  D.rr = Mat3::identity();
  if (y * y + z * z <= 1) return D;
  // (s.y, s.z, twist) follow X, the clamped swing follows them, and Y follows that
  const Vec3 half{0, cone.about_y, cone.about_z}, from{0, s.y, s.z};
  const Vec3 edge = detail::nearest_on_ellipsoid(half, from);
  const Mat3 K = detail::nearest_on_ellipsoid_derivative(half, from, edge);
  const Mat3 clamp{{K.r1.y, K.r1.z, 0}, {K.r2.y, K.r2.z, 0}, {0, 0, 1}};
  D.rr = turn_columns(edge) * clamp * inverse(turn_columns(s));
  return D;
}

}  // namespace

Result<std::shared_ptr<const BlackBox>> make_reach_cone(const ReachCone& cone) {
  for (const double a : {cone.about_y, cone.about_z}) {
    if (!(a > 0.001 && a < kPi - 0.001)) {
      return Error{.message = "reach cone: its angles are out of range",
                   .value = detail::number_text(a) + " rad",
                   .accepted = "0.001 to pi - 0.001"};
    }
  }
  const auto project = [cone](const Pose& X) { return clamp_to_cone(cone, X); };
  const auto derivative = [cone](const Pose& X, const Pose&) { return derive_cone(cone, X); };
  return std::shared_ptr<const BlackBox>(std::make_shared<BlackBox>(project, 0, derivative));
}

}  // namespace tenon
