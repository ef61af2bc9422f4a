// Contact patches of meshes: gaps, normals and points against what geometry says.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <functional>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/geometry/mesh_thickness.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

std::vector<Manifold> patches_of(const Shape& a, const Transform& X_WA, const Shape& b,
                                 const Transform& X_WB, double margin,
                                 const PairMotion& motion = {}) {
  std::vector<Manifold> out;
  collide_mesh(a, X_WA, b, X_WB, margin, out, motion);
  return out;
}
Transform at(const Vec3& p, const Quat& q = {}) { return to_transform(Pose{p, q}); }

// Two slopes that meet along z: y = slope |x|.
Shape groove(double slope) {
  return to_mesh(ground(2, 16, [&](double x, double) { return slope * std::fabs(x); }));
}

TEST(MeshContact, SphereInAGrooveTouchesBothSlopes) {
  const double slope = 0.75, r = 0.4;  // 3-4-5: normals (-+0.6, 0.8)
  const double height = r / 0.8;       // of the centre where it touches both
  const auto found = patches_of(groove(slope), {}, Sphere{r}, at({0, height + 0.01, 0.1}), 0.05);
  ASSERT_EQ(found.size(), 2u);
  for (const Manifold& m : found) {
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.distance, 0.01 * 0.8, 1e-12);
    EXPECT_NEAR(std::fabs(m.normal_W.x), 0.6, 1e-12);
    EXPECT_NEAR(m.normal_W.y, 0.8, 1e-12);
  }
}

TEST(MeshContact, InnerEdgesOfAFloorAreNotFelt) {
  const Shape floor = to_mesh(flat_ground(2, 10));
  // over an edge, over a vertex, within a triangle
  for (const Vec3& p : {Vec3{0.2, 0, 0.4}, Vec3{0, 0, 0}, Vec3{0.11, 0, 0.27}}) {
    const auto found = patches_of(floor, {}, Sphere{0.5}, at(p + Vec3{0, 0.499, 0}), 0.1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 1);
    EXPECT_NEAR(found[0].distance, -1e-3, 1e-12);
    EXPECT_NEAR(found[0].normal_W.y, 1, 1e-12);
  }
}

TEST(MeshContact, BoxOnAFloorHasItsFourCorners) {
  for (const int cuts : {1, 30}) {
    const Shape floor = to_mesh(flat_ground(2, cuts));
    const auto found = patches_of(floor, {}, Box{{0.3, 0.2, 0.4}}, at({0.05, 0.201, 0}), 0.01);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].count, 4);
    for (int k = 0; k < 4; ++k) {
      const ContactPoint& x = found[0].points[static_cast<size_t>(k)];
      EXPECT_NEAR(x.distance, 1e-3, 1e-12);
      EXPECT_NEAR(std::fabs(x.p_W.x - 0.05), 0.3, 1e-12);
      EXPECT_NEAR(std::fabs(x.p_W.z), 0.4, 1e-12);
    }
  }
}

TEST(MeshContact, WhatSlidesTowardsACornerIsNotStoppedByIt) {
  // a roof of two gentle slopes, notched below, and a box on edge that slides up one of them: the
  // ridge is nearest to that edge along the slope, and will pass below it
  const Shape roof = to_mesh(prism({{-1, -0.1, 0},
                                    {-0.2, -0.1, 0},
                                    {0, -0.05, 0},
                                    {0.2, -0.1, 0},
                                    {1, -0.1, 0},
                                    {1, 0, 0},
                                    {0, 0.05, 0},
                                    {-1, 0, 0}},
                                   0.2, {0, 0.01, 0}));
  const Shape box = to_mesh(grooved_box({0.1, 0.1, 0.2}));
  const Quat on_edge = exp_map({0, 0, 0.25 * kPi});
  for (const double beside : {0.003, 0.01, 0.02}) {
    const double slope = 0.05 * (1 - beside), gap = 1e-3;
    const Vec3 p{beside, slope + gap + 0.1 * std::sqrt(2.0), 0};
    const auto found =
        patches_of(roof, {}, box, at(p, on_edge), 0.03, {{-0.02, 0, 0}, {}, {}, 0.03, {}});
    ASSERT_FALSE(found.empty());
    for (const Manifold& m : found) EXPECT_GT(m.normal_W.y, 0.8) << beside;
  }
}

