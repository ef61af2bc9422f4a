// Settings, time, bodies by handle, refusals.
#include <cmath>
#include <limits>

#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(WorldSettings, OutOfRangeValuesAreRefusedByName) {
  WorldSettings s;
  s.step = 0;
  EXPECT_NE(World::make(s).error().message.find("step"), std::string::npos);
  s = {};
  s.step = kNan;
  EXPECT_FALSE(World::make(s).ok());
  s = {};
  s.tolerance = 2;
  EXPECT_NE(World::make(s).error().message.find("tolerance"), std::string::npos);
  s = {};
  s.threads = 0;
  EXPECT_NE(World::make(s).error().message.find("threads"), std::string::npos);
  s = {};
  s.gravity = {0, kInf, 0};
  EXPECT_NE(World::make(s).error().message.find("gravity"), std::string::npos);
}

TEST(WorldTime, IsAMultipleOfTheStepAndNotASum) {
  World world = test::make_world();
  for (int i = 0; i < 6000; ++i) world.step();
  EXPECT_EQ(world.time(), 6000 * (1.0 / 60));
  WorldSettings s = world.settings();
  s.step = 0.01;
  ASSERT_TRUE(world.set_settings(s).ok());
  world.step();
  EXPECT_EQ(world.time(), 6000 * (1.0 / 60) + 0.01);
  EXPECT_EQ(world.step_count(), 6001u);
}

TEST(WorldBodies, HandlesGoStaleAndSlotsAreReusedLowestFirst) {
  World world = test::make_world();
  const BodyHandle a = *world.create_body(test::make_box({0, 0, 0}));
  const BodyHandle b = *world.create_body(test::make_box({5, 0, 0}));
  const BodyHandle c = *world.create_body(test::make_box({10, 0, 0}));
  ASSERT_TRUE(world.remove_body(b).ok());
  ASSERT_TRUE(world.remove_body(a).ok());
  EXPECT_FALSE(world.contains(a));
  EXPECT_TRUE(world.contains(c));
  EXPECT_FALSE(world.remove_body(a).ok());
  EXPECT_FALSE(world.set_velocity(a, {}).ok());
  const BodyHandle d = *world.create_body(test::make_box({0, 5, 0}));
  EXPECT_EQ(d.index, a.index);
  EXPECT_NE(d.generation, a.generation);
  EXPECT_FALSE(world.contains(a));
  EXPECT_EQ(world.body_count(), 2u);
  EXPECT_EQ(world.bodies(), (std::vector<BodyHandle>{d, c}));
}

TEST(WorldBodies, BadDefinitionsAreRefusedAndChangeNothing) {
  World world = test::make_world();
  const uint64_t before = world.state_hash();
  const auto refused = [&](const BodyDef& def, const char* word) {
    const Result<BodyHandle> made = world.create_body(def);
    ASSERT_FALSE(made.ok()) << word;
    EXPECT_NE(format(made.error()).find(word), std::string::npos) << format(made.error());
  };
  BodyDef def = test::make_box({kNan, 0, 0});
  refused(def, "finite");
  def = test::make_box({});
  def.X_WB.q = {0, 0, 0, 0};
  refused(def, "quaternion");
  def = test::make_box({}, {0, 1, 1});
  refused(def, "collider 0");
  def = test::make_box({}, {-1, 1, 1});
  refused(def, "collider 0");
  def = test::make_box({});
  def.colliders[0].density = 0;
  refused(def, "density");
  def.colliders[0] = {Plane{}, {}, 0, 1000};
  refused(def, "plane");
  def = {};
  refused(def, "mass");
  def.mass = MassProperties{1, {}, Mat3::diagonal({1, 1, 3})};  // breaks the triangle inequality
  refused(def, "triangle");
  def.mass = MassProperties{-1, {}, Mat3::diagonal({1, 1, 1})};
  refused(def, "mass");
  def = test::make_box({});
  def.colliders[0].material = 9;
  refused(def, "material");
  def = test::make_box({});
  def.collision_class = 3;
  refused(def, "class");
  def = test::make_box({});
  def.drag = -1;
  refused(def, "air");
  def = test::make_box({});
  def.motion = MotionKind::kKinematic;
  def.script.kind = KinematicMotion::Kind::kKeyframes;
  refused(def, "key");
  EXPECT_EQ(world.state_hash(), before);
  EXPECT_EQ(world.body_count(), 0u);
}

