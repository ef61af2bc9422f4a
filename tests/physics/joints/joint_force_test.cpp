// Forces that joints show: the impulses of a whole step by its length, whatever the solver did in
// it. Newton's second law of each step is the reference: m (v1 - v0) / h = F + m g.
#include "tenon/engine/joints/black_box.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

// The largest error of that law over some steps, relative to the largest force.
double largest_error(World& world, BodyHandle b, JointHandle j, const Vec3& gravity, int steps) {
  double worst = 0, scale = 0;
  const double m = world.mass(b).mass, h = world.settings().step;
  for (int i = 0; i < steps; ++i) {
    const Vec3 before = world.velocity(b);
    world.step();
    const Vec3 force = (m / h) * (world.velocity(b) - before) - m * gravity;
    worst = std::max(worst, norm(world.read_joint(j).force - force));
    scale = std::max(scale, norm(force));
  }
  return worst / scale;
}

constexpr Vec3 kGravity{0, -9.81, 0};

TEST(JointForces, CarryAGyroscope) {
  for (const double spin : {50.0, 100.0, 200.0}) {
    World world = make_world(1.0 / 60);
    BodyDef def = make_body(1, {0.005, 0.003, 0.003}, {0.2, 0, 0});
    const double precession = 9.81 * 0.2 / (0.005 * spin);
    def.angular_velocity = {spin, precession, 0};
    def.velocity = {0, 0, -0.2 * precession};
    const BodyHandle top = add_body(world, def);
    const JointHandle j = add_ball(world, {}, top, {});
    const double y0 = world.velocity(top).y;
    double sum = 0;
    for (int i = 0; i < 120; ++i) {
      world.step();
      sum += world.read_joint(j).force.y / 120;
    }
    // its weight and what its mass centre gained in 2 s
    EXPECT_NEAR(sum, 9.81 + (world.velocity(top).y - y0) / 2, 1e-6) << spin;
    EXPECT_LT(largest_error(world, top, j, kGravity, 60), 1e-9) << spin;
  }
}

TEST(JointForces, CountWholeStepsThatAreCut) {
  World world = make_world(1.0 / 60, {.gravity = {}});
  BodyDef def = make_body(1, {0.001, 0.001, 0.001}, {0.1, 0, 0});
  def.velocity = {0, 15, 0};
  def.angular_velocity = {0, 0, 150};
  const BodyHandle b = add_body(world, def);
  const JointHandle j = add_hinge_z(world, {}, b, {});
  EXPECT_LT(largest_error(world, b, j, {}, 30), 1e-9);
  EXPECT_GT(world.diagnostics().bisections, 0u);
}

TEST(JointForces, AreThoseOfTheStepForLawsAndBlackBoxes) {
  // rows in world axes are exact; along axes of the parent, here the world, they are as well
  for (const JointKind kind :
       {JointKind::kSlider, JointKind::kBallInTube, JointKind::kSixAxis, JointKind::kBlackBox}) {
    World world = make_world(1.0 / 60);
    BodyDef def = make_rod(1, 0.5, {});
    def.angular_velocity = {5, 3, 4};
    if (kind == JointKind::kSlider) def.angular_velocity = {};
    const BodyHandle b = add_body(world, def);
    JointDef joint = make_joint(world, kind, {}, b, Pose{});
    if (kind == JointKind::kSlider) joint.axes[0].stiffness = 40;
    if (kind == JointKind::kSixAxis) {
      joint.locked = {true, true, true, false, false, false};
      joint.axes[3].damping = 0.01;
    }
    if (kind == JointKind::kBlackBox) {
      joint.black_box = std::make_shared<BlackBox>([](const Pose& X) { return Pose{{}, X.q}; }, 3);
    }
    const JointHandle j = add_joint(world, joint);
    world.step();
    EXPECT_LT(largest_error(world, b, j, kGravity, 60), 1e-7) << name(kind);
  }
}

TEST(JointForces, OfAMotorThatStartsAreWhatTheMassGained) {
  World world = make_world(1.0 / 60, {.gravity = {}});
  const BodyHandle b = add_body(world, make_rod(1, 0.5, {}));
  JointDef def = make_joint(world, JointKind::kSlider, {}, b, Pose{});
  def.axes[0].motor = {.kind = Motor::Kind::kVelocity, .target = 0.1};
  const JointHandle j = add_joint(world, def);
  world.step();
  EXPECT_NEAR(world.velocity(b).x, 0.1, 1e-9);
  EXPECT_NEAR(world.read_joint(j).axis_force[0], 0.1 * 60, 1e-6);
  EXPECT_NEAR(world.read_joint(j).force.x, 0.1 * 60, 1e-6);
}

struct Stop {
  double impulse = 0, last_force = 0;
  bool broke = false;
};
// 1 kg at 3 m/s meets a stop at part `phase` of a step.
Stop run_into(double step, double phase, double break_force) {
  World world = make_world(step, {.gravity = {}});
  BodyDef def = make_rod(1, 0.5, {});
  def.velocity = {3, 0, 0};
  const BodyHandle b = add_body(world, def);
  JointDef slider = make_joint(world, JointKind::kSlider, {}, b, Pose{{0.25, 0, 0}, {}});
  slider.axes[0].max = 3 * step * (std::floor(0.1 / step + 0.5) + phase);
  slider.break_force = break_force;
  const JointHandle j = add_joint(world, slider);
  Stop s;
  while (world.time() < 0.3) {
    world.step();
    s.last_force = world.read_joint(j).force.x;
    s.impulse -= step * s.last_force;
    for (const Event& e : world.events()) s.broke |= e.kind == EventKind::kJointBroke;
  }
  return s;
}

TEST(JointForces, OfAStopGiveItsWholeImpulseAtAnyPhase) {
  for (const double step : {1.0 / 60, 1.0 / 600}) {
    for (const double phase : {0.05, 0.3, 0.5, 0.7, 0.95}) {
      EXPECT_NEAR(run_into(step, phase, kInfinity).impulse, 3, 1e-6) << step << " " << phase;
      // 3 N s within the step, averaged over 0.02 s: 101.7 N at 1/60, 143.9 N at 1/600
      const Stop broken = run_into(step, phase, 75);
      EXPECT_TRUE(broken.broke) << step << " " << phase;
      EXPECT_NEAR(broken.impulse, 3, 1e-6);  // shown in the step in which it breaks, and once
      EXPECT_EQ(broken.last_force, 0);
      EXPECT_FALSE(run_into(step, phase, 160).broke) << step << " " << phase;
    }
  }
}

}  // namespace
}  // namespace tenon::test
