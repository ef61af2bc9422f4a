// Air resistance F = -k |v| v with k = c_w A [Keller1993, sec. 3.9].
#pragma once

#include "tenon/engine/math/vec3.h"

namespace tenon {

// The velocity after a time h of drag alone, exactly: m dv/dt = -k |v| v has the solution
//   v(h) = v(0) / (1 + k |v(0)| h / m),                                                      (1)
// which neither overshoots nor needs a small step, whatever k is.
inline Vec3 slow_by_drag(const Vec3& v, double k, double inv_mass, double h) {
  return v / (1 + k * norm(v) * h * inv_mass);
}

// The force at an instant, N; in a wind the velocity against the air counts.
inline Vec3 drag_force(double k, const Vec3& v, const Vec3& wind) {
  const Vec3 u = v - wind;
  return -k * norm(u) * u;
}

// The mean force over a step h in a wind, for velocity v against the ground at its begin and
// acceleration a by everything else: (1) for half of the step, a, (1) for the other half, as a
// constant force. Second order; what (1) does alone it does exactly, without overshooting.     (2)
inline Vec3 mean_drag_force(double k, double mass, const Vec3& v, const Vec3& a, const Vec3& wind,
                            double h) {
  const double inv_mass = 1 / mass;
  const Vec3 u = v - wind, pushed = slow_by_drag(u, k, inv_mass, 0.5 * h) + h * a;
  return (mass / h) * (slow_by_drag(pushed, k, inv_mass, 0.5 * h) - (u + h * a));
}

}  // namespace tenon
