// A ball joint whose x axis stays inside an elliptic cone. The swing, as a rotation vector in the
// y-z plane, is clamped to an ellipse; the twist is left alone.
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/ellipse.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

Pose clamp_to_cone(const ReachCone& cone, const Pose& X) {
  const SwingTwist split = split_swing_twist(X.q);
  const Vec3 s = log_map(split.swing);
  const double y = s.y / cone.about_y, z = s.z / cone.about_z;
  if (y * y + z * z <= 1) return {{}, X.q};
  const Vec3 edge = detail::nearest_on_ellipsoid({0, cone.about_y, cone.about_z}, {0, s.y, s.z});
  return {{}, exp_map(edge) * twist_about(0, split.twist)};
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
  return std::shared_ptr<const BlackBox>(std::make_shared<BlackBox>(project));
}

}  // namespace tenon
