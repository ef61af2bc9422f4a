// Differences of frames in six coordinates, and how the residual of a black box changes.
//   X (-) Y = ((p_X - p_Y) / size, log(q_X q_Y^-1))        in P's axes                    (1)
//   r(X) = X (-) project(X),   E = dr/dX                                                   (2)
#pragma once

#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/detail/symmetric6.h"

namespace tenon::detail {

// Forward differences: truncation 3e-8 of the curvature (in units of size), round-off 1e-8, and
// functions that iterate to 1e-10 only still give 3e-3, which holds them as well.
inline constexpr double kDifferenceStep = 3e-8;

inline double dot6(const double* a, const double* b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}
inline double norm6(const Row6& a) { return std::sqrt(dot6(a.data(), a.data())); }

// X moved by `by` along a direction of the six coordinates.
Pose moved(const Pose& X, const double* direction, double by, double size);

// log_map without an arc tangent where the rotation is small, as residuals are.
inline Vec3 short_log(const Quat& q) {
  const double n2 = norm2(q.vec());
  if (!(n2 < 1e-4)) return log_map(q);
  // 2 asin(n)/n; the next term is 1e-22
  const double s = 1 + n2 * (1.0 / 6 + n2 * (3.0 / 40 + n2 * (15.0 / 336 + n2 * (105.0 / 3456))));
  return (q.w < 0 ? -2 * s : 2 * s) * q.vec();
}
// (1)
inline Row6 difference(const Pose& X, const Pose& Y, double size) {
  const Vec3 d = (X.p - Y.p) / size, w = short_log(X.q * conjugate(Y.q));
  return {d.x, d.y, d.z, w.x, w.y, w.z};
}

// Row j of `columns` is column j of E at a frame that was looked at. From the user's derivative, or
// else by forward differences. False: not finite.
bool calc_change(const BlackBox& box, const BlackBoxFrame& at, double size, Mat6& columns);
// The same from the function alone, by steps of either sign.
bool calc_change_by_differences(const BlackBox& box, const BlackBoxFrame& at, double size,
                                double step, Mat6& columns);
// The same from the user's derivative alone.
bool calc_change_from_derivative(const BlackBox& box, const BlackBoxFrame& at, double size,
                                 Mat6& columns);

}  // namespace tenon::detail
