// Signed distance of a point to a shape.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

// In the shape frame: p_query = point + distance * normal (a corner, an edge or a cylinder rim is
// approached along the line to the query point).
struct ClosestPoint {
  Vec3 point;       // on the surface, nearest to the query point
  Vec3 normal;      // unit; outward
  double distance;  // negative inside, 0 on the surface
};

// Inside, the nearest surface point may not be unique; the choice depends on the input bits only:
// the axis in the order x, y, z and the positive side first (y for a sphere's centre, x for an
// axis of revolution; the cap of a cylinder only when strictly nearer than its side; the first of
// the triangles of a mesh). Behind an open mesh the distance is negative. Precondition:
// check(shape) is ok and the point is finite.
ClosestPoint find_closest_point(const Shape& shape, const Vec3& query);

}  // namespace tenon
