// Quaternions, rotation vectors and rigid transforms.
#include <gtest/gtest.h>

#include <limits>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/transform.h"

namespace tenon {
namespace {

// A handful of roundings on numbers of size 1.
constexpr double kRoundOff = 4e-15;

Vec3 random_vec(Rng& rng, double size = 1) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}
Quat random_quat(Rng& rng) {
  return normalized(
      Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
}
Transform random_transform(Rng& rng) { return {to_matrix(random_quat(rng)), random_vec(rng, 5)}; }

double distance(const Vec3& a, const Vec3& b) { return norm(a - b); }
double distance(const Mat3& a, const Mat3& b) {
  return distance(a.r0, b.r0) + distance(a.r1, b.r1) + distance(a.r2, b.r2);
}
// As rotations: q and -q are the same.
double distance(const Quat& a, const Quat& b) {
  const double sign = dot(a, b) < 0 ? -1 : 1;
  return norm(Quat{a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z});
}

TEST(Quaternion, RotatesLikeItsMatrix) {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const Quat q = random_quat(rng);
    const Vec3 v = random_vec(rng);
    ASSERT_LT(distance(rotate(q, v), to_matrix(q) * v), kRoundOff);
    ASSERT_LT(distance(rotate(conjugate(q), rotate(q, v)), v), kRoundOff);
  }
}

TEST(Quaternion, ProductIsTheCompositionOfRotations) {
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const Quat a = random_quat(rng), b = random_quat(rng);
    const Vec3 v = random_vec(rng);
    ASSERT_LT(distance(rotate(a * b, v), rotate(a, rotate(b, v))), kRoundOff);
    ASSERT_LT(distance(to_matrix(a * b), to_matrix(a) * to_matrix(b)), kRoundOff);
    ASSERT_NEAR(norm(a * b), 1, kRoundOff);
  }
}

TEST(Quaternion, OfAQuarterTurnAboutZTakesXToY) {
  const Quat q = from_axis_angle({0, 0, 1}, kPi / 2);
  EXPECT_LT(distance(rotate(q, {1, 0, 0}), Vec3{0, 1, 0}), kRoundOff);
  EXPECT_LT(distance(q, Quat{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}), kRoundOff);
}

TEST(Quaternion, OfARotationMatrixIsRightInAllFourBranches) {
  // the dominant component picks the branch: make each one dominant, with either sign of the rest
  Rng rng(3);
  for (int branch = 0; branch < 4; ++branch) {
    for (int i = 0; i < 500; ++i) {
      double c[4];
      for (double& e : c) e = rng.uniform(-0.4, 0.4);
      c[branch] = rng.below(2) ? 1 : -1;
      const Quat q = normalized(Quat{c[0], c[1], c[2], c[3]});
      const Quat back = to_quat(to_matrix(q));
      ASSERT_LT(distance(back, q), kRoundOff) << "branch " << branch;
      ASSERT_GE(back.w, 0);
      ASSERT_NEAR(norm(back), 1, kRoundOff);
    }
  }
}

TEST(Quaternion, OfHalfTurnsHasNoBlindSpot) {
  // trace = -1 and w = 0: the naive formula divides by zero here
  for (const Vec3& axis :
       {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, normalized(Vec3{1, 1, 0}),
        normalized(Vec3{0, -1, 1}), normalized(Vec3{1, 2, 3}), normalized(Vec3{1, 1, 1})}) {
    const Mat3 R = 2.0 * outer(axis, axis) - Mat3::identity();
    ASSERT_LT(distance(to_matrix(to_quat(R)), R), kRoundOff);
  }
  EXPECT_EQ(to_quat(Mat3::identity()), Quat{});
}

TEST(Quaternion, NormalisingKeepsHugeAndTinyOnesAndShowsWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
  for (const double scale : {1e-300, 1e-160, 1.0, 1e160, 1e300}) {
    const Quat q = normalized(Quat{scale, 0, 0, scale});
    EXPECT_NEAR(q.w, std::sqrt(0.5), 1e-15) << scale;
    EXPECT_NEAR(q.z, std::sqrt(0.5), 1e-15) << scale;
  }
  // a gate must be able to see it
  EXPECT_FALSE(is_finite(normalized(Quat{inf, 0, 0, 0})));
  EXPECT_FALSE(is_finite(normalized(Quat{std::nan(""), 1, 0, 0})));
  EXPECT_FALSE(is_finite(exp_map({inf, 0, 0})));
}