TEST(WorldBodies, MassComesFromShapesAndDensities) {
  World world = test::make_world();
  BodyDef def;
  def.colliders = {{Box{{0.5, 0.5, 0.5}}, {{-0.5, 0, 0}, {}}, 0, 1000},
                   {Box{{0.5, 0.5, 0.5}}, {{0.5, 0, 0}, {}}, 0, 3000}};
  def.X_WB.p = {1, 2, 3};
  const BodyHandle body = *world.create_body(def);
  EXPECT_NEAR(world.mass(body).mass, 4000, 1e-9);
  EXPECT_NEAR(world.mass(body).com_B.x, 0.25, 1e-15);
  EXPECT_NEAR(world.center_of_mass(body).x, 1.25, 1e-15);
  EXPECT_EQ(world.pose(body).p, (Vec3{1, 2, 3}));
}

TEST(WorldBodies, APointMassFallsAndDoesNotTurn) {
  World world = test::make_world();
  BodyDef def;
  def.mass = point_mass(2, {});
  def.angular_velocity = {1, 2, 3};
  const BodyHandle body = *world.create_body(def);
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_NEAR(world.center_of_mass(body).y, -0.5 * 9.81, 1e-12);
  ASSERT_TRUE(world.apply_force(body, {0, 1, 0}, {5, 0, 0}).ok());  // nothing to turn
  world.step();
  EXPECT_EQ(world.angular_velocity(body), Vec3{});
  EXPECT_EQ(world.angular_momentum(body), Vec3{});
  EXPECT_EQ(world.pose(body).q, Quat{});
}

TEST(WorldBodies, StaticBodiesStayAndBodiesWithoutGravityFloat) {
  World world = test::make_world();
  BodyDef wall = test::make_box({3, 0, 0});
  wall.motion = MotionKind::kStatic;
  BodyDef balloon = test::make_box({0, 5, 0});
  balloon.gravity = false;
  balloon.velocity = {0, 0, 1};
  const BodyHandle w = *world.create_body(wall), b = *world.create_body(balloon);
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_EQ(world.pose(w).p, (Vec3{3, 0, 0}));
  EXPECT_NEAR(norm(world.center_of_mass(b) - Vec3{0, 5, 1}), 0, 1e-13);
  EXPECT_FALSE(world.set_velocity(w, {1, 0, 0}).ok());
  EXPECT_FALSE(world.apply_wrench(w, {}).ok());
}

TEST(WorldBodies, ABodyThatLeavesAllBoundsIsFrozenAndReported) {
  World world = test::make_world();
  BodyDef def = test::make_box({0, 0, 0});
  const BodyHandle calm = *world.create_body(def);
  def.X_WB.p = {9.9e8, 0, 0};
  def.velocity = {1e9, 0, 0};
  const BodyHandle wild = *world.create_body(def);
  world.step();
  ASSERT_EQ(world.events().size(), 1u);
  EXPECT_EQ(world.events()[0].kind, EventKind::kBodyFrozen);
  EXPECT_EQ(world.events()[0].a, wild);
  EXPECT_TRUE(world.frozen(wild));
  EXPECT_FALSE(world.frozen(calm));
  EXPECT_EQ(world.diagnostics().frozen_bodies, 1u);
  EXPECT_EQ(world.velocity(wild), Vec3{});
  world.step();
  EXPECT_TRUE(is_finite(world.center_of_mass(wild)));
  EXPECT_LT(world.center_of_mass(calm).y, 0);
  const StepDiagnostics& d = world.diagnostics();
  EXPECT_TRUE(std::isfinite(d.mechanics.kinetic_J) && std::isfinite(d.work_J));
  EXPECT_NEAR(d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J, 0, 1e-9);
  // nothing but a new pose brings it back
  EXPECT_FALSE(world.set_velocity(wild, {1, 0, 0}).ok());
  EXPECT_FALSE(world.apply_wrench(wild, {}).ok());
  ASSERT_TRUE(world.set_pose(wild, {{50, 0, 0}, {}}).ok());
  EXPECT_FALSE(world.frozen(wild));
  // and what would leave the bounds is refused at once
  def.velocity = {1e300, 0, 0};
  EXPECT_FALSE(world.create_body(def).ok());
  EXPECT_FALSE(world.set_velocity(calm, {0, 1e200, 0}).ok());
  EXPECT_FALSE(world.set_pose(calm, {{0, 1e300, 0}, {}}).ok());
  EXPECT_FALSE(world.set_angular_velocity(calm, {0, 1e160, 0}).ok());
}

TEST(KinematicBodies, FollowTheirScriptsWithoutDrift) {
  World world = test::make_world();
  BodyDef def = test::make_box({});
  def.motion = MotionKind::kKinematic;
  def.script.kind = KinematicMotion::Kind::kTurn;
  def.script.start.p = {2, 1, 0};
  def.script.rate = 3;
  const BodyHandle body = *world.create_body(def);
  for (int i = 0; i < 60000; ++i) world.step();
  const double angle = 3 * world.time();
  const Vec3 expected{2 * std::cos(angle), 1, -2 * std::sin(angle)};
  EXPECT_LT(norm(world.pose(body).p - expected), 1e-11);
  EXPECT_NEAR(world.angular_velocity(body).y, 3, 1e-9);
}

