// From the triangles of a hull to its polygons, edges and neighbours.
#pragma once

#include <span>

#include "tenon/engine/geometry/detail/quickhull.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::detail {

// Merges triangles that lie in one plane within `tolerance` and builds the topology; leaves the
// measures (centroid, radii, width) at zero.
HullGeometry merge_triangles(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                             double tolerance);

}  // namespace tenon::detail
