// Meshes are closed, face outwards and fill the shape they stand for.
#include "tenon/render/export/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::exports {
namespace {

// Divergence theorem: a sixth of the sum of the triple products.
double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += dot(mesh.points[t[0]], cross(mesh.points[t[1]], mesh.points[t[2]]));
  return sum / 6;
}

// Every edge is used once in each direction, points at the same place taken for one.
bool closed(const TriangleMesh& mesh) {
  std::map<std::array<int64_t, 3>, int> ids;
  std::vector<int> id;
  for (const Vec3& p : mesh.points) {
    const auto round = [](double v) { return static_cast<int64_t>(std::llround(v * 1e9)); };
    id.push_back(
        ids.emplace(std::array{round(p.x), round(p.y), round(p.z)}, static_cast<int>(ids.size()))
            .first->second);
  }
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++edges[{id[t[k]], id[t[(k + 1) % 3]]}];
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto other = edges.find({edge.first.second, edge.first.first});
    return edge.second == 1 && other != edges.end() && other->second == 1;
  });
}

void expect_solid(const Shape& shape, double exact, double share, const char* what) {
  const TriangleMesh mesh = make_mesh(shape, {64, 0});
  ASSERT_EQ(mesh.points.size(), mesh.normals.size()) << what;
  EXPECT_TRUE(closed(mesh)) << what;
  // inscribed: a little less than the solid, by share
  EXPECT_LE(volume(mesh), exact * (1 + 1e-12)) << what;
  EXPECT_GE(volume(mesh), exact * (1 - share)) << what;
  for (const auto& t : mesh.triangles) {
    const Vec3 face =
        cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
    EXPECT_GT(norm(face), 0) << what;
    for (const uint32_t corner : t) {
      EXPECT_NEAR(norm(mesh.normals[corner]), 1, 1e-12) << what;
      EXPECT_GT(dot(face, mesh.normals[corner]), 0) << what;
    }
  }
}

TEST(Mesh, SolidsAreClosedFaceOutwardsAndHaveTheirVolume) {
  // 64 sides: the circle is short of 2/3 (pi/64)^2 = 0.16 %, a sphere of about 0.3 %
  expect_solid(Sphere{0.7}, 4.0 / 3 * kPi * 0.343, 0.005, "sphere");
  expect_solid(Box{{0.1, 0.2, 0.3}}, 8 * 0.006, 1e-12, "box");
  expect_solid(Cylinder{0.5, 1}, kPi * 0.25 * 2, 0.002, "cylinder");
  expect_solid(Capsule{0.5, 1}, kPi * 0.25 * 2 + 4.0 / 3 * kPi * 0.125, 0.004, "capsule");
  expect_solid(Capsule{0.5, 0}, 4.0 / 3 * kPi * 0.125, 0.005, "ball capsule");
  const auto hull = make_hull(std::vector<Vec3>{
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
  ASSERT_TRUE(hull.ok());
  expect_solid(*hull, 1, 1e-9, "hull");
}

TEST(Mesh, PointsOfRoundShapesLieOnTheirSurface) {
  for (const Vec3& p : make_mesh(Sphere{2}).points) EXPECT_NEAR(norm(p), 2, 1e-12);
  for (const Vec3& p : make_mesh(Capsule{1, 3}).points) {
    const double over = std::max(0.0, std::fabs(p.y) - 3);
    EXPECT_NEAR(std::sqrt(p.x * p.x + p.z * p.z + over * over), 1, 1e-12);
  }
}

TEST(Mesh, APlaneIsASquareThatFacesUp) {
  const TriangleMesh mesh = make_mesh(Plane{}, {32, 5});
  ASSERT_EQ(mesh.triangles.size(), 2u);
  for (const auto& t : mesh.triangles) {
    const Vec3 n =
        cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
    EXPECT_EQ(n, (Vec3{0, 100, 0}));
  }
}

TEST(Mesh, ATubeKeepsItsRadiusRoundCorners) {
  std::vector<Vec3> line;
  for (int i = 0; i <= 40; ++i) line.push_back({cos(0.3 * i), 0.05 * i, sin(0.3 * i)});
  const TriangleMesh mesh = make_tube(line, 0.1, 8);
  ASSERT_EQ(mesh.points.size(), 41u * 8);
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    EXPECT_NEAR(norm(mesh.points[i] - line[i / 8]), 0.1, 1e-12);
    EXPECT_NEAR(dot(mesh.normals[i], mesh.points[i] - line[i / 8]), 0.1, 1e-12);
  }
  for (const auto& t : mesh.triangles) {
    const Vec3 face =
        cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
    EXPECT_GT(dot(face, mesh.normals[t[0]]), 0);
  }
}

}  // namespace
}  // namespace tenon::exports
