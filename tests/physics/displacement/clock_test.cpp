// Steps by a clock on the wall.
#include "displacement_kit.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/world/clock_stepper.h"

namespace tenon {
namespace {

using namespace displacement_kit;

TEST(ClockStepper, AJitteryClockMovesAPendulumAsAnEvenOneDoes) {
  const auto build = [](BodyHandle& rod) {
    World world = make_world({.step = 1.0 / 120, .gravity = {0, -9.81, 0}, .tolerance = 1e-9});
    rod = add(world, make_rod({0.5, 0, 0}));
    add_hinge_z(world, {}, {0, 0, 0}, rod, {-0.5, 0, 0});
    return world;
  };
  BodyHandle even_rod, clock_rod;
  World even = build(even_rod), clocked = build(clock_rod);
  for (int n = 0; n < 120; ++n) even.step();
  ClockStepper stepper;
  Rng rng(3);
  double now = 0;
  stepper.step(clocked, now);
  while (clocked.time() < 1) {
    now += rng.uniform(0.5, 1.5) / 120;
    stepper.step(clocked, std::min(now, 1 + stepper.behind()));
    ASSERT_LT(now, 3);
    ASSERT_LT(clocked.diagnostics().joint_gap_rel, 1e-8);
  }
  // velocities are those of the middle of steps of changing length: first order, 1 s at 5 m/s
  EXPECT_LT(norm(clocked.pose(clock_rod).p - even.pose(even_rod).p), 0.06);
}

TEST(ClockStepper, OneLateFrameIsSpreadAndAStandstillIsGivenUp) {
  World world = make_world({.step = 1.0 / 60});
  add(world, make_rod({0, 0, 0}));
  ClockStepper stepper({.shortest = 1e-3, .longest = 0.05, .jitter = 1.5});
  stepper.step(world, 0);
  EXPECT_NEAR(stepper.step(world, 0.016), 0.016, 1e-12);
  // 40 ms late: the step grows by half, the rest follows
  EXPECT_NEAR(stepper.step(world, 0.072), 0.024, 1e-12);
  EXPECT_NEAR(stepper.behind(), 0.032, 1e-12);
  double before = world.time();
  for (int n = 1; n <= 20; ++n) stepper.step(world, 0.072 + 0.016 * n);
  EXPECT_NEAR(stepper.behind(), 0, 0.02);
  EXPECT_GT(world.time(), before + 0.3);
  // a minute away from the window: not a minute of steps
  before = world.time();
  for (int n = 0; n < 10; ++n) stepper.step(world, 60.5 + 0.016 * n);
  EXPECT_LT(world.time(), before + 0.6);
  EXPECT_GT(stepper.behind(), 50);
}

TEST(ClockStepper, AClockThatStandsOrGoesBackDoesNothing) {
  World world = make_world({.step = 1.0 / 60});
  ClockStepper stepper;
  EXPECT_EQ(stepper.step(world, 5), 0);
  EXPECT_EQ(stepper.step(world, 5), 0);
  EXPECT_EQ(stepper.step(world, 4), 0);
  EXPECT_EQ(stepper.step(world, std::nan("")), 0);
  EXPECT_EQ(world.step_count(), 0u);
}

}  // namespace
}  // namespace tenon
