// Contacts in a world: events, filters, penetration.
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

BodyDef make_floor() {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.colliders = {{Plane{}, {}, 0, 1000}};
  return def;
}

// Two balls of one metre on a line, without gravity: one comes at 6 m/s, the other rests at the
// origin. Their surfaces are 2 m apart.
struct TwoBalls {
  explicit TwoBalls(World& world, ColliderDef collider = {Sphere{0.5}, {}, 0, 1000}) {
    BodyDef ball;
    ball.colliders = {collider};
    ball.X_WB.p = {-3, 0, 0};
    ball.velocity = {6, 0, 0};
    moving = *world.create_body(ball);
    ball.X_WB.p = {0, 0, 0};
    ball.velocity = {};
    resting = *world.create_body(ball);
  }
  BodyHandle moving, resting;
};

World make_weightless() {
  WorldSettings s;
  s.gravity = {};
  return test::make_world(s);
}

TEST(ContactEvents, BeginAndEndOnceAsABodyIsHit) {
  World world = make_weightless();
  const MaterialId hard = *world.add_material({.restitution = 1});
  const TwoBalls balls(world, {Sphere{0.5}, {}, hard, 1000});
  const std::vector<Event> events = test::run_and_collect(world, 120);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kContactBegin);
  EXPECT_EQ(events[0].a, balls.moving);
  EXPECT_EQ(events[0].b, balls.resting);
  EXPECT_NEAR(events[0].time, 2.0 / 6, 1.0 / 60 + 1e-12);
  // equal masses and nothing lost: all of the momentum goes over
  const double mass = world.mass(balls.moving).mass;
  EXPECT_NEAR(events[0].impulse, 6 * mass, 1e-9 * mass);
  EXPECT_NEAR(world.velocity(balls.moving).x, 0, 1e-9);
  EXPECT_NEAR(world.velocity(balls.resting).x, 6, 1e-9);
  EXPECT_EQ(events[1].kind, EventKind::kContactEnd);
  EXPECT_NEAR(events[1].time, 2.0 / 6, 2.0 / 60 + 1e-12);
}

TEST(ContactEvents, BeginOnceWhereABodyComesToRest) {
  World world = test::make_world();
  const MaterialId dull = *world.add_material({.restitution = 0});
  BodyDef floor = make_floor(), box = test::make_box({0, 0.5, 0});  // half height 0.3
  floor.colliders[0].material = box.colliders[0].material = dull;
  const BodyHandle ground = *world.create_body(floor), body = *world.create_body(box);
  const std::vector<Event> events = test::run_and_collect(world, 180);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kContactBegin);
  EXPECT_EQ(events[0].a, ground);
  EXPECT_EQ(events[0].b, body);
  EXPECT_NEAR(events[0].time, std::sqrt(2 * 0.2 / 9.81), 1.0 / 60 + 1e-12);
  EXPECT_NEAR(world.pose(body).p.y, 0.3, 2e-5);
}

TEST(SensorEvents, EnterAndLeaveOnceAsABodyPassesThrough) {
  World world = make_weightless();
  const TwoBalls balls(world, {Sphere{0.5}, {}, 0, 1000, {}, true});
  const std::vector<Event> events = test::run_and_collect(world, 120);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kSensorEnter);
  EXPECT_EQ(events[0].a, balls.moving);
  EXPECT_EQ(events[0].b, balls.resting);
  // centres 1 m apart: after 2 m at 6 m/s
  EXPECT_NEAR(events[0].time, 2.0 / 6, 1.0 / 60 + 1e-12);
  EXPECT_EQ(events[1].kind, EventKind::kSensorLeave);
  EXPECT_NEAR(events[1].time, 4.0 / 6, 1.0 / 60 + 1e-12);
  EXPECT_EQ(world.velocity(balls.moving), (Vec3{6, 0, 0}));
}

TEST(Penetration, IsTheDeepestOverlapOfAllContacts) {
  World world = make_weightless();
  // a step so short that next to nothing of an overlap goes in it
  WorldSettings s = world.settings();
  s.step = 1e-9;
  ASSERT_TRUE(world.set_settings(s).ok());
  ASSERT_TRUE(world.create_body(make_floor()).ok());
  const BodyHandle deep = *world.create_body(test::make_box({0, 0.25, 0}));  // half height 0.3
  const BodyHandle low = *world.create_body(test::make_box({5, 0.299, 0}));
  world.step();
  EXPECT_NEAR(world.diagnostics().penetration_m, 0.05, 1e-7);
  EXPECT_EQ(world.diagnostics().contact_pairs, 2u);
  EXPECT_EQ(world.diagnostics().contacts, 8u);
  // overlaps go, and nothing is thrown
  s.step = 1.0 / 60;
  ASSERT_TRUE(world.set_settings(s).ok());
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_LT(world.diagnostics().penetration_m, 1e-5);
  for (const BodyHandle body : {deep, low}) {
    EXPECT_LT(norm(world.velocity(body)), 1e-9);
    EXPECT_NEAR(world.pose(body).p.y, 0.3, 2e-5);
  }
}

