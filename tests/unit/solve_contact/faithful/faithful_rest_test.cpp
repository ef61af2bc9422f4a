// Bodies that lie, stand, slide and roll.
#include "tenon/tests/unit/solve_contact/faithful/faithful_fixture.h"

namespace tenon::test {
namespace {

const Box kCube{{0.5, 0.5, 0.5}};

TEST(FaithfulRest, AFullyElasticBoxAtRestDoesNotBounce) {
  World world = make_world(faithful_settings());
  const MaterialId elastic = add_material(world, 1, 0.5);
  add_ground(world, elastic);
  const BodyHandle box = add_shape(world, kCube, {{0, 0.5, 0}, {}}, elastic);
  for (int i = 0; i < 300; ++i) {
    world.step();
    ASSERT_NEAR(world.center_of_mass(box).y, 0.5, 1e-9) << i;
    // of the 0.16 m/s that gravity makes in a step
    ASSERT_LT(norm(world.velocity(box)), 1e-9) << i;
  }
}

struct Stack {
  World world;
  std::vector<BodyHandle> cubes;
};
Stack make_stack(const WorldSettings& settings, int height, double restitution = 0.5) {
  Stack s{make_world(settings), {}};
  const MaterialId material = add_material(s.world, restitution, 0.5);
  add_ground(s.world, material);
  for (int i = 0; i < height; ++i) {
    s.cubes.push_back(add_shape(s.world, kCube, {{0, 0.5 + i, 0}, {}}, material));
  }
  return s;
}

TEST(FaithfulRest, AStackOfTenCubesStands) {
  for (const double restitution : {0.0, 1.0}) {
    Stack s = make_stack(faithful_settings(), 10, restitution);
    run(s.world, 5);
    for (size_t i = 0; i < s.cubes.size(); ++i) {
      const Vec3 should{0, 0.5 + static_cast<double>(i), 0};
      EXPECT_LT(norm(s.world.center_of_mass(s.cubes[i]) - should), 1e-6) << i;
    }
    EXPECT_LT(s.world.diagnostics().penetration_m, 1e-6);
    // held bodies book what they give, so that momentum is explained to round-off
    EXPECT_LT(norm(momentum_balance(s.world)), 1e-6);
  }
}

// Nine sweeps do not carry the weight of ten cubes down; freezing lower levels does.
TEST(FaithfulRest, ShockPropagationKeepsAStackFromSinking) {
  double sunk[2];
  for (const bool shock : {false, true}) {
    WorldSettings settings = faithful_settings();
    settings.faithful.shock = shock;
    settings.faithful.push_out = false;
    Stack s = make_stack(settings, 10);
    run(s.world, 1);
    sunk[shock] = 9.5 - s.world.center_of_mass(s.cubes.back()).y;
  }
  EXPECT_GT(sunk[0], 0.05);
  EXPECT_LT(std::fabs(sunk[1]), 1e-6);
}

// Push-out alone keeps it up as well, without making velocity; its energy shows in the balance.
TEST(FaithfulRest, PushOutTakesOverlapAwayWithoutVelocity) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 0.5, 0.5);
  add_ground(world, material);
  const BodyHandle sunk = add_shape(world, kCube, {{0, 0.4, 0}, {}}, material);
  const BodyHandle inside = add_shape(world, kCube, {{0, 1.3, 0}, {}}, material);
  world.step();
  EXPECT_NEAR(world.center_of_mass(sunk).y, 0.5, 1e-6);
  EXPECT_NEAR(world.center_of_mass(inside).y, 1.5, 2e-6);
  EXPECT_LT(norm(world.velocity(sunk)) + norm(world.velocity(inside)), 1e-9);
  run(world, 0.5);
  EXPECT_NEAR(world.center_of_mass(inside).y, 1.5, 1e-5);
}

