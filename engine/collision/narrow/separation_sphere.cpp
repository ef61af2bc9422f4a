// A sphere is its centre with a radius: the closest point of B to the centre tells it all.
#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/geometry/closest_point.h"

namespace tenon::narrow {

Separation find_separation_sphere(const Sphere& a, const Vec3& p_WA, const Shape& b,
                                  const Transform& X_WB) {
  const ClosestPoint closest = find_closest_point(b, inverse_mul(X_WB, p_WA));
  Separation result;
  // the surface normal of B points from B to A
  result.normal_W = -(X_WB.R * closest.normal);
  result.distance = closest.distance - a.radius;
  result.p_WA = p_WA + a.radius * result.normal_W;
  result.p_WB = X_WB * closest.point;
  return result;
}

}  // namespace tenon::narrow