TEST(CollisionClasses, KeepBodiesApartThatMayNotTouch) {
  World world = test::make_world();
  const CollisionClass ghosts = *world.add_collision_class();
  ASSERT_TRUE(world.set_may_touch(0, ghosts, false).ok());
  BodyDef def = test::make_box({});
  ASSERT_TRUE(world.create_body(def).ok());
  def.collision_class = ghosts;
  ASSERT_TRUE(world.create_body(def).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
  ASSERT_TRUE(world.create_body(def).ok());  // a second ghost touches the first
  world.step();
  EXPECT_EQ(world.contacts().size(), 1u);
  EXPECT_FALSE(world.set_may_touch(0, 9, true).ok());
}

TEST(CollisionSwitch, AndImmovablePairsGiveNoContacts) {
  World world = test::make_world();
  BodyDef off = test::make_box({});
  off.collision = false;
  ASSERT_TRUE(world.create_body(off).ok());
  ASSERT_TRUE(world.create_body(test::make_box({})).ok());
  BodyDef wall = test::make_box({5, 0, 0});
  wall.motion = MotionKind::kStatic;
  ASSERT_TRUE(world.create_body(wall).ok());
  wall.motion = MotionKind::kKinematic;
  wall.script.start.p = {5, 0, 0};
  ASSERT_TRUE(world.create_body(wall).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
}

TEST(JointedBodies, TouchOnlyWhereTheirJointSaysSo) {
  World world = test::make_world();
  JointDef def;
  def.parent = *world.create_body(test::make_box({}));
  def.child = *world.create_body(test::make_box({0.01, 0, 0}));
  def.X_BP.p = {0.005, 0, 0};
  def.X_BC.p = {-0.005, 0, 0};
  const JointHandle joint = *world.create_joint(def);
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
  ASSERT_TRUE(world.set_joint_enabled(joint, false).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 1u);
  ASSERT_TRUE(world.remove_joint(joint).ok());
  def.bodies_collide = true;
  ASSERT_TRUE(world.create_joint(def).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 1u);
}

TEST(Compounds, CollideWithEveryPartAndNeverWithThemselves) {
  WorldSettings s;
  s.gravity = {};
  s.step = 1e-9;  // nothing moves far: distances are those of the start
  World world = test::make_world(s);
  BodyDef dumbbell;
  dumbbell.colliders = {{Sphere{0.5}, {{-1, 0, 0}, {}}, 0, 1000},
                        {Box{{1, 0.1, 0.1}}, {}, 0, 1000},
                        {Sphere{0.5}, {{1, 0, 0}, {}}, 0, 1000}};
  const BodyHandle body = *world.create_body(dumbbell);
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
  BodyDef ball;
  ball.colliders = {{Sphere{0.2}, {}, 0, 1000}};
  ball.X_WB.p = {1, 0.6, 0};
  ASSERT_TRUE(world.create_body(ball).ok());
  world.step();
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_NEAR(world.contacts()[0].manifold.distance, -0.1, 1e-7);
  ASSERT_TRUE(world.remove_body(body).ok());
  EXPECT_EQ(world.contacts().size(), 0u);
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
  ASSERT_TRUE(world.events().empty());
}

TEST(PhaseTimings, ComeFromTheClockOfTheSettings) {
  WorldSettings s;
  s.clock = [] {
    static double ticks = 0;
    return ticks += 1;
  };
  World world = test::make_world(s);
  world.step();
  for (int i = 0; i < kPhaseCount; ++i) {
    // bodies are released, joints answer to kicks and contacts are looked for at the begin of a
    // step as well, what stands still is counted, and what makes a run doubtful is looked for
    const auto phase = static_cast<Phase>(i);
    const bool twice = phase == Phase::kKinematics || phase == Phase::kMechanisms ||
                       phase == Phase::kNarrowPhase || phase == Phase::kRebounds ||
                       phase == Phase::kDiagnostics;
    const double ticks = twice ? 2 : 1;
    EXPECT_DOUBLE_EQ(world.diagnostics().phase_ms[static_cast<size_t>(i)], 1000 * ticks);
  }
}

}  // namespace
}  // namespace tenon
