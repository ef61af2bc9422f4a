// Surface area of shapes.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

// m^2; 0 for a plane. A quarter of it is the mean projected area of a convex body over all
// directions (Cauchy's formula), the area that air resistance uses.
double calc_surface_area(const Shape& shape);

}  // namespace tenon
