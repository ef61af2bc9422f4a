// Limits, motors and friction of joints between contacts: what presses a limb against its limit,
// what lifts it off again, and chains that fall flat with all of them at once.
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr auto kTurn = static_cast<size_t>(JointAxis::kRx);

// An arm of a kilogram, hinged to the world, and a box that rises under its end.
struct Lift {
  World world = make_world(kFrame);
  BodyHandle arm;
  double deepest = 0, force = 0;

  Lift(const JointAxisDef& axis, double speed) {
    const MaterialId m = add_surface(world, {.friction = 0.5});
    arm = add_solid(world, Box{{0.5, 0.05, 0.05}}, 1, {0.5, 0, 0}, m);
    JointDef hinge = make_joint(world, JointKind::kHinge, {}, arm, {{}, axis_along_z()});
    hinge.axes[kTurn] = axis;
    add_joint(world, hinge);
    BodyDef box;
    box.motion = MotionKind::kKinematic;
    box.script.start = {{0.9, -0.101 - 0.5 * speed, 0}, {}};  // arrives after half a second
    box.script.velocity = {0, speed, 0};
    box.colliders = {{Box{{0.05, 0.05, 0.05}}, {}, m, 1000}};
    add_body(world, box);
    int steps = 0;
    while (world.time() < 2) {
      world.step();
      deepest = std::max(deepest, world.diagnostics().penetration_m);
      if (world.time() < 1) continue;
      force += world.contact_force(arm).y;
      ++steps;
    }
    force /= steps;
  }
};

// It lies on its limit and comes off it at once: half its weight, at the edge of the box.
TEST(ArmOnALimit, IsLiftedOffIt) {
  JointAxisDef axis;
  axis.min = 0;
  axis.max = 1.5;
  for (const double speed : {0.02, 0.2}) {
    const Lift lift(axis, speed);
    EXPECT_LT(lift.deepest, 1e-4) << speed;
    EXPECT_NEAR(lift.force, 0.5 * kG / 0.85, 0.2) << speed;
  }
}

// Against a motor that can do 20 N m, and the weight; as the arm leans, the box's edges take turns.
TEST(ArmOfAMotor, IsLiftedWithAllItsForce) {
  JointAxisDef axis;
  axis.motor = {.kind = Motor::Kind::kPosition, .target = 0, .max_force = 20};
  const Lift lift(axis, 0.2);
  EXPECT_LT(lift.deepest, 1e-4);
  EXPECT_NEAR(lift.force, (20 + 0.5 * kG) / 0.9, 5);
}

// Boxes in a row, hinged, with limits, friction or motors, fall flat to the floor. Returns the
// largest gain of energy in a step, of that at the start.
double drop_row(int count, const JointAxisDef& axis, double target, double height) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> row;
  for (int i = 0; i < count; ++i) {
    row.push_back(add_solid(world, Box{{0.09, 0.04, 0.1}}, 0.5, {0.2 * i, height, 0}, m));
    if (i == 0) continue;
    const Pose X_WJ{{0.2 * i - 0.1, height, 0}, axis_along_z()};
    JointDef hinge = make_joint(world, JointKind::kHinge, row[size_t(i) - 1], row.back(), X_WJ);
    hinge.axes[kTurn] = axis;
    hinge.axes[kTurn].motor.target = i % 2 != 0 ? target : -target;
    add_joint(world, hinge);
  }
  const double start = energy(world);
  double gain = 0, last = start;
  for (int i = 0; i < 120; ++i) {
    world.step();
    gain = std::max(gain, energy(world) - last);
    last = energy(world);
    EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6) << count;
    EXPECT_LT(world.diagnostics().joint_angle_rad, 1e-5) << count;
  }
  EXPECT_LT(kinetic(world), 1e-3 * start) << count;
  return gain / start;
}

TEST(RowOfBoxes, FallsFlatWithLimitsAndFriction) {
  JointAxisDef axis;
  axis.min = -0.2;
  axis.max = 0.2;
  for (const int count : {8, 30, 70}) EXPECT_LT(drop_row(count, axis, 0, 0.3), 1e-6) << count;
  axis.friction = 0.5;
  for (const int count : {8, 30, 70}) EXPECT_LT(drop_row(count, axis, 0, 0.3), 1e-6) << count;
}

// Motors bend it to and fro: they do work, of which little is left. How much in the worst step is a
// matter of which box comes down first, 0.1 to 2.3 % from heights that differ by a millimetre: so
// the mean counts.
TEST(RowOfBoxes, FallsWithMotors) {
  JointAxisDef axis;
  axis.min = -0.2;
  axis.max = 0.2;
  axis.motor = {.kind = Motor::Kind::kPosition, .target = 0, .max_force = 5};
  for (const int count : {8, 30}) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += drop_row(count, axis, 0.15, 0.3 + 0.001 * i);
    EXPECT_LT(sum / 12, 0.015) << count;
  }
}

// What was pressed deep and is let go does not fly away: nothing pulls it back where gravity is
// none.
TEST(PressedDeep, StaysWhereItIsLetGo) {
  World world = make_world(kFrame, {.gravity = {}});
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const BodyHandle box = add_solid(world, Box{{0.2, 0.2, 0.2}}, 1, {0, 0.2, 0}, m);
  const auto press = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(world.apply_force(box, {0, -1000, 0}, world.center_of_mass(box)).ok());
      world.step();
    }
  };
  press(10);
  ASSERT_TRUE(world.set_pose(box, {{0, 0.18, 0}, {}}).ok());
  press(1);
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_LT(top_speed(world), 1e-6);
  EXPECT_LT(world.diagnostics().penetration_m, 1e-4);
}

}  // namespace
}  // namespace tenon::test
