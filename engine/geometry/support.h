// Support points and sizes of shapes.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

// A plane is the half-space within this distance of the origin of its frame, wherever finite
// numbers are needed (support points, sizes, bounds). Metres; far beyond any scene, and small
// enough that its round-off (1e-7 m) does not matter.
inline constexpr double kPlaneExtent = 1e9;

// A point of the shape that is furthest along `direction`, in the shape frame. The direction need
// not be a unit vector; zero or a vector that is not finite counts as +y. Where several points are
// equally far the choice depends on the input bits only: the positive side of a box, the end at
// +y, the centre of a cap of a cylinder (and of its side, along y).
// Plane: the half-space cut off at kPlaneExtent, so the support along +y is the origin's surface
// point, and along any other direction a corner of that huge box.
Vec3 support(const Shape& shape, const Vec3& direction);

// Index of a hull vertex furthest along `direction` (finite, not zero), searched from the vertex
// `start`: pass the last result where directions change little. Hulls of up to kScanVertices
// vertices are scanned (lowest index among equals); larger ones are climbed along edges, which is
// exact up to the tolerance of the hull.
inline constexpr int kScanVertices = 32;
int find_support_vertex(const HullGeometry& hull, const Vec3& direction, int start);

// Radius of the smallest sphere about the origin of the shape frame that holds the shape.
double bounding_radius(const Shape& shape);

// The smallest extent of the shape over the directions of its faces and axes: diameter of a sphere
// or capsule, shortest edge of a box, the smaller of diameter and height of a cylinder, the width
// of a hull; of a closed mesh six volumes by its area (a ball's diameter, a cube's edge) where that
// is less than its extents, and of an open one its largest extent. Lengths are judged relative to
// it ("1e-6 of body size"). Plane: 2 kPlaneExtent, so that the smaller size of a pair is never the
// plane's.
double size(const Shape& shape);

}  // namespace tenon
