// Changing bodies between steps, and how the balance accounts for it.
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

double balance(const World& world) {
  const StepDiagnostics& d = world.diagnostics();
  return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
}

TEST(WorldEdits, AreBookedAsWorkOfTheUser) {
  World world = test::make_world();
  const BodyHandle a = *world.create_body(test::make_box({0, 1, 0}));
  const double start = balance(world);
  EXPECT_NEAR(start, 0, 1e-9);
  ASSERT_TRUE(world.set_velocity(a, {1, 2, 3}).ok());
  EXPECT_NEAR(balance(world), start, 1e-9);
  ASSERT_TRUE(world.set_angular_velocity(a, {4, 5, 6}).ok());
  EXPECT_NEAR(balance(world), start, 1e-9);
  ASSERT_TRUE(world.set_pose(a, {{0, 50, 0}, exp_map({1, 0, 0})}).ok());
  EXPECT_NEAR(balance(world), start, 1e-9);
  const BodyHandle b = *world.create_body(test::make_box({9, 9, 9}));
  EXPECT_NEAR(balance(world), start, 1e-9);
  ASSERT_TRUE(world.remove_body(a).ok());
  EXPECT_NEAR(balance(world), start, 1e-9);
  WorldSettings s = world.settings();
  s.gravity = {0, 0, -1.6};
  ASSERT_TRUE(world.set_settings(s).ok());
  EXPECT_NEAR(balance(world), start, 1e-9);
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_NEAR(balance(world), start, 1e-8);
  EXPECT_TRUE(world.contains(b));
}

TEST(WorldEdits, ANewPoseKeepsTheAngularVelocity) {
  World world = test::make_world();
  BodyDef def = test::make_box({});
  def.angular_velocity = {1, 2, 3};
  const BodyHandle body = *world.create_body(def);
  ASSERT_TRUE(world.set_pose(body, {{1, 1, 1}, exp_map({0.3, -1, 2})}).ok());
  EXPECT_LT(norm(world.angular_velocity(body) - Vec3{1, 2, 3}), 1e-14);
  world.step();
  EXPECT_GT(norm(world.angular_momentum(body)), 0);
}

TEST(WorldEdits, ForcesActForOneStepAtTheirPoint) {
  WorldSettings s;
  s.gravity = {};
  s.step = 0.01;
  World world = test::make_world(s);
  BodyDef def = test::make_box({1, 0, 0});
  def.mass = MassProperties{2, {}, Mat3::diagonal({1, 1, 1})};
  const BodyHandle body = *world.create_body(def);
  ASSERT_TRUE(world.apply_force(body, {0, 10, 0}, {2, 0, 0}).ok());  // lever 1 m along x
  world.step();
  EXPECT_NEAR(world.velocity(body).y, 10.0 / 2 * 0.01, 1e-15);
  EXPECT_NEAR(world.angular_velocity(body).z, 10 * 0.01, 1e-15);
  const Vec3 v = world.velocity(body);
  world.step();
  EXPECT_EQ(world.velocity(body), v);
}

// A ball that is kicked against a third one while it is joined to another of its mass: the joint
// makes v/2 of v, and a blow of two masses against one with the restitution e = 1/2 of the default
// material sends the third on at (1 + e) 2/3 v/2.
TEST(WorldEdits, JointsAnswerToAKickBeforeContactsDo) {
  World world = test::make_world({.gravity = {}, .step = 1.0 / 60});
  BodyDef ball;
  ball.colliders = {{Sphere{0.5}, {}, 0, 1000}};
  BodyHandle balls[3];
  for (int i = 0; i < 3; ++i) {
    ball.X_WB.p = {1.0 * i, 0, 0};
    balls[i] = *world.create_body(ball);
  }
  JointDef joint;
  joint.kind = JointKind::kRigid;
  joint.parent = balls[0];
  joint.child = balls[1];
  joint.X_BP.p = {0.5, 0, 0};
  joint.X_BC.p = {-0.5, 0, 0};
  ASSERT_TRUE(world.create_joint(joint).ok());
  world.step();
  ASSERT_TRUE(world.set_velocity(balls[1], {3, 0, 0}).ok());
  const double given = world.diagnostics().mechanics.kinetic_J;
  world.step();
  // to the tolerance of the joint
  EXPECT_NEAR(world.velocity(balls[0]).x, 0.75, 1e-6);
  EXPECT_NEAR(world.velocity(balls[1]).x, 0.75, 1e-6);
  EXPECT_NEAR(world.velocity(balls[2]).x, 1.5, 1e-6);
  EXPECT_NEAR(world.diagnostics().mechanics.kinetic_J, 0.375 * given, 1e-6 * given);
  EXPECT_NEAR(world.diagnostics().contact_work_J, -0.125 * given, 1e-6 * given);
}

TEST(WorldEdits, BadNumbersAreRefused) {
  World world = test::make_world();
  const BodyHandle body = *world.create_body(test::make_box({}));
  const double nan = std::nan("");
  EXPECT_FALSE(world.set_pose(body, {{nan, 0, 0}, {}}).ok());
  EXPECT_FALSE(world.set_pose(body, {{}, {0, 0, 0, 0}}).ok());
  EXPECT_FALSE(world.set_velocity(body, {nan, 0, 0}).ok());
  EXPECT_FALSE(world.set_angular_velocity(body, {0, nan, 0}).ok());
  EXPECT_FALSE(world.apply_force(body, {nan, 0, 0}, {}).ok());
  world.step();
  EXPECT_TRUE(is_finite(world.center_of_mass(body)));
}

TEST(Materials, MixByTheGeometricMeanUnlessAPairSaysOtherwise) {
  World world = test::make_world();
  const MaterialId ice = *world.add_material({.restitution = 0.25, .static_friction = 0.04});
  const MaterialId rubber = *world.add_material({.restitution = 1, .static_friction = 1});
  EXPECT_DOUBLE_EQ(world.materials().mix(ice, rubber).static_friction, 0.2);
  EXPECT_DOUBLE_EQ(world.materials().mix(ice, rubber).restitution, 0.5);
  EXPECT_EQ(world.materials().mix(ice, ice).static_friction, 0.04);
  ASSERT_TRUE(world.set_material_pair(rubber, ice, {.static_friction = 0.7}).ok());
  EXPECT_EQ(world.materials().mix(ice, rubber).static_friction, 0.7);
  EXPECT_EQ(world.materials().mix(rubber, ice), world.materials().mix(ice, rubber));
  // an override of one friction value moves the other only as far as it must
  ASSERT_TRUE(world.set_material_pair(ice, ice, {.sliding_friction = 0.2}).ok());
  EXPECT_EQ(world.materials().mix(ice, ice).static_friction, 0.2);
  ASSERT_TRUE(world.set_material_pair(ice, ice, {.static_friction = 0.01}).ok());
  EXPECT_EQ(world.materials().mix(ice, ice).sliding_friction, 0.01);
  EXPECT_FALSE(world.add_material({.restitution = 1.5}).ok());
  EXPECT_FALSE(world.set_material_pair(ice, 77, {}).ok());
}

}  // namespace
}  // namespace tenon
