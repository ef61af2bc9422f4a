// Mechanisms that bounce: flat against walls, thrown, on several feet.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// A rod swings on a hinge against a wall and bounces with e = 1: it keeps its energy whether it
// lands flat, on a long wall or a short one, up to the hinge or far below it. Points near the hinge
// close slowly however fast the rod is, and are hit all the same. What is lost is of second order
// in the step: about 15 hits in 10 s lose some per cent at 1/60 s, and less than one at 1/240 s.
TEST(HingedRod, LandsFlatOnAWallAndKeepsItsEnergy) {
  struct Wall {
    double top, bottom;  // m below the hinge
  };
  for (const Wall wall :
       {Wall{0, 1}, {0.01, 1}, {0.1, 1}, {0.5, 1.5}, {0.015, 0.025}, {0.1, 0.11}}) {
    for (const double hz : {60.0, 240.0}) {
      World world = make_world(1 / hz);
      const MaterialId m = add_surface(world, {.restitution = 1});
      BodyDef stop = make_solid(Box{{0.1, 0.5 * (wall.bottom - wall.top), 0.5}}, 1,
                                {-0.125, -0.5 * (wall.top + wall.bottom), 0}, m);
      stop.motion = MotionKind::kStatic;
      add_body(world, stop);
      const Quat q = from_axis_angle({0, 0, 1}, 1);
      const BodyHandle rod =
          add_solid(world, Box{{0.025, 0.5, 0.025}}, 1, rotate(q, {0, -0.5, 0}), m, q);
      add_hinge_z(world, {}, rod, {0, 0, 0});
      const double lowest = -0.5 * kG, begin = energy(world) - lowest;
      double most = begin;
      while (world.time() < 10) {
        world.step();
        most = std::max(most, energy(world) - lowest);
      }
      EXPECT_GT(energy(world) - lowest, (hz > 100 ? 0.98 : 0.95) * begin)
          << wall.top << " m, " << hz << " Hz";
      EXPECT_LT(most, 1.0001 * begin) << wall.top << " m, " << hz << " Hz";
    }
  }
}

// Two boxes in a row that a joint joins, spinning, hit the floor with e = 1 at any phase of a step.
// As one rigid body they keep all of their energy; a hinge in the middle lets them fold, which the
// step resolves to second order.
TEST(JoinedPair, KeepsItsEnergyInAHit) {
  struct Case {
    JointKind kind;
    double spin, least;
  };
  const Case cases[] = {{JointKind::kRigid, 2, 1 - 1e-6},
                        {JointKind::kRigid, 15, 1 - 2e-5},
                        {JointKind::kHinge, 6, 0.995},
                        {JointKind::kHinge, 15, 0.98}};
  for (const Case& c : cases) {
    for (int phase = 0; phase < 6; ++phase) {
      World world = make_world(kFrame, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.restitution = 1});
      add_floor(world, m);
      const double y = 0.5 + 0.01 * phase;
      BodyHandle pair[2];
      for (int i = 0; i < 2; ++i) {
        const double x = i == 0 ? -0.3 : 0.3;
        BodyDef def = make_solid(Box{{0.3, 0.05, 0.05}}, 1, {x, y, 0}, m);
        def.velocity = {0, -3 + c.spin * x, 0};
        def.angular_velocity = {0, 0, c.spin};
        pair[i] = add_body(world, def);
      }
      add_joint(world, make_joint(world, c.kind, pair[0], pair[1], {{0, y, 0}, axis_along_z()}));
      const double begin = kinetic(world);
      step_to(world, 0.4);
      EXPECT_GT(world.velocity(pair[0]).y + world.velocity(pair[1]).y, 0);
      EXPECT_GT(kinetic(world), c.least * begin) << c.spin << " rad/s, phase " << phase;
      EXPECT_LT(kinetic(world), (1 + 1e-9) * begin) << c.spin << " rad/s, phase " << phase;
    }
  }
}

// What a mechanism stands on, all at one height.
struct Feet {
  Shape shape;
  Quat q;
  JointKind kind;
  double half_height;  // of the shape, as it stands
};

// The steepest that its top stands in two seconds after it has fallen flat from 0.4 m, rad, and how
// high it bounces.
struct Landing {
  double tilt = 0, height = 0;
};
Landing land(const Feet& feet, double restitution, double hz) {
  World world = make_world(1 / hz);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = restitution});
  add_floor(world, m);
  const double fall = 0.4, y = 2 * feet.half_height + fall;
  const BodyHandle top = add_solid(world, Box{{0.5, 0.025, 0.4}}, 5, {0, y + 0.025, 0}, m);
  for (const double x : {-0.45, 0.45}) {
    for (const double z : {-0.35, 0.35}) {
      const Vec3 at{x, feet.half_height + fall, z};
      const BodyHandle foot = add_solid(world, feet.shape, 1, at, m, feet.q);
      add_joint(world, make_joint(world, feet.kind, top, foot, {at, axis_along_z()}));
    }
  }
  Landing landing;
  bool bounced = false;
  while (world.time() < 2) {
    world.step();
    bounced = bounced || world.velocity(top).y > 0;
    const double up = rotate(world.pose(top).q, {0, 1, 0}).y;
    landing.tilt = std::max(landing.tilt, std::acos(std::min(1.0, up)));
    if (!bounced) continue;
    const double v = world.velocity(top).y;
    const double apex = world.center_of_mass(top).y + v * v / (2 * kG);
    landing.height = std::max(landing.height, apex - (y + 0.025 - fall));
  }
  return landing;
}

