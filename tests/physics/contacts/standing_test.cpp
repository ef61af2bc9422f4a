// Robots that stand on the ground, and cars that drive, by their motors.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// A body of 20 kg on four legs, hips and knees driven to bent angles. Feet that stick close loops
// through the ground: eight motors for what four feet leave free.
struct Walker {
  World world;
  BodyHandle body;
  std::vector<JointHandle> motors;
};

void drive(Walker& w, BodyHandle parent, BodyHandle child, const Vec3& at, const Motor& motor) {
  JointDef def = make_joint(w.world, JointKind::kHinge, parent, child, {at, axis_along_z()});
  def.axes[static_cast<size_t>(JointAxis::kRx)].motor = motor;
  w.motors.push_back(add_joint(w.world, def));
}

Walker make_walker(double hz, double max_torque, double frequency) {
  Walker w{make_world(1 / hz), {}, {}};
  const MaterialId m = add_surface(w.world, {.friction = 0.8, .restitution = 0.2});
  add_floor(w.world, m);
  w.body = add_solid(w.world, Box{{0.5, 0.1, 0.25}}, 20, {0, 0.8, 0}, m);
  Motor motor{.kind = Motor::Kind::kPosition, .max_force = max_torque, .frequency_hz = frequency};
  for (const double x : {-0.4, 0.4}) {
    for (const double z : {-0.3, 0.3}) {
      const BodyHandle upper = add_solid(w.world, Capsule{0.04, 0.15}, 1.5, {x, 0.6, z}, m);
      const BodyHandle lower = add_solid(w.world, Capsule{0.04, 0.15}, 1, {x, 0.22, z}, m);
      motor.target = 0.4;
      drive(w, w.body, upper, {x, 0.78, z}, motor);
      motor.target = -0.8;
      drive(w, upper, lower, {x, 0.41, z}, motor);
    }
  }
  return w;
}

// It bends its knees and stands still, whatever torque its motors may have: these do not fight one
// another through the ground, and carry it without sagging.
TEST(Walker, StandsStillOnItsMotors) {
  for (const double hz : {60.0, 240.0}) {
    for (const double torque : {80.0, 1e4, kInfinity}) {
      for (const double frequency : {2.0, 6.0}) {
        Walker w = make_walker(hz, torque, frequency);
        step_to(w.world, 4);
        EXPECT_LT(top_speed(w.world), 1e-4) << hz << " Hz, " << torque << " N m, " << frequency;
        for (size_t i = 0; i < w.motors.size(); ++i) {
          const double angle = w.world.read_joint(w.motors[i]).coordinate[3];
          EXPECT_NEAR(angle, i % 2 == 0 ? 0.4 : -0.8, 1e-3)
              << hz << " Hz, " << torque << " N m, " << frequency << ", motor " << i;
        }
      }
    }
  }
}

// Four wheels that motors turn at 10 rad/s drive a car of 14 kg at their speed, straight on.
TEST(Car, DrivesAsFastAsItsWheelsTurn) {
  for (const double hz : {60.0, 240.0}) {
    World world = make_world(1 / hz);
    const MaterialId m = add_surface(world, {.friction = 0.8});
    add_floor(world, m);
    const BodyHandle chassis = add_solid(world, Box{{0.5, 0.05, 0.2}}, 10, {0, 0.15, 0}, m);
    const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2);
    for (const double x : {-0.4, 0.4}) {
      for (const double z : {-0.3, 0.3}) {
        const BodyHandle wheel = add_solid(world, Cylinder{0.1, 0.025}, 1, {x, 0.1, z}, m, lying);
        JointDef def =
            make_joint(world, JointKind::kHinge, chassis, wheel, {{x, 0.1, z}, axis_along_z()});
        def.axes[static_cast<size_t>(JointAxis::kRx)].motor = {
            .kind = Motor::Kind::kVelocity, .target = -10, .max_force = 5};
        add_joint(world, def);
      }
    }
    step_to(world, 5);
    EXPECT_NEAR(world.velocity(chassis).x, 1, 1e-3) << hz;
    EXPECT_NEAR(world.center_of_mass(chassis).z, 0, 0.01) << hz;
    EXPECT_NEAR(world.center_of_mass(chassis).y, 0.15, 1e-5) << hz;
  }
}

}  // namespace
}  // namespace tenon::test
