// Nearest points on ellipses and ellipsoids.
#pragma once

#include "tenon/engine/math/mat3.h"

namespace tenon::detail {

// The point of the ellipsoid with half axes `half` (all > 0) that is nearest to p. With half.x = 0
// and p.x = 0 this is the ellipse in the y-z plane.
Vec3 nearest_on_ellipsoid(const Vec3& half, const Vec3& p);

// How that point q follows p. Not finite at p where q jumps.
Mat3 nearest_on_ellipsoid_derivative(const Vec3& half, const Vec3& p, const Vec3& q);

}  // namespace tenon::detail
