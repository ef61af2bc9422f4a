#include "tenon/benchmarks/joints/user_boxes.h"

namespace tenon {
namespace {

// the rotation about x that is nearest to q
Quat twist_of(const Quat& q) { return normalized(Quat{q.w, q.x, 0, 0}); }

Pose project_hinge(const Pose& X) { return {{}, twist_of(X.q)}; }
Pose project_ball(const Pose& X) { return {{}, X.q}; }
Pose project_plane(const Pose& X) { return {{0, X.p.y, X.p.z}, twist_of(X.q)}; }

// d(angle of the twist) = g . (small rotation of q)
Vec3 twist_gradient(const Quat& q) {
  const double n2 = q.w * q.w + q.x * q.x;
  return {1, (q.w * q.z + q.x * q.y) / n2, (q.x * q.z - q.w * q.y) / n2};
}
FrameDerivative derive_hinge(const Pose& X, const Pose&) {
  FrameDerivative D;
  D.rr.r0 = twist_gradient(X.q);
  return D;
}
FrameDerivative derive_ball(const Pose&, const Pose&) {
  FrameDerivative D;
  D.rr = Mat3::identity();
  return D;
}
FrameDerivative derive_plane(const Pose& X, const Pose& Y) {
  FrameDerivative D = derive_hinge(X, Y);
  D.pp = Mat3::diagonal({0, 1, 1});
  return D;
}

template <class... T>
std::shared_ptr<const BlackBox> box(T... parts) {
  return std::make_shared<BlackBox>(parts...);
}

}  // namespace

std::vector<UserBox> user_boxes() {
  return {
      {"hinge", JointKind::kHinge, box(project_hinge, 5, derive_hinge)},
      {"hinge_uncounted", JointKind::kHinge, box(project_hinge, 0, derive_hinge)},
      {"ball", JointKind::kPoint, box(project_ball, 3, derive_ball)},
      {"planar_twist", JointKind::kPlanarTwist, box(project_plane, 3, derive_plane)},
  };
}

std::shared_ptr<const BlackBox> without_derivative(std::shared_ptr<const BlackBox> box) {
  const int held = box->held();
  return std::make_shared<BlackBox>([box](const Pose& X) { return box->project(X); }, held);
}

}  // namespace tenon
