// Ellipsoids, which Tenon has no shape of its own for.
#pragma once

#include "tenon/scene/model/tree.h"

namespace tenon::scene::mjcf {

// The hull of 162 points of the ellipsoid (an icosahedron, divided twice): inside it by at most
// 1.3 % of the half axes.
HullShape make_ellipsoid_hull(const Vec3& half_axes);

// Of the ellipsoid itself, for a density of 1: m = 4/3 pi abc, I_x = m (b^2 + c^2)/5.
model::Inertial calc_ellipsoid(const Vec3& half_axes);

}  // namespace tenon::scene::mjcf
