// Patches of hulls whose faces are nearly coplanar, and of thin shapes.
#include "manifold_tools.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon {
namespace {

using namespace patch_test;

constexpr double kMargin = 0.01;

// A cube of edge 2 whose bottom bends along x = 0, where it hangs down by `ridge`.
Shape make_ridged(double ridge) {
  std::vector<Vec3> v;
  for (const double z : {-1.0, 1.0}) {
    for (const double x : {-1.0, 1.0}) {
      v.push_back({x, -1, z});
      v.push_back({x, 1, z});
    }
    v.push_back({0, -1 - ridge, z});
  }
  return hull_of(v);
}

// A prism of `sides` with noise in the heights of its lower end.
Shape make_noisy_prism(int sides, double noise) {
  Rng rng(5);
  std::vector<Vec3> v;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * kPi * k / sides, x = tenon::cos(a), z = tenon::sin(a);
    v.push_back({x, -1 + rng.uniform(-noise, noise), z});
    v.push_back({x, 1, z});
  }
  return hull_of(v);
}

struct Range {
  double low = 1e9, high = -1e9;
};

Range range_of_x(const Manifold& m) {
  Range r;
  for (int i = 0; i < m.count; ++i) {
    r.low = std::min(r.low, m.points[i].p_W.x);
    r.high = std::max(r.high, m.points[i].p_W.x);
  }
  return r;
}

// All with the top at y = 0.
struct Ground {
  Shape shape;
  Transform X_WG;
};

std::vector<Ground> make_grounds() {
  return {{Plane{}, {}},
          {Box{{3, 0.5, 3}}, at({0.2, -0.5, 0.1}, {0, 0.3, 0})},
          {Cylinder{4, 0.5}, at({0.2, -0.5, 0.1})},
          {make_prism(7, 5, 0.5), at({0.2, -0.5, 0.1})}};
}

TEST(RidgedHull, StandsOnBothOfItsFacesWhateverItStandsOn) {
  for (const double ridge : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const Shape hull = make_ridged(ridge);
    std::set<uint32_t> names;
    for (const Ground& ground : make_grounds()) {
      const Manifold m = collide(hull, at({0, 1, 0}), ground.shape, ground.X_WG, kMargin);
      // the four corners and the two ends of the ridge
      expect_points(m,
                    {{{-1, 0, -1}, 0},
                     {{1, 0, -1}, 0},
                     {{-1, 0, 1}, 0},
                     {{1, 0, 1}, 0},
                     {{0, 0, -1}, -ridge},
                     {{0, 0, 1}, -ridge}},
                    1.1 * ridge);
      EXPECT_NEAR(least_gap(m), -ridge, 1e-12);
      if (names.empty()) names = ids(m);
      EXPECT_EQ(ids(m), names) << name(kind(ground.shape));
    }
  }
}

TEST(RidgedHull, KeepsItsPatchWhenItRocks) {
  for (const double ridge : {1e-6, 1e-4, 1e-3}) {
    const Shape hull = make_ridged(ridge);
    for (const Ground& ground : make_grounds()) {
      const std::set<uint32_t> names =
          ids(collide(hull, at({0, 1, 0}), ground.shape, ground.X_WG, kMargin));
      for (const double tilt : {-1e-3, -1e-6, -1e-9, 1e-9, 1e-6, 1e-3}) {
        const Manifold m =
            collide(hull, at({0, 1, 0}, {0, 0, tilt}), ground.shape, ground.X_WG, kMargin);
        EXPECT_EQ(ids(m), names) << name(kind(ground.shape)) << " " << ridge << " " << tilt;
      }
    }
  }
}

