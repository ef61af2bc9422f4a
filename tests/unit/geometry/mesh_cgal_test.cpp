// Distances and signs against CGAL, which decides exactly [CGAL2022].
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/detail/triangle_pair.h"
#include "test_meshes.h"

namespace tenon::test {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Point>;
using Primitive = CGAL::AABB_face_graph_triangle_primitive<Surface>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Surface to_cgal(const Triangles& m) {
  Surface surface;
  std::vector<Surface::Vertex_index> v;
  for (const Vec3& p : m.v) v.push_back(surface.add_vertex(Point(p.x, p.y, p.z)));
  for (const MeshTriangle& t : m.t) surface.add_face(v[t[0]], v[t[1]], v[t[2]]);
  return surface;
}

TEST(MeshAgainstCgal, DistancesSignsAndFieldsOfTwentyMeshesAgree) {
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Surface surface = to_cgal(triangles);
    ASSERT_EQ(surface.number_of_faces(), triangles.t.size()) << name;
    Tree tree(surface.faces().begin(), surface.faces().end(), surface);
    tree.accelerate_distance_queries();
    const CGAL::Side_of_triangle_mesh<Surface, Kernel> side(surface);
    const Mesh mesh = must_make(triangles);
    const DistanceField& field = *mesh.geometry->field;
    const Vec3 size = field.bounds().hi - field.bounds().lo;
    Rng rng(12);
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 q =
          field.bounds().lo + cwise_mul(size, {rng.uniform(), rng.uniform(), rng.uniform()});
      const Point p(q.x, q.y, q.z);
      double d = std::sqrt(tree.squared_distance(p));
      if (side(p) == CGAL::ON_BOUNDED_SIDE) d = -d;
      // both round coordinates; squares of distances lose half the digits near zero
      EXPECT_NEAR(find_nearest(*mesh.geometry, q, 1e300).distance, d, 1e-12 * (1 + norm(q)))
          << name;
      if (std::fabs(d) <= field.band())
        worst = std::max(worst, std::fabs(field.value(q) - d));
      else
        EXPECT_GT(field.value(q) * d, 0) << name;
    }
    EXPECT_LE(worst, 0.5 * field.cell()) << name;
    EXPECT_LE(worst, field.error()) << name;
  }
}

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

// Whether a point strictly between the edges, which lies in the plane, is told by the exact areas.
bool is_within(const Exact::Triangle_3& t, const Exact::Point_3& p) {
  return t.has_on(p) && !Exact::Segment_3(t[0], t[1]).has_on(p) &&
         !Exact::Segment_3(t[1], t[2]).has_on(p) && !Exact::Segment_3(t[2], t[0]).has_on(p);
}

// Corners on a grid of five: most pairs have corners on planes, edges on edges, common corners.
TEST(MeshAgainstCgal, TrianglesOnAGridCrossWhereTheirExactIntersectionIsInsideBoth) {
  Rng rng(5);
  int crossing = 0, touching = 0, alike = 0, flat = 0;
  for (int i = 0; i < 20000; ++i) {
    detail::ThreePoints t, u;
    const int height = i % 4 == 0 ? 1 : 5;  // every fourth pair in one plane
    for (detail::ThreePoints* one : {&t, &u})
      for (Vec3& p : *one)
        p = {std::floor(5 * rng.uniform()), std::floor(5 * rng.uniform()),
             std::floor(height * rng.uniform())};
    const auto to_exact = [](const detail::ThreePoints& c) {
      const auto at = [](const Vec3& p) { return Exact::Point_3(p.x, p.y, p.z); };
      return Exact::Triangle_3(at(c[0]), at(c[1]), at(c[2]));
    };
    const Exact::Triangle_3 T = to_exact(t), U = to_exact(u);
    if (T.is_degenerate() || U.is_degenerate()) continue;
    const detail::Sides a = detail::find_sides(u, t), b = detail::find_sides(t, u);
    const auto common = CGAL::intersection(T, U);
    if (height == 1) {
      bool area = false;
      if (common)
        area = !boost::get<Exact::Segment_3>(&*common) && !boost::get<Exact::Point_3>(&*common);
      const bool same = cross(t[1] - t[0], t[2] - t[0]).z * cross(u[1] - u[0], u[2] - u[0]).z > 0;
      EXPECT_EQ(detail::overlap_alike(t, u), area && same);
      ++(area && same ? alike : flat);
      continue;
    }
    bool inside = false;
    if (common) {
      if (const auto* s = boost::get<Exact::Segment_3>(&*common)) {
        const Exact::Point_3 middle = CGAL::midpoint(s->source(), s->target());
        inside = is_within(T, middle) && is_within(U, middle) &&
                 a != detail::Sides{};  // else in one plane
      }
    }
    EXPECT_EQ(detail::insides_cross(t, a, u, b), inside);
    if (common) ++(inside ? crossing : touching);
  }
  EXPECT_GT(crossing, 1000);
  EXPECT_GT(touching, 1000);
  EXPECT_GT(alike, 100);
  EXPECT_GT(flat, 100);
}

}  // namespace
}  // namespace tenon::test
