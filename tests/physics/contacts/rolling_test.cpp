// Rolling: slip to roll (D2), SimBenchmark rolling (D7), resistance to rolling and spinning, round
// bodies at rest.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

TEST(SlipToRoll, EndsWhereTheClosedFormSays) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D_contact_closed_form.json");
  const nlohmann::json cases = nlohmann::json::parse(file)["D2_slip_to_roll"];
  ASSERT_EQ(cases.size(), 3u);
  const double r = 0.1;
  for (const double step : {kFine, kFrame}) {
    for (const auto& c : cases) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = c["mu"].get<double>()});
      add_floor(world, m);
      BodyDef def = make_solid(Sphere{r}, 2, {0, r, 0}, m);
      const double I = c["I_over_mR2"].get<double>() * 2 * r * r;
      def.mass->inertia = Mat3::diagonal({I, I, I});
      def.velocity = {c["v0"].get<double>(), 0, 0};
      const BodyHandle ball = add_body(world, def);
      const auto slip = [&] { return world.velocity(ball).x + r * world.angular_velocity(ball).z; };
      while (slip() > 1e-6 && world.time() < 3) world.step();
      const double t = c["slip_time"], v = c["v_roll"], x = c["distance_at_roll"];
      EXPECT_NEAR(world.time(), t, 2 * step) << step;
      EXPECT_NEAR(world.velocity(ball).x, v, 0.005 * v) << step;
      EXPECT_NEAR(world.center_of_mass(ball).x, x + v * (world.time() - t), 0.005 * x) << step;
      const double rolling = world.velocity(ball).x;
      step_to(world, world.time() + 10);
      report("D2 loss of speed while rolling 10 s", 1 - world.velocity(ball).x / rolling, "1e-3");
      EXPECT_NEAR(world.velocity(ball).x, rolling, 0.001 * rolling) << step;
      EXPECT_NEAR(slip(), 0, 1e-6) << step;
    }
  }
}

// SimBenchmark: a box is dragged over the floor with 25 balls on it.
double rolling_error(const Vec3& direction, double step) {
  World world = make_world(step);
  const MaterialId ground = add_surface(world, {.friction = 1}), box_m = add_surface(world, {}),
                   ball_m = add_surface(world, {});
  const auto pair = [&](MaterialId a, MaterialId b, double mu) {
    PairOverride o;
    o.static_friction = o.sliding_friction = mu;
    o.restitution = 0;
    EXPECT_TRUE(world.set_material_pair(a, b, o).ok());
  };
  pair(ground, box_m, 0.4);
  pair(box_m, ball_m, 0.8);
  add_floor(world, ground);
  const double deep = 2e-5;  // of the benchmark's set-up
  const BodyHandle box = add_solid(world, Box{{10, 0.5, 10}}, 10, {0, 0.5 - deep, 0}, box_m);
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const Vec3 p{2.0 * (i - 2), 1.5 - 2 * deep, 2.0 * (j - 2)};
      balls.push_back(add_solid(world, Sphere{0.5}, 1, p, ball_m));
    }
  }
  const double f1 = 0.4 * 35 * kG, f2 = (150 - f1) / 10 / (3.5 + 2.5);
  const double a_box = (150 - f1 - 25 * f2) / 10;
  double sum = 0;
  int count = 0;
  while (world.time() < 4 - 0.5 * step) {
    EXPECT_TRUE(world.apply_force(box, 150 * direction, world.center_of_mass(box)).ok());
    world.step();
    const double t = world.time();
    sum += norm2(world.velocity(balls[12]) - (f2 * t) * direction) +
           norm2(world.velocity(box) - (a_box * t) * direction);
    ++count;
  }
  return sum / count;
}

TEST(SimBenchmarkRolling, IsAsExactAsTheBestEngine) {
  const Vec3 along{0, 0, 1}, aslant{0.5, 0, 0.8660254};
  for (const double step : {kFine, kFrame}) {
    const double e1 = rolling_error(along, step), e2 = rolling_error(aslant, step);
    report("D7 mean squared velocity error, along an axis", e1, "1e-6");
    report("D7 mean squared velocity error, at 60 degrees", e2, "1e-6; RaiSim 4.1e-7");
    EXPECT_LT(e1, 1e-6) << step;
    EXPECT_LT(e2, 1e-6) << step;
  }
}

