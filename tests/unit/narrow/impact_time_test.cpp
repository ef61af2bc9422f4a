// Time of impact: closed forms, thin and fast bodies, and random motions of all kinds against a
// brute-force scan of the step.
#include "tenon/engine/collision/narrow/impact_time.h"

#include "manifold_tools.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

using namespace patch_test;
using Status = ImpactTime::Status;

constexpr double kTolerance = 1e-4;  // of the smaller shape: the promise
constexpr double kTarget = 1e-4;     // m

ShapeMotion resting(const Transform& X) { return {X, X.p, {}, {}}; }
ShapeMotion moving(const Transform& X, const Vec3& displacement, const Vec3& rotation = {}) {
  return {X, X.p, displacement, rotation};
}

double distance_at(const Shape& a, const ShapeMotion& ma, const Shape& b, const ShapeMotion& mb,
                   double f) {
  return find_separation(a, calc_pose_at(ma, f), b, calc_pose_at(mb, f)).distance;
}

TEST(ImpactTime, OfTwoSpheresSolvesTheQuadratic) {
  const Shape a = Sphere{0.3}, b = Sphere{0.2};
  Rng rng(1);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 r{rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(1, 2)};
    const Vec3 past{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)};
    const Vec3 v = rng.uniform(0.2, 4) * (past - r);
    // |r + f v| = 0.5 + target; spin does not matter
    const double R = 0.5 + kTarget, bq = dot(r, v), cq = norm2(r) - R * R;
    const double root = bq * bq - norm2(v) * cq;
    const double exact = root >= 0 ? (-bq - std::sqrt(root)) / norm2(v) : -1;
    const ImpactTime t =
        calc_time_of_impact(a, resting(at({})), b, moving(at(r), v, {5, 3, 1}), kTarget);
    EXPECT_LE(t.queries, 32);
    if (t.status == Status::kNone) {
      EXPECT_TRUE(exact < 0 || exact >= 1) << i;
      continue;
    }
    ASSERT_EQ(t.status, Status::kImpact);
    ++hits;
    const double distance = norm(r + t.fraction * v) - 0.5;
    EXPECT_GE(distance, kTarget);
    EXPECT_LE(distance, kTarget + 0.4 * kTolerance);
    EXPECT_LE(norm(t.normal_W - normalized(r + t.fraction * v)), 1e-12);
    if (exact >= 0 && exact <= 1) {
      EXPECT_LE(t.fraction, exact);
    }
  }
  EXPECT_GT(hits, 500);
}

TEST(ImpactTime, OfFastSpheresAndThinPlatesIsNeverMissed) {
  // 200 m/s and 60 steps a second: 3.3 m a step through one millimetre
  const Shape plate = Box{{0.5, 0.0005, 0.5}};
  Rng rng(2);
  for (const double radius : {0.001, 0.02, 0.3}) {
    const Shape ball = Sphere{radius};
    for (int i = 0; i < 500; ++i) {
      const Transform X =
          at({rng.uniform(-5, 5), 0, 0}, {rng.uniform(-3, 3), rng.uniform(-3, 3), 1});
      const double share = rng.uniform(0.1, 0.9);
      // through a point of the plate that is not near its border, at up to 60 degrees
      const Vec3 through = X * Vec3{rng.uniform(-0.4, 0.4), 0, rng.uniform(-0.4, 0.4)};
      const double side = rng.below(2) == 0 ? 1 : -1;
      const Vec3 direction =
          normalized(side * X.R.column(1) + rng.uniform(-1.7, 1.7) * X.R.column(0));
      const Vec3 displacement = (200.0 / 60) * direction;
      const ShapeMotion ball_motion =
          moving(at(through - share * displacement), displacement, {0, 30, 2});
      if (distance_at(plate, resting(X), ball, ball_motion, 0) <= kTarget) continue;
      const ImpactTime t = calc_time_of_impact(plate, resting(X), ball, ball_motion, kTarget);
      ASSERT_EQ(t.status, Status::kImpact) << i;
      EXPECT_LT(t.fraction, share);
      // 1e-4 of a millimetre
      EXPECT_NEAR(t.distance, kTarget, 1e-4 * 0.001);
    }
  }
}

