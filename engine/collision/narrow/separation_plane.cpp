// A plane is a half-space: the distance of B is that of its lowest point.
#include "tenon/engine/collision/narrow/separation_closed.h"

namespace tenon::narrow {

Separation find_separation_plane(const Transform& X_WA, const Core& core) {
  const Vec3 up = X_WA.R.column(1);
  const Vec3 lowest = support(core, -up) - core.radius * up;
  Separation result;
  result.normal_W = up;
  result.distance = dot(up, lowest);
  result.p_WB = X_WA.p + lowest;
  result.p_WA = X_WA.p + (lowest - result.distance * up);
  return result;
}

}  // namespace tenon::narrow
