// A magnet that slides and twists on a curved surface: the nearest point of the surface, and the
// smallest turn that lays C's x axis along the normal there.
#include <cmath>
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/ellipse.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

Pose lay_on(const Vec3& point, const Vec3& normal, const Quat& q) {
  return {point, shortest_arc(rotate(q, {1, 0, 0}), normal) * q};
}

Pose project_to_ellipsoid(const Vec3& half, const Pose& X) {
  const Vec3 p = detail::nearest_on_ellipsoid(half, X.p);
  const Vec3 gradient{p.x / (half.x * half.x), p.y / (half.y * half.y), p.z / (half.z * half.z)};
  return lay_on(p, normalized(gradient), X.q);
}

// On the axis, and on the circle inside the tube, every direction is as near: one is taken.
Pose project_to_torus(const TorusMagnet& torus, const Pose& X) {
  const Vec3 outwards = normalized(Vec3{0, X.p.y, X.p.z}, {0, 1, 0});
  const Vec3 centre = torus.ring_radius * outwards;
  const Vec3 normal = normalized(X.p - centre, outwards);
  return lay_on(centre + torus.tube_radius * normal, normal, X.q);
}

std::shared_ptr<const BlackBox> make_box(BlackBox::Project project) {
  // the normal distance and two tilts, everywhere
  return std::make_shared<BlackBox>(std::move(project), 3);
}

}  // namespace

Result<std::shared_ptr<const BlackBox>> make_ellipsoid_magnet(const EllipsoidMagnet& magnet) {
  for (int k = 0; k < 3; ++k) {
    if (!(magnet.half[k] > 0) || !std::isfinite(magnet.half[k])) {
      return Error{.message = "ellipsoid magnet: half axes must be positive",
                   .value = detail::number_text(magnet.half[k]) + " m"};
    }
  }
  const Vec3 half = magnet.half;
  return make_box([half](const Pose& X) { return project_to_ellipsoid(half, X); });
}

Result<std::shared_ptr<const BlackBox>> make_torus_magnet(const TorusMagnet& magnet) {
  if (!(magnet.tube_radius > 0) || !(magnet.ring_radius > magnet.tube_radius) ||
      !std::isfinite(magnet.ring_radius)) {
    return Error{.message = "torus magnet: its radii do not make a ring",
                 .value = detail::number_text(magnet.ring_radius) + " m, " +
                          detail::number_text(magnet.tube_radius) + " m",
                 .accepted = "ring_radius > tube_radius > 0"};
  }
  return make_box([magnet](const Pose& X) { return project_to_torus(magnet, X); });
}

}  // namespace tenon
