// What is not there: edges between tiles that lie side by side, and what bodies go past.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// Twelve tiles of 0.5 m in a row along x, tops at y = 0, as bodies or as parts of one.
void add_tiles(World& world, MaterialId m, bool one_body, double step_up = 0) {
  BodyDef floor;
  floor.motion = MotionKind::kStatic;
  for (int i = 0; i < 12; ++i) {
    const double y = i < 6 ? -0.1 : -0.1 + step_up;
    const Pose at{{0.5 * i, y, 0}, {}};
    if (one_body) {
      floor.colliders.push_back({Box{{0.25, 0.1, 1}}, at, m, 1000});
      continue;
    }
    BodyDef tile;
    tile.motion = MotionKind::kStatic;
    tile.X_WB = at;
    tile.colliders = {{Box{{0.25, 0.1, 1}}, {}, m, 1000}};
    add_body(world, tile);
  }
  if (one_body) add_body(world, floor);
}

const Quat kAlongZ = from_axis_angle({1, 0, 0}, kPi / 2);

struct Traveller {
  Shape shape;
  Quat q = {};
  bool rolls = true;
};
const Traveller kTravellers[] = {{Sphere{0.1}},
                                 {Cylinder{0.1, 0.15}, kAlongZ},
                                 {Capsule{0.1, 0.1}, kAlongZ},
                                 {Box{{0.1, 0.1, 0.1}}, {}, false}};

// Starts that are no multiple of a step away from a seam, and one that is: at 1.5 m/s and 1/60 s a
// body stands above one exactly.
TEST(Seams, AreNotFeltByWhatRollsAndSlides) {
  for (const Traveller& t : kTravellers) {
    for (const double speed : {0.2, 1.5, 5.0}) {
      for (const double start : {0.0, 0.0037}) {
        for (const bool one_body : {false, true}) {
          World world = make_world(kFrame);
          const MaterialId m = add_surface(world, {.friction = t.rolls ? 0.5 : 0});
          add_tiles(world, m, one_body);
          BodyDef def = make_solid(t.shape, 2, {start, 0.1, 0}, m, t.q);
          def.velocity = {speed, 0, 0};
          if (t.rolls) def.angular_velocity = {0, 0, -speed / 0.1};
          const BodyHandle body = add_body(world, def);
          const double seconds = std::min(5.0, 4 / speed);
          double hop = 0;
          while (world.time() < seconds) {
            world.step();
            hop = std::max(hop, std::fabs(world.center_of_mass(body).y - 0.1));
          }
          // what lies on the floor may be off by the slack, 1e-5 of its size, and nods by as much
          // where it leaves a tile
          EXPECT_LT(hop, 3e-6) << speed;
          EXPECT_NEAR(world.velocity(body).x, speed, 3e-5) << speed;
          EXPECT_NEAR(world.center_of_mass(body).z, 0, 1e-5) << speed;
        }
      }
    }
  }
}

// Gaps that are narrow beside what goes over them.
TEST(Seams, NarrowGapsAreHardlyFelt) {
  for (const Traveller& t : kTravellers) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = t.rolls ? 0.5 : 0});
    for (int i = 0; i < 12; ++i) {
      BodyDef tile;
      tile.motion = MotionKind::kStatic;
      tile.X_WB.p = {0.502 * i, -0.1, 0};
      tile.colliders = {{Box{{0.25, 0.1, 1}}, {}, m, 1000}};
      add_body(world, tile);
    }
    BodyDef def = make_solid(t.shape, 2, {0, 0.1, 0}, m, t.q);
    def.velocity = {5, 0, 0};
    if (t.rolls) def.angular_velocity = {0, 0, -50};
    const BodyHandle body = add_body(world, def);
    step_to(world, 0.8);
    // a ball that dips into a gap g meets its far edge at an angle of g / 2 r: 0.01 here
    EXPECT_NEAR(world.velocity(body).x, 5, 5 * 2e-3);
    EXPECT_NEAR(world.center_of_mass(body).y, 0.1, 1e-3);
  }
}

