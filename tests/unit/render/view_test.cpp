#include "tenon/render/detail/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tenon/engine/base/rng.h"
#include "tenon/render/detail/ground.h"

namespace tenon::render {
namespace {

// at (0, 0, 10), looking along -z, 90 degrees high: the focal length is half the height
View front_view() {
  scene::Camera camera;
  camera.position = {0, 0, 10};
  camera.look_at = {0, 0, 0};
  camera.fov = kPi / 2;
  return make_view(camera, 800, 400);
}

TEST(View, ProjectsKnownPoints) {
  const View view = front_view();
  // one part in 1e12 of the picture: a few round-offs
  const auto expect = [&](const Vec3& p_W, double x, double y) {
    const Point2 p = project(view, to_eye(view, p_W));
    EXPECT_NEAR(p.x, x, 1e-9);
    EXPECT_NEAR(p.y, y, 1e-9);
  };
  expect({0, 0, 0}, 400, 200);
  expect({10, 0, 0}, 600, 200);  // right
  expect({0, 10, 0}, 400, 0);    // up is a smaller y: the upper edge
  expect({0, -5, 5}, 400, 400);  // half as far, half as low: the lower edge
  EXPECT_DOUBLE_EQ(to_eye(view, {0, 0, 4}).z, 6);
}

TEST(View, IsOrthonormalForDegenerateCameras) {
  scene::Camera above, same;
  above.position = {0, 5, 0};
  above.look_at = {0, 0, 0};  // along `up`
  same.position = same.look_at = {1, 2, 3};
  for (const scene::Camera& camera : {above, same}) {
    const View v = make_view(camera, 100, 100);
    EXPECT_NEAR(norm(v.right_W), 1, 1e-14);
    EXPECT_NEAR(norm(v.up_W), 1, 1e-14);
    EXPECT_NEAR(dot(v.right_W, v.forward_W), 0, 1e-14);
    EXPECT_NEAR(dot(cross(v.right_W, v.up_W), v.forward_W), -1, 1e-14);
    EXPECT_GT(v.near, 0);
  }
}

TEST(Clip, KeepsTheHalfOfASquare) {
  const Vec3 square[] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  const auto half = clip(square, {1, 0, 0}, 1);
  ASSERT_EQ(half.size(), 4u);
  for (const Vec3& p : half) EXPECT_GE(p.x, 1);
  EXPECT_EQ(clip(square, {1, 0, 0}, -1).size(), 4u);
  EXPECT_TRUE(clip(square, {1, 0, 0}, 3).empty());
}

TEST(Clip, CutsPolygonsAtTheNearPlane) {
  const View view = front_view();
  // a long strip of ground from behind the eye to far in front of it
  const Vec3 strip[] = {{-1, -1, 50}, {1, -1, 50}, {1, -1, -50}, {-1, -1, -50}};
  const auto outline = project_polygon(view, strip);
  ASSERT_GE(outline.size(), 3u);
  for (const Point2& p : outline) {
    EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
    EXPECT_GE(p.y, 200);  // below the horizon
    EXPECT_LE(p.y, 441);  // cut a little below the picture
  }
  const Vec3 behind[] = {{-1, -1, 50}, {1, -1, 50}, {1, 1, 50}};
  EXPECT_TRUE(project_polygon(view, behind).empty());
}

TEST(SphereOutline, IsTouchedByTheProjectionsOfItsPoints) {
  const View view = front_view();
  const Vec3 c{6, 2, 1};
  const double r = 1.5;
  const auto e = project_sphere(view, c, r);
  ASSERT_TRUE(e);
  Rng rng(7);
  double outermost = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 n = normalized(Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    const Point2 p = project(view, to_eye(view, c + r * n));
    const double dx = p.x - e->center.x, dy = p.y - e->center.y;
    const double along = (dx * e->axis.x + dy * e->axis.y) / e->a;
    const double across = (dy * e->axis.x - dx * e->axis.y) / e->b;
    outermost = std::max(outermost, along * along + across * across);
  }
  EXPECT_LE(outermost, 1 + 1e-9);  // all inside
  EXPECT_GE(outermost, 1 - 1e-3);  // and up to the rim, by the density of the samples
  EXPECT_GT(e->a, e->b);
  EXPECT_FALSE(project_sphere(view, {0, 0, 10.5}, 1));  // around the eye
  EXPECT_FALSE(project_sphere(view, {0, 0, 20}, 1));    // behind
}

TEST(FrameBalls, HasAllBallsInThePictureAndIsTight) {
  Rng rng(3);
  for (int run = 0; run < 20; ++run) {
    std::vector<Ball> balls;
    for (int i = 0; i < 30; ++i)
      balls.push_back(
          {{rng.uniform(-9, 5), rng.uniform(0, 3), rng.uniform(-4, 4)}, rng.uniform(0.01, 1)});
    const View view = frame_balls(balls, {-1, -0.5, -1}, 640, 360);
    double widest = 0;
    for (const Ball& ball : balls) {
      const auto e = project_sphere(view, ball.p_WC, ball.radius);
      ASSERT_TRUE(e);
      widest = std::max(
          {widest, std::fabs(e->center.x - 320) / 320, std::fabs(e->center.y - 180) / 180});
      EXPECT_TRUE(e->center.x > 0 && e->center.x < 640 && e->center.y > 0 && e->center.y < 360);
    }
    // some ball is near the edge: the eye is not further away than it must be
    EXPECT_GT(widest, 0.6);
  }
}

TEST(Hull2d, DropsPointsInsideAndOnEdges) {
  const auto hull =
      hull_2d({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 1}, {2, 2}, {0.3, 0.4}});
  EXPECT_EQ(hull, (std::vector<Point2>{{0, 0}, {2, 0}, {2, 2}, {0, 2}}));
}

}  // namespace
}  // namespace tenon::render