TEST(RidgedHull, IsCutByTheEdgesOfASmallerShape) {
  const double ridge = 1e-4;
  const Shape hull = make_ridged(ridge);
  const auto corner = [](double x, double z) { return ExpectedPoint{{x, 0, z}, 0}; };
  const Manifold box =
      collide(hull, at({0, 1, 0}), Box{{0.5, 0.5, 0.4}}, at({0, -0.5, 0}), kMargin);
  expect_points(box,
                {corner(-0.5, -0.4), corner(0.5, -0.4), corner(-0.5, 0.4), corner(0.5, 0.4),
                 corner(0, -0.4), corner(0, 0.4)},
                1.1 * ridge);
  // four rim points, those over the ridge among them, fixed in the hull however the cylinder spins
  const Manifold can = collide(hull, at({0, 1, 0}), Cylinder{0.5, 0.5}, at({0, -0.5, 0}), kMargin);
  EXPECT_NEAR(range_of_x(can).low, -0.5, 1e-6);
  EXPECT_NEAR(range_of_x(can).high, 0.5, 1e-6);
  EXPECT_NEAR(least_gap(can), -ridge, 1e-12);
  for (const double spin : {0.1, 1.0, 2.5}) {
    const Manifold m = collide(hull, at({0, 1, 0}, {0, 0, 1e-9}), Cylinder{0.5, 0.5},
                               at({0, -0.5, 0}, {0, spin, 0}), kMargin);
    ASSERT_EQ(ids(m), ids(can)) << spin;
    for (int i = 0; i < m.count; ++i) {
      EXPECT_LE(norm(m.points[i].p_W - can.points[i].p_W), 1e-6) << spin;
    }
  }
}

TEST(RidgedHull, CarriesACapsuleThatLiesAcross) {
  const double ridge = 1e-4;
  const Shape hull = make_ridged(ridge);
  const Manifold m =
      collide(hull, at({0, 1, 0}), Capsule{0.2, 0.5}, at({0, -0.2, 0.1}, {0, 0, kPi / 2}), kMargin);
  expect_points(m, {{{-0.5, 0, 0.1}, 0}, {{0, 0, 0.1}, -ridge}, {{0.5, 0, 0.1}, 0}}, 1.1 * ridge);
}

TEST(RidgedHulls, CrossedMeetOnAllTheirFaces) {
  const double ridge = 1e-4;
  const Shape hull = make_ridged(ridge);
  // upside down and turned by a right angle: the ridges cross in the middle
  Transform X = at({0, -1, 0}, {kPi, 0, 0});
  X.R = to_matrix(exp_map({0, kPi / 2, 0})) * X.R;
  const Manifold m = collide(hull, at({0, 1, 0}), hull, X, kMargin);
  EXPECT_EQ(m.count, 8);
  EXPECT_NEAR(m.distance, -2 * ridge, 1e-9);
  EXPECT_NEAR(least_gap(m), -2 * ridge, 1e-9);
  EXPECT_LE(range_of_x(m).low, -0.99);
  EXPECT_GE(range_of_x(m).high, 0.99);
  EXPECT_EQ(static_cast<int>(ids(m).size()), m.count);
}

double patch_area(const Manifold& m) {
  std::vector<Vec3> p;
  Vec3 centre;
  for (int i = 0; i < m.count; ++i) p.push_back(m.points[i].p_W), centre += p.back() / m.count;
  std::sort(p.begin(), p.end(), [&](const Vec3& a, const Vec3& b) {
    return std::atan2(a.z - centre.z, a.x - centre.x) < std::atan2(b.z - centre.z, b.x - centre.x);
  });
  double area = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const Vec3 a = p[i] - centre, b = p[(i + 1) % p.size()] - centre;
    area += 0.5 * (a.x * b.z - b.x * a.z);
  }
  return area;
}

TEST(NoisyPrism, StandsOnItsWholeEndWhateverItStandsOn) {
  for (const int sides : {12, 24, 60}) {
    const Shape prism = make_noisy_prism(sides, 1e-5);
    for (const Ground& ground : make_grounds()) {
      const Manifold m = collide(prism, at({0, 1, 0}), ground.shape, ground.X_WG, kMargin);
      EXPECT_EQ(m.count, 8);
      // a regular octagon has 2.83
      EXPECT_GT(patch_area(m), 2.5) << name(kind(ground.shape)) << " " << sides;
    }
    const Manifold twins =
        collide(prism, at({0, 1, 0}), prism, at({0.01, -1, 0.02}, {kPi, 0, 0}), kMargin);
    EXPECT_EQ(twins.count, 8);
    EXPECT_GT(patch_area(twins), 2.3) << sides;
  }
}

