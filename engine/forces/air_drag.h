// Air resistance F = -k |v| v with k = c_w A [Keller1993, sec. 2.3].
#pragma once

#include "tenon/engine/math/vec3.h"

namespace tenon {

// The velocity after a time h of drag alone, exactly: m dv/dt = -k |v| v has the solution
//   v(h) = v(0) / (1 + k |v(0)| h / m),                                                      (1)
// which neither overshoots nor needs a small step, whatever k is.
inline Vec3 slow_by_drag(const Vec3& v, double k, double inv_mass, double h) {
  return v / (1 + k * norm(v) * h * inv_mass);
}

}  // namespace tenon
