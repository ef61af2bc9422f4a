// A sphere is its centre with a radius: the closest point of B to the centre tells it all.
#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/geometry/closest_point.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::narrow {

namespace {

// On the surface of a hull the line to the closest point has no direction. The face whose plane the
// point is farthest above has one; the better of the two is that along which B ends sooner.
ClosestPoint settle_on_hull(const Hull& hull, const Vec3& q, ClosestPoint closest) {
  const auto above = [&](const Vec3& n) { return dot(n, q - support(hull, n)); };
  double best = above(closest.normal);
  for (const HullGeometry::Face& face : hull.geometry->faces) {
    const double height = dot(face.normal, q) - face.offset;
    if (!(height > best)) continue;
    best = height;
    closest = {q - height * face.normal, face.normal, height};
  }
  return closest;
}

}  // namespace

Separation find_separation_sphere(const Sphere& a, const Vec3& p_WA, const Shape& b,
                                  const Transform& X_WB) {
  const Vec3 q = inverse_mul(X_WB, p_WA);
  ClosestPoint closest = find_closest_point(b, q);
  const auto* hull = std::get_if<Hull>(&b);
  if (hull && std::fabs(closest.distance) < 1e-7 * hull->geometry->width)
    closest = settle_on_hull(*hull, q, closest);
  Separation result;
  // the surface normal of B points from B to A
  result.normal_W = -(X_WB.R * closest.normal);
  result.distance = closest.distance - a.radius;
  result.p_WA = p_WA + a.radius * result.normal_W;
  result.p_WB = X_WB * closest.point;
  return result;
}

}  // namespace tenon::narrow