TEST(MeshContact, WhatRocksOnOneSideSeesTheOtherOnWhichItWillFall) {
  const Shape ring = to_mesh(torus(0.04, 0.01, 28, 10));
  for (const double tilt : {0.0005, 0.0016, 0.005}) {
    const Transform X = at({0, 0.01 + 0.04 * tilt, 0}, exp_map({0, 0, tilt}));
    // gravity takes it 2.7 mm in 1/60 s
    const auto found = patches_of(Plane{}, {}, ring, X, 3e-3, {{0, -2.7e-3, 0}, {}, {}, 1e-3, {}});
    ASSERT_EQ(found.size(), 1u);
    double left = 0, right = 0;
    for (int k = 0; k < found[0].count; ++k) {
      const double x = found[0].points[static_cast<size_t>(k)].p_W.x;
      left = std::min(left, x);
      right = std::max(right, x);
    }
    EXPECT_LT(left, -0.03);
    EXPECT_GT(right, 0.03) << tilt;
  }
}

TEST(MeshThickness, IsThatOfThinWingsOnAThickHub) {
  // a hub of 20 cm, wings of 2 cm: two thirds of the surface are theirs
  const double h = 0.1, w = 0.01, far = 0.6;
  const Mesh nut = to_mesh(prism({{-h, -h, 0},
                                  {h, -h, 0},
                                  {h, -w, 0},
                                  {far, -w, 0},
                                  {far, w, 0},
                                  {h, w, 0},
                                  {h, h, 0},
                                  {-h, h, 0},
                                  {-h, w, 0},
                                  {-far, w, 0},
                                  {-far, -w, 0},
                                  {-h, -w, 0}},
                                 0.2, {}));
  EXPECT_NEAR(calc_thickness(*nut.geometry), 2 * w, 1e-9);
  EXPECT_GT(nut.geometry->size, 5 * 2 * w);
  // facets of a round wire: between the inner and the outer circle of their polygon
  const double bar = calc_thickness(*to_mesh(torus(0.3, 0.05, 60, 24)).geometry);
  EXPECT_LT(bar, 0.1);
  EXPECT_GT(bar, 0.095);
}

TEST(MeshContact, WhatSankIntoAGroundIsPushedToItsFront) {
  const Shape floor = to_mesh(flat_ground(2, 9));
  const auto box = patches_of(floor, {}, Box{{0.3, 0.2, 0.4}}, at({0.05, 0.15, 0}), 0.001);
  ASSERT_EQ(box.size(), 1u);
  EXPECT_NEAR(box[0].distance, -0.05, 1e-12);
  EXPECT_NEAR(box[0].normal_W.y, 1, 1e-12);
  // its centre is below, too
  const auto ball = patches_of(floor, {}, Sphere{0.2}, at({0.05, -0.1, 0}), 0.001);
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_NEAR(ball[0].distance, -0.3, 1e-12);
  EXPECT_NEAR(ball[0].normal_W.y, 1, 1e-12);
}

TEST(MeshContact, CylinderOnItsSideTouchesAtBothEnds) {
  const Shape floor = to_mesh(flat_ground(2, 7));
  const Quat q = from_axis_angle({0, 0, 1}, kPi / 2) * from_axis_angle({0, 1, 0}, 0.123);
  // its axis along x
  const auto found = patches_of(floor, {}, Cylinder{0.2, 0.5}, at({0, 0.2, 0}, q), 0.001);
  ASSERT_FALSE(found.empty());
  double lowest = 1, left = 1, right = -1;
  for (int k = 0; k < found[0].count; ++k) {
    const ContactPoint& x = found[0].points[static_cast<size_t>(k)];
    lowest = std::min(lowest, x.distance);
    left = std::min(left, x.p_W.x);
    right = std::max(right, x.p_W.x);
  }
  EXPECT_NEAR(lowest, 0, 1e-9);
  EXPECT_NEAR(left, -0.5, 1e-9);
  EXPECT_NEAR(right, 0.5, 1e-9);
}

