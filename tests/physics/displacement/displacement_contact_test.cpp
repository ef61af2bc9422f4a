// Contacts of the method 'displacement': one-sided displacements with friction.
#include "displacement_kit.h"

namespace tenon {
namespace {

using namespace displacement_kit;

World make_ground(double step = 1.0 / 60, double friction = 0.5, double restitution = 0,
                  const Vec3& gravity = {0, -9.81, 0}) {
  World world = make_world({.step = step, .gravity = gravity, .tolerance = 1e-6});
  SurfaceMaterial m;
  m.static_friction = m.sliding_friction = friction;
  m.restitution = restitution;
  const MaterialId id = *world.add_material(m);
  BodyDef floor;
  floor.motion = MotionKind::kStatic;
  floor.colliders = make_collider(Plane{});
  floor.colliders[0].material = id;
  add(world, floor);
  return world;
}

BodyHandle add_box(World& world, const Vec3& half, const Vec3& at, double density = 1000,
                   const Vec3& velocity = {}) {
  BodyDef box;
  box.colliders = make_collider(Box{.half = half});
  box.colliders[0].material = 1;
  box.colliders[0].density = density;
  box.X_WB.p = at;
  box.velocity = velocity;
  return add(world, box);
}

TEST(DisplacementContact, AStackOfTenBoxesStands) {
  World world = make_ground();
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 10; ++i) {
    boxes.push_back(add_box(world, {0.25, 0.25, 0.25}, {0, 0.25 + 0.5 * i, 0}));
  }
  double overlap = 0;
  for (int n = 0; n < 600; ++n) {
    world.step();
    overlap = std::max(overlap, world.diagnostics().penetration_m);
  }
  EXPECT_LT(overlap, 1e-3);
  const Vec3 top = world.pose(boxes.back()).p;
  EXPECT_LT(std::hypot(top.x, top.z), 1e-2);
  EXPECT_NEAR(top.y, 4.75, 5e-3);
}

// On a slope of angle a a box stays where tan a < mu, and slides by g (sin a - mu cos a) t^2 / 2
// where not. The slope is gravity's.
TEST(DisplacementContact, FrictionHoldsUpToItsAngleAndSlidesByCoulombsLawBeyond) {
  const double mu = 0.5;
  for (const double angle : {std::atan(mu) - 0.02, std::atan(mu) + 0.1}) {
    const Vec3 g = 9.81 * Vec3{std::sin(angle), -std::cos(angle), 0};
    World world = make_ground(1.0 / 120, mu, 0, g);
    const BodyHandle box = add_box(world, {0.5, 0.1, 0.5}, {0, 0.1, 0});
    for (int n = 0; n < 120; ++n) world.step();
    const double slope = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    const double expected = slope > 0 ? 0.5 * slope : 0;
    EXPECT_NEAR(world.pose(box).p.x, expected, 0.02 * expected + 1e-3) << angle;
  }
}

TEST(DisplacementContact, SlidingFrictionActsAlikeInAllDirections) {
  double least = 1e9, most = 0;
  for (int k = 0; k < 8; ++k) {
    World world = make_ground(1.0 / 120, 0.4);
    const double a = 0.1 + 0.2 * k;
    const BodyHandle box =
        add_box(world, {0.2, 0.05, 0.2}, {0, 0.05, 0}, 1000, {2 * std::cos(a), 0, 2 * std::sin(a)});
    for (int n = 0; n < 240; ++n) world.step();
    const Vec3 x = world.pose(box).p;
    const double way = std::hypot(x.x, x.z);
    EXPECT_NEAR(std::atan2(x.z, x.x), a, 0.02);
    least = std::min(least, way);
    most = std::max(most, way);
  }
  // v^2 / (2 mu g) = 0.5097 m
  EXPECT_NEAR(least, 0.5097, 0.02);
  EXPECT_LT(most - least, 0.01);
}

TEST(DisplacementContact, ABallBouncesByItsRestitution) {
  for (const double e : {0.0, 0.5, 0.9}) {
    World world = make_ground(1.0 / 240, 0.5, e);
    BodyDef ball;
    ball.colliders = make_collider(Sphere{.radius = 0.1});
    ball.colliders[0].material = 1;
    ball.X_WB.p = {0, 1.1, 0};
    const BodyHandle body = add(world, ball);
    double apex = 0;
    bool hit = false;
    for (int n = 0; n < 240; ++n) {
      world.step();
      const double v = world.velocity(body).y;
      if (v > 0 && !hit) hit = true;
      if (hit) apex = std::max(apex, world.pose(body).p.y - 0.1);
      ASSERT_GT(world.pose(body).p.y, 0.1 - 1e-4);
    }
    // the moment of the hit is known to a step: 4.4 m/s times 1/240 s of way
    EXPECT_NEAR(apex, e * e, 0.02 + 0.05 * e) << e;
  }
}

// A rod that lands aslant turns as it bounces: levers change within the step.
TEST(DisplacementContact, ABounceMakesNoEnergy) {
  for (const double e : {0.5, 1.0}) {
    World world = make_ground(1.0 / 60, 0, e);
    BodyDef rod;
    rod.colliders = make_collider(Box{.half = {0.5, 0.05, 0.05}});
    rod.colliders[0].material = 1;
    rod.X_WB = {{0, 1.2, 0}, from_axis_angle({0, 0, 1}, 0.6)};
    add(world, rod);
    const auto energy = [&] {
      const Mechanics m = world.calc_mechanics();
      return m.kinetic_J + m.potential_J;
    };
    const double begin = energy();
    for (int n = 0; n < 180; ++n) {
      world.step();
      ASSERT_LT(energy(), begin * (1 + 1e-2)) << e << " " << n;
    }
  }
}

TEST(DisplacementContact, OneIterationHasFriction) {
  World world = make_ground(1.0 / 60, 0.5);
  WorldSettings s = world.settings();
  s.displacement.geometric = 1;
  ASSERT_TRUE(world.set_settings(s).ok());
  const BodyHandle box = add_box(world, {0.2, 0.1, 0.2}, {0, 0.1, 0}, 1000, {2, 0, 0});
  for (int n = 0; n < 60; ++n) world.step();
  EXPECT_LT(norm(world.velocity(box)), 0.1);
}

TEST(DisplacementContact, AHeavyBoxRestsOnALightMechanism) {
  World world = make_ground();
  // a plank on four hinged legs' worth of height: a table of light boxes under 100 times their mass
  add_box(world, {0.5, 0.1, 0.5}, {0, 0.1, 0}, 100);
  const BodyHandle heavy = add_box(world, {0.5, 0.5, 0.5}, {0, 0.7, 0}, 2000);
  for (int n = 0; n < 300; ++n) world.step();
  EXPECT_NEAR(world.pose(heavy).p.y, 0.7, 2e-3);
  EXPECT_LT(world.diagnostics().penetration_m, 1e-3);
}

TEST(DisplacementContact, AChainLandsOnTheGroundWithItsJointsWhole) {
  World world = make_ground();
  BodyHandle last;
  for (int i = 0; i < 12; ++i) {
    const BodyHandle now = add_box(world, {0.15, 0.05, 0.05}, {0.3 * i, 1 + 0.02 * i, 0});
    if (i > 0) add_hinge_z(world, last, {0.15, 0, 0}, now, {-0.15, 0, 0});
    last = now;
  }
  double gap = 0;
  for (int n = 0; n < 300; ++n) {
    world.step();
    gap = std::max(gap, world.diagnostics().joint_gap_rel);
  }
  EXPECT_LT(gap, 2e-2);  // with a budget of iterations, while it lands
  EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-4);
  EXPECT_LT(world.diagnostics().penetration_m, 2e-3);
  EXPECT_EQ(world.diagnostics().frozen_bodies, 0u);
}