// tan(20 deg) = 0.364
TEST(FaithfulRest, ABlockOnAnInclineSticksOrSlides) {
  const double angle = 20 * kPi / 180, g = 9.81;
  const Vec3 down{-cos(angle), -sin(angle), 0}, normal{-sin(angle), cos(angle), 0};
  for (const double mu : {0.4, 0.25}) {
    WorldSettings settings = faithful_settings(1.0 / 120);
    World world = make_world(settings);
    // restitution does not matter for what lies
    const MaterialId material = add_material(world, 1, mu);
    add_ground(world, material, angle);
    const BodyHandle block = add_shape(world, Box{{0.3, 0.1, 0.2}},
                                       {0.1 * normal, from_axis_angle({0, 0, 1}, angle)}, material);
    run(world, 1);
    const Vec3 way = world.center_of_mass(block) - 0.1 * normal;
    if (mu > 0.3) {
      EXPECT_LT(norm(way), 1e-6);
      continue;
    }
    const double a = g * (sin(angle) - mu * cos(angle));
    EXPECT_NEAR(dot(world.velocity(block), down), a, 1e-6 * a);
    // x = a t^2/2 (1 + h/t): velocities move first
    EXPECT_NEAR(dot(way, down), 0.5 * a * (1 + settings.step), 1e-6);
    EXPECT_NEAR(dot(way, normal), 0, 1e-6);
  }
}

// A ball rolls down at 5/7 of the acceleration of a block without friction.
TEST(FaithfulRest, ABallRollsDownAnIncline) {
  const double angle = 20 * kPi / 180, r = 0.25;
  World world = make_world(faithful_settings(1.0 / 240));
  const MaterialId material = add_material(world, 0.5, 0.5);
  add_ground(world, material, angle);
  const Vec3 normal{-sin(angle), cos(angle), 0};
  const BodyHandle ball = add_shape(world, Sphere{r}, {r * normal, {}}, material);
  run(world, 1);
  const double a = 5.0 / 7 * 9.81 * sin(angle);
  EXPECT_NEAR(norm(world.velocity(ball)), a, 1e-3 * a);
  EXPECT_NEAR(norm(world.angular_velocity(ball)) * r, a, 1e-3 * a);
  EXPECT_NEAR(dot(world.center_of_mass(ball), normal), r, 1e-6);
}

// Rolling resistance with lever c slows a ball down by 5/7 g c/r.
TEST(FaithfulRest, RollingFrictionStopsABall) {
  const double r = 0.2, c = 0.01, speed = 1;
  World world = make_world(faithful_settings(1.0 / 240));
  const MaterialId material = add_material(world, 0, 0.5, c, c);
  add_ground(world, material);
  BodyDef def;
  def.colliders = {{Sphere{r}, {}, material, 1000}};
  def.X_WB.p = {0, r, 0};
  def.velocity = {speed, 0, 0};
  def.angular_velocity = {0, 5, -speed / r};
  const BodyHandle ball = add(world, def);
  const double a = 5.0 / 7 * 9.81 * c / r;
  run(world, 1);
  EXPECT_NEAR(world.velocity(ball).x, speed - a, 0.02 * speed);
  run(world, 3);
  EXPECT_LT(norm(world.velocity(ball)), 1e-6);
  EXPECT_LT(norm(world.angular_velocity(ball)), 1e-6);
}

// A moved body carries what lies on it: its mean velocity is that of the surface.
TEST(FaithfulRest, AKinematicPlatformCarriesABox) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 0.5, 0.8);
  BodyDef lift;
  lift.motion = MotionKind::kKinematic;
  lift.colliders = {{Box{{2, 0.1, 2}}, {}, material, 1000}};
  lift.script.velocity = {0.5, 0.3, 0};
  add(world, lift);
  BodyDef def = make_box({0, 0.6, 0}, {0.5, 0.5, 0.5});
  def.colliders[0].material = material;
  def.velocity = {0.5, 0.3, 0};
  const BodyHandle box = add(world, def);
  const double start = energy(world);
  run(world, 2);
  EXPECT_LT(norm(world.center_of_mass(box) - Vec3{1, 1.2, 0}), 1e-6);
  EXPECT_NEAR(energy(world), start, 1e-6 * 9810 * 0.6);  // the lift's work is booked
  EXPECT_LT(norm(momentum_balance(world) - 1000.0 * Vec3{0, 0, 0}), 1e-6);
}

