// Distances and signs against CGAL, which decides exactly [CGAL2022].
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
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

}  // namespace
}  // namespace tenon::test
