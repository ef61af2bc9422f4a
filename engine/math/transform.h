// Rigid transforms. X_AB maps coordinates in B to coordinates in A: p_A = R_AB p_B + p_AB.
#pragma once

#include "tenon/engine/math/quat.h"

namespace tenon {

// For computing.
struct Transform {
  Mat3 R = Mat3::identity();
  Vec3 p;
};

// For keeping: seven numbers, no drift away from a rotation.
struct Pose {
  Vec3 p;
  Quat q;
  friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

constexpr Vec3 operator*(const Transform& X, const Vec3& point) { return X.R * point + X.p; }
constexpr Transform operator*(const Transform& a, const Transform& b) {
  return {a.R * b.R, a * b.p};
}
constexpr Transform inverse(const Transform& X) {
  return {transpose(X.R), -transpose_mul(X.R, X.p)};
}
// X^-1 point
constexpr Vec3 inverse_mul(const Transform& X, const Vec3& point) {
  return transpose_mul(X.R, point - X.p);
}
constexpr Transform to_transform(const Pose& pose) { return {to_matrix(pose.q), pose.p}; }
constexpr Pose operator*(const Pose& a, const Pose& b) {
  return {a.p + rotate(a.q, b.p), a.q * b.q};
}
constexpr Pose inverse(const Pose& a) { return {rotate(conjugate(a.q), -a.p), conjugate(a.q)}; }
inline bool is_finite(const Pose& a) { return is_finite(a.p) && is_finite(a.q); }

}  // namespace tenon
