// What every hull must satisfy, checked from scratch (no engine code but the vector type).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/hull.h"

namespace tenon {

inline Vec3 random_unit(Rng& rng) {
  for (;;) {
    const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    if (norm2(v) > 0.01 && norm2(v) <= 1) return v / norm(v);
  }
}

inline Mat3 random_rotation(Rng& rng) {
  const Vec3 a = random_unit(rng);
  Vec3 b = random_unit(rng);
  while (norm(cross(a, b)) < 0.1) b = random_unit(rng);
  const Vec3 c = normalized(cross(a, b));
  return Mat3::from_columns(a, cross(c, a), c);
}

// Loops, edges and neighbours agree with each other; Euler's formula.
inline void check_topology(const HullGeometry& g) {
  const int V = static_cast<int>(g.vertices.size()), F = static_cast<int>(g.faces.size());
  const int E = static_cast<int>(g.edges.size());
  EXPECT_EQ(V - E + F, 2);
  std::map<std::pair<int, int>, int> half_edges;  // (from, to) -> face
  size_t corners = 0;
  for (int f = 0; f < F; ++f) {
    const auto& face = g.faces[f];
    ASSERT_GE(face.count, 3);
    ASSERT_EQ(static_cast<size_t>(face.first), corners);
    corners += static_cast<size_t>(face.count);
    for (int i = 0; i < face.count; ++i) {
      const int a = g.face_vertices[face.first + i];
      const int b = g.face_vertices[face.first + (i + 1) % face.count];
      ASSERT_TRUE(a >= 0 && a < V && b >= 0 && b < V && a != b);
      ASSERT_TRUE(half_edges.insert({{a, b}, f}).second) << "edge used twice in one direction";
    }
  }
  ASSERT_EQ(corners, g.face_vertices.size());
  ASSERT_EQ(half_edges.size(), 2 * g.edges.size());
  std::vector<std::set<int>> neighbours(g.vertices.size());
  for (const auto& e : g.edges) {
    ASSERT_LT(e.v0, e.v1);
    ASSERT_NE(e.face0, e.face1);
    ASSERT_TRUE(half_edges.count({e.v0, e.v1}) && half_edges.count({e.v1, e.v0}));
    EXPECT_EQ((half_edges[{e.v0, e.v1}]), e.face0);
    EXPECT_EQ((half_edges[{e.v1, e.v0}]), e.face1);
    neighbours[e.v0].insert(e.v1);
    neighbours[e.v1].insert(e.v0);
  }
  ASSERT_EQ(g.first_neighbour.size(), g.vertices.size() + 1);
  for (int v = 0; v < V; ++v) {
    const std::set<int> listed(g.neighbours.begin() + g.first_neighbour[v],
                               g.neighbours.begin() + g.first_neighbour[v + 1]);
    EXPECT_EQ(listed, neighbours[v]);
    EXPECT_GE(listed.size(), 2u);
  }
}

// Unit normals, counter-clockwise loops, vertices and input points inside.
inline void check_geometry(const HullGeometry& g, std::span<const Vec3> points) {
  const double extent = 2 * g.radius, tol = g.tolerance;
  EXPECT_LE(tol, kHullTolerance * extent * 1.01 + 0x1p-49 * g.origin_radius);
  // round-off of a dot product with coordinates of this size
  const double round_off = 1e-15 * (g.origin_radius + extent);
  for (const auto& face : g.faces) {
    ASSERT_NEAR(norm(face.normal), 1, 1e-14);
    Vec3 area;
    for (int i = 0; i < face.count; ++i) {
      const Vec3& a = g.vertices[g.face_vertices[face.first + i]] - g.centroid;
      const Vec3& b = g.vertices[g.face_vertices[face.first + (i + 1) % face.count]] - g.centroid;
      area += cross(a, b);
      EXPECT_LE(std::fabs(dot(face.normal, a + g.centroid) - face.offset), 2 * tol + round_off);
    }
    // the loop's area vector points outward (a sliver's may vanish within the tolerance)
    EXPECT_GE(dot(area, face.normal), -tol * extent);
    double worst = -1e300;
    for (const Vec3& v : g.vertices) {
      worst = std::max(worst, dot(face.normal, v) - face.offset);
    }
    EXPECT_LE(worst, 2 * tol + round_off) << "a vertex outside: not convex";
    worst = -1e300;
    for (const Vec3& p : points) worst = std::max(worst, dot(face.normal, p) - face.offset);
    EXPECT_LE(worst, 2 * tol + round_off) << "an input point outside";
    EXPECT_LT(dot(face.normal, g.centroid), face.offset);
  }
  // vertices are input points, in their order
  size_t at = 0;
  for (const Vec3& v : g.vertices) {
    while (at < points.size() && points[at] != v) ++at;
    ASSERT_LT(at, points.size()) << "a vertex that is no input point, or out of order";
  }
}

inline void check_hull(std::span<const Vec3> points, const char* what) {
  SCOPED_TRACE(what);
  const Result<Hull> hull = make_hull(points);
  ASSERT_TRUE(hull.ok()) << format(hull.error());
  check_topology(*hull->geometry);
  check_geometry(*hull->geometry, points);
}

}  // namespace tenon
