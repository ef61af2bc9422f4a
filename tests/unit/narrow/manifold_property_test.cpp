// Properties that every contact patch has, over random pairs of all kinds.
#include "manifold_tools.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/closest_point.h"
#include "tenon/tests/effort.h"

namespace tenon {
namespace {

using namespace patch_test;

constexpr double kMargin = 0.02;
constexpr int kCases = test::effort(2400, 300);

double extent(const Shape& shape) {
  switch (kind(shape)) {
    case ShapeKind::kSphere:
      return std::get<Sphere>(shape).radius;
    case ShapeKind::kBox:
      return max_component(std::get<Box>(shape).half);
    case ShapeKind::kCylinder:
      return std::max(std::get<Cylinder>(shape).radius, std::get<Cylinder>(shape).half_height);
    case ShapeKind::kCapsule:
      return std::get<Capsule>(shape).radius + std::get<Capsule>(shape).half_length;
    case ShapeKind::kPlane:
      return 1e9;
    case ShapeKind::kHull:
      return std::get<Hull>(shape).geometry->radius;
    case ShapeKind::kMesh:
      break;
  }
  return 0;
}

struct Case {
  Shape a, b;
  Transform X_WA, X_WB;
  double size() const { return std::min(extent(a), extent(b)); }
};

Vec3 random_vector(Rng& rng, double range) {
  return {rng.uniform(-range, range), rng.uniform(-range, range), rng.uniform(-range, range)};
}

Shape random_shape(ShapeKind kind, Rng& rng) {
  const auto length = [&] { return rng.uniform(0.3, 1.2); };
  switch (kind) {
    case ShapeKind::kSphere:
      return Sphere{length()};
    case ShapeKind::kBox:
      return Box{{length(), length(), length()}};
    case ShapeKind::kCylinder:
      return Cylinder{length(), length()};
    case ShapeKind::kCapsule:
      return Capsule{length(), length()};
    case ShapeKind::kPlane:
      return Plane{};
    case ShapeKind::kHull:
    case ShapeKind::kMesh:  // has tests of its own
      break;
  }
  if (rng.below(4) == 0) return make_dodecahedron();
  if (rng.below(3) == 0) return make_prism(3 + static_cast<int>(rng.below(12)), length(), length());
  std::vector<Vec3> points;
  for (int i = 0; i < 14; ++i) points.push_back(random_vector(rng, 0.8));
  return hull_of(points);
}

// Half of the poses are aligned up to a quarter turn, a spin about y and a small tilt, so that
// faces meet faces and lines meet lines; the others are arbitrary.
Mat3 random_rotation(Rng& rng) {
  if (rng.below(2) == 0) return to_matrix(exp_map(random_vector(rng, 3)));
  const double quarter = kPi / 2 * rng.below(4);
  const Vec3 about = rng.below(2) == 0 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  const double tilt = rng.below(3) == 0 ? 0 : (rng.below(2) == 0 ? 1e-4 : 1e-2);
  const double spin = rng.below(2) == 0 ? 0 : rng.uniform(-3, 3);
  return to_matrix(exp_map(random_vector(rng, tilt))) * to_matrix(exp_map({0, spin, 0})) *
         to_matrix(exp_map(quarter * about));
}

Transform random_motion(Rng& rng) {
  return {to_matrix(exp_map(random_vector(rng, 3))), random_vector(rng, 5)};
}

// A pair at a signed distance between `least` and nearly `most`.
Case make_case(ShapeKind ka, ShapeKind kb, Rng& rng, double least = -0.04,
               double most = 0.95 * kMargin) {
  Case c{random_shape(ka, rng), random_shape(kb, rng), {}, {}};
  c.X_WA.R = random_rotation(rng);
  c.X_WB = {random_rotation(rng), random_vector(rng, 1.2)};
  if (rng.below(3) == 0) c.X_WB.p = {0, 1, 0};
  const Separation s = find_separation(c.a, c.X_WA, c.b, c.X_WB);
  c.X_WB.p += (rng.uniform(least, most) - s.distance) * s.normal_W;
  const Transform X = random_motion(rng);
  c.X_WA = X * c.X_WA;
  c.X_WB = X * c.X_WB;
  return c;
}

double surface_error(const Shape& shape, const Transform& X_WS, const Vec3& p_W) {
  return std::fabs(find_closest_point(shape, inverse_mul(X_WS, p_W)).distance);
}

class EveryPair : public testing::TestWithParam<int> {
 protected:
  // The 20 pairs of kinds that can touch, and plane against plane.
  static std::pair<ShapeKind, ShapeKind> kinds(int index) {
    constexpr int kConvexKinds = static_cast<int>(ShapeKind::kHull) + 1;
    for (int a = 0; a < kConvexKinds; ++a) {
      for (int b = a; b < kConvexKinds; ++b) {
        if (index-- == 0) return {static_cast<ShapeKind>(a), static_cast<ShapeKind>(b)};
      }
    }
    return {};
  }
  template <class Check>
  void for_each_case(const Check& check, double least = -0.04, double most = 0.95 * kMargin) {
    const auto [ka, kb] = kinds(GetParam());
    if (ka == ShapeKind::kPlane && kb == ShapeKind::kPlane) {
      EXPECT_EQ(collide(Plane{}, {}, Plane{}, at({0, -1, 0}, {0.3, 0, 0}), kMargin).count, 0);
      return;
    }
    Rng rng(1000 + static_cast<uint64_t>(GetParam()));
    for (int i = 0; i < kCases; ++i) {
      Case c = make_case(ka, kb, rng, least, most);
      if (rng.below(2) == 0) {
        std::swap(c.a, c.b);
        std::swap(c.X_WA, c.X_WB);
      }
      check(c, i);
      if (HasFailure()) {
        ADD_FAILURE() << name(kind(c.a)) << " - " << name(kind(c.b)) << ", case " << i;
        return;
      }
    }
  }
};

TEST_P(EveryPair, IsTheMirrorImageBitByBit) {
  for_each_case([](const Case& c, int) {
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    const Manifold w = collide(c.b, c.X_WB, c.a, c.X_WA, kMargin);
    ASSERT_EQ(m.count, w.count);
    EXPECT_EQ(m.normal_W, -w.normal_W);
    EXPECT_EQ(m.distance, w.distance);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.points[i].p_W, w.points[i].p_W);
      EXPECT_EQ(m.points[i].distance, w.points[i].distance);
      EXPECT_EQ(m.points[i].feature, swap_features(w.points[i].feature));
    }
  });
}

