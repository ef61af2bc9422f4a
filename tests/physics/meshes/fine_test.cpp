// Fine meshes whose triangles are of very different sizes: dense fans, slivers.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

// A ball of n meridians and m steps from pole to pole: fans of n triangles around these.
Triangles uv_ball(double R, int n, int m) {
  Triangles t;
  t.vertices.push_back({0, R, 0});
  for (int i = 1; i < m; ++i) {
    const double u = kPi * i / m;
    for (int j = 0; j < n; ++j) {
      const double v = 2 * kPi * j / n, r = R * std::sin(u);
      t.vertices.push_back({r * std::cos(v), R * std::cos(u), -r * std::sin(v)});
    }
  }
  t.vertices.push_back({0, -R, 0});
  const int last = static_cast<int>(t.vertices.size()) - 1;
  const auto at = [&](int i, int j) { return 1 + (i - 1) * n + j % n; };
  for (int j = 0; j < n; ++j) {
    t.triangles.push_back({0, at(1, j), at(1, j + 1)});
    for (int i = 1; i + 1 < m; ++i) t.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    t.triangles.push_back({last, at(m - 1, j + 1), at(m - 1, j)});
  }
  return t;
}

double find_lowest_vertex(const Mesh& mesh, const Mat3& R) {
  double y = kInfinity;
  for (const Vec3& v : mesh.geometry->vertices) y = std::min(y, (R * v).y);
  return y;
}

constexpr double kR = 0.2;

// The lowest vertex overlaps by 0.05 mm, and is what is found, however the ball lies.
void expect_lowest_is_found(const Mesh& ball, const char* what) {
  constexpr double kOverlap = 5e-5, kMargin = 2e-3;  // m
  const std::vector<std::pair<Shape, double>> floors = {
      {Plane{}, 0}, {Box{{0.5, 0.1, 0.5}}, 0.1}, {to_mesh(flat_ground(1, 4)), 0}};
  Rng rng(7);
  for (int k = 0; k < 300; ++k) {
    const double tilt = k < 150 ? 0.1 * k / 150 : rng.uniform(0, kPi);
    const double turn = rng.uniform(0, 2 * kPi);
    const Mat3 R = to_matrix(from_axis_angle({std::cos(turn), 0, std::sin(turn)}, tilt));
    const Transform X_WB{R, {0.01, -find_lowest_vertex(ball, R) - kOverlap, 0.02}};
    for (const auto& [floor, top] : floors) {
      std::vector<Manifold> patches;
      collide_mesh(floor, {Mat3::identity(), {0, -top, 0}}, ball, X_WB, kMargin, patches);
      double least = kInfinity;
      for (const Manifold& m : patches) least = std::min(least, m.distance);
      // exact but for round-off
      ASSERT_NEAR(least, -kOverlap, 1e-9) << what << " tilted by " << tilt << " about " << turn;
    }
  }
}

TEST(FineMeshes, AreTouchedAtTheirLowestVertexHoweverTheyLie) {
  expect_lowest_is_found(to_mesh(uv_ball(kR, 512, 256)), "512 x 256");
  expect_lowest_is_found(to_mesh(uv_ball(kR, 256, 128)), "256 x 128");
  expect_lowest_is_found(to_mesh(uv_ball(kR, 16, 256)), "16 x 256");
  expect_lowest_is_found(to_mesh(uv_ball(kR, 1024, 8)), "1024 x 8");
  // edges at the pole bend by less than counts as an edge
  expect_lowest_is_found(to_mesh(uv_ball(kR, 4000, 8)), "4000 x 8");
}

// A fine ball on its pole, and beside it.
TEST(FineMeshes, RestOnTheirPoles) {
  const int n = 512, m = 256;
  const Mesh ball = to_mesh(uv_ball(kR, n, m));
  for (const double tilt : {0.0, 0.035, 0.5}) {
    World world = make_world(kFrame);
    const MaterialId surface = add_surface(world, {.friction = 0.9});
    add_static(world, Plane{}, surface);
    const Quat q = from_axis_angle({0, 0, 1}, tilt);
    const BodyHandle body = add_solid(world, ball, 30, {0, kR, 0}, surface, q);
    double least = kInfinity;
    while (world.time() < 2) {
      world.step();
      least = std::min(least, world.center_of_mass(body).y);
    }
    // facets sag by R (1 - cos(pi / m)) along the meridians, as much across them; and what falls
    const double sagitta = 2 * kR * (1 - std::cos(kPi / m));
    EXPECT_NEAR(least, kR, 2 * sagitta) << tilt;
  }
}

}  // namespace
}  // namespace tenon::test
