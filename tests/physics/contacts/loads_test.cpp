// What joints carry of contacts: loads of impacts, friction that only joints hold against, pressure
// under bodies that joints guide, and weights on motors.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// A plate held by the world, and a ball that falls on it without a bounce.
struct Impact {
  World world;
  BodyHandle plate, ball;
  JointHandle joint;
};

Impact make_impact(double step, JointKind kind, double break_force) {
  Impact t{make_world(step), {}, {}, {}};
  const MaterialId m = add_surface(t.world, {.friction = 0.5});
  BodyDef plate = make_solid(Box{{0.5, 0.05, 0.5}}, 0.5, {}, m);
  plate.gravity = false;
  t.plate = add_body(t.world, plate);
  t.ball = add_solid(t.world, Sphere{0.1}, 2, {0, 0.6, 0}, m);
  EXPECT_TRUE(t.world.set_velocity(t.ball, {0, -5, 0}).ok());
  JointDef def = make_joint(t.world, kind, {}, t.plate, {});
  def.break_force = break_force;
  t.joint = add_joint(t.world, def);
  return t;
}

// The joint holds against all momentum of the ball: what it had, and what its weight brings.
TEST(JointLoads, IncludeImpacts) {
  for (const double hz : {60.0, 240.0, 1000.0}) {
    for (const JointKind kind : {JointKind::kRigid, JointKind::kHinge, JointKind::kPoint}) {
      Impact t = make_impact(1 / hz, kind, kInfinity);
      double impulse = 0;
      for (int i = 0; i < static_cast<int>(0.5 * hz); ++i) {
        t.world.step();
        impulse += t.world.read_joint(t.joint).force.y / hz;
      }
      // before a plate on a hinge or a ball begins to tilt by round-off
      EXPECT_NEAR(std::fabs(impulse), 2 * 5 + 2 * kG * 0.5, 1e-6) << hz;
    }
  }
}

// 10 N s in 20 ms are 500 N: an exponential mean has 283 to 500 of them, by the step.
TEST(JointLoads, OfImpactsBreakJoints) {
  for (const double hz : {60.0, 240.0, 1000.0}) {
    Impact weak = make_impact(1 / hz, JointKind::kRigid, 200);
    Impact strong = make_impact(1 / hz, JointKind::kRigid, 600);
    step_to(weak.world, 0.3);
    step_to(strong.world, 0.3);
    EXPECT_TRUE(weak.world.read_joint(weak.joint).broken) << hz;
    EXPECT_FALSE(strong.world.read_joint(strong.joint).broken) << hz;
  }
}

// A guided block on a running belt, pressed by its weight: the guide holds against mu m g.
TEST(JointLoads, IncludeFrictionThatMovesNothing) {
  for (const double hz : {60.0, 240.0}) {
    World world = make_world(1 / hz);
    const MaterialId m = add_surface(world, {.friction = 0.4});
    BodyDef belt = make_solid(Box{{10, 0.1, 1}}, 1, {0, -0.1, 0}, m);
    belt.motion = MotionKind::kStatic;
    belt.colliders[0].surface_velocity = {1, 0, 0};
    add_body(world, belt);
    const BodyHandle block = add_solid(world, Box{{0.2, 0.1, 0.2}}, 2, {0, 0.1, 0}, m);
    const JointHandle guide =
        add_joint(world, make_joint(world, JointKind::kSlider, {}, block, {{}, axis_along_y()}));
    step_to(world, 1);
    EXPECT_NEAR(world.read_joint(guide).force.x, -0.4 * 2 * kG, 1e-6) << hz;
  }
}

// Two fingers on sliders press a box with 0.9 of what would hold it: symmetric in every way, it
// slides down straight with g - 2 mu F / m.
TEST(GuidedPads, PressEvenly) {
  for (const double width : {0.05, 0.2}) {
    for (const double hz : {60.0, 240.0}) {
      World world = make_world(1 / hz);
      const MaterialId m = add_surface(world, {.friction = 0.4});
      const BodyHandle box = add_solid(world, Box{{0.1, 0.2, 0.1}}, 2, {0, 5, 0}, m);
      const double force = 0.9 * 2 * kG / (2 * 0.4);
      for (const double side : {-1.0, 1.0}) {
        const BodyHandle finger =
            add_solid(world, Box{{0.05, 1, width}}, 0.2, {0.15 * side, 5, 0}, m);
        JointDef def = make_joint(world, JointKind::kSlider, {}, finger, {{0.15 * side, 5, 0}, {}});
        def.axes[static_cast<size_t>(JointAxis::kX)].motor = {
            .kind = Motor::Kind::kForce, .target = -side * force, .max_force = kInfinity};
        add_joint(world, def);
      }
      step_to(world, 1);
      EXPECT_NEAR(world.velocity(box).y, -0.1 * kG, 1e-4) << width << ", " << hz;
      EXPECT_LT(norm(world.angular_velocity(box)), 1e-6) << width << ", " << hz;
    }
  }
}

// A disc brake: the pad's pressure is that of its middle, in whichever order its points come.
TEST(GuidedPads, BrakeWithTheirMiddle) {
  for (const double hz : {60.0, 240.0}) {
    World world = make_world(1 / hz, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = 0.4});
    const Quat lying = from_axis_angle({0, 0, 1}, kPi / 2);  // its axis along x
    const BodyHandle disc = add_solid(world, Cylinder{0.5, 0.02}, 16, {}, m, lying);
    add_joint(world, make_joint(world, JointKind::kHinge, {}, disc, {}));
    EXPECT_TRUE(world.set_angular_velocity(disc, {20, 0, 0}).ok());
    const BodyHandle pad = add_solid(world, Box{{0.025, 0.05, 0.05}}, 0.2, {0.045, 0.35, 0}, m);
    JointDef def = make_joint(world, JointKind::kSlider, {}, pad, {{0.045, 0.35, 0}, {}});
    def.axes[static_cast<size_t>(JointAxis::kX)].motor = {
        .kind = Motor::Kind::kForce, .target = -100, .max_force = kInfinity};
    add_joint(world, def);
    step_to(world, 0.5);
    const double before = world.angular_velocity(disc).x;
    step_to(world, 1);
    const double torque = 2 * (before - world.angular_velocity(disc).x) / 0.5;
    // 14.05 N m of uniform pressure; four points, with what resists turning there, have up to 14.5
    EXPECT_NEAR(torque, 14.05, 0.5) << hz;
  }
}

// A platform of a kilogram on a slider whose motor holds it, whatever lies on it.
TEST(Platform, DoesNotSinkUnderHeavyLoads) {
  for (const double hz : {60.0, 240.0}) {
    for (const double load : {1.0, 100.0, 1e4}) {
      World world = make_world(1 / hz);
      const MaterialId m = add_surface(world, {.friction = 1});
      const BodyHandle platform = add_solid(world, Box{{0.5, 0.05, 0.5}}, 1, {0, -0.05, 0}, m);
      add_solid(world, Box{{0.25, 0.25, 0.25}}, load, {0, 0.25, 0}, m);
      JointDef def = make_joint(world, JointKind::kSlider, {}, platform, {{}, axis_along_y()});
      def.axes[static_cast<size_t>(JointAxis::kX)].motor = {
          .kind = Motor::Kind::kVelocity, .target = 0, .max_force = kInfinity};
      add_joint(world, def);
      step_to(world, 3);
      EXPECT_NEAR(world.pose(platform).p.y, -0.05, 1e-5) << hz << ", " << load;
    }
  }
}

}  // namespace
}  // namespace tenon::test
