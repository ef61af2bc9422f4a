#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/collision/narrow/witness.h"

namespace tenon::narrow {

// Two segments. Where they (nearly) meet, the difference of the points is noise and the common
// perpendicular, or any perpendicular of parallel segments, takes over.
CoreSeparation find_core_separation_capsules(const CorePair& pair) {
  const Vec3 u = pair.A.half.y * pair.A.axis[1], v = pair.B.half.y * pair.B.axis[1];
  const auto [s, t] = find_closest_segments(pair.A.p, u, pair.B.p, v);
  const Vec3 a = pair.A.p + s * u, b = pair.B.p + t * v;
  const double distance = norm(b - a);
  if (distance > 1e-4 * pair.small) return {(b - a) / distance, distance, a, b};
  Best best;
  if (distance > 0) try_direction(pair, (b - a) / distance, best);
  Vec3 across;
  if (!find_perpendicular(pair.A.axis[1], pair.B.axis[1], across))
    across = any_orthogonal(pair.A.axis[1]);
  try_direction(pair, across, best);
  try_direction(pair, -across, best);
  return {best.n, best.s, a, a + best.s * best.n};
}

}  // namespace tenon::narrow