TEST(KinematicBodies, SmoothKeysPassThroughTheKeysWithContinuousVelocity) {
  KinematicMotion m;
  m.kind = KinematicMotion::Kind::kKeyframes;
  m.interpolation = KinematicMotion::Interpolation::kSmooth;
  m.keys = {{0, {{0, 0, 0}, {}}},
            {1, {{1, 2, 0}, exp_map({0, 1, 0})}},
            {3, {{4, 0, 1}, exp_map({0.5, 1, 0.3})}}};
  ASSERT_TRUE(check(m).ok());
  for (const PoseKey& key : m.keys) {
    EXPECT_LT(norm(pose_at(m, key.time).p - key.X_WB.p), 1e-14);
    EXPECT_LT(norm(log_map(pose_at(m, key.time).q * conjugate(key.X_WB.q))), 1e-14);
  }
  const double e = 1e-6;
  const Vec3 before = (pose_at(m, 1).p - pose_at(m, 1 - e).p) / e;
  const Vec3 after = (pose_at(m, 1 + e).p - pose_at(m, 1).p) / e;
  EXPECT_LT(norm(before - after), 1e-4);
  const Vec3 w_before = log_map(pose_at(m, 1).q * conjugate(pose_at(m, 1 - e).q)) / e;
  const Vec3 w_after = log_map(pose_at(m, 1 + e).q * conjugate(pose_at(m, 1).q)) / e;
  EXPECT_LT(norm(w_before - w_after), 1e-4);
  EXPECT_LT(norm(pose_at(m, e).p / e), 1e-4);  // starts from rest
}

TEST(KinematicBodies, TurnOnThroughKeysMoreThanAQuarterTurnApart) {
  KinematicMotion m;
  m.kind = KinematicMotion::Kind::kKeyframes;
  m.interpolation = KinematicMotion::Interpolation::kSmooth;
  for (int i = 0; i < 4; ++i) {
    m.keys.push_back({static_cast<double>(i), {{}, exp_map({0, i * 2 * kPi / 3, 0})}});
  }
  ASSERT_TRUE(check(m).ok());
  for (const double t : {1.0, 1.5, 2.0}) {
    EXPECT_NEAR(mean_velocity(m, t - 1e-5, t + 1e-5).w_WB.y, 2 * kPi / 3, 1e-3) << t;
  }
}

TEST(KinematicBodies, HaveTheVelocityThatIsTheDerivativeOfTheirPose) {
  KinematicMotion turn;
  turn.kind = KinematicMotion::Kind::kTurn;
  turn.start = {{2, 1, 0}, exp_map({0.3, 0.2, 0.1})};
  turn.point = {0.5, 0, 0};
  turn.axis = normalized(Vec3{1, 2, 3});
  turn.rate = 4;
  KinematicMotion smooth;
  smooth.kind = KinematicMotion::Kind::kKeyframes;
  smooth.interpolation = KinematicMotion::Interpolation::kSmooth;
  smooth.keys = {{0, {{0, 0, 0}, {}}},
                 {1, {{1, 2, 0}, exp_map({0, 2, 1})}},
                 {3, {{4, 0, 1}, exp_map({0.5, 1, 0.3})}}};
  KinematicMotion mirror = smooth, loop = smooth, linear = smooth;
  mirror.repeat = KinematicMotion::Repeat::kMirror;
  loop.repeat = KinematicMotion::Repeat::kLoop;
  linear.interpolation = KinematicMotion::Interpolation::kLinear;
  const double e = 1e-5;
  for (const KinematicMotion& m : {turn, smooth, mirror, loop, linear}) {
    for (const double t : {0.1, 0.7, 1.3, 2.9, 3.2, 4.4, 5.5, 7.7}) {
      const Pose a = pose_at(m, t - e), b = pose_at(m, t + e);
      const ScriptVelocity v = velocity_at(m, t);
      // central differences: e^2 times third derivatives of some hundred
      EXPECT_LT(norm(v.v_WB - (b.p - a.p) / (2 * e)), 1e-6) << t;
      EXPECT_LT(norm(v.w_WB - log_map(b.q * conjugate(a.q)) / (2 * e)), 1e-6) << t;
    }
  }
}

