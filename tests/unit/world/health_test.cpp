// Hints of health: each condition is told once, with who and when, and calm worlds say nothing.
#include <map>

#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

std::vector<Event> run_health(World& world, int steps) {
  std::vector<Event> all;
  for (int i = 0; i < steps; ++i) {
    world.step();
    for (const Event& e : world.events())
      if (is_health(e.kind)) all.push_back(e);
  }
  return all;
}

BodyDef make_ball(double radius, const Vec3& at, const Vec3& velocity = {}) {
  BodyDef def;
  def.colliders = {{Sphere{radius}, {}, 0, 1000}};
  def.X_WB.p = at;
  def.velocity = velocity;
  return def;
}

BodyDef make_fixed_box(const Vec3& size, const Vec3& at) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.colliders = {{Box{0.5 * size}, {}, 0, 1000}};
  def.X_WB.p = at;
  return def;
}

World make_weightless_world(JointSolver solver) {
  WorldSettings s;
  s.gravity = {};
  s.joint_solver = solver;
  return test::make_world(s);
}

TEST(Health, EventNamesReadBack) {
  for (int i = 0; i <= static_cast<int>(EventKind::kHealthEnergy); ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(event_kind(name(kind)), kind);
  }
  EXPECT_EQ(event_kind("nothing"), std::nullopt);
}

TEST(Health, ABallThatRestsOrBouncesIsFine) {
  World world = test::make_world({});
  (void)*world.create_body(make_fixed_box({10, 1, 10}, {0, -0.5, 0}));
  (void)*world.create_body(make_ball(0.2, {0, 2, 0}, {1, 0, 0.3}));
  (void)*world.create_body(make_ball(0.2, {1, 0.2, 0}));
  EXPECT_TRUE(run_health(world, 240).empty());
}

TEST(Health, DeepOverlapIsToldOnceAndAgainWhenItComesBack) {
  World world = make_weightless_world(JointSolver::kDirect);
  const BodyHandle a = *world.create_body(make_ball(0.5, {0, 0, 0}));
  const BodyHandle b = *world.create_body(make_ball(0.5, {0.8, 0, 0}));
  std::vector<Event> events = run_health(world, 120);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kHealthDeepOverlap);
  EXPECT_EQ(events[0].a, a);
  EXPECT_EQ(events[0].b, b);
  EXPECT_GT(events[0].value, 0.05);
  EXPECT_LT(events[0].value, 0.2 + 1e-9);
  EXPECT_TRUE(world.set_pose(b, {world.pose(a).p + Vec3{0.7, 0, 0}, {}}));
  events = run_health(world, 120);
  EXPECT_EQ(events.size(), 1u);
}

// The paper's step has no continuous detection: at 90 m/s a ball is on the other side of a plate
// before anything touches. The default step stops it.
TEST(Health, WhatPassedThroughIsTold) {
  for (const JointSolver solver : {JointSolver::kSweep, JointSolver::kDirect}) {
    World world = make_weightless_world(solver);
    const BodyHandle plate = *world.create_body(make_fixed_box({0.02, 2, 2}, {}));
    const BodyHandle ball = *world.create_body(make_ball(0.05, {-2.2, 0, 0}, {90, 0, 0}));
    const std::vector<Event> events = run_health(world, 10);
    const bool passed = world.pose(ball).p.x > 0;
    EXPECT_EQ(passed, solver == JointSolver::kSweep);
    ASSERT_EQ(events.size(), passed ? 1u : 0u);
    if (!passed) continue;
    EXPECT_EQ(events[0].kind, EventKind::kHealthPassedThrough);
    EXPECT_EQ(events[0].a, ball);
    EXPECT_EQ(events[0].b, plate);
    EXPECT_NEAR(events[0].value, 0.02, 1e-12);
    EXPECT_NEAR(events[0].time, 2.0 / 60, 1e-12);
  }
}