TEST(ImpactTime, OfAFallingBoxOnAPlaneIsTheClosedForm) {
  const Shape floor = Plane{}, box = Box{{0.5, 0.5, 0.5}};
  // the lower face is 1 m up and falls by 4 m
  const ImpactTime flat =
      calc_time_of_impact(floor, resting(at({})), box, moving(at({0, 1.5, 0}), {7, -4, 0}), 0);
  ASSERT_EQ(flat.status, Status::kImpact);
  EXPECT_NEAR(flat.fraction, 0.25, kTolerance / 4);
  EXPECT_EQ(flat.queries, 2);
  EXPECT_EQ(flat.normal_W, (Vec3{0, 1, 0}));
  // turning about z by pi, without falling: a corner, at 0.5 sqrt(2) from the centre, comes down to
  // the height 0.6 at the angle asin(0.6 / 0.5 sqrt 2) - pi / 4
  const ImpactTime turn =
      calc_time_of_impact(floor, resting(at({})), box, moving(at({0, 0.6, 0}), {}, {0, 0, kPi}), 0);
  ASSERT_EQ(turn.status, Status::kImpact);
  const double angle = std::asin(0.6 / std::sqrt(0.5)) - kPi / 4;
  // the corner moves with the slope sqrt(0.5 - 0.36) per radian
  EXPECT_NEAR(turn.fraction * kPi, angle, kTolerance / 0.374);
  EXPECT_LE(turn.fraction * kPi, angle);
}

TEST(ImpactTime, OfAPlaneThatTurnsUpIsFound) {
  // a ball at 2 m from the hinge line, 0.1 above; the plane turns about z by 0.5 rad
  const Shape plane = Plane{}, ball = Sphere{0.1};
  const ShapeMotion turning{at({}), {}, {}, {0, 0, 0.5}};
  const ImpactTime t = calc_time_of_impact(plane, turning, ball, resting(at({2, 0.3, 0})), 0);
  ASSERT_EQ(t.status, Status::kImpact);
  const double d = distance_at(plane, turning, ball, resting(at({2, 0.3, 0})), t.fraction);
  EXPECT_GE(d, 0);
  EXPECT_LE(d, 0.2 * kTolerance);
  EXPECT_EQ(calc_time_of_impact(plane, turning, plane, resting(at({0, 1, 0})), 0).status,
            Status::kNone);
}

TEST(ImpactTime, OfARodThatTurnsAboutAFarCentreIsFound) {
  // a rod on an arm of 1 m sweeps half a turn over a post of 4 mm
  const Shape rod = Capsule{0.01, 0.2}, post = Cylinder{0.002, 0.5};
  const ShapeMotion sweep{at({1, 0, 0}, {0, 0, kPi / 2}), {}, {}, {0, kPi, 0}};
  const Transform X = at({0, 0, -1.05});
  const ImpactTime t = calc_time_of_impact(rod, sweep, post, resting(X), 1e-6);
  ASSERT_EQ(t.status, Status::kImpact);
  // the rod's axis passes the post a quarter turn on; its side is 12 mm wide of it at radius 1.05
  EXPECT_NEAR(t.fraction, 0.5 - std::asin(0.012 / 1.05) / kPi, 1e-5);
  // out of reach, above
  EXPECT_EQ(calc_time_of_impact(rod, sweep, post, resting(at({0, 0.52, -1.05})), 1e-6).status,
            Status::kNone);
}

TEST(ImpactTime, IsZeroForAPairThatTouchesAndNoneForOneThatParts) {
  const Shape box = Box{{0.5, 0.5, 0.5}};
  const ImpactTime begin =
      calc_time_of_impact(box, resting(at({})), box, moving(at({0, 0.9, 0}), {0, 1, 0}), kTarget);
  EXPECT_EQ(begin.status, Status::kImpact);
  EXPECT_EQ(begin.fraction, 0);
  EXPECT_NEAR(begin.distance, -0.1, 1e-12);
  // a box that slides a millimetre above another is met by nothing, and known so at once
  const ImpactTime slide =
      calc_time_of_impact(box, resting(at({})), box, moving(at({0, 1.001, 0}), {3, 0, 0}), kTarget);
  EXPECT_EQ(slide.status, Status::kNone);
  EXPECT_EQ(slide.fraction, 1);
  EXPECT_EQ(slide.queries, 1);
}