TEST(MeshContact, RingsThatCrossTouchWhereTheirWiresAreNearest) {
  // two tori at right angles, wires crossing: the gap is that of two circles of radius `wire`
  const double ring = 1, wire = 0.2, gap = 0.004;
  const Shape mesh = to_mesh(torus(ring, wire, 96, 48));
  const Transform X_WB = at({2 * ring - 2 * wire - gap, 0, 0}, from_axis_angle({1, 0, 0}, kPi / 2));
  // inner side of one against inner side of the other
  const auto found = patches_of(mesh, {}, mesh, X_WB, 0.02);
  ASSERT_FALSE(found.empty());
  double least = 1;
  for (const Manifold& m : found) least = std::min(least, m.distance);
  // facets are up to wire (1 - cos(pi / 48)) = 4.3e-4 and ring (1 - cos(pi / 96)) = 5.4e-4 off
  EXPECT_NEAR(least, gap, 1.2e-3);
}

TEST(MeshContact, FarSideOfASheetMakesNoContact) {
  // plates of 4 mm one above the other, 1 mm apart, all within a margin of 2 cm
  const Shape sheet = to_mesh(grooved_box({0.3, 0.002, 0.3}));
  const auto found = patches_of(sheet, {}, sheet, at({0.01, 0.005, 0.02}), 0.02);
  ASSERT_FALSE(found.empty());
  for (const Manifold& m : found) {
    if (m.distance > 0.002) continue;  // edges beside each other
    EXPECT_GT(m.normal_W.y, 0.9);
    EXPECT_NEAR(m.distance, 0.001, 1e-9);
  }
}

TEST(MeshContact, PastTheMiddleOfASheetTheWayBackIsTheWayItCame) {
  const Shape sheet = to_mesh(grooved_box({0.5, 0.01, 0.5})),
              box = to_mesh(grooved_box({0.1, 0.1, 0.1}));
  PairMotion down;
  down.shift_W = {0, -0.02, 0};
  down.near = 0.01;
  // the box's bottom is 3 mm above the bottom of the sheet
  const auto found = patches_of(sheet, {}, box, at({0.2, 0.1 - 0.007, 0.1}), 0.03, down);
  ASSERT_FALSE(found.empty());
  double deepest = 0;
  for (const Manifold& m : found) {
    if (m.distance < deepest) {
      deepest = m.distance;
      EXPECT_GT(m.normal_W.y, 0.9);
    }
  }
  EXPECT_NEAR(deepest, -0.017, 1e-6);
}

TEST(MeshContact, EdgesThatCrossHaveOneNormalOnBothSidesOfTouching) {
  // an edge along z on top of A, one at 70 degrees to it at the bottom of B, both level: whether
  // they are apart or pass through each other, their common normal is y, and the gap is along it
  const double h = 0.1, top = std::sqrt(2.0) * h;
  const Shape mesh = to_mesh(grooved_box({h, h, 0.15}));
  const Transform X_WA = at({}, from_axis_angle({0, 0, 1}, -0.75 * kPi));
  const Quat q = from_axis_angle({0, 1, 0}, 7 * kPi / 18) * from_axis_angle({0, 0, 1}, kPi / 4);
  for (const double gap : {2e-3, 1e-4, 1e-5, -1e-5, -1e-4, -2e-3}) {
    const auto found = patches_of(mesh, X_WA, mesh, at({0.03, 2 * top + gap, 0.02}, q), 0.004);
    ASSERT_FALSE(found.empty()) << gap;
    const auto deeper = [](const Manifold& x, const Manifold& y) {
      return x.distance < y.distance;
    };
    const Manifold& m = *std::min_element(found.begin(), found.end(), deeper);
    // edges are found to a thousandth of the way to where the distance is flat
    EXPECT_GT(m.normal_W.y, 1 - 1e-5) << gap;
    EXPECT_NEAR(m.distance, gap, 1e-7 + 1e-3 * std::fabs(gap)) << gap;
  }
}

TEST(MeshContact, SwappingTheShapesTurnsTheNormalsRound) {
  const Shape ring = to_mesh(torus(0.5, 0.15, 24, 12)), box = to_mesh(grooved_box({0.3, 0.2, 0.3}));
  const Transform X = at({0.4, 0.33, 0.1}, from_axis_angle({1, 0, 0}, 0.2));
  const auto ab = patches_of(ring, {}, box, X, 0.05), ba = patches_of(box, X, ring, {}, 0.05);
  ASSERT_EQ(ab.size(), ba.size());
  double least_ab = 1, least_ba = 1;
  for (const Manifold& m : ab) least_ab = std::min(least_ab, m.distance);
  for (const Manifold& m : ba) least_ba = std::min(least_ba, m.distance);
  EXPECT_NEAR(least_ab, least_ba, 1e-12);
}