TEST_P(EveryPair, HasNamesThatDifferAndGapsWithinTheMargin) {
  for_each_case([](const Case& c, int) {
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    ASSERT_GE(m.count, 1);
    ASSERT_LE(m.count, Manifold::kMaxPoints);
    EXPECT_EQ(static_cast<int>(ids(m).size()), m.count);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_TRUE(is_finite(m.points[i].p_W));
      EXPECT_LE(m.points[i].distance, kMargin);
    }
  });
}

TEST_P(EveryPair, HoldsAPointAsDeepAsTheDistanceAndNoneDeeper) {
  for_each_case([](const Case& c, int) {
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    const Separation s = find_separation(c.a, c.X_WA, c.b, c.X_WB);
    // 2e-6 of the smaller shape: the promise on the distance plus the tilt that counts as level
    EXPECT_NEAR(m.distance, s.distance, 1e-9);
    EXPECT_NEAR(least_gap(m), m.distance, 2e-6 * c.size());
  });
}

TEST_P(EveryPair, HasBothEndsOfEveryGapOnTheSurfaces) {
  double worst = 0;
  for_each_case([&](const Case& c, int) {
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    for (int i = 0; i < m.count; ++i) {
      const Vec3 half = 0.5 * m.points[i].distance * m.normal_W;
      const double off = std::max(surface_error(c.a, c.X_WA, m.points[i].p_W - half),
                                  surface_error(c.b, c.X_WB, m.points[i].p_W + half)) /
                         c.size();
      worst = std::max(worst, off);
      // flush corners may stick out by 1e-5, edges that run side by side by 1e-4
      EXPECT_LE(off, 1.1e-4) << "point " << i << " id " << std::hex << m.points[i].feature;
    }
  });
  RecordProperty("worst_ppb", static_cast<int>(1e9 * worst));
}

