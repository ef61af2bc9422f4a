#include "tenon/engine/geometry/mesh.h"

#include <gtest/gtest.h>

#include "mesh_oracle.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/closest_point.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/engine/geometry/mesh_check.h"
#include "tenon/engine/geometry/ray_cast.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::test {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
const MeshOptions kQuick{.use = MeshUse::kPicture};

Vec3 random_point(Rng& rng, const Aabb& box, double margin) {
  const Vec3 size = box.hi - box.lo + 2 * margin * Vec3{1, 1, 1};
  return box.lo - margin * Vec3{1, 1, 1} +
         cwise_mul(size, {rng.uniform(), rng.uniform(), rng.uniform()});
}

TEST(Mesh, TheNearestPointIsThatOfAllTrianglesAndItsSignThatOfTheWindingNumber) {
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Mesh mesh = must_make(triangles, kQuick);
    const double size = max_component(mesh.geometry->bounds.hi - mesh.geometry->bounds.lo);
    Rng rng(1);
    for (int i = 0; i < 100; ++i) {
      const Vec3 q = random_point(rng, mesh.geometry->bounds, 0.2 * size);
      const double d = slow_distance(triangles, q);
      const MeshPoint p = find_nearest(*mesh.geometry, q, kFar);
      // round-off of coordinates of the order of the distance to the origin
      EXPECT_NEAR(p.distance, d, 1e-13 * (1 + norm(q))) << name << " " << i;
      EXPECT_NEAR(norm(q - p.point), std::fabs(d), 1e-13 * (1 + norm(q))) << name;
    }
  }
}

// Pseudo-normals take all that is above a fold for inside, and much that is inside for outside.
TEST(Mesh, ThatPassesThroughItselfHasTheSignOfTheWindingNumber) {
  for (const auto& [name, triangles] : crossed_meshes()) {
    const Mesh mesh = must_make(triangles);
    const MeshGeometry& g = *mesh.geometry;
    EXPECT_FALSE(g.unsure.empty()) << name;
    const double size = max_component(g.bounds.hi - g.bounds.lo);
    Rng rng(1);
    int wrong_field = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 q = random_point(rng, g.bounds, 0.2 * size);
      const double d = slow_distance(triangles, q);
      const MeshPoint p = find_nearest(g, q, kFar);
      EXPECT_NEAR(p.distance, d, 1e-13 * (1 + norm(q))) << name << " " << i;
      // the normal leads out: away from the surface outside, to it inside
      EXPECT_GE(dot(q - p.point, p.normal) * d, 0) << name << " " << i;
      // a cell along the surface is neither in nor out
      const double near = g.field->error() + g.field->cell();
      wrong_field += std::fabs(d) > near && (g.field->value(q) < 0) != (d < 0);
    }
    EXPECT_EQ(wrong_field, 0) << name;
  }
}

TEST(Mesh, ThatDoesNotPassThroughItselfIsSureEverywhere) {
  for (const auto& [name, triangles] : twenty_meshes()) {
    EXPECT_TRUE(must_make(triangles).geometry->unsure.empty()) << name;
  }
}

// Half of the searches for what touches a sphere go by these: a normal outside of its cone would
// be a contact that is never found.
TEST(Mesh, ConesOfNodesHoldTheNormalsOfAllTheirTrianglesAndAreNarrowOnFineOnes) {
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Mesh mesh = must_make(triangles, kQuick);
    const MeshTree& tree = mesh.geometry->tree;
    ASSERT_EQ(tree.cones.size(), tree.nodes.size()) << name;
    const auto check = [&](auto&& self, size_t top, size_t at) -> void {
      const MeshTree::Node& node = tree.nodes[at];
      const MeshTree::Cone& cone = tree.cones[top];
      if (node.count == 0) {
        self(self, top, at + 1);
        self(self, top, static_cast<size_t>(node.first));
        return;
      }
      for (int k = node.first; k < node.first + node.count; ++k) {
        const auto t = static_cast<size_t>(tree.order[static_cast<size_t>(k)]);
        const Vec3 axis{cone.axis[0], cone.axis[1], cone.axis[2]};
        // a cone of all directions has a cosine of -2; floats have seven digits
        EXPECT_GE(dot(axis, mesh.geometry->face_normals[t]), cone.cosine - 1e-6) << name << at;
      }
    };
    for (size_t top = 0; top < tree.nodes.size(); top += 1 + tree.nodes.size() / 40) {
      check(check, top, top);
    }
  }
  // leaves of a torus with 7 degrees between its faces: cones of less than half a right angle
  const Mesh fine = must_make(torus(1, 0.4, 96, 48), kQuick);
  const MeshTree& tree = fine.geometry->tree;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].count == 0) continue;
    EXPECT_GT(tree.cones[i].cosine, 0.7f);
  }
}

