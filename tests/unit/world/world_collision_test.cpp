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

std::vector<Event> run_and_collect(World& world, int steps) {
  std::vector<Event> all;
  for (int i = 0; i < steps; ++i) {
    world.step();
    all.insert(all.end(), world.events().begin(), world.events().end());
  }
  return all;
}

TEST(ContactEvents, BeginAndEndOnceAsABodyPassesThrough) {
  WorldSettings s;
  s.gravity = {};
  World world = test::make_world(s);
  BodyDef ball;
  ball.colliders = {{Sphere{0.5}, {}, 0, 1000}};
  ball.X_WB.p = {-3, 0, 0};
  ball.velocity = {6, 0, 0};
  const BodyHandle moving = *world.create_body(ball);
  ball.X_WB.p = {0, 0, 0};
  ball.velocity = {};
  const BodyHandle resting = *world.create_body(ball);
  const std::vector<Event> events = run_and_collect(world, 120);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kContactBegin);
  EXPECT_EQ(events[0].a, moving);
  EXPECT_EQ(events[0].b, resting);
  // centres 1 m apart: after 2 m at 6 m/s
  EXPECT_NEAR(events[0].time, 2.0 / 6, 1.0 / 60 + 1e-12);
  EXPECT_EQ(events[1].kind, EventKind::kContactEnd);
  EXPECT_NEAR(events[1].time, 4.0 / 6, 1.0 / 60 + 1e-12);
}

TEST(Penetration, IsTheDeepestOverlapOfAllContacts) {
  WorldSettings s;
  s.gravity = {};
  World world = test::make_world(s);
  ASSERT_TRUE(world.create_body(make_floor()).ok());
  ASSERT_TRUE(world.create_body(test::make_box({0, 0.25, 0})).ok());  // half height 0.3
  ASSERT_TRUE(world.create_body(test::make_box({5, 0.299, 0})).ok());
  world.step();
  EXPECT_NEAR(world.diagnostics().penetration_m, 0.05, 1e-12);
  EXPECT_EQ(world.diagnostics().contact_pairs, 2u);
  EXPECT_EQ(world.diagnostics().contacts, 8u);
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
  EXPECT_NEAR(world.contacts()[0].manifold.distance, -0.1, 1e-12);
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
  for (const double ms : world.diagnostics().phase_ms) EXPECT_DOUBLE_EQ(ms, 1000);
}

}  // namespace
}  // namespace tenon
