// Signed distances against sampling of the surface and against convex optimality.
#include "tenon/engine/geometry/closest_point.h"

#include "random_shapes.h"

namespace tenon {
namespace {

// For a convex set and a point p outside, q is the nearest point iff it belongs to the set and the
// support of the set along p - q is not beyond q. That is a proof, not a sample.
TEST(ClosestPoint, OutsideIsProvedByTheSupportingPlane) {
  Rng rng(50);
  for (ShapeKind kind : kAllKinds) {
    SCOPED_TRACE(name(kind));
    int outside = 0;
    for (int round = 0; round < 200; ++round) {
      const Shape shape = random_shape(kind, rng);
      for (int i = 0; i < 60; ++i) {
        const Vec3 p = rng.uniform(0, 5) * random_unit(rng);
        if (implicit(shape, p) <= 0) continue;
        ++outside;
        const ClosestPoint c = find_closest_point(shape, p);
        EXPECT_GT(c.distance, 0);
        EXPECT_NEAR(norm(c.normal), 1, 1e-14);
        EXPECT_NEAR(implicit(shape, c.point), 0, 1e-13);
        EXPECT_LE(norm(c.point + c.distance * c.normal - p), 1e-13);
        if (kind == ShapeKind::kPlane) {
          EXPECT_EQ(c.normal, (Vec3{0, 1, 0}));
          EXPECT_EQ(c.distance, p.y);
          continue;
        }
        // measured against the gap, not only against the size: near points, small gaps
        const double beyond = dot(support(shape, c.normal) - c.point, c.normal);
        EXPECT_LE(beyond, 1e-12 / std::min(1.0, c.distance));
      }
    }
    EXPECT_GT(outside, 4000);
  }
}

// Inside, the distance d is the radius of the largest ball about p that fits: no direction has its
// supporting plane nearer than d, and the one along the normal has it at d.
TEST(ClosestPoint, InsideIsTheLargestBallThatFits) {
  Rng rng(51);
  for (ShapeKind kind : kAllKinds) {
    SCOPED_TRACE(name(kind));
    int inside = 0;
    while (inside < 3000) {
      const Shape shape = random_shape(kind, rng);
      for (int i = 0; i < 100; ++i) {
        const Vec3 p = rng.uniform(0, 2) * random_unit(rng);
        if (implicit(shape, p) > 0) continue;
        ++inside;
        const ClosestPoint c = find_closest_point(shape, p);
        EXPECT_LE(c.distance, 0);
        EXPECT_NEAR(implicit(shape, c.point), 0, 1e-14 * 10);
        EXPECT_LE(norm(c.point + c.distance * c.normal - p), 1e-14 * 10);
        if (kind == ShapeKind::kPlane) continue;
        EXPECT_NEAR(dot(support(shape, c.normal) - p, c.normal), -c.distance, 1e-13);
        for (int j = 0; j < 50; ++j) {
          const Vec3 d = random_unit(rng);
          EXPECT_GE(dot(support(shape, d) - p, d), -c.distance - 1e-13);
        }
      }
    }
  }
}

TEST(ClosestPoint, AgreesWithTheNearestOfManySurfaceSamples) {
  Rng rng(52);
  for (ShapeKind kind : kAllKinds) {
    if (kind == ShapeKind::kPlane) continue;
    SCOPED_TRACE(name(kind));
    const Shape shape = random_shape(kind, rng);
    // surface samples: bisection of the implicit function from an inner point outwards
    const Vec3 core = kind == ShapeKind::kHull ? std::get<Hull>(shape).geometry->centroid : Vec3{};
    std::vector<Vec3> samples;
    for (int i = 0; i < 20000; ++i) {
      const Vec3 d = random_unit(rng);
      double lo = 0, hi = 10;
      for (int k = 0; k < 60; ++k) {
        const double t = 0.5 * (lo + hi);
        (implicit(shape, core + t * d) > 0 ? hi : lo) = t;
      }
      samples.push_back(core + lo * d);
    }
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = rng.uniform(0, 4) * random_unit(rng);
      double nearest = 1e300;
      for (const Vec3& s : samples) nearest = std::min(nearest, norm(p - s));
      const double d = std::fabs(find_closest_point(shape, p).distance);
      EXPECT_LE(d, nearest + 1e-12);  // no sample is nearer
      EXPECT_GE(d, nearest - 0.2);    // samples are about 0.03 apart
    }
  }
}

TEST(ClosestPoint, OfAmbiguousPointsIsTheDocumentedOne) {
  const ClosestPoint ball = find_closest_point(Sphere{2}, {});
  EXPECT_EQ(ball.normal, (Vec3{0, 1, 0}));
  EXPECT_EQ(ball.distance, -2);
  const ClosestPoint box = find_closest_point(Box{{1, 1, 1}}, {});
  EXPECT_EQ(box.normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(box.distance, -1);
  const ClosestPoint tall = find_closest_point(Cylinder{1, 2}, {});
  EXPECT_EQ(tall.normal, (Vec3{1, 0, 0}));
  const ClosestPoint flat = find_closest_point(Cylinder{2, 1}, {0, -0.5, 0});
  EXPECT_EQ(flat.point, (Vec3{0, -1, 0}));
  EXPECT_EQ(flat.normal, (Vec3{0, -1, 0}));
  const ClosestPoint capsule = find_closest_point(Capsule{1, 2}, {0, 1, 0});
  EXPECT_EQ(capsule.point, (Vec3{1, 1, 0}));
}

TEST(ClosestPoint, OnTheSurfaceHasDistanceZeroAndAUnitNormal) {
  const ClosestPoint corner = find_closest_point(Box{{1, 2, 3}}, {1, 2, 3});
  EXPECT_EQ(corner.distance, 0);
  EXPECT_EQ(corner.normal, (Vec3{1, 0, 0}));
  const ClosestPoint rim = find_closest_point(Cylinder{1, 2}, {1, 2, 0});
  EXPECT_EQ(rim.distance, 0);
  EXPECT_EQ(norm(rim.normal), 1);
}

}  // namespace
}  // namespace tenon