TEST(Mesh, HintsAndLimitsDoNotChangeTheNearestPoint) {
  const Triangles triangles = torus(1, 0.4, 24, 12);
  const Mesh mesh = must_make(triangles, kQuick);
  Rng rng(2);
  for (int i = 0; i < 300; ++i) {
    // also on planes of symmetry, where several triangles are as near
    Vec3 q = random_point(rng, mesh.geometry->bounds, 0.3);
    if (i % 3 == 0) q.y = 0;
    if (i % 5 == 0) q.x = 0;
    const MeshPoint p = find_nearest(*mesh.geometry, q, kFar);
    const int hint = static_cast<int>(rng.next() % triangles.t.size());
    const MeshPoint r = find_nearest(*mesh.geometry, q, kFar, hint);
    EXPECT_EQ(p.triangle, r.triangle);
    EXPECT_EQ(p.point, r.point);
    EXPECT_EQ(p.distance, r.distance);
    const double reach = std::fabs(p.distance);
    EXPECT_EQ(find_nearest(*mesh.geometry, q, 1.001 * reach).triangle, p.triangle);
    EXPECT_EQ(find_nearest(*mesh.geometry, q, 0.999 * reach).triangle, -1);
  }
}

TEST(Mesh, MassIsThatOfTheSumOverTrianglesAndOfABoxInClosedForm) {
  const Vec3 half{0.3, 1.2, 0.7};
  const MassProperties a = calc_mass_properties(Box{half}, 500);
  const MassProperties b = calc_mass_properties(must_make(box(half), kQuick), 500);
  EXPECT_NEAR(a.mass, b.mass, 1e-12 * a.mass);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.inertia(i, i), b.inertia(i, i), 1e-12 * a.mass);
  for (const auto& [name, triangles] : twenty_meshes()) {
    const auto sum = calc_triangle_mass_properties(triangles.v, triangles.t, 3);
    ASSERT_TRUE(sum.ok()) << name;
    const MassProperties m = calc_mass_properties(must_make(triangles, kQuick), 3);
    EXPECT_NEAR(m.mass, sum->mass, 1e-12 * sum->mass) << name;
    EXPECT_NEAR(norm(m.com - sum->com), 0, 1e-12 * (1 + norm(sum->com))) << name;
    // relative to the largest moment; far from the origin digits are lost with the coordinates
    const double scale = trace(sum->inertia);
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(m.inertia(i / 3, i % 3), sum->inertia(i / 3, i % 3), 1e-9 * scale) << name;
  }
}

