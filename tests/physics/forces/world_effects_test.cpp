// Random gravity, air resistance and wind.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon {
namespace {

using namespace test;

struct Effects {
  double step = kFrame;
  JointSolver solver = JointSolver::kDirect;
  Integration integration = Integration::kStable;
  GravityNoise noise = {};
  Vec3 wind = {};
  Vec3 gravity{0, -kG, 0};
  bool sleeping = true;
};

World make_effects_world(const Effects& e) {
  WorldSettings s;
  s.step = e.step;
  s.joint_solver = e.solver;
  s.integration = e.integration;
  s.gravity_noise = e.noise;
  s.wind = e.wind;
  s.gravity = e.gravity;
  s.sleeping = e.sleeping;
  Result<World> world = World::make(s);
  return std::move(*world);
}

// -- random gravity

Vec3 fall(const Effects& e, bool jointed = false) {
  World world = make_effects_world(e);
  const BodyHandle body = add_body(world, make_body(2, {1, 1, 1}));
  if (jointed) {
    // tied to a twin by a rigid joint: the same fall through the other solver
    const BodyHandle twin = add_body(world, make_body(2, {1, 1, 1}, {1, 0, 0}));
    EXPECT_TRUE(
        world.create_joint(make_joint(world, JointKind::kRigid, body, twin, {{0.5, 0, 0}, {}}))
            .ok());
  }
  while (world.time() < 3 - 1e-9) world.step();
  return world.velocity(body);
}

TEST(RandomGravity, IsTheSameAtAnyStepAndByAnySolver) {
  const GravityNoise noise{0.2, 99};
  const Vec3 exact = 3 * (Vec3{0, -kG, 0} + 0.2 * kG * mean_gravity_noise(99, 0, 3));
  for (const double step : {1.0 / 60, 1.0 / 240, 0.1, 0.75}) {
    EXPECT_LT(norm(fall({.step = step, .noise = noise}) - exact), 1e-11) << step;
    EXPECT_LT(norm(fall({.step = step, .solver = JointSolver::kSweep, .noise = noise}) - exact),
              1e-11);
  }
  EXPECT_LT(norm(fall({.noise = noise}, true) - exact), 1e-9);
  EXPECT_LT(norm(fall({.integration = Integration::kRattle, .noise = noise}, true) - exact), 1e-9);
  EXPECT_GT(norm(exact - Vec3{0, -3 * kG, 0}), 0.01);
  EXPECT_GT(norm(fall({.noise = {0.2, 98}}) - exact), 0.01);
}

TEST(RandomGravity, SparesBodiesWithoutGravityAndIsBookedAsWork) {
  World world = make_effects_world({.noise = {0.5, 1}});
  BodyDef def = make_body(1, {1, 1, 1});
  add_body(world, def);
  def.gravity = false;
  const BodyHandle floating = add_body(world, def);
  const auto balance = [&] {
    const StepDiagnostics& d = world.diagnostics();
    return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
  };
  const double start = balance();
  for (int i = 0; i < 300; ++i) {
    world.step();
    EXPECT_NEAR(balance(), start, 1e-9);
  }
  EXPECT_EQ(world.velocity(floating), Vec3{});
  EXPECT_GT(std::fabs(world.diagnostics().work_J), 1);
}

// A ball balanced on another stands for ever; with 5 % of randomness it falls within seconds.
bool ball_falls(const Effects& e) {
  World world = make_effects_world(e);
  const MaterialId rough = add_surface(world, {.friction = 0.5});
  add_floor(world, rough);
  BodyDef lower = make_solid(Sphere{0.5}, 5, {0, 0.5, 0}, rough);
  lower.motion = MotionKind::kStatic;
  add_body(world, lower);
  const BodyHandle ball = add_solid(world, Sphere{0.2}, 1, {0, 1.2, 0}, rough);
  while (world.time() < 8) world.step();
  return world.center_of_mass(ball).y < 0.5;
}

TEST(RandomGravity, LetsABalancedBallFall) {
  EXPECT_FALSE(ball_falls({}));
  for (const uint64_t seed : {1u, 2u, 3u}) {
    EXPECT_TRUE(ball_falls({.noise = {0.05, seed}}));
    EXPECT_TRUE(ball_falls({.step = 1.0 / 240, .noise = {0.05, seed}}));
  }
  EXPECT_TRUE(ball_falls({.solver = JointSolver::kSweep, .noise = {0.05, 1}}));
}

TEST(RandomGravity, OutOfRangeIsRefused) {
  for (const double share : {-0.1, 1.01, std::nan("")}) {
    WorldSettings s;
    s.gravity_noise.share = share;
    const Result<World> world = World::make(s);
    ASSERT_FALSE(world.ok());
    EXPECT_NE(format(world.error()).find("random gravity"), std::string::npos);
  }
  WorldSettings s;
  s.wind = {std::nan(""), 0, 0};
  EXPECT_FALSE(World::make(s).ok());
}

// -- air resistance

struct Fall {
  double v = 0, drop = 0;
};
// Against the air; all of it moves with the wind.
Fall fall_in_air(double m, double k, double t, const Effects& e, double v0 = 0) {
  World world = make_effects_world(e);
  BodyDef def = make_body(m, {1, 1, 1});
  def.drag = k;
  def.velocity = e.wind + Vec3{0, v0, 0};
  const BodyHandle body = add_body(world, def);
  for (int i = 0; i < static_cast<int>(t / e.step + 0.5); ++i) world.step();
  return {-(world.velocity(body) - e.wind).y,
          -(world.center_of_mass(body) - world.time() * e.wind).y};
}

TEST(AirResistance, FallsAsTheReferenceAlsoInWind) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/E_force_model_closed_form.json");
  const nlohmann::json a5 = nlohmann::json::parse(file)["A5_quadratic_drag"];
  const double m = a5["m"], k = a5["k"];
  for (const Vec3& wind : {Vec3{}, Vec3{4, 0, 0}, Vec3{-3, 12, 7}}) {
    double order_v = 0, order_x = 0, worst = 0;
    for (const auto& row : a5["fall_from_rest"]) {
      const double t = row["t"], v = row["v"], drop = row["drop"];
      const Fall coarse = fall_in_air(m, k, t, {.step = 1.0 / 60, .wind = wind});
      const Fall fine = fall_in_air(m, k, t, {.step = 1.0 / 240, .wind = wind});
      worst = std::max({worst, std::fabs(fine.v - v) / v, std::fabs(fine.drop - drop) / drop});
      if (t == 2) order_v = std::log2((coarse.v - v) / (fine.v - v)) / 2;
      if (t == 2) order_x = std::log2((coarse.drop - drop) / (fine.drop - drop)) / 2;
    }
    report("A5 fall in air at 1/240, worst relative error", worst, "2e-6");
    EXPECT_LT(worst, 2e-6);
    EXPECT_NEAR(order_v, 2, 0.1);
    EXPECT_NEAR(order_x, 2, 0.1);
    const double t_apex = a5["upward_30"]["t_apex"], h_apex = a5["upward_30"]["h_apex"];
    const Fall up = fall_in_air(m, k, t_apex, {.step = t_apex / 1000, .wind = wind}, 30);
    EXPECT_NEAR(up.v, 0, 2e-5);
    EXPECT_NEAR(-up.drop, h_apex, 2e-5);
  }
}

