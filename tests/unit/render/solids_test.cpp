// Tessellation and the order of painting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/render/detail/paint_order.h"
#include "tenon/render/detail/tessellate.h"

namespace tenon::render {
namespace {

// divergence theorem, a fan of tetrahedra from the origin over each face
double volume(const std::vector<MeshFace>& faces) {
  double sum = 0;
  for (const MeshFace& f : faces)
    for (size_t i = 1; i + 1 < f.points.size(); ++i)
      sum += dot(f.points[0], cross(f.points[i], f.points[i + 1])) / 6;
  return sum;
}

std::vector<Shape> all_shapes() {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
  return {Sphere{0.7},       Box{{1, 0.5, 2}}, Cylinder{0.4, 1},
          Capsule{0.3, 0.8}, Capsule{0.3, 0},  *make_hull(points)};
}

TEST(Tessellation, IsClosedAndLooksOutwards) {
  for (const Shape& shape : all_shapes()) {
    const auto faces = tessellate(shape, 96);
    // loops are counter-clockwise from outside, so the volume is positive; 96 sides and 24 rings
    // leave out 0.3 % of it
    const double exact = calc_mass_properties(shape, 1).mass;
    EXPECT_NEAR(volume(faces) / exact, 1, 4e-3) << name(kind(shape));
    Vec3 area;  // of a closed surface is zero
    for (const MeshFace& f : faces) {
      Vec3 n;
      for (size_t i = 1; i + 1 < f.points.size(); ++i)
        n += 0.5 * cross(f.points[i] - f.points[0], f.points[i + 1] - f.points[0]);
      EXPECT_GT(dot(normalized(n), f.normal), 1 - 1e-9);
      EXPECT_NEAR(norm(f.normal), 1, 1e-12);
      area += n;
    }
    EXPECT_NEAR(norm(area), 0, 1e-12);
  }
  EXPECT_TRUE(tessellate(Plane{}, 12).empty());
}

Painted painted(const Shape& shape, const Vec3& p_W, const View& view) {
  Painted item;
  item.shape = shape;
  item.X_WS.p = p_W;
  item.depth = to_eye(view, p_W).z;
  for (const MeshFace& face : tessellate(shape, 16))
    for (const Vec3& p : face.points) extend(item.bounds, project(view, to_eye(view, p_W + p)));
  return item;
}

View high_view() {
  scene::Camera camera;
  camera.position = {0, 3, 10};
  camera.look_at = {0, 0, 0};
  return make_view(camera, 800, 600);
}

TEST(PaintOrder, PutsASmallBallOnALargePlateThatIsNearerByItsCentre) {
  const View view = high_view();
  // the ball lies on the far half of the plate: further away than the plate's centre, yet in front
  const std::vector<Painted> items{painted(Sphere{0.2}, {0, 0.31, -3}, view),
                                   painted(Box{{4, 0.1, 4}}, {0, 0, 0}, view)};
  ASSERT_GT(items[0].depth, items[1].depth);
  EXPECT_EQ(find_paint_order(items, view), (std::vector<size_t>{1, 0}));
}

TEST(PaintOrder, HidesABallBelowThePlateThatIsNearerThanItsCentre) {
  const View view = high_view();
  const std::vector<Painted> items{painted(Box{{4, 0.1, 4}}, {0, 0, 0}, view),
                                   painted(Sphere{0.2}, {0, -0.31, 2}, view)};
  ASSERT_LT(items[1].depth, items[0].depth);
  EXPECT_EQ(find_paint_order(items, view), (std::vector<size_t>{1, 0}));
}

TEST(PaintOrder, CopesWithACycle) {
  const View view = high_view();
  // three beams, each with one end over the next one and one end under the one before
  std::vector<Painted> items;
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * kPi * i / 3;
    const Vec3 out{cos(angle), 0, sin(angle)}, along{-sin(angle), 0, cos(angle)};
    const Vec3 axis = normalized(along + Vec3{0, 0.25, 0});
    Painted beam = painted(Capsule{0.1, 3}, 0.8 * out, view);
    const Vec3 x = any_orthogonal(axis);
    beam.X_WS.R = Mat3::from_columns(x, axis, cross(x, axis));
    beam.bounds = {{0, 0}, {800, 600}};
    items.push_back(beam);
  }
  auto order = find_paint_order(items, view);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2}));
}

TEST(PaintOrder, PutsLaterPosesOverEarlierOnesAndLinesBelow) {
  const View view = high_view();
  std::vector<Painted> items{painted(Sphere{1}, {0, 0, 0.5}, view),
                             painted(Sphere{1}, {0, 0, 0}, view),
                             painted(Capsule{0.01, 2}, {0, 0, 0.2}, view)};
  items[1].pose = 1;
  items[2].line = true;
  EXPECT_EQ(find_paint_order(items, view), (std::vector<size_t>{2, 0, 1}));
}

}  // namespace
}  // namespace tenon::render