// Cubes on the joints of cubes. Friction of single impulses, as in the source, lets them creep.
TEST(FaithfulRest, APyramidDoesNotCreep) {
  double way[2];
  for (const bool sums : {false, true}) {
    WorldSettings settings = faithful_settings();
    settings.faithful.sums = sums;
    World world = make_world(settings);
    const MaterialId material = add_material(world, 0.3, 0.5);
    add_ground(world, material);
    std::vector<std::pair<BodyHandle, Vec3>> cubes;
    for (int row = 0; row < 4; ++row) {
      for (int i = 0; i < 4 - row; ++i) {
        const Vec3 x{1.05 * i + 0.525 * row, 0.5 + row, 0};
        cubes.push_back({add_shape(world, kCube, {x, {}}, material), x});
      }
    }
    run(world, 1.5);
    way[sums] = 0;
    for (const auto& [body, x] : cubes) {
      way[sums] = std::max(way[sums], norm(world.center_of_mass(body) - x));
    }
  }
  EXPECT_GT(way[0], 1e-4);
  EXPECT_LT(way[1], 1e-6);
}

// A ball on four: the lower ones are pressed apart at 45 degrees. Balance of forces and torques of
// one of them needs friction of sin 45 / (1 + cos 45) = 0.414 at the upper contact.
TEST(FaithfulRest, FiveBallsStandByFriction) {
  for (const double mu : {0.3, 0.5}) {
    World world = make_world(faithful_settings());
    const MaterialId material = add_material(world, 0.3, mu);
    add_ground(world, material);
    for (const double x : {-0.5, 0.5}) {
      for (const double z : {-0.5, 0.5}) {
        add_shape(world, Sphere{0.5}, {{x, 0.5, z}, {}}, material);
      }
    }
    const double height = 0.5 + std::sqrt(0.5);
    const BodyHandle top = add_shape(world, Sphere{0.5}, {{0, height, 0}, {}}, material);
    run(world, 2);
    if (mu > 0.414) {
      EXPECT_NEAR(world.center_of_mass(top).y, height, 2e-3);
    } else {
      EXPECT_LT(world.center_of_mass(top).y, 0.9);
    }
  }
}

// A slender body that tumbles freely: by exp(h w) it spins up about its axis.
TEST(FaithfulRest, SlenderBodiesTumbleWithoutGainingEnergy) {
  double gain[2];
  for (const bool free_rotation : {false, true}) {
    WorldSettings settings = faithful_settings();
    settings.gravity = {};
    settings.faithful.free_rotation = free_rotation;
    World world = make_world(settings);
    const MaterialId material = add_material(world, 0.5, 0.5);
    const BodyHandle rod = add_shape(world, Capsule{0.05, 0.3}, {}, material);
    ASSERT_TRUE(world.set_angular_velocity(rod, {6, 2, 1}).ok());
    const double start = world.calc_mechanics().kinetic_J;
    run(world, 5);
    gain[free_rotation] = world.calc_mechanics().kinetic_J / start - 1;
  }
  EXPECT_GT(gain[0], 0.5);
  EXPECT_LT(std::fabs(gain[1]), 1e-5);
}

// The same bits again, and nothing left behind between steps that a saved state would miss.
TEST(FaithfulRest, PilesAreRepeatable) {
  uint64_t hash[2];
  for (int k = 0; k < 2; ++k) {
    World world = make_world(faithful_settings());
    add_ground(world, add_material(world, 0.3, 0.5));
    fill_with_bodies(world, 20, 3, 1.2);
    for (int i = 0; i < 20; ++i) world.step();
    if (k == 1) {
      const std::vector<std::byte> now = world.save_state();
      run(world, 0.1);
      ASSERT_TRUE(world.load_state(now).ok());
    }
    for (int i = 0; i < 20; ++i) world.step();
    hash[k] = world.state_hash();
    EXPECT_EQ(world.diagnostics().frozen_bodies, 0u);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

}  // namespace
}  // namespace tenon::test