TEST(ExponentialMap, IsTheInverseOfTheLogarithm) {
  Rng rng(4);
  for (int i = 0; i < 2000; ++i) {
    const Quat q = random_quat(rng);
    ASSERT_LT(distance(exp_map(log_map(q)), q), kRoundOff);
    ASSERT_LE(norm(log_map(q)), kPi * (1 + 1e-15));
    const Vec3 r = normalized(random_vec(rng)) * rng.uniform(0, 3.14);
    ASSERT_LT(distance(log_map(exp_map(r)), r), 1e-14);
  }
}

TEST(ExponentialMap, KeepsRelativeAccuracyForTinyRotations) {
  // around the switches to the series (1e-4, 1e-9) and far below
  for (double angle : {1.0, 3e-4, 2e-4, 1.99e-4, 1e-6, 2.1e-9, 1.9e-9, 1e-30, 1e-150}) {
    const Vec3 r = angle * normalized(Vec3{1, -2, 3});
    const Vec3 back = log_map(exp_map(r));
    EXPECT_LT(distance(back, r), 4e-15 * angle) << angle;
  }
  EXPECT_EQ(exp_map({0, 0, 0}), Quat{});
  EXPECT_EQ(log_map(Quat{}), Vec3{});
}

TEST(ExponentialMap, ComposesRotationsAboutOneAxis) {
  const Vec3 axis = normalized(Vec3{3, 1, -2});
  for (double a : {0.1, 1.0, 2.5}) {
    for (double b : {-0.7, 0.3, 4.0}) {
      EXPECT_LT(distance(exp_map(a * axis) * exp_map(b * axis), exp_map((a + b) * axis)),
                kRoundOff);
    }
  }
}

TEST(LogarithmMap, TakesTheShortWayRound) {
  const Vec3 r =
      3.5 * normalized(Vec3{1, 1, 0});  // beyond pi: the same rotation backwards is shorter
  const Vec3 back = log_map(exp_map(r));
  EXPECT_NEAR(norm(back), 2 * kPi - 3.5, 1e-14);
  EXPECT_LT(dot(back, r), 0);
  const Quat q = exp_map({0.3, 0.2, 0.1});
  EXPECT_LT(distance(log_map(Quat{-q.w, -q.x, -q.y, -q.z}), log_map(q)), kRoundOff);
}

TEST(RigidTransform, InverseUndoesIt) {
  Rng rng(5);
  for (int i = 0; i < 1000; ++i) {
    const Transform X = random_transform(rng);
    const Vec3 p = random_vec(rng, 5);
    // coordinates up to 10: ten times the round-off of unit numbers
    ASSERT_LT(distance(inverse(X) * (X * p), p), 10 * kRoundOff);
    ASSERT_LT(distance(inverse_mul(X, X * p), p), 10 * kRoundOff);
    const Transform one = X * inverse(X);
    ASSERT_LT(distance(one.R, Mat3::identity()) + norm(one.p), 10 * kRoundOff);
  }
}

TEST(RigidTransform, ProductAppliesTheRightOneFirst) {
  Rng rng(6);
  for (int i = 0; i < 1000; ++i) {
    const Transform a = random_transform(rng), b = random_transform(rng);
    const Vec3 p = random_vec(rng);
    ASSERT_LT(distance((a * b) * p, a * (b * p)), 10 * kRoundOff);
  }
}

TEST(Pose, AgreesWithItsTransform) {
  Rng rng(7);
  for (int i = 0; i < 1000; ++i) {
    const Pose a{random_vec(rng, 5), random_quat(rng)}, b{random_vec(rng, 5), random_quat(rng)};
    const Transform product = to_transform(a * b), expected = to_transform(a) * to_transform(b);
    ASSERT_LT(distance(product.R, expected.R), 10 * kRoundOff);
    ASSERT_LT(distance(product.p, expected.p), 10 * kRoundOff);
    const Pose one = a * inverse(a);
    ASSERT_LT(norm(one.p) + distance(one.q, Quat{}), 10 * kRoundOff);
  }
}

TEST(Pose, FinitenessSeesEveryNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(is_finite(Pose{}));
  EXPECT_FALSE(is_finite(Pose{{0, nan, 0}, {}}));
  EXPECT_FALSE(is_finite(Pose{{}, {1, 0, 0, nan}}));
}

}  // namespace
}  // namespace tenon