TEST(KinematicBodies, TakeTheVelocityThatFollowsWhereItJumps) {
  KinematicMotion m;
  m.kind = KinematicMotion::Kind::kKeyframes;
  m.keys = {{0, {}}, {1, {{2, 0, 0}, {}}}, {2, {{1, 0, 0}, {}}}};
  const auto speed = [&](double t) { return velocity_at(m, t).v_WB.x; };
  const double slip = 1e-15;  // times of steps are rounded
  EXPECT_EQ(speed(-0.5), 0);
  EXPECT_EQ(speed(0), 2);
  EXPECT_EQ(speed(1 - slip), -1);
  EXPECT_EQ(speed(1), -1);
  EXPECT_EQ(speed(2 - slip), 0);
  EXPECT_EQ(speed(3), 0);
  m.repeat = KinematicMotion::Repeat::kLoop;
  EXPECT_EQ(speed(2 - slip), 2);
  EXPECT_EQ(speed(3), -1);
  m.repeat = KinematicMotion::Repeat::kMirror;
  EXPECT_EQ(speed(2), 1);
  EXPECT_EQ(speed(3 - slip), -2);
  EXPECT_EQ(speed(4), 2);
}

TEST(KinematicBodies, HaveTheirVelocityFromTheStartAndThroughJumps) {
  World world = test::make_world();
  for (int i = 0; i < 60; ++i) world.step();
  BodyDef def = test::make_box({});
  def.motion = MotionKind::kKinematic;
  def.script.velocity = {2, 0, 0};
  const BodyHandle late = *world.create_body(def);
  EXPECT_NEAR(world.pose(late).p.x, 2, 1e-12);  // where the script is now, not where it began
  EXPECT_EQ(world.velocity(late), (Vec3{2, 0, 0}));
  def.script = {};
  def.script.kind = KinematicMotion::Kind::kTurn;
  def.script.rate = 200;  // more than half a turn per step
  const BodyHandle fast = *world.create_body(def);
  def.script = {};
  def.script.kind = KinematicMotion::Kind::kKeyframes;
  def.script.repeat = KinematicMotion::Repeat::kLoop;
  def.script.keys = {{0, {{0, 0, 0}, {}}}, {1, {{2, 0, 0}, {}}}};
  const BodyHandle loop = *world.create_body(def);
  for (int i = 0; i < 200; ++i) {
    world.step();
    EXPECT_NEAR(world.angular_velocity(fast).y, 200, 1e-9);
    EXPECT_NEAR(world.velocity(loop).x, 2, 1e-6) << world.time();
  }
}

TEST(KinematicBodies, BeyondTheBoundsAreRefusedAtFirstAndFrozenLater) {
  World world = test::make_world();
  BodyDef def = test::make_box({});
  def.motion = MotionKind::kKinematic;
  def.script.velocity = {1e308, 0, 0};
  EXPECT_FALSE(world.create_body(def).ok());
  def.script = {};
  def.script.kind = KinematicMotion::Kind::kKeyframes;
  def.script.keys = {{0, {{0, 0, 0}, {2, 0, 0, 0}}}};  // no unit quaternion
  EXPECT_FALSE(world.create_body(def).ok());
  // at rest in the first second, far outside in the second
  def.script.keys = {{0, {{0, 0, 0}, {}}}, {1, {{0, 0, 0}, {}}}, {2, {{1.5e308, 0, 0}, {}}}};
  const Result<BodyHandle> wild = world.create_body(def);
  ASSERT_TRUE(wild.ok());
  for (int i = 0; i < 59; ++i) world.step();
  ASSERT_FALSE(world.frozen(*wild));
  int frozen_events = 0;
  for (int i = 0; i < 10; ++i) {
    world.step();
    for (const Event& e : world.events()) frozen_events += e.kind == EventKind::kBodyFrozen;
  }
  EXPECT_TRUE(world.frozen(*wild));
  EXPECT_EQ(frozen_events, 1);
  EXPECT_EQ(world.pose(*wild).p, Vec3{});
  EXPECT_EQ(world.velocity(*wild), Vec3{});
}

TEST(KinematicBodies, RepeatRulesFoldTheTime) {
  KinematicMotion m;
  m.kind = KinematicMotion::Kind::kKeyframes;
  m.keys = {{1, {{0, 0, 0}, {}}}, {3, {{2, 0, 0}, {}}}};
  EXPECT_EQ(pose_at(m, 0).p.x, 0);
  EXPECT_EQ(pose_at(m, 9).p.x, 2);
  m.repeat = KinematicMotion::Repeat::kLoop;
  EXPECT_NEAR(pose_at(m, 3.5).p.x, 0.5, 1e-15);
  EXPECT_NEAR(pose_at(m, 0.5).p.x, 1.5, 1e-15);
  m.repeat = KinematicMotion::Repeat::kMirror;
  EXPECT_NEAR(pose_at(m, 3.5).p.x, 1.5, 1e-15);
  EXPECT_NEAR(pose_at(m, 5.5).p.x, 0.5, 1e-15);
}

}  // namespace
}  // namespace tenon
