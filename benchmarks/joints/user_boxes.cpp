#include "tenon/benchmarks/joints/user_boxes.h"

#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

Pose project_hinge(const Pose& X) { return {{}, twist_about(0, split_swing_twist(X.q).twist)}; }
Pose project_ball(const Pose& X) { return {{}, X.q}; }
Pose project_plane(const Pose& X) {
  return {{0, X.p.y, X.p.z}, twist_about(0, split_swing_twist(X.q).twist)};
}

template <class... T>
std::shared_ptr<const BlackBox> box(T... parts) {
  return std::make_shared<BlackBox>(parts...);
}

}  // namespace

std::vector<UserBox> user_boxes() {
  return {
      {"hinge", JointKind::kHinge, box(project_hinge, 5)},
      {"hinge_uncounted", JointKind::kHinge, box(project_hinge)},
      {"ball", JointKind::kPoint, box(project_ball, 3)},
      {"planar_twist", JointKind::kPlanarTwist, box(project_plane, 3)},
  };
}

}  // namespace tenon