TEST(Mesh, BoundsHoldAllVerticesAndAreTight) {
  Rng rng(3);
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Mesh mesh = must_make(triangles, kQuick);
    // half a percent of the radius where it is round, see mesh_support.cpp
    const double slack = (name == "a fine ball" ? 0.005 : 0.07) * mesh.geometry->origin_radius;
    for (int i = 0; i < 20; ++i) {
      const Quat q = normalized(
          Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
      const Transform X = to_transform({{1, 2, 3}, q});
      Aabb exact{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
      for (const Vec3& v : triangles.v) exact = merge(exact, {X * v, X * v});
      const Aabb box = calc_bounds(mesh, X);
      EXPECT_TRUE(contains(inflate(box, 1e-12 * (1 + mesh.geometry->origin_radius)), exact))
          << name;
      EXPECT_TRUE(contains(inflate(exact, slack), box)) << name;
      const Vec3 s = support(mesh, X.R.row(0));
      EXPECT_NEAR((X * s).x, exact.hi.x, 1e-12 * (1 + norm(s))) << name;
    }
  }
}

TEST(Mesh, RaysMeetWhatTheyMeetTriangleByTriangle) {
  Rng rng(4);
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Mesh mesh = must_make(triangles, kQuick);
    const MeshGeometry& g = *mesh.geometry;
    const double size = max_component(g.bounds.hi - g.bounds.lo);
    for (int i = 0; i < 100; ++i) {
      const Vec3 o = random_point(rng, g.bounds, 0.5 * size);
      // at vertices and middles of edges, where cracks would be, and a little further in: on a
      // silhouette round-off of the ray itself decides
      const size_t place = rng.next() % triangles.t.size();
      const MeshTriangle& t = triangles.t[place];
      const Vec3 at = i % 2 ? triangles.v[t[0]] - 1e-7 * size * g.vertex_normals[t[0]]
                            : 0.5 * (triangles.v[t[0]] + triangles.v[t[1]]) -
                                  1e-7 * size * g.edge_normal(place, 0);
      const bool inside = find_nearest(g, o, kFar).distance <= 0;
      const auto hit = ray_cast(mesh, o, at - o, 2);
      ASSERT_TRUE(hit.has_value()) << name << " " << i;
      if (inside) {
        EXPECT_EQ(hit->t, 0);
        continue;
      }
      EXPECT_LE(hit->t, 1 + 1e-9) << name;
      // it is on the surface, and nothing is before it
      const Vec3 p = o + hit->t * (at - o);
      EXPECT_LT(std::fabs(find_nearest(g, p, kFar).distance), 1e-12 * (norm(o) + size)) << name;
      const Vec3 before = o + 0.5 * hit->t * (at - o);
      EXPECT_GT(find_nearest(g, before, kFar).distance, 0) << name;
    }
  }
}

TEST(Mesh, ClosestPointsAndRaysOfOpenMeshesTellFrontFromBack) {
  const Mesh mesh =
      must_make({{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}}, {{0, 1, 2}, {0, 2, 3}}});
  EXPECT_FALSE(mesh.geometry->closed);
  EXPECT_EQ(mesh.geometry->open_edge[2], 1);
  EXPECT_EQ(mesh.geometry->field, nullptr);
  EXPECT_EQ(calc_mass_properties(mesh, 1000).mass, 0);
  EXPECT_NEAR(find_closest_point(mesh, {0.1, 0.5, 0.2}).distance, 0.5, 1e-15);
  EXPECT_NEAR(find_closest_point(mesh, {0.1, -0.5, 0.2}).distance, -0.5, 1e-15);
  EXPECT_NEAR(find_closest_point(mesh, {0.1, -0.5, 0.2}).normal.y, 1, 1e-15);
  const auto hit = ray_cast(mesh, {0.2, -1, 0.1}, {0, 1, 0}, 10);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->t, 1);
  EXPECT_EQ(hit->normal, (Vec3{0, 1, 0}));
}

TEST(Mesh, ThreadsDoNotChangeIt) {
  const Triangles triangles = sphere(80);  // more than one task of the tree
  ThreadPool pool(3);
  const Mesh a = must_make(triangles, {.cell = 0.1});
  const Mesh b = must_make(triangles, {.cell = 0.1, .pool = &pool});
  EXPECT_EQ(a.geometry->tree.order, b.geometry->tree.order);
  ASSERT_EQ(a.geometry->tree.nodes.size(), b.geometry->tree.nodes.size());
  for (size_t i = 0; i < a.geometry->tree.nodes.size(); ++i)
    ASSERT_EQ(a.geometry->tree.nodes[i].box, b.geometry->tree.nodes[i].box);
  EXPECT_TRUE(*a.geometry->field == *b.geometry->field);
  EXPECT_EQ(a, b);
}

TEST(Mesh, TrianglesWithoutAreaDoNotSpoilTheSign) {
  // a cube with a vertex on an edge of its top, and a triangle without area to close the gap
  Triangles m = cube();
  const int middle = static_cast<int>(m.v.size());
  const auto [a, b, c] = m.t[0];
  m.v.push_back(0.5 * (m.v[a] + m.v[b]));
  m.t[0] = {a, middle, c};
  m.t.push_back({middle, b, c});
  m.t.push_back({a, b, middle});  // the neighbour still has the whole edge
  const Mesh mesh = must_make(m, kQuick);
  EXPECT_TRUE(mesh.geometry->closed);
  Rng rng(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 q = random_point(rng, mesh.geometry->bounds, 0.5);
    EXPECT_EQ(find_nearest(*mesh.geometry, q, kFar).distance < 0, max_component(cwise_abs(q)) < 1);
  }
}

