#include "tenon/engine/bodies/pose_curve.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

constexpr double kLongTurn = 2;  // rad

// The rate dr/dt of a rotation vector r that gives exp(r(t)) the angular velocity w: the inverse of
// the left Jacobian of the rotation group [Sola2018, eq. 146],
//   dr/dt = w - r x w / 2 + c r x (r x w),  c = 1/|r|^2 - cot(|r|/2) / (2 |r|)               (1)
Vec3 rotation_vector_rate(const Vec3& r, const Vec3& w) {
  const double angle = norm(r);
  // the series of c below 1e-2 rad is exact to round-off
  const double c = angle < 1e-2 ? 1.0 / 12 + angle * angle / 720
                                : 1 / (angle * angle) - 1 / (2 * angle * tan(0.5 * angle));
  const Vec3 rw = cross(r, w);
  return w - 0.5 * rw + c * cross(r, rw);
}

// The left Jacobian itself [Sola2018, eq. 145]: w of exp(r(t)) for the rate dr/dt,
//   w = dr/dt + b r x dr/dt + c r x (r x dr/dt),  b = (1 - cos|r|)/|r|^2, c = (|r| - sin|r|)/|r|^3
Vec3 angular_velocity_of(const Vec3& r, const Vec3& rate) {
  const double angle = norm(r), angle2 = angle * angle;
  const bool small = angle < 1e-2;  // the series are exact to round-off there
  const double half = sin(0.5 * angle);
  const double b = small ? 0.5 - angle2 / 24 + angle2 * angle2 / 720 : 2 * half * half / angle2;
  const double c = small ? 1.0 / 6 - angle2 / 120 + angle2 * angle2 / 5040
                         : (angle - sin(angle)) / (angle * angle2);
  const Vec3 rr = cross(r, rate);
  return rate + b * rr + c * cross(r, rr);
}

}  // namespace

// Position is the cubic Hermite curve
//   p(s) = p_a + h1(s) (p_b - p_a) + T (h2(s) v_a + h3(s) v_b)                              (2)
//   h1 = 3 s^2 - 2 s^3,  h2 = s - 2 s^2 + s^3,  h3 = s^3 - s^2
// Orientation is the same curve in the rotation vector r from a, whose slopes follow from the turn
// rates w_a and w_b by (1): exact at both ends, with a continuous angular velocity.
MovingPose interpolate(const MovingPose& a, const MovingPose& b, double T, double s) {
  const double h1 = s * s * (3 - 2 * s), h2 = s * (1 - s) * (1 - s), h3 = s * s * (s - 1);
  const double d1 = 6 * s * (1 - s) / T, d2 = (1 - s) * (1 - 3 * s), d3 = s * (3 * s - 2);
  const Vec3 way = b.X_WB.p - a.X_WB.p;
  const Vec3 turn = log_map(b.X_WB.q * conjugate(a.X_WB.q));
  const Vec3 end_rate = rotation_vector_rate(turn, b.w_WB);
  const Vec3 r = h1 * turn + T * (h2 * a.w_WB + h3 * end_rate);
  const Vec3 rate = d1 * turn + d2 * a.w_WB + d3 * end_rate;
  return {
      {a.X_WB.p + h1 * way + T * (h2 * a.v_WB + h3 * b.v_WB), normalized(exp_map(r) * a.X_WB.q)},
      d1 * way + d2 * a.v_WB + d3 * b.v_WB,
      angular_velocity_of(r, rate)};
}

MovingPose interpolate_step(const MovingPose& a, const MovingPose& b, double T, double s) {
  const Vec3 expected = (0.5 * T) * (a.w_WB + b.w_WB);
  MovingPose m = interpolate(a, b, T, s);
  if (!(norm(expected) > kLongTurn)) return m;
  Vec3 turn = log_map(b.X_WB.q * conjugate(a.X_WB.q));
  const Vec3 axis = normalized(turn, normalized(expected));
  turn += (2 * kPi * std::floor(0.5 + dot(expected - turn, axis) / (2 * kPi))) * axis;
  m.X_WB.q = normalized(exp_map(s * turn) * a.X_WB.q);
  m.w_WB = (1 / T) * turn;
  return m;
}

}  // namespace tenon
