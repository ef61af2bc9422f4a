// Impacts.
#include "tenon/tests/unit/solve_contact/faithful/faithful_fixture.h"

namespace tenon::test {
namespace {

WorldSettings weightless(double step = 1.0 / 60) {
  WorldSettings s = faithful_settings(step);
  s.gravity = {};
  return s;
}

BodyHandle add_moving(World& world, const Shape& shape, MaterialId material, const Vec3& x,
                      const Vec3& v, const Vec3& w = {}, double density = 1000) {
  BodyDef def;
  def.colliders = {{shape, {}, material, density}};
  def.X_WB.p = x;
  def.velocity = v;
  def.angular_velocity = w;
  return add(world, def);
}

// v'/v = -e for a ball that meets the ground in the middle of a step.
TEST(FaithfulCollision, ABallBouncesWithItsRestitution) {
  for (const double e : {0.0, 0.3, 0.7, 1.0}) {
    World world = make_world(weightless());
    const MaterialId material = add_material(world, e, 0.5);
    add_ground(world, material);
    const BodyHandle ball = add_moving(world, Sphere{0.5}, material, {0, 0.75, 0}, {0, -2, 0});
    run(world, 0.5);
    EXPECT_NEAR(world.velocity(ball).y, 2 * e, 1e-12) << e;
  }
}

// Dropped under gravity: heights of bounces fall by e^2, up to what a step resolves.
TEST(FaithfulCollision, ABallDroppedRisesToTheSquareOfItsRestitution) {
  const double e = 0.8, r = 0.1;
  World world = make_world(faithful_settings(1.0 / 1000));
  const MaterialId material = add_material(world, e, 0.5);
  add_ground(world, material);
  const BodyHandle ball = add_moving(world, Sphere{r}, material, {0, 1 + r, 0}, {});
  double highest = 0;
  bool rising = false;
  for (int i = 0; i < 1500; ++i) {
    world.step();
    rising = rising || world.velocity(ball).y > 0;
    if (rising) highest = std::max(highest, world.center_of_mass(ball).y - r);
  }
  EXPECT_NEAR(highest, e * e, 0.02);
}

// Five touching balls, e = 1: the last one takes all, in either order of bodies.
TEST(FaithfulCollision, ARowOfBallsPassesTheMomentumOn) {
  for (const double sign : {1.0, -1.0}) {
    World world = make_world(weightless());
    const MaterialId material = add_material(world, 1, 0);
    std::vector<BodyHandle> balls;
    for (int i = 0; i < 5; ++i) {
      const double x = sign > 0 ? i : 4 - i;
      const bool first = x == 0;
      balls.push_back(add_moving(world, Sphere{0.5}, material, {first ? -0.5 : x, 0, 0},
                                 {first ? 3.0 : 0.0, 0, 0}));
    }
    run(world, 0.5);
    for (const BodyHandle b : balls) {
      const bool last = world.center_of_mass(b).x > 4;
      EXPECT_NEAR(world.velocity(b).x, last ? 3 : 0, 1e-9) << sign;
    }
    EXPECT_GT(world.center_of_mass(balls[sign > 0 ? 4 : 0]).x, 4.5);
  }
}

// On a table with gravity the same, as friction is off.
TEST(FaithfulCollision, ARowOfBallsOnATable) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 1, 0);
  add_ground(world, material);
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 5; ++i) {
    balls.push_back(add_moving(world, Sphere{0.5}, material, {i == 0 ? -0.5 : i, 0.5, 0},
                               {i == 0 ? 3.0 : 0.0, 0, 0}));
  }
  run(world, 0.5);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(world.velocity(balls[i]).x, i == 4 ? 3 : 0, 1e-6);
    EXPECT_NEAR(world.center_of_mass(balls[i]).y, 0.5, 1e-6);
  }
}