std::string error_of(const Triangles& m) {
  const Result<Mesh> made = make_mesh(m.v, m.t, kQuick);
  return made ? "none" : made.error().message + " | " + made.error().value;
}

TEST(Mesh, WhatIsNoMeshIsRefusedByName) {
  EXPECT_EQ(error_of({}), "the mesh has no triangles | ");
  Triangles m = cube();
  m.v[3].y = std::nan("");
  EXPECT_EQ(error_of(m).substr(0, 21), "vertex 3 is not finit");
  m = cube();
  m.v[2].x = 1e31;
  EXPECT_EQ(error_of(m).substr(0, 21), "vertex 2 is not finit");
  m = cube();
  m.t[4][1] = 8;
  EXPECT_EQ(error_of(m), "triangle 4 names a vertex that is not there | 8");
  m.t[4][1] = -1;
  EXPECT_EQ(error_of(m), "triangle 4 names a vertex that is not there | -1");
  m.t[4] = {1, 2, 1};
  EXPECT_EQ(error_of(m), "triangle 4 uses a vertex twice | 1, 2, 1");
  EXPECT_EQ(error_of(turned(cube())),
            "the mesh is inside out: its triangles face inwards | -8 m^3");
  // a plate without thickness
  EXPECT_EQ(error_of({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}}).substr(0, 27),
            "the mesh encloses no volume");
  EXPECT_EQ(error_of({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}}).substr(0, 22),
            "the mesh has no extent");
}

TEST(Mesh, ExtremesOfScaleWork) {
  for (const double scale : {1e-12, 1e-3, 1e9}) {
    const Triangles m = moved(torus(1, 0.4, 24, 12), [&](const Vec3& p) { return scale * p; });
    const Mesh mesh = must_make(m);
    const DistanceField& field = *mesh.geometry->field;
    EXPECT_LT(field.error(), 0.5 * field.cell());
    EXPECT_NEAR(find_nearest(*mesh.geometry, {}, kFar).distance, 0.6 * scale, 0.02 * scale);
    // in the middle of the bar, where cells are coarse
    EXPECT_NEAR(field.value({scale, 0, 0}), -0.4 * scale, 0.1 * scale);
  }
}

TEST(MeshCheck, CountsWhatIsThere) {
  const MeshCheck ring = check_triangles(torus(1, 0.4, 24, 12).v, torus(1, 0.4, 24, 12).t);
  EXPECT_TRUE(ring.closed());
  EXPECT_EQ(ring.euler, 0);
  EXPECT_EQ(ring.pieces, 1u);
  Triangles m = joined(cube(), moved(cube(), [](const Vec3& p) { return p + Vec3{5, 0, 0}; }));
  m.t.pop_back();
  m.t.push_back(m.t[0]);
  m.v.push_back({9, 9, 9});
  const MeshCheck check = check_triangles(m.v, m.t);
  EXPECT_EQ(check.pieces, 2u);
  EXPECT_EQ(check.open_edges, 3u);
  EXPECT_EQ(check.crowded_edges, 3u);
  EXPECT_EQ(check.copies, 1u);
  EXPECT_EQ(check.copy_places, std::vector<int>{23});
  EXPECT_EQ(check.unused_vertices, 1u);
  EXPECT_FALSE(check.closed());
}

TEST(MeshCheck, TrianglesThatPassThroughOneAnotherAreFound) {
  for (const auto& [name, triangles] : twenty_meshes())
    EXPECT_TRUE(find_crossings(*must_make(triangles, kQuick).geometry, 100, nullptr).empty())
        << name;
  const Triangles two =
      joined(cube(), moved(cube(), [](const Vec3& p) { return p + Vec3{0.5, 0.4, 0.3}; }));
  const Mesh mesh = must_make(two, kQuick);
  ThreadPool pool(2);
  const auto found = find_crossings(*mesh.geometry, 100, &pool);
  EXPECT_FALSE(found.empty());
  for (const MeshCrossing& c : found) {
    EXPECT_LT(c.a, 12);
    EXPECT_GE(c.b, 12);
  }
}