// As seen from a disc that turns by 0.45 rad in a step, a ball that flies past its rim goes along
// an arc; the chord of that arc cuts 5 cm deep into the disc, the ball never comes nearer than 1
// cm.
TEST(Health, WhatFliesPastALargeFastDiscIsFine) {
  for (const double spin : {27.0, -27.0}) {
    World world = make_weightless_world(JointSolver::kSweep);
    BodyDef disc;
    disc.colliders = {{Cylinder{2.0, 0.05}, {}, 0, 1000}};
    disc.angular_velocity = {0, spin, 0};
    (void)*world.create_body(disc);
    (void)*world.create_body(make_ball(0.02, {0.3, 0, 2.03}));              // rests beside it
    (void)*world.create_body(make_ball(0.02, {-0.5, 0, 2.03}, {4, 0, 0}));  // flies along the rim
    (void)*world.create_body(make_ball(0.02, {1.3, 0, 1.6}, {2, 0, -2}));
    EXPECT_TRUE(run_health(world, 15).empty()) << spin;
  }
}

// The same disc stands on edge: what goes through it is told, turning or not.
TEST(Health, WhatPassesThroughATurningDiscIsTold) {
  for (const double spin : {0.0, 27.0}) {
    World world = make_weightless_world(JointSolver::kSweep);
    BodyDef disc;
    disc.colliders = {{Cylinder{2.0, 0.01}, {}, 0, 1000}};
    disc.angular_velocity = {0, spin, 0};
    const BodyHandle wheel = *world.create_body(disc);
    const BodyHandle ball = *world.create_body(make_ball(0.05, {1.5, -2.2, 0}, {0, 90, 0}));
    const std::vector<Event> events = run_health(world, 10);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, EventKind::kHealthPassedThrough);
    EXPECT_EQ(events[0].a, ball);
    EXPECT_EQ(events[0].b, wheel);
    EXPECT_NEAR(events[0].value, 0.02, 0.005);
  }
}

TEST(Health, WhatMayPassIsNotTold) {
  World world = make_weightless_world(JointSolver::kSweep);
  BodyDef plate = make_fixed_box({0.02, 2, 2}, {});
  plate.colliders[0].sensor = true;
  (void)*world.create_body(plate);
  plate = make_fixed_box({0.02, 2, 2}, {1, 0, 0});
  plate.collision = false;
  (void)*world.create_body(plate);
  (void)*world.create_body(make_ball(0.05, {-2.2, 0, 0}, {90, 0, 0}));
  EXPECT_TRUE(run_health(world, 10).empty());
}

TEST(Health, ExtremeMassesThatTouchOrAreJoined) {
  World world = test::make_world({});
  (void)*world.create_body(make_fixed_box({10, 1, 10}, {0, -0.5, 0}));
  BodyDef ball = make_ball(0.2, {0, 0.2, 0});
  ball.colliders[0].density = 1e-3;
  const BodyHandle light = *world.create_body(ball);
  ball = make_ball(0.2, {0, 0.6, 0});
  ball.colliders[0].density = 1e3;
  const BodyHandle heavy = *world.create_body(ball);
  std::vector<Event> events = run_health(world, 1);
  ASSERT_GE(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kHealthMassRatio);
  EXPECT_EQ(events[0].a, light);
  EXPECT_EQ(events[0].b, heavy);
  EXPECT_NEAR(events[0].value, 1e6, 1);
}

// A saved state goes on as the world itself would, also in what it says.
TEST(Health, SavedStatesRememberWhatWasSaid) {
  World world = make_weightless_world(JointSolver::kDirect);
  (void)*world.create_body(make_ball(0.5, {0, 0, 0}));
  (void)*world.create_body(make_ball(0.5, {0.5, 0, 0}));
  EXPECT_EQ(run_health(world, 1).size(), 1u);
  World other = make_weightless_world(JointSolver::kDirect);
  (void)*other.create_body(make_ball(0.5, {0, 0, 0}));
  (void)*other.create_body(make_ball(0.5, {0.5, 0, 0}));
  ASSERT_TRUE(other.load_state(world.save_state()));
  EXPECT_EQ(run_health(other, 3).size(), run_health(world, 3).size());
  EXPECT_EQ(other.state_hash(), world.state_hash());
}

}  // namespace
}  // namespace tenon
