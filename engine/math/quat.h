// Unit quaternions (w, x, y, z). q rotates vectors of the local frame into the outer one.
#pragma once

#include "tenon/engine/math/elementary.h"
#include "tenon/engine/math/mat3.h"

namespace tenon {

struct Quat {
  double w = 1, x = 0, y = 0, z = 0;

  constexpr Vec3 vec() const { return {x, y, z}; }
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
constexpr double dot(const Quat& a, const Quat& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
inline double norm(const Quat& q) { return std::sqrt(dot(q, q)); }
// Unit quaternion; identity where q is zero. What is not finite stays so, for gates to see.
inline Quat normalized(const Quat& q) {
  double n = norm(q);
  if (n > 1e-150 && n < 1e150) return {q.w / n, q.x / n, q.y / n, q.z / n};
  // the square over- or underflows: scale first
  const double big = std::fmax(max_component(cwise_abs(q.vec())), std::fabs(q.w));
  if (big == 0) return {};
  const Quat s{q.w / big, q.x / big, q.y / big, q.z / big};
  n = norm(s);
  return {s.w / n, s.x / n, s.y / n, s.z / n};
}
inline bool is_finite(const Quat& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

constexpr Vec3 rotate(const Quat& q, const Vec3& v) {
  const Vec3 t = 2.0 * cross(q.vec(), v);
  return v + q.w * t + cross(q.vec(), t);
}

constexpr Mat3 to_matrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
          {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
          {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}

// The quaternion of a rotation matrix (Shepperd's method: the largest component first), w >= 0.
Quat to_quat(const Mat3& R);

// exp map: rotation by |rotation| radians about rotation / |rotation|.
Quat exp_map(const Vec3& rotation);

// log map, the inverse of exp_map: the rotation vector with angle in [0, pi].
Vec3 log_map(const Quat& q);

inline Quat from_axis_angle(const Vec3& unit_axis, double angle_rad) {
  return exp_map(unit_axis * angle_rad);
}

}  // namespace tenon