// -- random motions ---------------------------------------------------------------------------

Shape random_shape(ShapeKind kind, Rng& rng) {
  const auto length = [&] { return rng.below(5) == 0 ? 0.005 : rng.uniform(0.1, 0.6); };
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
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i)
    points.push_back({rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)});
  return hull_of(points);
}

Vec3 random_vector(Rng& rng, double range) {
  return {rng.uniform(-range, range), rng.uniform(-range, range), rng.uniform(-range, range)};
}

class EveryMotion : public testing::TestWithParam<std::pair<ShapeKind, ShapeKind>> {};

TEST_P(EveryMotion, IsSafeBeforeTheImpactAndAtTheTargetThen) {
  const auto [ka, kb] = GetParam();
  Rng rng(3 + 10 * static_cast<uint64_t>(ka) + static_cast<uint64_t>(kb));
  constexpr int kCases = 200, kSamples = 120;
  int hits = 0, most = 0, sum = 0, budget = 0;
  for (int i = 0; i < kCases; ++i) {
    const Shape a = random_shape(ka, rng), b = random_shape(kb, rng);
    const auto motion = [&](const Vec3& p, double speed) {
      const Vec3 centre = p + random_vector(rng, 0.2);
      const Vec3 to = -speed * p + random_vector(rng, 0.5);
      return ShapeMotion{at(p, random_vector(rng, 2)), centre, to,
                         random_vector(rng, rng.below(3) == 0 ? 0 : 2)};
    };
    const ShapeMotion ma = motion(random_vector(rng, 0.3), 0);
    const ShapeMotion mb = motion(random_vector(rng, 1.5), rng.uniform(0.5, 4));
    const ImpactTime t = calc_time_of_impact(a, ma, b, mb, kTarget);
    const ImpactTime w = calc_time_of_impact(b, mb, a, ma, kTarget);
    EXPECT_TRUE(w.status == t.status && w.fraction == t.fraction && w.distance == t.distance);
    if (t.status != Status::kNone) {
      EXPECT_EQ(w.normal_W, -t.normal_W);
    }
    sum += t.queries;
    most = std::max(most, t.queries);
    budget += t.status == Status::kBudget;
    // no sample before the impact is closer than the target
    for (int k = 0; k < kSamples; ++k) {
      const double f = t.fraction * k / kSamples;
      const double d = distance_at(a, ma, b, mb, f);
      if (k == 0 && d <= kTarget + kTolerance * std::min(size(a), size(b))) break;
      // the separation query is good to 1e-6 of the smaller size
      ASSERT_GE(d, kTarget - 1e-6) << i << " at " << f << " of " << t.fraction;
    }
    if (t.status != Status::kImpact || t.fraction == 0) continue;
    ++hits;
    const double d = distance_at(a, ma, b, mb, t.fraction);
    EXPECT_NEAR(d, t.distance, 1e-7);
    EXPECT_GE(d, kTarget - 1e-6);
    const double small = std::min(std::max(size(a), 1e-3 * bounding_radius(a)),
                                  std::max(size(b), 1e-3 * bounding_radius(b)));
    EXPECT_LE(d, kTarget + 1.02 * kTolerance * small);
  }
  EXPECT_GE(hits, kCases / 8);
  // edges of two bodies that both turn may graze each other for long
  EXPECT_LE(budget, kCases / 100);
  EXPECT_LE(most, 32);
  EXPECT_LE(sum, 5 * kCases);
  RecordProperty("most_queries", most);
  RecordProperty("queries", sum);
}

std::vector<std::pair<ShapeKind, ShapeKind>> all_pairs() {
  std::vector<std::pair<ShapeKind, ShapeKind>> pairs;
  for (int a = 0; a < kShapeKinds; ++a) {
    for (int b = a; b < kShapeKinds; ++b) {
      const auto ka = static_cast<ShapeKind>(a), kb = static_cast<ShapeKind>(b);
      if (ka != ShapeKind::kPlane || kb != ShapeKind::kPlane) pairs.push_back({ka, kb});
    }
  }
  return pairs;
}
INSTANTIATE_TEST_SUITE_P(All, EveryMotion, testing::ValuesIn(all_pairs()));

}  // namespace
}  // namespace tenon
