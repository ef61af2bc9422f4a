// Meshes in the other methods, as sensors, and at one-way fronts.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

const Vec3 kHalf{0.3, 0.2, 0.25};

// A grooved box falls on the floor by 5 cm, level.
double find_height(WorldSettings settings) {
  settings.step = kFrame;
  Result<World> made = World::make(settings);
  EXPECT_TRUE(made.ok());
  World world = std::move(*made);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const BodyHandle b = add_solid(world, to_mesh(grooved_box(kHalf)), 2, {0, kHalf.y + 0.05, 0}, m);
  for (int i = 0; i < 90; ++i) world.step();
  return world.pose(b).p.y;
}

TEST(MeshMethods, StandOnTheFloorInAllOfThem) {
  WorldSettings sweep, force, displacement;
  sweep.joint_solver = JointSolver::kSweep;
  force.method = Method::kForce;
  displacement.method = Method::kDisplacement;
  // of 40 cm: a thousandth, which is what the least exact of them leaves
  EXPECT_NEAR(find_height(sweep), kHalf.y, 4e-4);
  EXPECT_NEAR(find_height(force), kHalf.y, 4e-4);
  EXPECT_NEAR(find_height(displacement), kHalf.y, 4e-4);
}

// Facets that change place under a box jump, and no step of the integrator is short enough to err
// as little as asked for: at the least step of a microsecond a frame would take 16 667.
TEST(MeshMethods, ABoxOnATorusTakesSomeHundredStepsPerFrameByForces) {
  WorldSettings settings;
  settings.method = Method::kForce;
  settings.step = kFrame;
  Result<World> made = World::make(settings);
  ASSERT_TRUE(made.ok());
  World world = std::move(*made);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  // its lowest facets begin a millimetre in the floor
  add_solid(world, to_mesh(torus(0.2, 0.05, 24, 12)), 2, {0, 0.049, 0}, m);
  const BodyHandle box = add_solid(world, Box{{0.15, 0.05, 0.15}}, 1, {0.02, 0.15, 0.01}, m);
  for (int i = 0; i < effort(4, 1); ++i) {
    world.step();
    EXPECT_LT(world.diagnostics().integrator_steps, 2000u);
  }
  EXPECT_TRUE(is_finite(world.pose(box).p));
}

BodyDef make_gate(const Shape& shape) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.colliders = {{shape, {}, 0, 1000}};
  return def;
}

TEST(MeshSensors, FeelTheWireOfARingAndNotItsHole) {
  // a ring about y as a sensor; a small grooved box falls through its hole, another one on its wire
  const Shape ring = to_mesh(torus(0.5, 0.1, 32, 12)),
              box = to_mesh(grooved_box({0.04, 0.04, 0.04}));
  for (const bool hits : {false, true}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    BodyDef gate = make_gate(ring);
    gate.colliders[0].sensor = true;
    add_body(world, gate);
    const BodyHandle b = add_solid(world, box, 1, {hits ? 0.5 : 0.0, 0.4, 0}, m);
    int entered = 0, left = 0;
    for (int i = 0; i < 60; ++i) {
      world.step();
      for (const Event& e : world.events()) {
        entered += e.kind == EventKind::kSensorEnter;
        left += e.kind == EventKind::kSensorLeave;
      }
    }
    EXPECT_EQ(entered, hits ? 1 : 0);
    EXPECT_EQ(left, entered);
    // nothing held it up: 4.9 m in a second
    EXPECT_LT(world.pose(b).p.y, -4);
  }
}

TEST(MeshOneWay, PlatesHoldAtTheirFrontsAndLetPassFromBehind) {
  const Shape plate = to_mesh(grooved_box({1, 0.02, 1})), ring = to_mesh(torus(0.2, 0.05, 24, 10));
  for (const bool from_front : {true, false}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    BodyDef def = make_gate(plate);
    def.one_way = {0, 1, 0};
    add_body(world, def);
    BodyDef thrown = make_solid(ring, 1, {0.3, from_front ? 0.4 : -0.4, 0.2}, m, {});
    thrown.velocity = {0, from_front ? 0.0 : 4.0, 0};
    const BodyHandle b = add_body(world, thrown);
    double highest = -1;
    for (int i = 0; i < effort(180, 40); ++i) {
      world.step();
      highest = std::max(highest, world.pose(b).p.y);
    }
    // it lies on the front in the end; from behind it has risen to -0.4 + 16 / 2 g before
    EXPECT_GT(highest, from_front ? 0.3 : effort(0.38, 0.3));
    // of its wire, a polygon of ten corners, two are lowest
    EXPECT_NEAR(world.pose(b).p.y, 0.02 + 0.05 * std::sin(0.4 * kPi), effort(1e-3, 1.0));
  }
}

}  // namespace
}  // namespace tenon::test