TEST(Wind, CarriesWhatIsLightAlongAtItsOwnSpeed) {
  for (const JointSolver solver : {JointSolver::kDirect, JointSolver::kSweep}) {
    const Vec3 wind{3, 0, -4};
    World world = make_effects_world({.solver = solver, .wind = wind, .gravity = {}});
    BodyDef def = make_body(1, {1, 1, 1});
    def.drag = 2;
    const BodyHandle body = add_body(world, def);
    def.drag = 1e7;  // however strong, it never overshoots
    const BodyHandle feather = add_body(world, def);
    def.drag = 0;
    const BodyHandle stone = add_body(world, def);
    double last = 0;
    for (int i = 0; i < 600; ++i) {
      world.step();
      const double v = dot(world.velocity(body), normalized(wind));
      EXPECT_GE(v, last);
      EXPECT_LT(v, 5);
      EXPECT_LE(dot(world.velocity(feather), normalized(wind)), 5 + 1e-12);
      last = v;
    }
    // m dv/dt = k (w - v)^2: w - v = w / (1 + k w t / m)
    EXPECT_NEAR(norm(world.velocity(body) - wind), 5 / (1 + 2 * 5 * 10.0), 1e-4);
    EXPECT_LT(norm(world.velocity(feather) - wind), 1e-6);
    EXPECT_EQ(world.velocity(stone), Vec3{});
  }
}

// k w^2 below mu m g: friction holds it, and it does not creep.
TEST(Wind, PressesOnWhatFrictionHolds) {
  World world = make_effects_world({.wind = {10, 0, 0}});
  const MaterialId rough = add_surface(world, {.friction = 0.6});
  add_floor(world, rough);
  BodyDef box = make_solid(Box{{0.2, 0.05, 0.2}}, 0.3, {0, 0.05, 0}, rough);
  box.drag = 0.01;  // 1 N against 1.77 N
  const BodyHandle held = add_body(world, box);
  box.X_WB.p = {0, 0.05, 2};
  box.drag = 0.03;  // 3 N
  const BodyHandle blown = add_body(world, box);
  while (world.time() < 5) world.step();
  EXPECT_LT(norm(world.center_of_mass(held) - Vec3{0, 0.05, 0}), 1e-5);
  EXPECT_GT(world.center_of_mass(blown).x, 1);
  EXPECT_LT(world.velocity(blown).x, 10);
  // sliding friction against the wind: (w - v)^2 k = mu m g. What contacts do in a step is not
  // known when the wind is reckoned: first order
  while (world.time() < 60) world.step();
  EXPECT_NEAR(world.velocity(blown).x, 10 - std::sqrt(0.6 * 0.3 * kG / 0.03), 2 * kFrame);
}

// A pendulum in the wind hangs at tan(angle) = k w^2 / (m g).
TEST(Wind, MovesPendulums) {
  for (const Integration integration : {Integration::kStable, Integration::kRattle}) {
    World world = make_effects_world({.integration = integration, .wind = {5, 0, 0}});
    BodyDef def = make_body(0.1, {1e-4, 1e-4, 1e-4}, {0, -1, 0});
    def.drag = 0.02;
    const BodyHandle bob = add_body(world, def);
    ASSERT_TRUE(world.create_joint(make_joint(world, JointKind::kPoint, {}, bob, {{}, {}})).ok());
    while (world.time() < 30) world.step();
    EXPECT_NEAR(world.center_of_mass(bob).x / -world.center_of_mass(bob).y, 0.02 * 25 / (0.1 * kG),
                1e-4);
    EXPECT_LT(norm(world.velocity(bob)), 1e-4);
  }
}

}  // namespace
}  // namespace tenon