TEST_P(EveryPair, MovesAlongWithACommonMotion) {
  Rng rng(77);
  int changed = 0, loose = 0, total = 0;
  double worst = 0;
  for_each_case([&](const Case& c, int) {
    const Transform X = random_motion(rng);
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    const Manifold w = collide(c.a, X * c.X_WA, c.b, X * c.X_WB, kMargin);
    ++total;
    // an equally good normal or name is allowed where round-off decides
    if (ids(m) != ids(w) || norm(X.R * m.normal_W - w.normal_W) > 1e-6) {
      ++changed;
      return;
    }
    double off = 0;
    for (int i = 0; i < m.count; ++i) {
      int k = 0;
      while (w.points[k].feature != m.points[i].feature) ++k;
      off = std::max(off, norm(X * m.points[i].p_W - w.points[k].p_W));
      off = std::max(off, std::fabs(m.points[i].distance - w.points[k].distance));
    }
    loose += off > 1e-9;
    worst = std::max(worst, off);
  });
  RecordProperty("worst_ppt", static_cast<int>(std::min(1e9, 1e12 * worst)));
  RecordProperty("changed", changed);
  RecordProperty("loose", loose);
  // where a rim touches a side, the normal is the result of an iteration; its rest shows here
  EXPECT_LE(worst, 1e-6);
  EXPECT_LE(loose, total / 25);
  EXPECT_LE(changed, total / 200);
}

TEST_P(EveryPair, KeepsItsNamesUnderATinyMotion) {
  Rng rng(78);
  int changed = 0, total = 0;
  for_each_case([&](const Case& c, int) {
    const Transform step{to_matrix(exp_map(random_vector(rng, 1e-8))), random_vector(rng, 1e-8)};
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kMargin);
    const Manifold w = collide(c.a, c.X_WA, c.b, {step.R * c.X_WB.R, c.X_WB.p + step.p}, kMargin);
    ++total;
    changed += ids(m) != ids(w);
  });
  RecordProperty("changed", changed);
  EXPECT_LE(changed, total / 200);
}

// Margins as wide as the bodies, which fast motions ask for: everything holds that holds for narrow
// ones, and pairs beyond the margin are known to be.
TEST_P(EveryPair, KeepsItsPromisesWithWideMargins) {
  constexpr double kWide = 0.8;
  const auto check = [&](const Case& c, int) {
    const Manifold m = collide(c.a, c.X_WA, c.b, c.X_WB, kWide);
    const Separation s = find_separation(c.a, c.X_WA, c.b, c.X_WB);
    if (s.distance > kWide) {
      EXPECT_EQ(m.count, 0);
      EXPECT_GT(m.distance, kWide);
      EXPECT_LE(m.distance, s.distance + 1e-9);
      return;
    }
    ASSERT_GE(m.count, 1);
    EXPECT_NEAR(m.distance, s.distance, 1e-9);
    EXPECT_NEAR(least_gap(m), m.distance, 2e-6 * c.size());
    EXPECT_EQ(static_cast<int>(ids(m).size()), m.count);
    const Manifold w = collide(c.b, c.X_WB, c.a, c.X_WA, kWide);
    EXPECT_EQ(m.normal_W, -w.normal_W);
    EXPECT_EQ(m.distance, w.distance);
    EXPECT_EQ(m.count, w.count);
    // a cylinder's side that is tilted by much is a line only near its lower end
    const bool round = kind(c.a) == ShapeKind::kCylinder || kind(c.b) == ShapeKind::kCylinder;
    const double allowed = round ? 2e-2 : 1.1e-4;
    for (int i = 0; i < m.count; ++i) {
      EXPECT_LE(m.points[i].distance, kWide);
      const Vec3 half = 0.5 * m.points[i].distance * m.normal_W;
      EXPECT_LE(surface_error(c.a, c.X_WA, m.points[i].p_W - half), allowed * c.size());
      EXPECT_LE(surface_error(c.b, c.X_WB, m.points[i].p_W + half), allowed * c.size());
    }
  };
  for_each_case(check, -0.3, 1);
}

