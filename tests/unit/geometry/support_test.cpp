// Support points against sampling and definitions; bounds against the support function.
#include "tenon/engine/geometry/support.h"

#include "random_shapes.h"
#include "tenon/engine/geometry/bounds.h"

namespace tenon {
namespace {

TEST(SupportPoint, LiesOnTheShapeAndNothingOfTheShapeIsBeyondIt) {
  Rng rng(30);
  for (ShapeKind kind : kAllKinds) {
    if (kind == ShapeKind::kPlane) continue;
    SCOPED_TRACE(name(kind));
    for (int round = 0; round < 50; ++round) {
      const Shape shape = random_shape(kind, rng);
      for (int i = 0; i < 50; ++i) {
        const Vec3 d = rng.uniform(0.1, 10) * random_unit(rng);
        const Vec3 s = support(shape, d);
        EXPECT_NEAR(implicit(shape, s), 0, 1e-14 * 10);
        // the other support points are points of the shape, with none further along d
        for (int j = 0; j < 20; ++j) {
          const Vec3 other = support(shape, d + rng.uniform(0, 2) * norm(d) * random_unit(rng));
          EXPECT_LE(dot(other, d), dot(s, d) + 1e-14 * norm(d) * 10);
        }
      }
    }
  }
}

TEST(SupportPoint, IsBeyondEverySampledInnerPoint) {
  Rng rng(31);
  for (ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCylinder,
                         ShapeKind::kCapsule, ShapeKind::kHull}) {
    SCOPED_TRACE(name(kind));
    const Shape shape = random_shape(kind, rng);
    const double reach = bounding_radius(shape);
    std::vector<Vec3> inside;
    while (inside.size() < 3000) {
      const Vec3 p = reach * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
      if (implicit(shape, p) <= 0) inside.push_back(p);
    }
    for (int i = 0; i < 200; ++i) {
      const Vec3 d = random_unit(rng);
      const double best = dot(support(shape, d), d);
      double sampled = -1e300;
      for (const Vec3& p : inside) sampled = std::max(sampled, dot(p, d));
      EXPECT_LE(sampled, best + 1e-14);
    }
  }
}

TEST(SupportPoint, OfAHullIsTheBestVertexAlsoByClimbing) {
  Rng rng(32);
  for (int points : {10, 33, 100, 1000}) {
    for (int round = 0; round < 5; ++round) {
      const Hull hull = random_hull(rng, points);
      const HullGeometry& g = *hull.geometry;
      int start = 0;
      for (int i = 0; i < 500; ++i) {
        // also along face normals and axes, where vertices tie
        Vec3 d = random_unit(rng);
        if (i % 3 == 0) d = g.faces[rng.below(static_cast<uint32_t>(g.faces.size()))].normal;
        double best = -1e300;
        for (const Vec3& v : g.vertices) best = std::max(best, dot(v, d));
        EXPECT_NEAR(dot(support(hull, d), d), best, 1e-14);
        start = find_support_vertex(g, d, start);
        EXPECT_NEAR(dot(g.vertices[start], d), best, 1e-14);
      }
    }
  }
}

TEST(SupportPoint, OfABadDirectionIsThatOfUp) {
  for (const Vec3& d : {Vec3{}, Vec3{NAN, 0, 0}, Vec3{0, INFINITY, 0}}) {
    EXPECT_EQ(support(Sphere{2}, d), (Vec3{0, 2, 0}));
  }
  EXPECT_EQ(support(Cylinder{1, 2}, {0, 1e-300, 0}), (Vec3{0, 2, 0}));
  EXPECT_EQ(support(Cylinder{1, 2}, {1e-300, 0, 0}), (Vec3{1, 0, 0}));
  EXPECT_EQ(support(Plane{}, {0, 1, 0}), Vec3{});
  EXPECT_EQ(support(Plane{}, {0, -1, 0}), (Vec3{0, -kPlaneExtent, 0}));
}

TEST(Sizes, AreThoseOfTheDefinition) {
  EXPECT_EQ(size(Sphere{2}), 4);
  EXPECT_EQ(size(Box{{1, 0.2, 3}}), 0.4);
  EXPECT_EQ(size(Cylinder{1, 0.25}), 0.5);
  EXPECT_EQ(size(Capsule{0.5, 7}), 1);
  EXPECT_EQ(bounding_radius(Box{{2, 3, 6}}), 7);
  EXPECT_EQ(bounding_radius(Cylinder{3, 4}), 5);
  EXPECT_EQ(bounding_radius(Capsule{3, 4}), 7);
  EXPECT_GT(size(Plane{}), 1e9);
  Rng rng(33);
  for (int round = 0; round < 100; ++round) {
    const Hull hull = random_hull(rng, 40);
    double reach = 0;
    for (const Vec3& v : hull.geometry->vertices) reach = std::max(reach, norm(v));
    EXPECT_EQ(bounding_radius(hull), reach);
    // the width is attained at a face, so no face may show less
    double width = 1e300;
    for (const auto& face : hull.geometry->faces) {
      double lowest = 1e300;
      for (const Vec3& v : hull.geometry->vertices) lowest = std::min(lowest, dot(v, face.normal));
      width = std::min(width, face.offset - lowest);
    }
    EXPECT_NEAR(size(hull), width, 1e-14);
  }
}

TEST(Bounds, TouchTheShapeOnAllSixSides) {
  Rng rng(34);
  for (ShapeKind kind : kAllKinds) {
    if (kind == ShapeKind::kPlane) continue;
    SCOPED_TRACE(name(kind));
    for (int round = 0; round < 300; ++round) {
      const Shape shape = random_shape(kind, rng);
      const Transform X{round % 10 == 0 ? Mat3::identity() : random_rotation(rng),
                        5 * random_unit(rng)};
      const Aabb box = calc_bounds(shape, X);
      for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        const Vec3 d = transpose_mul(X.R, axis);
        EXPECT_NEAR(box.hi[k], (X * support(shape, d))[k], 2e-14);
        EXPECT_NEAR(box.lo[k], (X * support(shape, -d))[k], 2e-14);
      }
    }
  }
}

