// Exact side test of a point against the plane of three others.
#pragma once

#include "tenon/engine/math/vec3.h"

namespace tenon::detail {

// The exact sign (-1, 0, +1) of (b - a) x (c - a) . (d - a): +1 when d lies on the side from which
// a, b, c run counter-clockwise. The coordinates are taken as they are; no tolerance.
// Precondition: differences between 1e-45 and 1e45 in magnitude or zero (see make_hull).
int orient3d_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace tenon::detail
