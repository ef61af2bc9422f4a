// Rotations of a step as Cayley vectors, and inertias at its end.
#include <algorithm>

#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {

Vec3 cayley_of(const Vec3& rotation) {
  const double angle = norm(rotation);
  if (!(angle > 1e-6)) return (1 + angle * angle / 12) * rotation;
  const double half = std::min(0.5 * angle, 1.45);
  return (2 * tenon::sin(half) / (tenon::cos(half) * angle)) * rotation;
}

void calc_end_inertia(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                      std::vector<Mat3>& inv_I) {
  inv_I.assign(bodies.size(), Mat3{});
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!work[b].turns) continue;
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    inv_I[b] = R * bodies[b].mass->inv_I_B * transpose(R);
  }
}

}  // namespace tenon::direct
