// Ray casts against the definition of the shapes, by random rays.
#include "tenon/engine/geometry/ray_cast.h"

#include <limits>

#include "random_shapes.h"
#include "tenon/engine/geometry/closest_point.h"

namespace tenon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr double kFar = 1000;

// The first t with implicit <= 0 along the ray, by golden-section search of the minimum of the
// convex function implicit(t) and bisection before it. A minimum
// within 1e-7 of zero is a graze: too close to say.
struct Reference {
  bool miss, graze;
  double t;
};
Reference march(const Shape& shape, const Vec3& o, const Vec3& d, double far) {
  const auto f = [&](double t) { return implicit(shape, o + t * d); };
  double lo = 0, hi = far;
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = hi - ratio * (hi - lo), b = lo + ratio * (hi - lo), fa = f(a), fb = f(b);
  for (int i = 0; i < 120; ++i) {
    if (fa <= fb) {
      hi = b;
      b = a;
      fb = fa;
      a = hi - ratio * (hi - lo);
      fa = f(a);
    } else {
      lo = a;
      a = b;
      fa = fb;
      b = lo + ratio * (hi - lo);
      fb = f(b);
    }
    if (fa < -1e-3 || fb < -1e-3) break;  // a point inside is all that is needed
  }
  const double deepest = fa < fb ? a : b;
  if (std::fabs(f(deepest)) < 1e-7) return {false, true, 0};
  if (f(deepest) > 0) return {true, false, 0};
  double outside = 0, inside = deepest;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (outside + inside);
    (f(middle) > 0 ? outside : inside) = middle;
  }
  return {false, false, inside};
}

TEST(RayCast, AgreesWithMarchingOnTenThousandRaysPerShape) {
  Rng rng(40);
  for (ShapeKind kind : kAllKinds) {
    SCOPED_TRACE(name(kind));
    int hits = 0, misses = 0, grazes = 0, starts_inside = 0;
    for (int round = 0; round < 200; ++round) {
      const Shape shape = random_shape(kind, rng);
      for (int i = 0; i < 60; ++i) {
        const Vec3 o = rng.uniform(0, 6) * random_unit(rng);
        // half of the rays are aimed, some along an axis
        Vec3 d = i % 2 ? random_unit(rng) : normalized(1.5 * random_unit(rng) - o);
        if (i % 10 == 0) d = Vec3{0, o.y > 0 ? -1. : 1., 0};
        d = rng.uniform(0.1, 5) * d;
        const auto hit = ray_cast(shape, o, d, kFar);
        if (implicit(shape, o) <= 0) {
          ++starts_inside;
          ASSERT_TRUE(hit);
          EXPECT_EQ(hit->t, 0);
          EXPECT_LE(norm(hit->normal + normalized(d)), 1e-15);
          continue;
        }
        const Reference truth = march(shape, o, d, kFar);
        if (truth.graze) {
          ++grazes;
          continue;
        }
        ASSERT_EQ(hit.has_value(), !truth.miss);
        if (truth.miss) {
          ++misses;
          continue;
        }
        ++hits;
        // a flat approach widens the round-off of the surface into the ray: 1e-7 deep at least,
        // so sqrt-like sensitivity stays below 1e-8
        EXPECT_NEAR(hit->t, truth.t, 1e-8 * (1 + truth.t));
        const Vec3 p = o + hit->t * d;
        EXPECT_NEAR(implicit(shape, p), 0, 1e-12);
        EXPECT_NEAR(norm(hit->normal), 1, 1e-14);
        EXPECT_LE(dot(hit->normal, d), 1e-12);
        // outside along the normal, inside against it
        EXPECT_GT(implicit(shape, p + 1e-6 * hit->normal), 0);
        if (dot(hit->normal, d) < -1e-2 * norm(d)) {
          EXPECT_LT(implicit(shape, p + 1e-9 * d / norm(d)), 0);
        }
      }
    }
    EXPECT_GE(hits + misses + starts_inside + grazes, 10000);
    EXPECT_GT(hits, 1500);
    EXPECT_GT(misses, 1000);
    EXPECT_GT(starts_inside, 300);
    EXPECT_LT(grazes, 600);
  }
}

