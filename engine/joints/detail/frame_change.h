// Differences of frames in six coordinates, and how the residual of a black box changes.
//   X (-) Y = ((p_X - p_Y) / size, log(q_X q_Y^-1))        in P's axes                    (1)
//   r(X) = X (-) project(X),   E = dr/dX                                                   (2)
#pragma once

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/detail/symmetric6.h"

namespace tenon::detail {

// Forward differences: truncation 1e-6 of the curvature (in units of size), round-off 1e-10, and
// functions that iterate to 1e-10 only still give 1e-4.
inline constexpr double kDifferenceStep = 1e-6;

double dot6(const double* a, const double* b);
double norm6(const Row6& a);

// X moved by `by` along a direction of the six coordinates.
Pose moved(const Pose& X, const double* direction, double by, double size);
// (1)
Row6 difference(const Pose& X, const Pose& Y, double size);

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