size_t count_crossings(const Triangles& m) {
  return find_crossings(*must_make(m, kQuick).geometry, 100, nullptr).size();
}
Triangles shifted(const Triangles& m, const Vec3& by) {
  return moved(m, [&](const Vec3& p) { return p + by; });
}

// Edges that cross edges and diagonals, corners on faces, faces in one plane.
TEST(MeshCheck, BodiesThatOverlapPassThroughOneAnotherInEveryPosition) {
  for (const int n : {1, 2, 3}) {
    for (const int m : {1, 2}) {
      for (const Vec3& by : {Vec3{1, 1, 1}, Vec3{0.5, 0.5, 0.5}, Vec3{1, 1, 0}, Vec3{1, 0, 0},
                             Vec3{1, 1, 0.5}, Vec3{1, 0.25, 0}, Vec3{-1, 1, -1}}) {
        EXPECT_GT(count_crossings(joined(cube(n), shifted(cube(m), by))), 0u)
            << n << " " << m << " " << by.x << " " << by.y << " " << by.z;
      }
    }
  }
  EXPECT_GT(count_crossings(joined(box({3, 1, 1}), box({1, 3, 1}))), 0u);
  // a column with a ring of corners in the faces of a plate: no edge pierces a face
  const auto tall = [](const Vec3& p) { return Vec3{p.x / 4, p.y, p.z / 4}; };
  const Triangles plate = box({1, 0.5, 1});
  EXPECT_GT(count_crossings(joined(plate, moved(cube(4), tall))), 0u);
  // a plate cut along the column's edges as well: edges run along edges
  EXPECT_GT(
      count_crossings(joined(moved(cube(8), [](const Vec3& p) { return Vec3{p.x, p.y / 2, p.z}; }),
                             moved(cube(4), tall))),
      0u);
}

TEST(MeshCheck, WhatOnlyTouchesDoesNotPassThrough) {
  for (const int n : {1, 2, 3}) {
    for (const Vec3& by : {Vec3{2, 0, 0}, Vec3{0, 2, 1}, Vec3{0.5, 0.25, 2}, Vec3{2, 2, 0},
                           Vec3{2, 2, 1}, Vec3{2, 2, 2}, Vec3{1.5, 2, -1}, Vec3{-2, 0.5, 0.5}}) {
      EXPECT_EQ(count_crossings(joined(cube(n), shifted(cube(2), by))), 0u)
          << n << " " << by.x << " " << by.y << " " << by.z;
    }
  }
  // an edge on a diagonal, and ridge on ridge
  const auto tilted = [](const Triangles& m) {
    return moved(m, [](const Vec3& p) { return Vec3{p.x, p.y + p.z, p.z - p.y}; });
  };
  EXPECT_EQ(count_crossings(joined(cube(), shifted(tilted(cube()), {0.25, 3, 0}))), 0u);
  EXPECT_EQ(count_crossings(joined(
                tilted(cube()),
                shifted(moved(tilted(cube()), [](const Vec3& p) { return Vec3{p.z, p.y, -p.x}; }),
                        {0, 4, 0}))),
            0u);
  // a peg that fits its hole exactly, and a hollow box with a box in it
  const Triangles tube = revolved({{1, -1}, {2, -1}, {2, 1}, {1, 1}}, 16);
  const Triangles peg = revolved({{0.25, -2}, {1, -2}, {1, 2}, {0.25, 2}}, 16);
  EXPECT_EQ(count_crossings(joined(tube, peg)), 0u);
  EXPECT_EQ(count_crossings(joined(joined(box({2, 2, 2}), turned(cube(2))), cube(3))), 0u);
}

// A vertex in the middle of an edge that ends on it from one side only: there is a gap, no passage.
TEST(MeshCheck, GapsAlongEdgesDoNotPassThrough) {
  Triangles m = cube();
  const MeshTriangle t = m.t.back();
  m.t.pop_back();
  const int middle = static_cast<int>(m.v.size());
  m.v.push_back(0.5 * (m.v[t[0]] + m.v[t[1]]));
  m.t.push_back({t[0], middle, t[2]});
  m.t.push_back({middle, t[1], t[2]});
  EXPECT_EQ(count_crossings(m), 0u);
}

}  // namespace
}  // namespace tenon::test