TEST(NoisyPrism, MirrorsBitByBitAndHasNamesThatDiffer) {
  const Shape prism = make_noisy_prism(24, 1e-5);
  std::vector<Ground> grounds = make_grounds();
  grounds.push_back({prism, at({0.1, -1, 0.2}, {kPi, 0, 0})});
  grounds.push_back({make_ridged(1e-5), at({0.1, -1, 0.2}, {kPi, 0, 0})});
  for (const Ground& ground : grounds) {
    const Transform X = at({0, 1, 0}, {1e-5, 0.2, 0});
    const Manifold m = collide(prism, X, ground.shape, ground.X_WG, kMargin);
    const Manifold w = collide(ground.shape, ground.X_WG, prism, X, kMargin);
    ASSERT_EQ(m.count, w.count);
    EXPECT_EQ(static_cast<int>(ids(m).size()), m.count);
    for (int i = 0; i < m.count; ++i) {
      EXPECT_EQ(m.points[i].p_W, w.points[i].p_W);
      EXPECT_EQ(m.points[i].distance, w.points[i].distance);
      EXPECT_EQ(m.points[i].feature, swap_features(w.points[i].feature));
    }
  }
}

TEST(NoisyPrism, KeepsItsNamesUnderTinyMotions) {
  const Shape prism = make_noisy_prism(24, 1e-5);
  std::vector<Ground> grounds = make_grounds();
  grounds.push_back({prism, at({0.01, -1, 0.02}, {kPi, 0, 0})});
  Rng rng(8);
  const auto tiny = [&] { return rng.uniform(-1e-8, 1e-8); };
  for (const Ground& ground : grounds) {
    const std::set<uint32_t> names =
        ids(collide(prism, at({0, 1, 0}), ground.shape, ground.X_WG, kMargin));
    for (int i = 0; i < 100; ++i) {
      const Transform X = at({tiny(), 1 + tiny(), tiny()}, {tiny(), tiny(), tiny()});
      ASSERT_EQ(ids(collide(prism, X, ground.shape, ground.X_WG, kMargin)), names)
          << name(kind(ground.shape)) << " " << i;
    }
  }
}

// -- thin shapes ------------------------------------------------------------------------------

Shape random_thin_shape(Rng& rng, double& thin) {
  const double wide = rng.uniform(0.2, 1);
  thin = rng.uniform(0.002, 0.02);
  const bool flat = rng.below(2) == 0;
  switch (rng.below(4)) {
    case 0:
      return Box{{wide, thin, flat ? wide : thin}};
    case 1:
      return flat ? Cylinder{wide, thin} : Cylinder{thin, wide};
    case 2:
      return Capsule{thin, wide};
    default: {
      std::vector<Vec3> v;
      for (int i = 0; i < 16; ++i) {
        v.push_back({rng.uniform(-wide, wide), rng.uniform(-thin, thin), rng.uniform(-wide, wide)});
      }
      return hull_of(v);
    }
  }
}

TEST(ThinShapes, HaveADeepestPointAtTheDistanceOfTheManifold) {
  Rng rng(31);
  for (int i = 0; i < 30000; ++i) {
    double thin_a = 0, thin_b = 0;
    const Shape a = random_thin_shape(rng, thin_a), b = random_thin_shape(rng, thin_b);
    const auto angle = [&] { return rng.below(2) == 0 ? rng.uniform(-0.1, 0.1) : 0.0; };
    const Transform X_WA = at({}, {angle(), rng.uniform(-3, 3), angle()});
    Transform X_WB = at({rng.uniform(-0.5, 0.5), 0.5, rng.uniform(-0.5, 0.5)},
                        {angle(), rng.uniform(-3, 3), angle()});
    const Separation s = find_separation(a, X_WA, b, X_WB);
    X_WB.p += (rng.uniform(-1e-3, 1e-3) - s.distance) * s.normal_W;
    const Manifold m = collide(a, X_WA, b, X_WB, kMargin);
    ASSERT_GE(m.count, 1);
    // the promise of collide.h, for the smallest extent of both shapes
    ASSERT_NEAR(least_gap(m), m.distance, 2e-6 * std::min(thin_a, thin_b))
        << i << " " << name(kind(a)) << " " << name(kind(b));
  }
}

}  // namespace
}  // namespace tenon