TEST(DisplacementContact, AMechanismObeysItsLimits) {
  World world = make_world({.step = 1.0 / 60, .gravity = {0, -9.81, 0}, .tolerance = 1e-6});
  const BodyHandle rod = add(world, make_rod({0.5, 0, 0}));
  JointDef hinge;
  hinge.kind = JointKind::kHinge;
  hinge.child = rod;
  hinge.X_BP = {{0, 0, 0}, along_z()};
  hinge.X_BC = {{-0.5, 0, 0}, along_z()};
  hinge.axes[3].min = -0.5;
  hinge.axes[3].max = 0.5;
  const JointHandle joint = *world.create_joint(hinge);
  for (int n = 0; n < 300; ++n) {
    world.step();
    ASSERT_LT(std::fabs(world.read_joint(joint).coordinate[3]), 0.5 + 1e-4) << n;
  }
  EXPECT_NEAR(world.read_joint(joint).coordinate[3], -0.5, 1e-3);
}

TEST(DisplacementContact, ThreadsDoNotChangeABit) {
  const auto run = [](int threads) {
    World world = make_ground();
    WorldSettings s = world.settings();
    s.threads = threads;
    EXPECT_TRUE(world.set_settings(s).ok());
    for (int i = 0; i < 12; ++i) {
      add_box(world, {0.2, 0.2, 0.2}, {3.0 * (i % 4), 0.3 + 0.45 * (i / 4), 0.02 * i});
    }
    for (int n = 0; n < 100; ++n) world.step();
    return world.state_hash();
  };
  EXPECT_EQ(run(1), run(2));
}

}  // namespace
}  // namespace tenon
