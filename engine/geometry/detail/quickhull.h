// The convex hull of a point set as a closed surface of triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tenon/engine/math/vec3.h"

namespace tenon::detail {

struct HullTriangle {
  std::array<int, 3> v;    // point indices, counter-clockwise seen from outside
  std::array<int, 3> adj;  // adj[i]: the triangle across the edge v[i], v[i + 1]
  Vec3 normal;             // outward unit normal; zero where the triangle has no area in doubles
  double offset;           // dot(normal, p) = offset
};

// `first`: a tetrahedron of four points far from one plane, positively oriented (orient3d_sign).
// Triangles that are exactly convex (no point of theirs lies outside any of their planes), such
// that no point of the set lies further outside than `tolerance`. Exactly flat neighbours occur.
std::vector<HullTriangle> calc_hull_triangles(std::span<const Vec3> points,
                                              const std::array<int, 4>& first, double tolerance);

// Unit normal and offset of a triangle, from its two shorter edges (the least cancellation).
void set_plane(HullTriangle& triangle, std::span<const Vec3> points);

}  // namespace tenon::detail