// Linear momentum of bodies that meet in space is kept to round-off, whatever they are and however
// they rub; so is angular momentum where they meet without slip. Else impulses that belong to the
// predicted place act at the old one: an error of the method, of first order in the step.
TEST(FaithfulCollision, IsolatedCollisionsKeepMomentum) {
  Rng rng(5);
  for (int trial = 0; trial < 40; ++trial) {
    World world = make_world(weightless());
    const MaterialId material = add_material(world, rng.uniform(0, 1), rng.uniform(0, 1));
    const auto within = [&](double r) {
      return Vec3{rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
    };
    add_moving(world, any_shape(rng), material, {-0.5, 0, 0}, Vec3{3, 0, 0} + within(0.3),
               within(3));
    add_moving(world, any_shape(rng), material, {0.5, 0, 0}, Vec3{-3, 0, 0} + within(0.3),
               within(3), 300);
    const Mechanics before = world.calc_mechanics();
    run(world, 0.5);
    const Mechanics after = world.calc_mechanics();
    const double scale = 100;  // kg m/s, of what goes to and fro
    EXPECT_LT(norm(after.linear_momentum - before.linear_momentum), 1e-12 * scale) << trial;
    EXPECT_LT(norm(momentum_balance(world)), 1e-12 * scale);
    // free rotation by (1) makes and loses some, being of first order
    EXPECT_LT(after.kinetic_J, before.kinetic_J * 1.1) << trial;
  }
}

double spin_error(double step, const Vec3& offset) {
  World world = make_world(weightless(step));
  const MaterialId material = add_material(world, 0.8, 0.5);
  add_moving(world, Sphere{0.3}, material, {-0.5, 0, 0}, {2, 0, 0});
  add_moving(world, Sphere{0.2}, material, Vec3{0.5, 0, 0} + offset, {-2, 0, 0});
  const Vec3 before = world.calc_mechanics().angular_momentum;
  run(world, 0.4);
  EXPECT_GT(world.velocity(world.bodies()[1]).x, -1);  // they have met
  return norm(world.calc_mechanics().angular_momentum - before);
}

TEST(FaithfulCollision, AngularMomentumOfObliqueImpactsIsFirstOrder) {
  EXPECT_LT(spin_error(1.0 / 60, {}), 1e-12);
  const double coarse = spin_error(1.0 / 100, {0, 0.3, 0});
  const double fine = spin_error(1.0 / 1600, {0, 0.3, 0});
  EXPECT_GT(coarse, 0);
  EXPECT_LT(fine, 0.2 * coarse);
}

// Contacts act at one point on both bodies: sliding on each other costs energy, not momentum.
TEST(FaithfulCollision, ABoxThatSlidesOnAnotherKeepsAllMomentum) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 0, 0.4);
  add_ground(world, add_material(world, 0, 0));
  const BodyHandle slab = add_shape(world, Box{{2, 0.25, 1}}, {{0, 0.25, 0}, {}}, material);
  const BodyHandle box = add_moving(world, Box{{0.2, 0.2, 0.2}}, material, {-1, 0.7, 0}, {2, 0, 0});
  const Vec3 L = spin_balance(world), p = momentum_balance(world);
  for (int i = 0; i < 60; ++i) {
    world.step();
    ASSERT_LT(norm(momentum_balance(world) - p), 1e-9) << i;
    // velocities of 1e-9 m/s that contacts leave over are collisions in the next step
    ASSERT_LT(norm(spin_balance(world) - L), 1e-5) << i;
  }
  // together in the end, by the conservation of momentum
  const double m = world.mass(box).mass, M = world.mass(slab).mass;
  EXPECT_NEAR(world.velocity(box).x, 2 * m / (m + M), 1e-6);
  EXPECT_NEAR(world.velocity(slab).x, 2 * m / (m + M), 1e-6);
}

// A flat impact of a box: all corners at once, no spin.
TEST(FaithfulCollision, ABoxThatLandsFlatRisesFlat) {
  World world = make_world(weightless());
  const MaterialId material = add_material(world, 0.5, 0.5);
  add_ground(world, material);
  const BodyHandle box = add_moving(world, Box{{0.4, 0.3, 0.2}}, material, {0, 0.5, 0}, {0, -2, 0});
  run(world, 0.3);
  EXPECT_NEAR(world.velocity(box).y, 1, 1e-8);
  EXPECT_LT(norm(world.angular_velocity(box)), 1e-8);
}

// A plank of seven boxes and a heavy one dropped on them: nothing explodes, nothing falls through.
TEST(FaithfulCollision, AHeavyImpactOnAStackStaysFinite) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 0.3, 0.5);
  add_ground(world, material);
  for (int i = 0; i < 4; ++i) {
    add_moving(world, Box{{0.25, 0.25, 0.25}}, material, {0, 0.25 + 0.5 * i, 0}, {});
  }
  add_moving(world, Box{{0.25, 0.25, 0.25}}, material, {0.05, 6, 0.02}, {}, {}, 100000);
  const double start = energy(world);
  for (int i = 0; i < 180; ++i) {
    world.step();
    for (const BodyHandle b : world.bodies()) {
      if (world.motion(b) != MotionKind::kDynamic) continue;
      ASSERT_GT(world.center_of_mass(b).y, 0) << i;
      ASSERT_LT(norm(world.velocity(b)), 20) << i;
    }
  }
  EXPECT_LT(energy(world), start);
}

}  // namespace
}  // namespace tenon::test
