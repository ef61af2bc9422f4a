// 3x3 matrices of doubles, stored by rows.
#pragma once

#include "tenon/engine/math/vec3.h"

namespace tenon {

struct Mat3 {
  Vec3 r0, r1, r2;  // rows

  static constexpr Mat3 identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
  static constexpr Mat3 diagonal(const Vec3& d) { return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}; }
  static constexpr Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
  }
  constexpr Vec3& row(int i) { return i == 0 ? r0 : (i == 1 ? r1 : r2); }
  constexpr const Vec3& row(int i) const { return i == 0 ? r0 : (i == 1 ? r1 : r2); }
  constexpr Vec3 column(int j) const { return {r0[j], r1[j], r2[j]}; }
  constexpr double operator()(int i, int j) const { return row(i)[j]; }
  constexpr double& operator()(int i, int j) { return row(i)[j]; }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

constexpr Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {dot(m.r0, v), dot(m.r1, v), dot(m.r2, v)};
}
// m^T v without forming the transpose.
constexpr Vec3 transpose_mul(const Mat3& m, const Vec3& v) {
  return m.r0 * v.x + m.r1 * v.y + m.r2 * v.z;
}
constexpr Mat3 transpose(const Mat3& m) { return {m.column(0), m.column(1), m.column(2)}; }
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  return {transpose_mul(b, a.r0), transpose_mul(b, a.r1), transpose_mul(b, a.r2)};
}
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2};
}
constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
  return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2};
}
constexpr Mat3 operator*(double s, const Mat3& a) { return {s * a.r0, s * a.r1, s * a.r2}; }
// a b^T
constexpr Mat3 outer(const Vec3& a, const Vec3& b) { return {a.x * b, a.y * b, a.z * b}; }
// [a]: skew(a) b = a x b
constexpr Mat3 skew(const Vec3& a) { return {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}; }
constexpr double trace(const Mat3& m) { return m.r0.x + m.r1.y + m.r2.z; }
constexpr double determinant(const Mat3& m) { return dot(m.r0, cross(m.r1, m.r2)); }
// Inverse by cofactors; the caller knows that the determinant is not zero.
constexpr Mat3 inverse(const Mat3& m) {
  const Vec3 c0 = cross(m.r1, m.r2), c1 = cross(m.r2, m.r0), c2 = cross(m.r0, m.r1);
  return (1.0 / dot(m.r0, c0)) * Mat3::from_columns(c0, c1, c2);
}
inline bool is_finite(const Mat3& m) {
  return is_finite(m.r0) && is_finite(m.r1) && is_finite(m.r2);
}
inline Mat3 cwise_abs(const Mat3& m) { return {cwise_abs(m.r0), cwise_abs(m.r1), cwise_abs(m.r2)}; }

// Eigenvalues (ascending) and orthonormal eigenvectors (columns of `vectors`, right-handed) of a
// symmetric matrix, by cyclic Jacobi rotations: accurate to round-off also for close eigenvalues.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen calc_symmetric_eigen(const Mat3& symmetric);

}  // namespace tenon
