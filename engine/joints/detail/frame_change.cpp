// E of (2) from the user's derivative D of the projection. With r the rotation of (1),
//   log(exp(dX) exp(r) exp(-dY)) = r + L(r) dX - L(-r) dY,
//   L(r) = 1 - [r]/2 + k [r]^2,   k = (1 - (|r|/2) cot(|r|/2)) / |r|^2                       (3)
// the inverse of the left Jacobian of rotations [Sola2018, eq. 146].
#include "tenon/engine/joints/detail/frame_change.h"

namespace tenon::detail {
namespace {

// L(r) of (3)
Mat3 left_inverse(const Vec3& r) {
  const double a2 = norm2(r);
  double k = 1.0 / 12 + a2 / 720;
  if (a2 > 1e-4) {
    const double half = 0.5 * std::sqrt(a2);
    k = (1 - half * cos(half) / sin(half)) / a2;
  }
  const Mat3 R = skew(r);
  return Mat3::identity() - 0.5 * R + k * (R * R);
}

void set_columns(Mat6& columns, size_t first, const Mat3& upper, const Mat3& lower) {
  for (size_t j = 0; j < 3; ++j) {
    const Vec3 u = upper.column(static_cast<int>(j)), l = lower.column(static_cast<int>(j));
    columns[first + j] = {u.x, u.y, u.z, l.x, l.y, l.z};
  }
}

// X moved along one coordinate by a step whose third power is nothing.
Pose nudged(const Pose& X, size_t coordinate, double step, double size) {
  Pose Z = X;
  if (coordinate < 3) {
    Z.p[static_cast<int>(coordinate)] += step * size;
    return Z;
  }
  Quat turn{1 - step * step / 8, 0, 0, 0};
  (coordinate == 3 ? turn.x : coordinate == 4 ? turn.y : turn.z) = 0.5 * step;
  Z.q = turn * X.q;
  return Z;
}

}  // namespace

Pose moved(const Pose& X, const double* direction, double by, double size) {
  const Vec3 d{direction[0], direction[1], direction[2]};
  const Vec3 w{direction[3], direction[4], direction[5]};
  return {X.p + (by * size) * d, exp_map(by * w) * X.q};
}

bool calc_change_by_differences(const BlackBox& box, const BlackBoxFrame& at, double size,
                                double step, Mat6& columns) {
  for (size_t j = 0; j < 6; ++j) {
    const BlackBoxFrame beside = look_at(box, nudged(at.X, j, step, size), size);
    if (!beside.finite) return false;
    for (size_t k = 0; k < 6; ++k) columns[j][k] = (beside.r[k] - at.r[k]) / step;
  }
  return true;
}

bool calc_change_from_derivative(const BlackBox& box, const BlackBoxFrame& at, double size,
                                 Mat6& columns) {
  const FrameDerivative D = box.derivative(at.X, at.Y);
  if (!is_finite(D.pp) || !is_finite(D.pr) || !is_finite(D.rp) || !is_finite(D.rr)) return false;
  const Vec3 r{at.r[3], at.r[4], at.r[5]};
  const Mat3 from_X = left_inverse(r), from_Y = left_inverse(-r);
  set_columns(columns, 0, Mat3::identity() - D.pp, (-size) * (from_Y * D.rp));
  set_columns(columns, 3, (-1 / size) * D.pr, from_X - from_Y * D.rr);
  return true;
}

bool calc_change(const BlackBox& box, const BlackBoxFrame& at, double size, Mat6& columns) {
  if (!at.finite) return false;
  if (box.has_derivative() && calc_change_from_derivative(box, at, size, columns)) return true;
  return calc_change_by_differences(box, at, size, kDifferenceStep, columns);
}

}  // namespace tenon::detail