TEST(PlaneBounds, AreTightAlongAnAxisAndHugeElsewhere) {
  constexpr double H = kPlaneExtent;
  const Aabb floor = calc_bounds(Plane{}, {Mat3::identity(), {1, 2, 3}});
  EXPECT_EQ(floor, (Aabb{{-H, -H, -H}, {H, 2, H}}));
  // turned so that the normal is -x: a wall at x = 1 with its matter at larger x
  const Mat3 R = Mat3::from_columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
  const Aabb wall = calc_bounds(Plane{}, {R, {1, 2, 3}});
  EXPECT_EQ(wall, (Aabb{{1, -H, -H}, {H, H, H}}));
  // a rotation with round-off moves the top by the tilt times the extent, not by the extent
  const Mat3 tilted = Mat3::from_columns({1, -1e-17, 0}, {1e-17, 1, 0}, {0, 0, 1});
  EXPECT_NEAR(calc_bounds(Plane{}, {tilted, {1, 2, 3}}).hi.y, 2, 1e-6);
  // any point of the half-space within the cube is in the box
  Rng rng(35);
  for (int i = 0; i < 1000; ++i) {
    const Transform X{random_rotation(rng), 100 * random_unit(rng)};
    const Aabb box = calc_bounds(Plane{}, X);
    EXPECT_TRUE(is_finite(box.lo) && is_finite(box.hi));
    for (int j = 0; j < 20; ++j) {
      const Vec3 p = H * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
      if (inverse_mul(X, p).y > 0) continue;
      EXPECT_TRUE(contains(box, Aabb{p, p}));
    }
  }
}

}  // namespace
}  // namespace tenon