// A table of five parts, and a car on four wheels, that fall flat are hit at all feet at once: they
// do not tilt, and bounce to e^2 of the height. Joints are open by their tolerance, which tilts
// feet of one height by 1e-8.
TEST(Feet, OfMechanismsLandTogether) {
  const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2);
  const Feet table{Box{{0.03, 0.25, 0.03}}, {}, JointKind::kRigid, 0.25};
  const Feet car{Cylinder{0.1, 0.025}, lying, JointKind::kHinge, 0.1};
  for (const Feet& feet : {table, car}) {
    for (const double e : {0.0, 0.3, 0.6, 1.0}) {
      for (const double hz : {60.0, 240.0}) {
        const Landing landing = land(feet, e, hz);
        // what does not bounce is stopped by sweeps over contacts, some of which are left
        EXPECT_LT(landing.tilt, e > 0 ? 1e-5 : 1e-3) << e << ", " << hz << " Hz";
        if (e == 0) continue;
        EXPECT_NEAR(landing.height, 0.4 * e * e, 1e-6) << e << ", " << hz << " Hz";
      }
    }
  }
}

// A table of five parts of restitution e. Its parts are made in any order.
struct Table {
  World world;
  BodyHandle top;
};
Table make_table(double restitution, double gap, double speed, double legs_x, bool reversed,
                 double hz) {
  Table table{make_world(1 / hz), {}};
  const MaterialId m = add_surface(table.world, {.friction = 0.5, .restitution = restitution});
  add_floor(table.world, m);
  const auto add = [&](const Vec3& half, double mass, const Vec3& p) {
    BodyDef def = make_solid(Box{half}, mass, p, m);
    def.velocity = {0, -speed, 0};
    return add_body(table.world, def);
  };
  std::vector<Vec3> places{{0, 0.525 + gap, 0}};
  for (const double x : {-legs_x, legs_x}) {
    for (const double z : {-0.25, 0.25}) places.push_back({x, 0.25 + gap, z});
  }
  std::vector<BodyHandle> parts(places.size());
  for (size_t k = 0; k < places.size(); ++k) {
    const size_t i = reversed ? places.size() - 1 - k : k;
    parts[i] =
        i == 0 ? add({0.5, 0.025, 0.3}, 5, places[i]) : add({0.025, 0.25, 0.025}, 1, places[i]);
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    add_joint(table.world, make_joint(table.world, JointKind::kRigid, parts[0], parts[i],
                                      {places[i] + Vec3{0, 0.25, 0}, axis_along_z()}));
  }
  table.top = parts[0];
  return table;
}

double most_tilting(Table& table, double seconds) {
  double most = 0;
  while (table.world.time() < seconds) {
    table.world.step();
    const Vec3 w = table.world.angular_velocity(table.top);
    most = std::max(most, std::hypot(w.x, w.z));
  }
  return most;
}

// Without restitution the step in which it lands only closes the gap, and the next one begins with
// feet that touch: which of them comes first must not say which way it tips (0.3 to 1 rad/s).
TEST(Table, LandsFlatWithoutRestitution) {
  for (const double legs_x : {0.4, 0.45}) {
    for (const double gap : {0.0, 0.02, 0.03, 0.04, 0.0499, 0.06, 0.08, 0.1}) {
      for (const bool reversed : {false, true}) {
        Table table = make_table(0, gap, 3, legs_x, reversed, 60);
        EXPECT_LT(most_tilting(table, 0.6), 1e-3) << legs_x << " " << gap << " " << reversed;
      }
    }
  }
}

// One that stands, and is hit in its middle, is pressed on all feet at once (0.7 rad/s).
TEST(Table, DoesNotTiltWhenItIsHitInItsMiddle) {
  for (const double hz : {60.0, 240.0}) {
    for (const bool reversed : {false, true}) {
      Table table = make_table(0.8, 0, 0, 0.4, reversed, hz);
      const MaterialId m = add_surface(table.world, {.friction = 0.5, .restitution = 0.8});
      BodyDef def = make_solid(Box{{0.1, 0.1, 0.1}}, 20, {0, 0.7, 0}, m);
      def.velocity = {0, -4, 0};
      add_body(table.world, def);
      EXPECT_LT(most_tilting(table, 0.4), 1e-3) << reversed << ", " << hz << " Hz";
    }
  }
}

}  // namespace
}  // namespace tenon::test