// A step of 2 cm stops a box, and one of 1 mm as well.
TEST(Seams, StepsAreFelt) {
  for (const double height : {1e-3, 0.02}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {});
    add_tiles(world, m, false, height);
    BodyDef def = make_solid(Box{{0.1, 0.1, 0.1}}, 2, {2, 0.1, 0}, m);
    def.velocity = {1, 0, 0};
    const BodyHandle box = add_body(world, def);
    double deepest = 0;
    while (world.time() < 1.5) {
      world.step();
      deepest = std::max(deepest, world.diagnostics().penetration_m);
    }
    EXPECT_LT(world.velocity(box).x, 0.5) << height;
    EXPECT_LT(deepest, 1e-3) << height;
  }
}

// A pillar that stands on two tiles, its middle above the second: this one bears it.
TEST(Seams, TilesBearWhatStandsOnThem) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  for (const auto& [low, high] : {std::pair{-1.0, -0.03}, std::pair{-0.03, 0.02}}) {
    BodyDef tile;
    tile.motion = MotionKind::kStatic;
    tile.X_WB.p = {0.5 * (low + high), -0.1, 0};
    tile.colliders = {{Box{{0.5 * (high - low), 0.1, 1}}, {}, m, 1000}};
    add_body(world, tile);
  }
  const BodyHandle pillar = add_solid(world, Box{{0.5, 1, 0.5}}, 10, {0, 1, 0}, m);
  step_to(world, 5);
  EXPECT_LT(norm(log_map(world.pose(pillar).q)), 1e-4);
}

// A ramp begins where the floor ends: it rises above it, and lifts what slides against it.
TEST(Seams, RampsAreFelt) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {});
  add_tiles(world, m, false);
  BodyDef ramp;
  ramp.motion = MotionKind::kStatic;
  const double angle = 0.3;
  const Quat q = from_axis_angle({0, 0, 1}, angle);
  // its upper left edge is the floor's end, x = 5.75, y = 0
  ramp.X_WB = {Vec3{5.75, 0, 0} + rotate(q, Vec3{1, -0.1, 0}), q};
  ramp.colliders = {{Box{{1, 0.1, 1}}, {}, m, 1000}};
  add_body(world, ramp);
  BodyDef def = make_solid(Sphere{0.1}, 2, {5, 0.1, 0}, m);
  def.velocity = {3, 0, 0};
  const BodyHandle ball = add_body(world, def);
  double highest = 0;
  while (world.time() < 1.5) {
    world.step();
    highest = std::max(highest, world.center_of_mass(ball).y);
    EXPECT_LT(world.diagnostics().penetration_m, 1e-4);
  }
  // v cos(angle) is left along the ramp: (v cos)^2 / 2 g
  const double up = 9 * std::cos(angle) * std::cos(angle) / (2 * kG);
  // the ramp stops what comes against it in the course of a step, at the cost of some speed
  EXPECT_NEAR(highest - 0.1, up, 0.1 * up);
}

// A ball goes past something with a millimetre to spare, at any phase of the step.
TEST(Misses, AreNotHits) {
  const Shape others[] = {Sphere{0.1}, Cylinder{0.1, 0.3}, Capsule{0.1, 0.3}};
  for (const Shape& other : others) {
    for (const bool falls : {false, true}) {
      for (int phase = 0; phase < 12; ++phase) {
        World world = make_world(kFrame, {.gravity = falls ? Vec3{0, -kG, 0} : kNoGravity});
        const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 1});
        if (falls) add_floor(world, m, {}, {0, -0.1, 0});
        BodyDef post = make_solid(other, 2, {0, 0, 0}, m);
        if (falls) post.motion = MotionKind::kStatic;
        const BodyHandle passed = add_body(world, post);
        BodyDef def = make_solid(Sphere{0.1}, 2, {-1 - 0.0125 * phase, 0, 0.201}, m);
        def.velocity = {9, 0, 0};
        if (falls) def.angular_velocity = {0, 0, -90};  // it rolls
        const BodyHandle ball = add_body(world, def);
        step_to(world, 0.3);
        EXPECT_NEAR(world.velocity(ball).x, 9, 1e-9) << phase;
        EXPECT_NEAR(world.velocity(ball).z, 0, 1e-9) << phase;
        EXPECT_EQ(world.velocity(passed), Vec3{}) << phase;
      }
    }
  }
}

