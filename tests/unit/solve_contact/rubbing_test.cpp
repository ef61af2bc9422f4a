// Friction of one patch whose pressure has gone to a single point: levers are round-off there, and
// with them the bound of the moment.
#include "tenon/engine/solve_contact/rubbing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tenon/engine/solve_contact/sweep.h"

namespace tenon {
namespace {

constexpr double kLever = 1e-17;      // m: what is left of a lever that is none
constexpr double kOldSpin = -6e-12;   // N m s: from when another point pressed as well
constexpr double kNormal = 0.2;       // N s
constexpr Vec3 kForce{-0.004, 0.03};  // N s: well within the bound of 0.1

TEST(Rubbing, KeepsItsForceWhenTheMomentLosesItsBound) {
  const double K[9] = {2, 0, 0, 0, 2, 0, 0, 0, 100};
  for (const double lever : {kLever, 0.0}) {
    const Rubbing law{.K = K,
                      .stride = 3,
                      .spins = true,
                      .friction = 0.5,
                      .normal = kNormal,
                      .arm = kNormal * lever,
                      .spinning = 0,
                      .lost = kLost};
    const Vec3 before{kForce.x, kForce.y, kOldSpin};
    // nothing moves, so nothing but the moment has to change
    const Vec3 after = law.solve(before, {0, 0, 1e-3});
    EXPECT_NEAR(after.x, before.x, 1e-12) << lever;
    EXPECT_NEAR(after.y, before.y, 1e-12) << lever;
    EXPECT_LE(std::fabs(after.z), 0.5 * kNormal * lever);
    EXPECT_EQ(law.within(before).y, before.y) << lever;
  }
}

// In islands without facets as well, where no lever is left at all.
TEST(Rubbing, KeepsItsForceWhenNothingBoundsTheMoment) {
  const double K[9] = {2, 0, 0, 0, 2, 0, 0, 0, 100};
  const Rubbing law{.K = K,
                    .stride = 3,
                    .spins = true,
                    .friction = 0.5,
                    .normal = kNormal,
                    .arm = 0,
                    .spinning = 0,
                    .lost = kNeverLost};
  const Vec3 before{kForce.x, kForce.y, kOldSpin};
  const Vec3 after = law.solve(before, {0, 0, 1e-3});
  EXPECT_EQ(after.x, before.x);
  EXPECT_EQ(after.y, before.y);
  EXPECT_EQ(after.z, 0);
  EXPECT_EQ(law.within(before).y, before.y);
}

// A patch of two points, of which the first presses, on something that stands.
SweepRecords make_patch() {
  SweepRecords s;
  s.bodies.resize(2);
  s.bodies[1].inv_mass = 2;
  s.bodies[1].inv_I = 100 * Mat3::identity();
  s.moved.assign(2, 0);
  PatchRecord<8> c{};
  for (int r = 0; r < 5; ++r) {
    c.K[r][r] = r < 4 ? 2 : 100;
    c.inv[r] = 1 / c.K[r][r];
  }
  c.K[0][1] = c.K[1][0] = 2;
  c.B[1][4] = 1;
  c.least[1] = -1;  // the other point is off the ground
  c.arm[0] = kLever;
  c.arm[1] = 0.01;
  c.z[0] = kNormal;
  c.z[2] = kForce.x;
  c.z[3] = kForce.y;
  c.z[4] = kOldSpin;
  c.n = {0, 1, 0};
  c.t1 = {1, 0, 0};
  c.t2 = {0, 0, 1};
  c.inv11 = c.inv22 = c.slide = 0.5;
  c.friction = 0.5;
  c.lost = kLost;
  c.reach = 0.01;
  s.middle.push_back(c);
  s.patches.push_back({.a = 0, .b = 1, .points = 2, .rows = 5, .size = 8, .place = 0});
  s.patches[0].mover_b = 1;
  s.patches[0].weight_b = 1;
  s.patches[0].acts = true;
  s.wake();
  return s;
}

TEST(Sweep, KeepsForcesOfAPatchWhenItsMomentLosesItsBound) {
  SweepRecords s = make_patch();
  std::vector<Motion> motion(2);
  motion[1].w = {0, 1e-3, 0};
  const double change = s.visit(s.patches[0], motion, 0, 1e-8);
  // before, the whole friction was lost at once and the sweep told of 0.06 m/s
  EXPECT_LT(change, 1e-9);
  const double* z = s.z_of(s.patches[0]);
  EXPECT_NEAR(z[2], kForce.x, 1e-12);
  EXPECT_NEAR(z[3], kForce.y, 1e-12);
}

// What sticks is solved in one visit: without a bound its moment is none, and no reason to slide.
TEST(Sweep, HoldsAPatchThatPressesWithOnePoint) {
  SweepRecords s = make_patch();
  PatchRecord<8>& c = s.middle[0];
  c.arm[0] = c.z[4] = 0;
  c.lost = kNeverLost;
  c.slide = 0.1;  // far less than what holds it
  std::vector<Motion> motion(2);
  motion[1].v = {1e-3, 0, 0};
  motion[1].w = {0, 1e-3, 0};  // about the normal
  s.visit(s.patches[0], motion, 0, 1e-12);
  EXPECT_NEAR(motion[1].v.x, 0, 1e-12);
  EXPECT_NEAR(s.z_of(s.patches[0])[2], kForce.x - 5e-4, 1e-12);
  EXPECT_EQ(s.z_of(s.patches[0])[4], 0);
}

}  // namespace
}  // namespace tenon
