// Mechanisms on bodies that scripts move: what they feel is the script's velocity at the time.
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

double balance(const World& world) {
  return world.calc_mechanics().kinetic_J + world.calc_mechanics().potential_J -
         world.diagnostics().work_J;
}

BodyDef make_carousel(const Vec3& origin, double rate) {
  BodyDef def;
  def.motion = MotionKind::kKinematic;
  def.script.kind = KinematicMotion::Kind::kTurn;
  def.script.start.p = origin;
  def.script.rate = rate;
  return def;
}

// A ball on a string of 1 m at the rim of a carousel of 2 m, whose body frame is anywhere on it.
struct Ride {
  Vec3 end;
  double lost_J = 0, kinetic_J = 0;
};
Ride ride(double step, const Vec3& origin, double rate = 3) {
  World world = make_world(step);
  const BodyHandle arm = add_body(world, make_carousel(origin, rate));
  BodyDef def = make_body(1, {0.004, 0.004, 0.004}, {2, -1, 0});
  def.velocity = {0, 0, -2 * rate};
  const BodyHandle ball = add_body(world, def);
  add_ball(world, arm, ball, {2, 0, 0});
  const double E0 = balance(world);
  Ride r;
  while (world.time() < 4 - 0.5 * step) {
    world.step();
    r.lost_J = std::max(r.lost_J, std::fabs(balance(world) - E0));
    r.kinetic_J = std::max(r.kinetic_J, world.calc_mechanics().kinetic_J);
  }
  r.end = world.center_of_mass(ball);
  return r;
}

TEST(Carousels, KeepTheEnergyAccount) {
  const Ride coarse = ride(1.0 / 60, {2, 0, 0}), fine = ride(1.0 / 240, {2, 0, 0});
  report("carousel at 1/60: energy account, rel.", coarse.lost_J / coarse.kinetic_J, "2e-4");
  report("carousel at 1/240: energy account, rel.", fine.lost_J / fine.kinetic_J, "2e-6");
  // the loss of the velocity projection, O(h^3) in sum
  EXPECT_LT(coarse.lost_J, 2e-4 * coarse.kinetic_J);
  EXPECT_LT(fine.lost_J, 2e-6 * fine.kinetic_J);
}

TEST(Carousels, DoNotDependOnWhereTheirFrameIs) {
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    const Ride on_axis = ride(step, {}), off_axis = ride(step, {2, 0, 0});
    // the same motion from other numbers: round-off and the solver's tolerance, grown over 4 s
    EXPECT_LT(norm(on_axis.end - off_axis.end), 1e-5) << step;
  }
}

TEST(Carousels, PullWithTheirTrueAccelerationInStepsThatAreCut) {
  // one radian per step: the solver cuts the step and needs the script in between
  World world = make_world(1.0 / 60, {.gravity = {}});
  const BodyHandle arm = add_body(world, make_carousel({0.5, 0, 0}, 60));
  BodyDef def = make_body(2, {0.01, 0.02, 0.03}, {0.5, 0, 0});
  def.velocity = {0, 0, -30};
  def.angular_velocity = {0, 60, 0};
  const BodyHandle b = add_body(world, def);
  const JointHandle j =
      add_joint(world, make_joint(world, JointKind::kRigid, arm, b, {{0.5, 0, 0}, {}}));
  for (int i = 0; i < 60; ++i) {
    const Vec3 before = world.velocity(b);
    world.step();
    EXPECT_GT(world.diagnostics().bisections, 0u);
    // held by the script: its speed to round-off, and the mean force that takes
    EXPECT_LT(norm(world.velocity(b) - world.velocity(arm)), 1e-6);
    const Vec3 force = (2 * 60) * (world.velocity(b) - before);
    EXPECT_LT(norm(world.read_joint(j).force - force), 1e-6 * norm(force)) << i;
    // 2 m v sin(w h / 2) / h
    EXPECT_NEAR(norm(force), 2 * 2 * 30 * std::sin(0.5) * 60, 1e-6 * 3600);
  }
}

double largest_offset(double step) {
  World world = make_world(step, {.tolerance = 1e-10});
  BodyDef def;
  def.motion = MotionKind::kKinematic;
  def.script.kind = KinematicMotion::Kind::kKeyframes;
  def.script.interpolation = KinematicMotion::Interpolation::kSmooth;
  def.script.keys = {{0, {}}, {1, {{2, 0, 0}, {}}}, {2, {}}};
  const BodyHandle base = add_body(world, def);
  const BodyHandle b = add_body(world, make_rod(1, 0.5, {}));
  JointDef slider = make_joint(world, JointKind::kSlider, base, b, Pose{});
  slider.axes[0].motor = {.kind = Motor::Kind::kPosition, .target = 0, .max_force = 1000};
  const JointHandle j = add_joint(world, slider);
  double largest = 0;
  while (world.time() < 2 - 0.5 * step) {
    world.step();
    largest = std::max(largest, std::fabs(world.read_joint(j).coordinate[0]));
  }
  return largest;
}

TEST(PositionMotors, HoldTheirPlaceOnABaseThatAccelerates) {
  for (const double step : {1.0 / 60, 1.0 / 240, 1.0 / 960}) {
    const double offset = largest_offset(step);
    report("position motor on a base: offset, m", offset, "1e-9");
    // the law has the rate of the base at the begin of the step: nothing makes it leave its place
    EXPECT_LT(offset, 1e-9) << step;
  }
}

}  // namespace
}  // namespace tenon::test