// A pendulum swings past a ball beside its lowest point, and over a box below it, with a millimetre
// to spare: nothing touches, and it keeps its energy as well as it does alone.
TEST(Misses, PendulumsGoPast) {
  const auto energy_left = [](const Shape* other, const Vec3& at) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.3, .restitution = 0.5});
    if (other != nullptr) {
      BodyDef post = make_solid(*other, 2, at, m);
      post.motion = MotionKind::kStatic;
      add_body(world, post);
    }
    const BodyHandle bob = add_solid(world, Sphere{0.1}, 2, {-1, 1, 0}, m);
    add_hinge_z(world, {}, bob, {0, 1, 0});
    step_to(world, 10);
    const Mechanics now = world.calc_mechanics();
    return now.kinetic_J + now.potential_J;
  };
  const double alone = energy_left(nullptr, {});
  const Shape ball = Sphere{0.1}, box = Box{{0.1, 0.1, 0.1}};
  // joints are solved from another first guess where something is near
  EXPECT_NEAR(energy_left(&ball, {0, 0, 0.201}), alone, 1e-5);
  EXPECT_NEAR(energy_left(&box, {0, -0.201, 0}), alone, 1e-5);
}

// The same bob, pushed aside by a force in the step in which it would go past: it is stopped.
TEST(Misses, PushedMechanismsAreStopped) {
  World world = make_world(kFrame, {.gravity = kNoGravity});
  const MaterialId m = add_surface(world, {});
  BodyDef post = make_solid(Sphere{0.1}, 2, {0, 0.201, 0}, m);
  post.motion = MotionKind::kStatic;
  add_body(world, post);
  BodyDef def = make_solid(Sphere{0.1}, 1, {-0.16, 0, 0}, m);
  def.velocity = {3, 0, 0};
  const BodyHandle bob = add_body(world, def);
  def.X_WB.p = {-0.16, -0.5, 0};
  add_ball(world, bob, add_body(world, def), {-0.16, -0.25, 0});
  double deepest = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec3 push{0, i == 2 ? 400.0 : 0.0, 0};
    ASSERT_TRUE(world.apply_force(bob, push, world.center_of_mass(bob)).ok());
    world.step();
    deepest = std::max(deepest, world.diagnostics().penetration_m);
  }
  EXPECT_LT(deepest, 2e-3);
}

// A glancing blow between equal elastic balls, offset by 0.19 of 0.2: what they have along the line
// of their centres changes places, whenever it comes in a step.
TEST(Misses, GlancingBlowsAreElasticAtAnyPhase) {
  const double s = 0.19 / 0.2, c = std::sqrt(1 - s * s), v = 3;
  for (int phase = 0; phase < 20; ++phase) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.restitution = 1});
    BodyDef def = make_solid(Sphere{0.1}, 2, {-0.5 - 0.0025 * phase, 0.19, 0}, m);
    def.velocity = {v, 0, 0};
    const BodyHandle p = add_body(world, def), q = add_solid(world, Sphere{0.1}, 2, {}, m);
    step_to(world, 0.5);
    // balls meet within a tenth of the slack, 1e-6 of their size: the normal is off by as much over
    // c
    EXPECT_NEAR(world.velocity(q).x, v * c * c, 2e-5) << phase;
    EXPECT_NEAR(world.velocity(q).y, -v * c * s, 2e-5) << phase;
    EXPECT_NEAR(world.velocity(p).x, v * s * s, 2e-5) << phase;
  }
}

}  // namespace
}  // namespace tenon::test
