// Robots that stand on the ground, cars that drive, and presses, by their motors.
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

void drive(Walker& w, BodyHandle parent, BodyHandle child, const Vec3& at, const Motor& motor,
           double min = -kInfinity, double max = kInfinity) {
  JointDef def = make_joint(w.world, JointKind::kHinge, parent, child, {at, axis_along_z()});
  JointAxisDef& axis = def.axes[static_cast<size_t>(JointAxis::kRx)];
  axis.motor = motor;
  axis.min = min;
  axis.max = max;
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

// Motors of 10 kN m press its knees against their stops, where what they ask for is never reached:
// as they come to their bounds in the course of the sweeps, impulses of before would be those of
// other rows, and threw it with some hundred joules every now and then. It may fall over; contacts
// with the floor give it no energy.
TEST(Walker, IsNotThrownByKneesThatPressAgainstTheirStops) {
  for (const double hz : {60.0, 240.0}) {
    for (const double frequency : {1.0, 3.0}) {
      for (const double drop : {0.0, 0.2}) {
        Walker w{make_world(1 / hz), {}, {}};
        const MaterialId m = add_surface(w.world, {.friction = 0.6, .restitution = 0.3});
        add_floor(w.world, m);
        w.body = add_solid(w.world, Box{{0.4, 0.075, 0.25}}, 20, {0, 1 + drop, 0}, m);
        const Motor hip{.kind = Motor::Kind::kPosition,
                        .target = 0.3,
                        .max_force = 1e4,
                        .frequency_hz = frequency};
        const Motor knee{.kind = Motor::Kind::kVelocity, .target = -2, .max_force = 1e4};
        for (const double x : {0.35, -0.35}) {
          for (const double z : {0.2, -0.2}) {
            const BodyHandle upper =
                add_solid(w.world, Box{{0.04, 0.2, 0.04}}, 3, {x, 0.75 + drop, z}, m);
            const BodyHandle lower =
                add_solid(w.world, Box{{0.03, 0.2, 0.03}}, 2, {x, 0.35 + drop, z}, m);
            drive(w, w.body, upper, {x, 0.93 + drop, z}, hip);
            drive(w, upper, lower, {x, 0.55 + drop, z}, knee, -kPi / 3, kPi / 18);
          }
        }
        double before = 0, most = 0;
        while (w.world.time() < 5) {
          w.world.step();
          const double work = w.world.diagnostics().contact_work_J;
          most = std::max(most, work - before);
          before = work;
        }
        // of 400 J: what a landing on four legs may be wrong by, to second order in the step
        EXPECT_LT(most, 1) << hz << " Hz, " << frequency << " Hz, " << drop << " m";
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

// Wheels drive over round bumps that lie across their way. The two cylinders are parallel but for
// what the axle gives way, and the place where they cross would go along them at any speed: seen
// from there, wheels threw the car with half a megajoule in one step. The car does not fly, and its
// motors do all the work: 40 N m each at 10 rad/s.
TEST(Car, DrivesOverRoundBumps) {
  for (const double hz : {60.0, 120.0, 240.0}) {
    for (const double shift : {0.0, 0.013}) {
      World world = make_world(1 / hz);
      const MaterialId m = add_surface(world, {.friction = 1});
      add_floor(world, m);
      const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2);
      for (const double x : {1.0, 2.0}) {
        BodyDef bump = make_solid(Cylinder{0.05, 1}, 1, {x + shift, 0, 0}, m, lying);
        bump.motion = MotionKind::kStatic;
        add_body(world, bump);
      }
      const BodyHandle hull = add_solid(world, Box{{0.5, 0.1, 0.25}}, 100, {0, 0.3, 0}, m);
      for (const double x : {-0.4, 0.4}) {
        for (const double z : {-0.32, 0.32}) {
          const Vec3 at{x, 0.15, z};
          const BodyHandle wheel = add_solid(world, Cylinder{0.15, 0.04}, 5.65, at, m, lying);
          JointDef axle = make_joint(world, JointKind::kHinge, hull, wheel, {at, axis_along_z()});
          axle.axes[static_cast<size_t>(JointAxis::kRx)].motor = {
              .kind = Motor::Kind::kVelocity, .target = -10, .max_force = 40};
          add_joint(world, axle);
        }
      }
      const auto energy = [&] {
        const Mechanics mechanics = world.calc_mechanics();
        return mechanics.kinetic_J + mechanics.potential_J;
      };
      double before = energy(), most = 0, highest = 0;
      while (world.time() < 4) {
        world.step();
        most = std::max(most, energy() - before);
        before = energy();
        highest = std::max(highest, world.center_of_mass(hull).y);
      }
      // four motors, and as much again for wheels that a bump has made faster than they are meant
      EXPECT_LT(most, 2 * 4 * 40 * 10 / hz) << hz << " Hz, " << shift;
      // 5 cm of bump, and what it hops off one at 1.5 m/s
      EXPECT_LT(highest, 0.45) << hz << " Hz, " << shift;
      EXPECT_GT(world.center_of_mass(hull).x, 3) << hz << " Hz, " << shift;
      EXPECT_LT(std::fabs(world.center_of_mass(hull).z), 0.3) << hz << " Hz, " << shift;
    }
  }
}

// A press of 100 kg that a motor lowers at 1 m/s meets what lies on an anvil, stops, and presses
// with all that its motor has. As long as a motor is held, what it presses upon a loose body is as
// heavy as the motor is strong, and sweeps get nowhere: the press stood still with a velocity of
// 0.8 m/s.
TEST(Press, StopsAndPressesWithAllItsStrength) {
  const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2);
  for (const Shape& shape :
       {Shape{Sphere{0.1}}, Shape{Box{{0.1, 0.1, 0.1}}}, Shape{Cylinder{0.1, 0.1}}}) {
    for (const double force : {2e4, 1e5}) {
      for (const double hz : {60.0, 240.0}) {
        World world = make_world(1 / hz);
        const MaterialId m = add_surface(world, {.friction = 0.5});
        add_floor(world, m);
        const BodyHandle load = add_solid(world, shape, 5, {0.3, 0.1, 0}, m, lying);
        const BodyHandle plate = add_solid(world, Box{{0.5, 0.05, 0.5}}, 100, {0, 0.7, 0}, m);
        JointDef slide =
            make_joint(world, JointKind::kSlider, {}, plate, {{0, 0.7, 0}, axis_along_y()});
        slide.axes[static_cast<size_t>(JointAxis::kX)].motor = {
            .kind = Motor::Kind::kVelocity, .target = -1, .max_force = force};
        const JointHandle joint = add_joint(world, slide);
        step_to(world, 2);
        // the tolerance, and what an overlap is left alone
        EXPECT_NEAR(world.center_of_mass(plate).y, 0.25, 1e-4) << force << " N, " << hz << " Hz";
        EXPECT_NEAR(world.center_of_mass(load).y, 0.1, 1e-4) << force << " N, " << hz << " Hz";
        EXPECT_LT(norm(world.velocity(plate)), 1e-5) << force << " N, " << hz << " Hz";
        EXPECT_NEAR(world.read_joint(joint).force.y, -force, 1e-3 * force) << hz << " Hz";
      }
    }
  }
}

}  // namespace
}  // namespace tenon::test
