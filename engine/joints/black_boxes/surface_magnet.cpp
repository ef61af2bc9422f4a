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

// How the frame laid on follows, from D.pp and the change dn = N dp of the normal. With u = x_C,
// the turn is the quaternion (1 + u.n, u x n) but for its length, and a quaternion Q turns by
// 2 Im(dQ Q*) / |Q|^2; here |Q|^2 = 2 (1 + u.n).
FrameDerivative lay_derivative(const Mat3& D_point, const Mat3& N, const Vec3& n, const Quat& q,
                               const Quat& q_laid) {
  const Vec3 u = rotate(q, {1, 0, 0}), v = cross(u, n);
  const double w = 1 + dot(u, n);
  const auto turn = [&](const Vec3& du, const Vec3& dn) {
    const Vec3 dv = cross(du, n) + cross(u, dn);
    return dv - (1 / w) * ((dot(du, n) + dot(u, dn)) * v + cross(dv, v));
  };
  const Mat3 R = to_matrix(q_laid * conjugate(q));
  FrameDerivative D;
  D.pp = D_point;
  Vec3 rp[3], rr[3];
  for (int k = 0; k < 3; ++k) {
    Vec3 axis;
    axis[k] = 1;
    rp[k] = turn({}, N.column(k));
    rr[k] = turn(cross(axis, u), {}) + R.column(k);
  }
  D.rp = Mat3::from_columns(rp[0], rp[1], rp[2]);
  D.rr = Mat3::from_columns(rr[0], rr[1], rr[2]);
  return D;
}

// The change of a unit vector when what it is the direction of, `length` long, changes by D.
Mat3 direction_change(const Vec3& n, const Mat3& D, double length) {
  return (1 / length) * (D - outer(n, transpose_mul(D, n)));
}

Pose project_to_ellipsoid(const Vec3& half, const Pose& X) {
  const Vec3 p = detail::nearest_on_ellipsoid(half, X.p);
  const Vec3 gradient{p.x / (half.x * half.x), p.y / (half.y * half.y), p.z / (half.z * half.z)};
  return lay_on(p, normalized(gradient), X.q);
}

FrameDerivative derive_on_ellipsoid(const Vec3& half, const Pose& X, const Pose& Y) {
  const Vec3 inv2{1 / (half.x * half.x), 1 / (half.y * half.y), 1 / (half.z * half.z)};
  const Vec3 m = cwise_mul(inv2, Y.p);
  const Mat3 D = detail::nearest_on_ellipsoid_derivative(half, X.p, Y.p);
  const double length = norm(m);
  const Vec3 n = m / length;
  return lay_derivative(D, direction_change(n, Mat3::diagonal(inv2) * D, length), n, X.q, Y.q);
}

// On the axis, and on the circle inside the tube, every direction is as near: one is taken.
Pose project_to_torus(const TorusMagnet& torus, const Pose& X) {
  const Vec3 outwards = normalized(Vec3{0, X.p.y, X.p.z}, {0, 1, 0});
  const Vec3 centre = torus.ring_radius * outwards;
  const Vec3 normal = normalized(X.p - centre, outwards);
  return lay_on(centre + torus.tube_radius * normal, normal, X.q);
}

FrameDerivative derive_on_torus(const TorusMagnet& torus, const Pose& X, const Pose& Y) {
  const double radius = std::sqrt(X.p.y * X.p.y + X.p.z * X.p.z);
  const Vec3 outwards{0, X.p.y / radius, X.p.z / radius};
  const Mat3 centre =
      torus.ring_radius * direction_change(outwards, Mat3::diagonal({0, 1, 1}), radius);
  const Vec3 d = X.p - torus.ring_radius * outwards;
  const double length = norm(d);
  const Vec3 n = d / length;
  const Mat3 N = direction_change(n, Mat3::identity() - centre, length);
  return lay_derivative(centre + torus.tube_radius * N, N, n, X.q, Y.q);
}

std::shared_ptr<const BlackBox> make_box(BlackBox::Project project,
                                         BlackBox::Derivative derivative) {
  // the normal distance and two tilts, everywhere
  return std::make_shared<BlackBox>(std::move(project), 3, std::move(derivative));
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
  return make_box([half](const Pose& X) { return project_to_ellipsoid(half, X); },
                  [half](const Pose& X, const Pose& Y) { return derive_on_ellipsoid(half, X, Y); });
}

Result<std::shared_ptr<const BlackBox>> make_torus_magnet(const TorusMagnet& magnet) {
  if (!(magnet.tube_radius > 0) || !(magnet.ring_radius > magnet.tube_radius) ||
      !std::isfinite(magnet.ring_radius)) {
    return Error{.message = "torus magnet: its radii do not make a ring",
                 .value = detail::number_text(magnet.ring_radius) + " m, " +
                          detail::number_text(magnet.tube_radius) + " m",
                 .accepted = "ring_radius > tube_radius > 0"};
  }
  return make_box([magnet](const Pose& X) { return project_to_torus(magnet, X); },
                  [magnet](const Pose& X, const Pose& Y) { return derive_on_torus(magnet, X, Y); });
}

}  // namespace tenon
