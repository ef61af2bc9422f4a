// What pin_rows.cpp knows of a joint, and the products of small matrices that it is made of.
#pragma once

#include <array>

#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {

// A product of axes that is held at zero, c = a_P . a_C: one row.
struct DotRow {
  Vec3 P0, C0;      // axes at the begin of the step
  Vec3 P1, C1;      // iterate
  Vec3 Pm, Cm;      // where impulses act
  Vec3 t1, tm, tf;  // couple on the child: a_C x a_P at the iterate, over the step, as factored
  double c1 = 0, p = 0, eps = 0;
  double mu = 0;  // impulse of the velocity stage
};

// D: number of dot rows of every joint; kMixed: they differ.
inline constexpr int kMixed = -1;
template <int D>
struct PinJoint {
  static constexpr size_t kDots = D == kMixed ? 3 : static_cast<size_t>(D);
  uint32_t P = 0, C = 0;  // local bodies
  uint32_t dots = 0;
  Vec3 r0P, r0C, d0;  // begin of the step, world axes; d = C's anchor minus P's
  Vec3 r1P, r1C, d1;  // iterate
  Vec3 rmP, rmC;      // mean levers to the common point of application
  Vec3 rfP, rfC;      // the same as they stand in the factored matrix: chord steps need those, or
                      // impulses that redundant rows share at random would push
  Vec3 p;             // impulse on the child, N s
  Vec3 mu;            // that of the velocity stage
  Vec3 eps;           // compliance of each row; negative: not known yet
  double inv_size = 1;
  std::array<DotRow, kDots> dot;
};

// inv_N times the couples of the rows on one body of a joint.
template <int D>
struct PinResponse {
  Mat3 Z;  // inv_N [rm]
  std::array<Vec3, PinJoint<D>::kDots> z;
};

// What the velocity stage and contacts need of a joint, many times in a step: nothing else lies
// between.
template <int D>
struct PinEnd {
  uint32_t P = 0, C = 0, dots = 0;
  Vec3 rP, rC;                               // levers to the middle of the gap
  std::array<Vec3, PinJoint<D>::kDots> t{};  // couples of the dot rows on the child
  bool operator==(const PinEnd&) const = default;
};
// Where the joint's points and axes are in its bodies.
template <int D>
struct PinPlace {
  Vec3 rP, rC;
  std::array<Vec3, PinJoint<D>::kDots> P{}, C{};
};

// [r] M, [r] = cross-product matrix.
inline Mat3 skew_mul(const Vec3& r, const Mat3& M) {
  return {r.y * M.r2 - r.z * M.r1, r.z * M.r0 - r.x * M.r2, r.x * M.r1 - r.y * M.r0};
}
// M [r]
inline Mat3 mul_skew(const Mat3& M, const Vec3& r) {
  return {cross(M.r0, r), cross(M.r1, r), cross(M.r2, r)};
}
// v^T M
inline Vec3 row_mul(const Vec3& v, const Mat3& M) { return v.x * M.r0 + v.y * M.r1 + v.z * M.r2; }
inline void add_to(double* row, double s, const Vec3& v) {
  row[0] += s * v.x;
  row[1] += s * v.y;
  row[2] += s * v.z;
}
inline Vec3 load(const double* v) { return {v[0], v[1], v[2]}; }
inline void save(double* v, const Vec3& a) {
  v[0] = a.x;
  v[1] = a.y;
  v[2] = a.z;
}

}  // namespace tenon::direct