// Rolling resistance with the lever d: a = -g d / (r (1 + I/(m r^2))).
TEST(RollingFriction, SlowsABallByItsLever) {
  const double r = 0.1, d = 0.002, a = kG * d / (r * 1.4), v = 0.5;
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5, .rolling = d});
    add_floor(world, m);
    BodyDef def = make_solid(Sphere{r}, 2, {0, r, 0}, m);
    def.velocity = {v, 0, 0};
    def.angular_velocity = {0, 0, -v / r};
    const BodyHandle ball = add_body(world, def);
    step_to(world, 2);
    EXPECT_NEAR(world.velocity(ball).x, v - 2 * a, 0.005 * v) << step;
    const double x = v * 2 - 2 * a;
    EXPECT_NEAR(world.center_of_mass(ball).x, x, 0.005 * x) << step;
    step_to(world, 5);
    EXPECT_NEAR(world.center_of_mass(ball).x, v * v / (2 * a), 0.005 * v * v / (2 * a)) << step;
    EXPECT_LT(norm(world.velocity(ball)), 1e-9) << step;
    EXPECT_LT(norm(world.angular_velocity(ball)), 1e-8) << step;
  }
}

// It holds a ball on a slope up to tan = d / r.
TEST(RollingFriction, HoldsABallOnASlope) {
  const double r = 0.1, d = 0.005;
  for (const double part : {0.95, 1.05}) {
    World world = make_world(kFrame);
    const double angle = std::atan(part * d / r);
    const Quat q = from_axis_angle({0, 0, 1}, -angle);
    const MaterialId m = add_surface(world, {.friction = 0.5, .rolling = d});
    add_floor(world, m, q);
    const Vec3 start = rotate(q, {0, r, 0});
    const BodyHandle ball = add_solid(world, Sphere{r}, 2, start, m, q);
    step_to(world, 5);
    const double way = norm(world.center_of_mass(ball) - start);
    if (part < 1) {
      EXPECT_LT(way, 1e-6);
    } else {
      const double a = kG * (std::sin(angle) - d / r * std::cos(angle)) / 1.4;
      EXPECT_NEAR(way, 12.5 * a, 0.01 * 12.5 * a);
    }
  }
}

// Spinning resistance with the lever s: the spin falls by s m g / I.
TEST(SpinningFriction, SlowsABallByItsLever) {
  const double r = 0.1, s = 0.001, w = 20, rate = s * kG / (0.4 * r * r);
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5, .spinning = s});
    add_floor(world, m);
    BodyDef def = make_solid(Sphere{r}, 2, {0, r, 0}, m);
    def.angular_velocity = {0, w, 0};
    const BodyHandle ball = add_body(world, def);
    step_to(world, 4);
    EXPECT_NEAR(world.angular_velocity(ball).y, w - 4 * rate, 0.005 * w) << step;
    step_to(world, w / rate + 1);
    // contacts are solved to 1e-5 of what gravity does in a step, here as speed at the radius
    EXPECT_LT(norm(world.angular_velocity(ball)), 2e-5 * kG * step / r) << step;
    EXPECT_LT(norm(world.center_of_mass(ball) - Vec3{0, r, 0}), 1e-6) << step;
  }
}

TEST(SpinningBall, WithoutResistanceSpinsOn) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  BodyDef def = make_solid(Sphere{0.1}, 2, {0, 0.1, 0}, m);
  def.angular_velocity = {0, 20, 0};
  const BodyHandle ball = add_body(world, def);
  step_to(world, 10);
  EXPECT_NEAR(world.angular_velocity(ball).y, 20, 1e-6);
}

// Where a patch is: the middle of the contact points of a body that is alone on a floor.
Vec3 patch_middle(const World& world) {
  Vec3 sum;
  int count = 0;
  for (const Contact& c : world.contacts()) {
    for (int k = 0; k < c.manifold.count; ++k, ++count) {
      sum += c.manifold.points[static_cast<size_t>(k)].p_W;
    }
  }
  EXPECT_GT(count, 0);
  return count > 0 ? (1.0 / count) * sum : Vec3{};
}

// Starts a millimetre up, or on the floor; after a second the patch must stay where it is.
void expect_patch_rests(const Quat& q, double half, double above, double step, const char* what) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const BodyHandle body = add_solid(world, Cylinder{0.1, 0.15}, 3, {0.3, half + above, 0.2}, m, q);
  step_to(world, 1);
  const Vec3 start = patch_middle(world), center = world.center_of_mass(body);
  double moved = 0, shifted = 0;
  while (world.time() < 11) {
    world.step();
    moved = std::max(moved, norm(patch_middle(world) - start));
    shifted = std::max(shifted, norm(world.center_of_mass(body) - center));
  }
  report(std::string(what) + ": patch moves by, m", moved, "1e-5");
  EXPECT_LT(moved, 1e-5) << what << ", step " << step << ", dropped by " << above;
  EXPECT_LT(shifted, 1e-5) << what << ", step " << step << ", dropped by " << above;
  EXPECT_LT(world.diagnostics().penetration_m, 1e-6) << what;
}

