// Polygons of shapes, in the shape frame.
#pragma once

#include <vector>

#include "tenon/engine/geometry/shape.h"

namespace tenon::render {

struct MeshFace {
  std::vector<Vec3> points;  // a flat convex loop, counter-clockwise from outside
  Vec3 normal;               // outward, unit
};

// The surface of a sphere, box, cylinder, capsule, hull or mesh (of which a coarse one); round
// shapes get `sides` facets about the y axis (3 or more) and as fine rings. A plane gives nothing.
std::vector<MeshFace> tessellate(const Shape& shape, int sides);

// The side of a capsule (or cylinder) without its ends.
std::vector<MeshFace> tessellate_side(double radius, double half_length, int sides);

}  // namespace tenon::render
