// The forms that joints are made of, and their gradients.
//
// Every form depends on the relative pose of the frames P and C alone, so its gradient is one
// wrench (f, t) on the child at C's origin and the opposite one on the parent at the same point
// (RowWrench in joint_model.h). With dphi = dphi_C - dphi_P, the relative rotation of C against P,
// and dd = P's view of the change of d:   dc = f . dd + t . dphi.
//   slide       P_i . d                     f = P_i                                     (1)
//   dot         P_i . C_j                   t = C_j x P_i                               (2)
//   twist       2 atan2(x, w) of the quaternion of C in P, as a matrix expression:
//               atan2(P_z . C_y - P_y . C_z, P_y . C_y + P_z . C_z)
//                                           t = (P_x + C_x) / (1 + P_x . C_x)           (3)
//   tilt        asin s, s = -P_z . C_x or P_y . C_x
//                                           t = -+ (C_x x P_k) / sqrt(1 - s^2)          (4)
//   turn        angle of u = C_j about P_i, a = P_i . u:
//                                           t = (P_i - a u) / (1 - a^2)                 (5)
//   turn child  angle of P_x about C_y, with the sign of C's motion, a = P_x . C_y:
//                                           t = (C_y - a P_x) / (1 - a^2)               (6)
//   distance    |d|                         f = d / |d|                                 (7)
// (5), (6) hold also where the two axes are not at right angles: a solver on its way needs the
// gradient there too. (3) is the swing-twist decomposition [Dobrowolski2015]; its gradient is
// unbounded where the swing is pi.
// Limits: (3) swing = pi, (5), (6) a = +-1, (4) s = +-1, (7) d = 0. The denominators are kept from
// zero; the gradient there is finite and means nothing, and dampers and friction leave it (8).
#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/joint_model.h"

namespace tenon {
namespace {

// 1 + cos(swing) at 0.002 rad from pi, sin^2 of 0.001 rad between two axes that should be at right
// angles: there gradients are as long as they get, 1000 rad/rad.
constexpr double kSmallestTwistBase = 2e-6, kSmallestTurnBase = 1e-6;
// cos(tilt) where round-off of 1e-16 in s begins to rule the direction of the gradient.
constexpr double kSmallestTiltCos = 1e-8;

// The angle of (sin, cos), where it is asked for.
template <bool kAngle>
double angle_of(double sine, double cosine) {
  return kAngle ? atan2(sine, cosine) : 0;
}

template <bool kAngle>
double eval_twist(const PairFrames& x, RowWrench& w) {
  const Vec3 &Py = x.P[1], &Pz = x.P[2], &Cy = x.C[1], &Cz = x.C[2];
  w = {{}, (x.P[0] + x.C[0]) / std::max(1 + dot(x.P[0], x.C[0]), kSmallestTwistBase)};
  return angle_of<kAngle>(dot(Pz, Cy) - dot(Py, Cz), dot(Py, Cy) + dot(Pz, Cz));
}

template <bool kAngle>
double eval_tilt(int i, const PairFrames& x, RowWrench& w) {
  // ry falls, rz rises with the component along its axis
  const Vec3 axis = i == 1 ? -x.P[2] : x.P[1];
  const double s = dot(axis, x.C[0]);
  const double c = std::sqrt(std::max(0.0, 1 - s * s));
  w = {{}, cross(x.C[0], axis) / std::max(c, kSmallestTiltCos)};
  return kAngle ? asin(s) : 0;
}

template <bool kAngle>
double eval_turn_parent(int i, const PairFrames& x, RowWrench& w) {
  const Vec3& axis = x.P[static_cast<size_t>(i)];
  const Vec3& u = i == 0 ? x.C[1] : x.C[0];
  // where u starts, and where it goes first
  const Vec3& from = i == 0 ? x.P[1] : x.P[0];
  const Vec3 to = i == 0 ? x.P[2] : (i == 1 ? -x.P[2] : x.P[1]);
  const double a = dot(axis, u);
  w = {{}, (axis - a * u) / std::max(1 - a * a, kSmallestTurnBase)};
  return angle_of<kAngle>(dot(to, u), dot(from, u));
}

template <bool kAngle>
double eval_turn_child(const PairFrames& x, RowWrench& w) {
  const Vec3 &Px = x.P[0], &Cy = x.C[1];
  const double a = dot(Px, Cy);
  w = {{}, (Cy - a * Px) / std::max(1 - a * a, kSmallestTurnBase)};
  return angle_of<kAngle>(dot(Px, x.C[2]), dot(Px, x.C[0]));
}

double eval_distance(const PairFrames& x, RowWrench& w) {
  w = {normalized(x.d, {}), {}};
  return dot(w.f, x.d);
}

template <bool kAngle>
double eval_curved(RowForm form, int i, const PairFrames& x, RowWrench& w) {
  switch (form) {
    case RowForm::kTwist:
      return eval_twist<kAngle>(x, w);
    case RowForm::kTilt:
      return eval_tilt<kAngle>(i, x, w);
    case RowForm::kTurnParent:
      return eval_turn_parent<kAngle>(i, x, w);
    case RowForm::kTurnChild:
      return eval_turn_child<kAngle>(x, w);
    case RowForm::kDistance:
      return eval_distance(x, w);
    case RowForm::kSlide:
    case RowForm::kDot:
    case RowForm::kBlackBox:
      break;
  }
  w = {};
  return 0;
}

}  // namespace

double eval_curved_form(RowForm form, int i, const PairFrames& x, RowWrench& w) {
  return eval_curved<true>(form, i, x, w);
}
void eval_curved_gradient(RowForm form, int i, const PairFrames& x, RowWrench& w) {
  eval_curved<false>(form, i, x, w);
}

double eval_row(const RowSpec& row, const PairFrames& x, const PairFrames& x2, RowWrench& w,
                RowWrench& w2) {
  double c = row.scale * eval_form(row.form, row.i, row.j, x, w) - row.value;
  w = {row.scale * w.f, row.scale * w.t};
  w2 = {};
  if (row.ratio != 0) {
    c += row.ratio * eval_form(row.second_form, row.second_i, 0, x2, w2);
    w2 = {row.ratio * w2.f, row.ratio * w2.t};
  }
  return c;
}

double count_per_turning2(const RowSpec& row, const PairFrames& x) {
  constexpr double kRoundOff = 1e-12;  // of hinges
  const auto inverse = [](double square, double base, double least) {
    if (!(base > least)) return kInfinity;
    const double count2 = square / base;
    return count2 > 1 + kRoundOff ? count2 : 1.0;
  };
  if (row.ratio != 0) return 1;
  if (row.form == RowForm::kTwist) {
    return inverse(2, 1 + dot(x.P[0], x.C[0]), kSmallestTwistBase);
  }
  if (row.form != RowForm::kTurnParent && row.form != RowForm::kTurnChild) return 1;
  const bool child = row.form == RowForm::kTurnChild;
  const Vec3& axis = child ? x.C[1] : x.P[row.i];
  const double a = dot(axis, child ? x.P[0] : row.i == 0 ? x.C[1] : x.C[0]);
  return inverse(1, 1 - a * a, kSmallestTurnBase);
}

double unwrap(double angle, double near) {
  // halves go away from zero; the loss of exactness beyond 2^52 turns is nobody's
  return angle + 2 * kPi * std::round((near - angle) / (2 * kPi));
}

}  // namespace tenon
