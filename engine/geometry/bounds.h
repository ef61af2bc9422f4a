// World bounds of shapes.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

// The smallest axis-aligned box that holds the shape at X_WS, up to round-off (no margin is added);
// of a mesh up to 0.5 % of its radius (needles: 7 %): so that cost does not follow its triangles.
// Plane: the half-space within the world cube of half edge kPlaneExtent (support.h); its box is
// tight on the side of the normal where that is along an axis, and the whole cube otherwise. A
// plane beyond the cube gives a box that is flat on the cube's near side.
Aabb calc_bounds(const Shape& shape, const Transform& X_WS);

}  // namespace tenon
