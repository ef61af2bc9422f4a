// Whether two triangles pass through one another, decided exactly.
#pragma once

#include <array>

#include "tenon/engine/math/vec3.h"

namespace tenon::detail {

using ThreePoints = std::array<Vec3, 3>;

// How a triangle lies to the plane of another: the exact sides of its corners. All 0: in the plane,
// or the other triangle has no area.
using Sides = std::array<int, 3>;
Sides find_sides(const ThreePoints& plane, const ThreePoints& corners);

// Whether the insides meet, and not in one plane. a: sides of t to the plane of u; b: those of u to
// the plane of t.
bool insides_cross(const ThreePoints& t, const Sides& a, const ThreePoints& u, const Sides& b);

// Whether triangles of one plane overlap by an area and face the same way.
bool overlap_alike(const ThreePoints& t, const ThreePoints& u);

// Whether more than a point of the segment, which lies in the plane of t, is inside t.
bool runs_inside(const Vec3& p, const Vec3& q, const ThreePoints& t);

// Whether the segments ab and pq have more than a point in common.
bool run_together(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q);

// Two surfaces bent along the same line ab, given by a point of each of their halves: whether each
// of them has the halves of the other strictly on both of its sides.
bool halves_alternate(const Vec3& a, const Vec3& b, const std::array<Vec3, 2>& c,
                      const std::array<Vec3, 2>& d);

// Whether the segment pq passes through the inside of the triangle.
bool pierces(const Vec3& p, const Vec3& q, const ThreePoints& t);

}  // namespace tenon::detail