TEST(MeshImpact, IsFoundBeforeAnythingOverlaps) {
  const Shape ring = to_mesh(torus(0.1, 0.02, 24, 10)), plate = to_mesh(grooved_box({1, 0.005, 1}));
  for (const double way : {0.5, 3.0, 30.0}) {
    const ShapeMotion a{at({0.2, 0.4, 0.1}), {0.2, 0.4, 0.1}, {0, -way, 0}, {0.5, 0, 0.3}};
    const ShapeMotion b{{}, {}, {}, {}};
    const ImpactTime t = calc_time_of_impact(ring, a, plate, b, 0);
    ASSERT_EQ(t.status, ImpactTime::Status::kImpact) << way;
    const auto there = patches_of(ring, calc_pose_at(a, t.fraction), plate, {}, 0.02);
    ASSERT_FALSE(there.empty()) << way;
    for (const Manifold& m : there) EXPECT_GT(m.distance, -1e-3) << way;
  }
}

TEST(MeshSamples, CoverEveryCornerThatSticksOut) {
  const Mesh mesh = to_mesh(torus(0.5, 0.15, 150, 60));
  const MeshGeometry& g = *mesh.geometry;
  EXPECT_TRUE(g.samples.thinned);
  EXPECT_LT(g.samples.points.size(), g.vertices.size());
  double farthest = 0;
  for (const Vec3& v : g.vertices) {
    double nearest = 1;
    for (const MeshSamples::Point& x : g.samples.points) nearest = std::min(nearest, norm(x.p - v));
    farthest = std::max(farthest, nearest);
  }
  EXPECT_LT(farthest, std::sqrt(3.0) * g.samples.spacing);
}

TEST(MeshSamples, FlatPartsHaveNone) {
  // a floor within a box: all samples lie on its edges
  const Mesh mesh = to_mesh(grooved_box({0.5, 0.2, 0.5}));
  for (const MeshSamples::Point& x : mesh.geometry->samples.points) {
    const bool on_side = std::fabs(std::fabs(x.p.z) - 0.5) < 1e-12 ||
                         std::fabs(std::fabs(x.p.x) - 0.5) < 1e-12 ||
                         std::fabs(x.p.y - 0.2) < 1e-12;
    EXPECT_TRUE(on_side);
  }
}

// A room of six walls, its inside a mesh. In edges and corners two or three walls are hit in one
// step: a ball that loses nothing has every component of its velocity, but for signs, for ever.
TEST(HollowMesh, ElasticBallKeepsItsSpeedAlongEachAxis) {
  Triangles room;
  for (const double half : {0.5, 0.48}) {
    const int first = static_cast<int>(room.vertices.size());
    Triangles box = box_triangles({half, half, half});
    room.vertices.insert(room.vertices.end(), box.vertices.begin(), box.vertices.end());
    for (const MeshTriangle& t : box.triangles) {
      const bool inside = half < 0.5;
      room.triangles.push_back(
          {first + t[0], first + t[inside ? 2 : 1], first + t[inside ? 1 : 2]});
    }
  }
  const Shape mesh = to_mesh(room);
  for (const double step : {kFrame, 1.0 / 240}) {
    for (const Vec3& v : {Vec3{4.3, 2.25, 1.2}, Vec3{3, 3, 3}, Vec3{5, -5, 0.1}}) {
      World world = make_world(step, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.restitution = 1});
      add_static(world, mesh, m);
      BodyDef def = make_solid(Sphere{0.05}, 1, {0.01, 0.02, 0.03}, m);
      def.velocity = v;
      const BodyHandle ball = add_body(world, def);
      step_to(world, 5);
      const Vec3 u = world.velocity(ball);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(std::fabs(u[k]), std::fabs(v[k]), 1e-6) << k << ' ' << step << ' ' << v.x;
      }
    }
  }
}

}  // namespace
}  // namespace tenon::test