TEST(RayCast, NormalIsTheOneOfTheNearestSurfacePoint) {
  Rng rng(41);
  for (ShapeKind kind : kAllKinds) {
    SCOPED_TRACE(name(kind));
    for (int i = 0; i < 2000; ++i) {
      const Shape shape = random_shape(kind, rng);
      const Vec3 o = 5 * random_unit(rng), d = random_unit(rng) - o;
      const auto hit = ray_cast(shape, o, d, kInfinity);
      if (!hit || hit->t == 0) continue;
      // a little outside along the normal; hits within 1e-4 of an edge would see the other face
      const auto closest = find_closest_point(shape, o + hit->t * d + 1e-5 * hit->normal);
      EXPECT_NEAR(closest.distance, 1e-5, 1e-9);
      EXPECT_GT(dot(closest.normal, hit->normal), 1 - 1e-6);
    }
  }
}

TEST(RayCast, OfSimpleRaysIsExact) {
  const auto ball = ray_cast(Sphere{1}, {3, 0, 0}, {-2, 0, 0}, 10);
  ASSERT_TRUE(ball);
  EXPECT_EQ(ball->t, 1);
  EXPECT_EQ(ball->normal, (Vec3{1, 0, 0}));
  const auto cap = ray_cast(Cylinder{1, 2}, {0.5, 5, 0}, {0, -1, 0}, 10);
  ASSERT_TRUE(cap);
  EXPECT_EQ(cap->t, 3);
  EXPECT_EQ(cap->normal, (Vec3{0, 1, 0}));
  const auto side = ray_cast(Capsule{1, 2}, {4, 1.5, 0}, {-1, 0, 0}, 10);
  ASSERT_TRUE(side);
  EXPECT_EQ(side->t, 3);
  const auto floor = ray_cast(Plane{}, {1, 2, 3}, {0, -4, 0}, 10);
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->t, 0.5);
  EXPECT_FALSE(ray_cast(Plane{}, {1, 2, 3}, {1, 0, 0}, kInfinity));
  EXPECT_FALSE(ray_cast(Plane{}, {1, 2, 3}, {0, 1, 0}, kInfinity));
}

TEST(RayCast, EndsAtItsLength) {
  EXPECT_TRUE(ray_cast(Sphere{1}, {3, 0, 0}, {-1, 0, 0}, 2));
  EXPECT_FALSE(ray_cast(Sphere{1}, {3, 0, 0}, {-1, 0, 0}, 1.999999));
  EXPECT_FALSE(ray_cast(Sphere{1}, {3, 0, 0}, {1, 0, 0}, kInfinity));
  EXPECT_TRUE(ray_cast(Sphere{1}, {0, 0, 0}, {1, 0, 0}, 0));
}

TEST(RayCast, OfBadInputHitsNothing) {
  for (ShapeKind kind : kAllKinds) {
    Rng rng(42);
    const Shape shape = random_shape(kind, rng);
    EXPECT_FALSE(ray_cast(shape, {9, 9, 9}, {0, 0, 0}, 1));
    EXPECT_FALSE(ray_cast(shape, {NAN, 0, 0}, {1, 0, 0}, 1));
    EXPECT_FALSE(ray_cast(shape, {9, 9, 9}, {-INFINITY, 0, 0}, 1));
    EXPECT_FALSE(ray_cast(shape, {9, 9, 9}, {-1, -1, -1}, -1));
    EXPECT_FALSE(ray_cast(shape, {9, 9, 9}, {-1, -1, -1}, NAN));
  }
}

TEST(RayCast, FindsASmallBallFarAway) {
  // the textbook quadratic has lost the ball at this distance: b^2 - 4ac cancels all 16 digits
  const auto hit = ray_cast(Sphere{1e-3}, {1e6, 1e6, 0}, {-1, -1, 0}, kInfinity);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->t, 1e6 - 1e-3 / std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(dot(hit->normal, normalized(Vec3{1, 1, 0})), 1, 1e-6);
}

TEST(RayCast, KeepsItsScaleWithVeryShortAndLongDirections) {
  for (double s : {1e-300, 1e-10, 1e10, 1e300}) {
    const auto hit = ray_cast(Box{{1, 1, 1}}, {3, 0, 0}, {-s, 0, 0}, kInfinity);
    ASSERT_TRUE(hit) << s;
    EXPECT_NEAR(hit->t * s, 2, 1e-14);
  }
}

}  // namespace
}  // namespace tenon