TEST(RestingCylinder, KeepsItsContactPatch) {
  for (const double step : {kFrame, 4e-3}) {
    for (const double above : {0.0, 1e-3}) {
      expect_patch_rests({}, 0.15, above, step, "standing cylinder");
      expect_patch_rests(from_axis_angle({1, 0, 0}, 0.5 * kPi), 0.1, above, step, "lying cylinder");
      // turned by odd angles about its own and the vertical axis
      const Quat odd = from_axis_angle({0, 1, 0}, 0.7) * from_axis_angle({1, 0, 0}, 0.5 * kPi) *
                       from_axis_angle({0, 1, 0}, 0.4);
      expect_patch_rests(odd, 0.1, above, step, "lying cylinder, turned");
    }
  }
}

// A lying cylinder rolls on: no resistance without a coefficient.
TEST(RollingCylinder, KeepsItsSpeed) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_floor(world, m);
    BodyDef def =
        make_solid(Cylinder{0.1, 0.15}, 3, {0, 0.1, 0}, m, from_axis_angle({1, 0, 0}, 0.5 * kPi));
    def.velocity = {1, 0, 0};
    def.angular_velocity = {0, 0, -10};
    const BodyHandle body = add_body(world, def);
    step_to(world, 10);
    EXPECT_NEAR(world.velocity(body).x, 1, 1e-3) << step;
    EXPECT_NEAR(world.center_of_mass(body).x, 10, 0.01) << step;
    EXPECT_NEAR(world.center_of_mass(body).z, 0, 0.01) << step;
    EXPECT_NEAR(world.center_of_mass(body).y, 0.1, 1e-5) << step;
  }
}

// Rolling down a slope: a = g sin / (1 + I/(m r^2)), for a solid cylinder 2/3 g sin.
TEST(RollingCylinder, AcceleratesDownASlopeAsTheClosedFormSays) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const Quat q = from_axis_angle({0, 0, 1}, -0.2);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_floor(world, m, q);
    const Vec3 start = rotate(q, {0, 0.1, 0});
    const BodyHandle body =
        add_solid(world, Cylinder{0.1, 0.15}, 3, start, m, from_axis_angle({1, 0, 0}, 0.5 * kPi));
    step_to(world, 2);
    const double x = 2 * kG * std::sin(0.2) / 1.5;
    EXPECT_NEAR(norm(world.center_of_mass(body) - start), x, 0.005 * x) << step;
  }
}

// Balls of radius 0.5 m on a plane whose common mass centre is `below` their middles, started 40
// degrees aside, roll to and fro. What they gain in `seconds`, J, and how much there was.
struct Rocking {
  double gain = 0, begin = 0;
};
Rocking rock(int balls, double below, double step, double seconds) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 2});
  add_floor(world, m);
  BodyDef def;
  for (int i = 0; i < balls; ++i) {
    const double z = balls > 1 ? 1.2 * i - 0.6 : 0;
    def.colliders.push_back({Sphere{0.5}, {{0, 0, z}, {}}, m, 1000});
  }
  def.mass = MassProperties{1, {0, -below, 0}, Mat3::diagonal({0.02, 0.02, 0.02})};
  def.X_WB = {{0, 0.5, 0}, from_axis_angle({0, 0, 1}, 40 * kPi / 180)};
  add_body(world, def);
  const auto energy = [&] {
    const Mechanics now = world.calc_mechanics();
    return now.kinetic_J + now.potential_J - kG * (0.5 - below);
  };
  const double begin = energy();
  step_to(world, seconds);
  return {energy() - begin, begin};
}

// A pair of wheels rolls as one does: to second order in the step. It went from 0.46 to 1.5 J.
TEST(RollyPolly, OnTwoBallsKeepsItsEnergy) {
  const Rocking coarse = rock(2, 0.2, kFrame, 20), fine = rock(2, 0.2, 0.25 * kFrame, 20);
  report("two balls that rock: part gained in 20 s", coarse.gain / coarse.begin, "second order");
  EXPECT_LT(std::fabs(coarse.gain), 0.02 * coarse.begin);
  EXPECT_LT(std::fabs(fine.gain), 0.02 / 8 * fine.begin);
}

// However short its lever is at the lowest point: a ball is round everywhere. With less than a
// fifth of the radius it lost half of its energy, with a little more nearly nothing.
TEST(RollyPolly, KeepsItsEnergyWhereverItsMassIs) {
  for (const double below : {0.3, 0.39, 0.41, 0.45}) {
    const Rocking coarse = rock(1, below, kFrame, 1), fine = rock(1, below, 0.25 * kFrame, 4);
    EXPECT_LT(std::fabs(coarse.gain), 0.1 * coarse.begin) << below;
    EXPECT_LT(std::fabs(fine.gain), 0.03 * fine.begin) << below;
  }
}

}  // namespace
}  // namespace tenon::test