// Faces that rest on each other: A below, B above the plane y = 0, any spin and offset.
Shape random_block(Rng& rng, double& half_height) {
  half_height = rng.uniform(0.2, 1);
  const auto length = [&] { return rng.uniform(0.3, 1.2); };
  const uint32_t which = rng.below(3);
  if (which == 0) return Box{{length(), half_height, length()}};
  if (which == 1) return Cylinder{length(), half_height};
  return make_prism(3 + static_cast<int>(rng.below(6)), length(), half_height);
}

// How far outside of the hull of the patch points (in the plane y = 0) a place lies: over all
// lines through two points that have all others on one side.
double outside_patch(const Manifold& m, const Vec3& p) {
  double worst = -1e9;
  for (int i = 0; i < m.count; ++i) {
    for (int k = 0; k < m.count; ++k) {
      const Vec3 a = m.points[i].p_W, e = m.points[k].p_W - a;
      if (norm(e) < 1e-6) continue;
      const Vec3 out = Vec3{-e.z, 0, e.x} / norm(e);
      bool border = true;
      for (int j = 0; j < m.count; ++j) {
        border = border && dot(m.points[j].p_W - a, out) <= 1e-9;
      }
      if (border) worst = std::max(worst, dot(p - a, out));
    }
  }
  return worst;
}

TEST(RestingFaces, AreCoveredByTheirPatch) {
  Rng rng(99);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    double hA = 0, hB = 0;
    const Shape a = random_block(rng, hA), b = random_block(rng, hB);
    const Transform X_WA = at({0, -hA, 0}, {0, rng.uniform(-3, 3), 0});
    const Transform X_WB =
        at({rng.uniform(-1, 1), hB, rng.uniform(-1, 1)}, {0, rng.uniform(-3, 3), 0});
    const Manifold m = collide(a, X_WA, b, X_WB, kMargin);
    if (m.count < 3 || std::fabs(m.normal_W.y) < 0.999) continue;
    // polygons are covered wholly; of a rim, four points leave segments of up to 0.32 r (and an
    // octagon of eight points of a larger patch a little)
    const bool round = kind(a) == ShapeKind::kCylinder || kind(b) == ShapeKind::kCylinder;
    double r = 0;
    if (const Cylinder* c = std::get_if<Cylinder>(&a)) r = c->radius;
    if (const Cylinder* c = std::get_if<Cylinder>(&b)) r = std::max(r, c->radius);
    const double allowed = round ? 0.32 * r : (m.count < 8 ? 1e-4 : 0.1);
    for (int k = 0; k < 50; ++k) {
      const Vec3 p{rng.uniform(-1.5, 1.5), 0, rng.uniform(-1.5, 1.5)};
      if (find_closest_point(a, inverse_mul(X_WA, p)).distance > 1e-9) continue;
      if (find_closest_point(b, inverse_mul(X_WB, p)).distance > 1e-9) continue;
      ++hits;
      ASSERT_LE(outside_patch(m, p), allowed) << i << " " << name(kind(a)) << " " << name(kind(b));
    }
  }
  EXPECT_GT(hits, 5000);
}

INSTANTIATE_TEST_SUITE_P(All, EveryPair, testing::Range(0, 21));

}  // namespace
}  // namespace tenon
