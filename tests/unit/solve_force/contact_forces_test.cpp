// The laws by themselves; what they do to bodies is tested in tests/physics/force.
#include "tenon/engine/solve_force/contact_forces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tenon {
namespace {

constexpr ContactLaw kLaw{.stiffness = 1000,
                          .damping = 20,
                          .restitution = 0.81,
                          .static_friction = 0.5,
                          .sliding_friction = 0.4,
                          .rolling_lever = 0.01,
                          .spinning_lever = 0.02};

TEST(ContactForces, SpringIsStrongerOnTheWayIn) {
  EXPECT_DOUBLE_EQ(spring_force(kLaw, 0.01, 1, 1e-3), 10);
  EXPECT_DOUBLE_EQ(spring_force(kLaw, 0.01, -1, 1e-3), 8.1);
  EXPECT_DOUBLE_EQ(spring_force(kLaw, 0.01, 0, 1e-3), 9.05);
  EXPECT_EQ(spring_force(kLaw, -0.01, 1, 1e-3), 0);
  // the paper's jump
  EXPECT_DOUBLE_EQ(spring_force(kLaw, 0.01, 0, 0), 10);
  EXPECT_DOUBLE_EQ(spring_force(kLaw, 0.01, -1e-9, 0), 8.1);
}

TEST(ContactForces, PenaltyDampsAndNeverPulls) {
  EXPECT_DOUBLE_EQ(penalty_force(kLaw, 0.01, 0.1), 12);
  EXPECT_DOUBLE_EQ(penalty_force(kLaw, 0.01, -0.1), 8);
  EXPECT_EQ(penalty_force(kLaw, 0.01, -10), 0);
  EXPECT_EQ(penalty_force(kLaw, 0, 10), 0);
}

TEST(ContactForces, FrictionGrowsToItsStaticValueAndThenSlides) {
  EXPECT_EQ(friction_force(kLaw, {}, 10, 1e-3), Vec3{});
  EXPECT_DOUBLE_EQ(friction_force(kLaw, {0.5e-3, 0, 0}, 10, 1e-3).x, -2.5);
  EXPECT_DOUBLE_EQ(friction_force(kLaw, {0, 0, 1e-3}, 10, 1e-3).z, -5);
  EXPECT_DOUBLE_EQ(norm(friction_force(kLaw, {3, 0, 4}, 10, 1e-3)), 4);
}

TEST(ContactForces, RollingAndSpinningHaveTheirOwnLevers) {
  const Vec3 n{0, 1, 0};
  EXPECT_DOUBLE_EQ(rolling_torque(kLaw, {5, 0, 0}, n, 10, 0.1).x, -0.1);
  EXPECT_DOUBLE_EQ(rolling_torque(kLaw, {0, 5, 0}, n, 10, 0.1).y, -0.2);
  EXPECT_DOUBLE_EQ(rolling_torque(kLaw, {0.05, 0, 0}, n, 10, 0.1).x, -0.05);
}

TEST(ContactForces, RateIsThatOfTheFasterRoot) {
  EXPECT_DOUBLE_EQ(law_rate({.stiffness = 100, .damping = 0}, 1), 10);
  EXPECT_DOUBLE_EQ(law_rate({.stiffness = 100, .damping = 20}, 1), 10);   // critical
  EXPECT_DOUBLE_EQ(law_rate({.stiffness = 900, .damping = 100}, 1), 90);  // (s + 10)(s + 90)
  EXPECT_EQ(law_rate({}, 0), 0);
}

}  // namespace
}  // namespace tenon
