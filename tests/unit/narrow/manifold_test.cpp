// Contact patches of hand-made configurations whose corners are known.
#include "manifold_tools.h"

namespace tenon {
namespace {

using namespace patch_test;

const Shape kFloor = Plane{};
const Transform kOrigin;

// -- boxes ------------------------------------------------------------------------------------

TEST(BoxOnPlane, StandsOnItsFourLowerCorners) {
  const Manifold m = collide(Box{{1, 0.5, 2}}, at({3, 0.5, 4}), kFloor, kOrigin, 0.01);
  EXPECT_EQ(m.normal_W, (Vec3{0, -1, 0}));
  EXPECT_NEAR(m.distance, 0, 1e-15);
  expect_points(m, {{{2, 0, 2}, 0}, {{4, 0, 2}, 0}, {{4, 0, 6}, 0}, {{2, 0, 6}, 0}});
}

TEST(BoxOnPlane, PutsPointsMidwayBetweenTheSurfaces) {
  const Manifold m = collide(Box{{1, 1, 1}}, at({0, 0.98, 0}), kFloor, kOrigin, 0.01);
  expect_points(m, {{{1, -0.01, 1}, -0.02},
                    {{-1, -0.01, 1}, -0.02},
                    {{1, -0.01, -1}, -0.02},
                    {{-1, -0.01, -1}, -0.02}});
}

TEST(BoxOnPlane, KeepsFourPointsUnderTiltsWithinTheMargin) {
  for (const double tilt : {1e-12, 1e-8, 1e-6, 1e-4, 1e-3, -1e-3}) {
    const Manifold m =
        collide(Box{{1, 1, 1}}, at({0, 1, 0}, {0.3 * tilt, 0, tilt}), kFloor, kOrigin, 0.01);
    EXPECT_EQ(m.count, 4) << tilt;
    EXPECT_NEAR(least_gap(m), m.distance, 1e-14);
  }
}

TEST(BoxOnPlane, StandsOnAnEdgeOrACornerWhenTilted) {
  const Shape box = Box{{1, 1, 1}};
  EXPECT_EQ(collide(box, at({0, 1.1, 0}, {0, 0, 0.1}), kFloor, kOrigin, 0.01).count, 2);
  const double r2 = std::sqrt(2.0);
  const Manifold edge = collide(box, at({0, r2, 0}, {0, 0, kPi / 4}), kFloor, kOrigin, 0.01);
  expect_points(edge, {{{0, 0, 1}, 0}, {{0, 0, -1}, 0}});
  const Vec3 diagonal = (tenon::acos(1 / std::sqrt(3.0)) / r2) * Vec3{1, 0, -1};
  const Manifold corner = collide(box, at({0, std::sqrt(3.0), 0}, diagonal), kFloor, kOrigin, 0.01);
  expect_points(corner, {{{0, 0, 0}, 0}});
}

TEST(BoxOnPlane, GivesCornersTheSameNamesFlatAndTilted) {
  const Shape box = Box{{1, 1, 1}};
  const auto flat = ids(collide(box, at({0, 1, 0}), kFloor, kOrigin, 0.01));
  const auto edge = ids(collide(box, at({0, 1.39, 0}, {0, 0, 0.6}), kFloor, kOrigin, 0.02));
  ASSERT_EQ(edge.size(), 2u);
  for (const uint32_t id : edge) EXPECT_TRUE(flat.contains(id));
}

TEST(BoxOnBox, OverlapsInTheClippedRectangle) {
  const Shape box = Box{{0.5, 0.5, 0.5}};
  const Manifold m = collide(box, kOrigin, box, at({0.3, 0.999, 0.2}), 0.01);
  EXPECT_EQ(m.normal_W, (Vec3{0, 1, 0}));
  const double y = 0.4995, d = -0.001;
  expect_points(
      m, {{{-0.2, y, -0.3}, d}, {{0.5, y, -0.3}, d}, {{0.5, y, 0.5}, d}, {{-0.2, y, 0.5}, d}});
}

TEST(BoxOnBox, TurnedByAnEighthMeetsInAnOctagon) {
  const Shape box = Box{{1, 1, 1}};
  const Manifold m = collide(box, kOrigin, box, at({0, 2, 0}, {0, kPi / 4, 0}), 0.01);
  const double t = std::sqrt(2.0) - 1;
  expect_points(m, {{{1, 1, t}, 0},
                    {{1, 1, -t}, 0},
                    {{-1, 1, t}, 0},
                    {{-1, 1, -t}, 0},
                    {{t, 1, 1}, 0},
                    {{-t, 1, 1}, 0},
                    {{t, 1, -1}, 0},
                    {{-t, 1, -1}, 0}});
}

TEST(BoxOnBox, KeepsNamesWhileAFlushStackJitters) {
  const Shape box = Box{{0.5, 0.5, 0.5}};
  const auto still = ids(collide(box, kOrigin, box, at({0, 1, 0}), 0.01));
  EXPECT_EQ(still.size(), 4u);
  for (int k = 0; k < 64; ++k) {
    const auto jitter = [&](int bit) { return (k >> bit & 1 ? 1 : -1) * 1e-7; };
    const Transform X =
        at({jitter(0), 1 + jitter(1), jitter(2)}, {jitter(3), jitter(4), jitter(5)});
    EXPECT_EQ(ids(collide(box, kOrigin, box, X, 0.01)), still) << k;
  }
}

TEST(BoxOnBox, TiltedALittleStillMeetsInFourPoints) {
  const Shape slab = Box{{10, 0.5, 10}}, box = Box{{0.5, 0.5, 0.5}};
  for (const double tilt : {1e-9, 1e-6, 1e-4, 1e-3}) {
    const Manifold m = collide(slab, kOrigin, box, at({3, 1, 2}, {tilt, 0.4, -tilt}), 0.01);
    EXPECT_EQ(m.count, 4) << tilt;
    EXPECT_NEAR(least_gap(m), m.distance, 1e-12);
  }
}

TEST(BoxEdges, CrossedMeetInOnePointAndParallelInTwo) {
  const Shape box = Box{{1, 1, 1}};
  const double r2 = std::sqrt(2.0);
  // edge of A along z on top, edge of B along x below
  const Manifold crossed = collide(box, at({0, 0, 0}, {0, 0, kPi / 4}), box,
                                   at({0.1, 2 * r2, 0.2}, {kPi / 4, 0, 0}), 0.01);
  expect_points(crossed, {{{0, r2, 0.2}, 0}}, 1e-9);
  const Manifold parallel = collide(box, at({0, 0, 0}, {0, 0, kPi / 4}), box,
                                    at({0, 2 * r2 + 0.001, 0.5}, {0, 0, kPi / 4}), 0.01);
  const double y = r2 + 0.0005;
  expect_points(parallel, {{{0, y, 1}, 0.001}, {{0, y, -0.5}, 0.001}}, 1e-9);
}

TEST(BoxEdges, MeetInTwoPointsWhereTheirFacesOverlapInALine) {
  // two faces look at each other under 10 degrees, but only along two parallel edges
  const Shape box = Box{{1, 1, 1}};
  const double gap = 0.002, c = tenon::cos(0.1), s = tenon::sin(0.1);
  const Vec3 edge{1 + gap * s, 1 + gap * c, 0};
  const Manifold m = collide(box, kOrigin, box, at(edge + Vec3{1, 1, 0.25}), 0.01);
  expect_points(m,
                {{{1 + gap * s / 2, 1 + gap * c / 2, 1}, gap},
                 {{1 + gap * s / 2, 1 + gap * c / 2, -0.75}, gap}},
                1e-9);
}

// -- cylinders --------------------------------------------------------------------------------

TEST(StandingCylinder, RestsOnFourSteadyRimPointsHoweverItSpins) {
  for (const double spin : {0.0, 0.1, 1.0, 2.5}) {
    const Manifold m =
        collide(Cylinder{0.5, 1}, at({1, 1, 2}, {0, spin, 0}), kFloor, kOrigin, 0.01);
    expect_points(m, {{{1.5, 0, 2}, 0}, {{1, 0, 2.5}, 0}, {{0.5, 0, 2}, 0}, {{1, 0, 1.5}, 0}});
  }
}

TEST(StandingCylinder, TipsAboutTheLowestPointOfItsRim) {
  const double tilt = 2e-3, heading = 0.7;
  const Vec3 axis{-tenon::sin(heading), 0, tenon::cos(heading)};
  const Manifold m = collide(Cylinder{0.5, 1}, at({0, 1, 0}, tilt * axis), kFloor, kOrigin, 0.01);
  EXPECT_EQ(m.count, 5);
  EXPECT_NEAR(least_gap(m), m.distance, 1e-14);
  EXPECT_NEAR(m.distance, 1 - tenon::cos(tilt) - 0.5 * tenon::sin(tilt), 1e-14);
}

TEST(StandingCylinder, RollsOnOnePointOfItsRimThatMovesSmoothly) {
  Vec3 last;
  for (int k = 0; k <= 200; ++k) {
    const double heading = 0.01 * k, tilt = 0.2;
    const Vec3 axis{-tenon::sin(heading), 0, tenon::cos(heading)};
    const Manifold m =
        collide(Cylinder{0.5, 0.05}, at({0, 0.14, 0}, tilt * axis), kFloor, kOrigin, 0.005);
    int low = -1;
    for (int i = 0; i < m.count; ++i) {
      if (feature_type(static_cast<uint16_t>(m.points[i].feature >> 16)) == FeatureType::kRimLow) {
        low = i;
      }
    }
    ASSERT_GE(low, 0);
    EXPECT_NEAR(m.points[low].distance, m.distance, 1e-14);
    if (k > 0) {
      EXPECT_LT(norm(m.points[low].p_W - last), 0.5 * 0.011);
    }
    last = m.points[low].p_W;
  }
}

TEST(StandingCylinder, OnABoxFaceTakesDirectionsFromTheBox) {
  const Shape slab = Box{{5, 0.5, 5}};
  const Manifold m = collide(slab, at({0, -0.5, 0}, {0, kPi / 6, 0}), Cylinder{0.5, 1},
                             at({0, 1, 0}, {0, 0.9, 0}), 0.01);
  const double c = 0.5 * tenon::cos(kPi / 6), s = 0.25;
  expect_points(m, {{{c, 0, -s}, 0}, {{s, 0, c}, 0}, {{-c, 0, s}, 0}, {{-s, 0, -c}, 0}});
}

TEST(StandingCylinder, OverTheEdgeOfABoxIsClippedExactly) {
  // centre 0.3 inside the edge x = 1 of the slab, radius 0.5: the chord is 0.8 long
  const Shape slab = Box{{1, 0.5, 5}};
  const Manifold m = collide(slab, at({0, -0.5, 0}), Cylinder{0.5, 1}, at({0.7, 1, 0}), 0.01);
  expect_points(m, {{{1, 0, 0.4}, 0},
                    {{1, 0, -0.4}, 0},
                    {{0.2, 0, 0}, 0},
                    {{0.7, 0, 0.5}, 0},
                    {{0.7, 0, -0.5}, 0}});
}

TEST(StandingCylinder, OnASmallBoxUsesTheBoxCorners) {
  const Manifold m =
      collide(Box{{0.1, 0.5, 0.2}}, at({0, -0.5, 0}), Cylinder{0.5, 1}, at({0, 1, 0}), 0.01);
  expect_points(
      m, {{{0.1, 0, 0.2}, 0}, {{-0.1, 0, 0.2}, 0}, {{0.1, 0, -0.2}, 0}, {{-0.1, 0, -0.2}, 0}});
}

TEST(StandingCylinder, OnAnEquallyWideBoxDoesNotFlicker) {
  const auto still =
      ids(collide(Box{{0.5, 0.5, 0.5}}, kOrigin, Cylinder{0.5, 0.5}, at({0, 1, 0}), 0.01));
  EXPECT_EQ(still.size(), 4u);
  for (int k = 0; k < 27; ++k) {
    const Vec3 off{(k % 3 - 1) * 1e-6, 1 + (k / 3 % 3 - 1) * 1e-6, (k / 9 - 1) * 1e-6};
    EXPECT_EQ(ids(collide(Box{{0.5, 0.5, 0.5}}, kOrigin, Cylinder{0.5, 0.5}, at(off), 0.01)),
              still);
  }
}

TEST(CylinderRim, TouchesInOnePoint) {
  const double tilt = 0.7, c = tenon::cos(tilt), s = tenon::sin(tilt);
  const double h = 1 * c + 0.5 * s;
  const Manifold m = collide(Cylinder{0.5, 1}, at({0, h, 0}, {0, 0, tilt}), kFloor, kOrigin, 0.01);
  expect_points(m, {{{s - 0.5 * c, 0, 0}, 0}});
  // rim against the side of another cylinder
  const Manifold side = collide(Cylinder{0.5, 1}, at({0, h, 0}, {0, 0, tilt}), Cylinder{0.5, 3},
                                at({0, -0.5, 0}, {0, 0, kPi / 2}), 0.01);
  expect_points(side, {{{s - 0.5 * c, 0, 0}, 0}}, 1e-7);
}

TEST(LyingCylinder, RestsOnTheEndsOfItsLine) {
  const Manifold m =
      collide(Cylinder{0.5, 1}, at({0, 0.5, 0}, {0, 0, kPi / 2}), kFloor, kOrigin, 0.01);
  expect_points(m, {{{1, 0, 0}, 0}, {{-1, 0, 0}, 0}});
  for (const double tilt : {1e-6, 1e-3, -4e-3}) {
    EXPECT_EQ(
        collide(Cylinder{0.5, 1}, at({0, 0.5, 0}, {0, 0, kPi / 2 + tilt}), kFloor, kOrigin, 0.01)
            .count,
        2);
  }
}

TEST(LyingCylinder, IsClippedToTheBoxItLiesOn) {
  const Manifold m = collide(Box{{1, 0.5, 1}}, at({0, -0.5, 0}), Cylinder{0.5, 1},
                             at({0.6, 0.5, 0.2}, {0, 0, kPi / 2}), 0.01);
  expect_points(m, {{{1, 0, 0.2}, 0}, {{-0.4, 0, 0.2}, 0}});
}

TEST(LyingCylinder, AlongAnEdgeTouchesInTwoPoints) {
  // beyond the edge x = 1 of the box, along z
  const double a = kPi / 3, c = tenon::cos(a), s = tenon::sin(a), reach = 0.501;
  const Manifold m = collide(Box{{1, 1, 2}}, kOrigin, Cylinder{0.5, 1},
                             at({1 + reach * c, 1 + reach * s, 0.3}, {kPi / 2, 0, 0}), 0.01);
  const Vec3 p{1 + 0.0005 * c, 1 + 0.0005 * s, 0};
  expect_points(m, {{p + Vec3{0, 0, 1.3}, 0.001}, {p + Vec3{0, 0, -0.7}, 0.001}}, 1e-9);
}

TEST(CylinderSides, ParallelMeetInTwoPointsCrossedInOne) {
  const Shape rod = Cylinder{0.5, 1};
  const Manifold parallel = collide(rod, kOrigin, rod, at({1.001, 0.5, 0}), 0.01);
  expect_points(parallel, {{{0.5005, 1, 0}, 0.001}, {{0.5005, -0.5, 0}, 0.001}}, 1e-9);
  const Manifold crossed = collide(rod, kOrigin, rod, at({1, 0.2, 0.1}, {kPi / 2, 0, 0}), 0.01);
  expect_points(crossed, {{{0.5, 0.2, 0}, 0}}, 1e-9);
  // nearly parallel: the gap at the ends decides, not the angle
  const Manifold nearly = collide(rod, kOrigin, rod, at({1, 0, 0}, {1e-3, 0, 0}), 0.01);
  EXPECT_EQ(nearly.count, 2);
}

TEST(CylinderEnds, CoaxialEqualOnesMeetInFourSteadyPoints) {
  const Shape can = Cylinder{0.5, 0.5};
  const auto still = ids(collide(can, kOrigin, can, at({0, 1, 0}), 0.01));
  EXPECT_EQ(still.size(), 4u);
  for (int k = 0; k < 64; ++k) {
    const auto jitter = [&](int bit) { return (k >> bit & 1 ? 1 : -1) * 1e-7; };
    const Transform X =
        at({jitter(0), 1 + jitter(1), jitter(2)}, {jitter(3), jitter(4), jitter(5)});
    const Manifold m = collide(can, kOrigin, can, X, 0.01);
    EXPECT_EQ(ids(m), still) << k;
    for (int i = 0; i < m.count; ++i) {
      const Vec3 p = m.points[i].p_W;
      EXPECT_NEAR(std::sqrt(p.x * p.x + p.z * p.z), 0.5, 2e-7);
    }
  }
}

TEST(CylinderEnds, OffsetOnesMeetInTheCornersAndEndsOfALens) {
  const Shape can = Cylinder{0.5, 0.5};
  const Manifold m = collide(can, kOrigin, can, at({0.6, 1, 0}), 0.01);
  expect_points(
      m, {{{0.3, 0.5, 0.4}, 0}, {{0.3, 0.5, -0.4}, 0}, {{0.5, 0.5, 0}, 0}, {{0.1, 0.5, 0}, 0}});
}

TEST(CylinderEnds, SmallerOneInsideUsesItsWholeRim) {
  const Manifold m =
      collide(Cylinder{1, 0.5}, kOrigin, Cylinder{0.25, 0.5}, at({0.3, 1, 0.1}), 0.01);
  expect_points(m, {{{0.55, 0.5, 0.1}, 0},
                    {{0.05, 0.5, 0.1}, 0},
                    {{0.3, 0.5, 0.35}, 0},
                    {{0.3, 0.5, -0.15}, 0}});
}

// -- capsules, spheres, hulls -------------------------------------------------------------------

TEST(LyingCapsule, RestsOnTheEndsOfItsLine) {
  const Manifold m =
      collide(Capsule{0.25, 1}, at({0, 0.25, 0}, {0, 0, kPi / 2}), kFloor, kOrigin, 0.01);
  expect_points(m, {{{1, 0, 0}, 0}, {{-1, 0, 0}, 0}});
  const Manifold on_box = collide(Box{{1, 0.5, 1}}, at({0, -0.5, 0}), Capsule{0.25, 1},
                                  at({0.5, 0.25, 0}, {0, 0, kPi / 2}), 0.01);
  expect_points(on_box, {{{1, 0, 0}, 0}, {{-0.5, 0, 0}, 0}});
}

TEST(LyingCapsule, HasExactGapsWhenTilted) {
  const double tilt = 0.01;
  const Manifold m =
      collide(Capsule{0.25, 0.5}, at({0, 0.25, 0}, {0, 0, kPi / 2 + tilt}), kFloor, kOrigin, 0.02);
  const double sink = 0.5 * tenon::sin(tilt);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(m.distance, -sink, 1e-14);
  EXPECT_NEAR(least_gap(m), -sink, 1e-14);
  const double far = std::max(m.points[0].distance, m.points[1].distance);
  EXPECT_NEAR(far, 0.25 + sink - 0.25 / tenon::cos(tilt), 1e-14);
}

TEST(CapsuleSides, ParallelMeetInTwoPoints) {
  const Shape capsule = Capsule{0.5, 1};
  const Manifold m = collide(capsule, kOrigin, capsule, at({0.999, 1, 0}), 0.01);
  expect_points(m, {{{0.4995, 1, 0}, -0.001}, {{0.4995, 0, 0}, -0.001}}, 1e-9);
  const Manifold rod = collide(Cylinder{0.5, 1}, kOrigin, capsule, at({0.999, 0.5, 0}), 0.01);
  EXPECT_EQ(rod.count, 2);
}

TEST(SphereOnAnything, TouchesInOnePoint) {
  const Shape ball = Sphere{0.5};
  expect_points(collide(ball, at({1, 0.5, 2}), kFloor, kOrigin, 0.01), {{{1, 0, 2}, 0}});
  expect_points(collide(ball, at({0, 1.001, 0}), Box{{0.5, 0.5, 0.5}}, kOrigin, 0.01),
                {{{0, 0.5005, 0}, 0.001}});
  expect_points(collide(ball, kOrigin, ball, at({1, 0, 0}), 0), {{{0.5, 0, 0}, 0}});
}

TEST(Dodecahedron, StandsOnFiveCorners) {
  const Shape hull = make_dodecahedron();
  // the face towards (0, 1, g) goes down
  const double g = (1 + std::sqrt(5.0)) / 2;
  const Vec3 face = normalized(Vec3{0, g, 1});
  const double height = dot(Vec3{0, 1 / g, g}, face) < dot(Vec3{1, 1, 1}, face)
                            ? dot(Vec3{1, 1, 1}, face)
                            : dot(Vec3{0, 1 / g, g}, face);
  const Vec3 turn = cross(face, Vec3{0, -1, 0});
  const Vec3 rotation = tenon::atan2(norm(turn), dot(face, Vec3{0, -1, 0})) * normalized(turn);
  const Manifold m = collide(hull, at({0, height, 0}, rotation), kFloor, kOrigin, 0.01);
  EXPECT_EQ(m.count, 5);
  for (int i = 0; i < m.count; ++i) {
    EXPECT_NEAR(m.points[i].p_W.y, 0, 1e-12);
    // radius of the pentagon's corners: edge 2 / g, circumradius edge / (2 sin 36 deg)
    EXPECT_NEAR(norm(m.points[i].p_W), 1 / (g * tenon::sin(kPi / 5)), 1e-9);
  }
}

TEST(Prism, WithManySidesIsReducedToEightPointsThatStay) {
  const Shape prism = make_prism(24, 1, 0.5);
  const auto still = ids(collide(prism, at({0, 0.5, 0}), kFloor, kOrigin, 0.01));
  EXPECT_EQ(still.size(), 8u);
  for (int k = 0; k < 64; ++k) {
    const auto jitter = [&](int bit) { return (k >> bit & 1 ? 1 : -1) * 1e-9; };
    const Transform X =
        at({jitter(0), 0.5 + jitter(1), jitter(2)}, {jitter(3), jitter(4), jitter(5)});
    const Manifold m = collide(prism, X, kFloor, kOrigin, 0.01);
    EXPECT_EQ(ids(m), still) << k;
    EXPECT_NEAR(least_gap(m), m.distance, 1e-6);
  }
  // the eight span at least nine tenths of the regular octagon's area
  const Manifold m = collide(prism, at({0, 0.5, 0}), kFloor, kOrigin, 0.01);
  std::vector<Vec3> p;
  for (int i = 0; i < m.count; ++i) p.push_back(m.points[i].p_W);
  std::sort(p.begin(), p.end(), [](const Vec3& a, const Vec3& b) {
    return tenon::atan2(a.z, a.x) < tenon::atan2(b.z, b.x);
  });
  double area = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const Vec3 q = p[(i + 1) % p.size()];
    area += 0.5 * (p[i].x * q.z - q.x * p[i].z);
  }
  EXPECT_GT(area, 0.9 * 4 * std::sin(kPi / 4));
}

TEST(Prism, OfNinetySidesOnItsLikeDoesNotOverflow) {
  const Shape prism = make_prism(90, 1, 0.5);
  const Manifold m = collide(prism, kOrigin, prism, at({0.3, 1, 0}, {0, 0.01, 0}), 0.01);
  EXPECT_EQ(m.count, 8);
  EXPECT_NEAR(least_gap(m), m.distance, 1e-6);
}

// -- no flicker -------------------------------------------------------------------------------

// Tilts a shape further and further over its lowest point: points may leave the patch one after
// the other as their gap passes the margin, but none may come back.
void expect_steady_loss(const Shape& shape, const Shape& ground, const Transform& X_WG,
                        const Vec3& rest, const Vec3& start, int from) {
  int last = from;
  for (int k = 0; k <= 400; ++k) {
    const double tilt = 1e-3 * k;
    const Vec3 about = tilt * normalized(Vec3{0.3, 0, 1});
    Transform X = at({}, about);
    X.R = X.R * to_matrix(exp_map(rest));
    X.p = start;
    // first high above, then set down to a depth of 1 mm
    const double gap = collide(shape, X, ground, X_WG, 100).distance;
    X.p.y -= gap + 0.001;
    const Manifold m = collide(shape, X, ground, X_WG, 0.01);
    ASSERT_GE(m.count, 1) << tilt;
    ASSERT_NEAR(least_gap(m), -0.001, 3e-6) << tilt;
    if (k == 0) {
      ASSERT_EQ(m.count, from);
    } else if (k > 1) {  // the lowest rim point joins at the first tilt
      ASSERT_LE(m.count, last) << tilt;
    }
    last = m.count;
  }
  EXPECT_LE(last, 2);
}

TEST(Tilting, LosesPointsOnceAndForAll) {
  const Shape slab = Box{{5, 0.5, 5}};
  const Transform X_slab = at({0.1, -0.5, 0.2}, {0, 0.4, 0});
  for (const Shape& shape : {Shape{Box{{0.5, 0.4, 0.6}}}, Shape{Cylinder{0.5, 0.4}}}) {
    expect_steady_loss(shape, kFloor, kOrigin, {}, {0, 3, 0}, 4);
    expect_steady_loss(shape, slab, X_slab, {}, {0, 3, 0}, 4);
  }
  for (const Shape& shape : {Shape{Capsule{0.5, 0.4}}, Shape{Cylinder{0.5, 0.4}}}) {
    expect_steady_loss(shape, kFloor, kOrigin, {0, 0, kPi / 2}, {0, 3, 0}, 2);
    expect_steady_loss(shape, slab, X_slab, {0, 0, kPi / 2}, {0, 3, 0}, 2);
  }
  expect_steady_loss(make_prism(5, 0.5, 0.4), slab, X_slab, {}, {0, 3, 0}, 5);
}

// -- the promises of collide.h ------------------------------------------------------------------

TEST(Collide, DeliversNothingBeyondTheMargin) {
  const Manifold m = collide(Sphere{0.5}, at({0, 1, 0}), kFloor, kOrigin, 0.1);
  EXPECT_EQ(m.count, 0);
  EXPECT_GT(m.distance, 0.1);
  EXPECT_EQ(collide(kFloor, kOrigin, kFloor, at({0, -1, 0}), 0.1).count, 0);
}

TEST(Collide, TakesPlatesDisksAndSegments) {
  const Manifold plate = collide(Box{{1, 0, 1}}, kOrigin, kFloor, kOrigin, 0.01);
  EXPECT_EQ(plate.count, 4);
  const Manifold disk = collide(Cylinder{0.5, 0}, kOrigin, kFloor, kOrigin, 0.01);
  EXPECT_EQ(disk.count, 4);
  const Manifold ball = collide(Capsule{0.5, 0}, at({0, 0.5, 0}), kFloor, kOrigin, 0.01);
  EXPECT_EQ(ball.count, 1);
}

}  // namespace
}  // namespace tenon
