// Impacts of two and more bodies: D4, the cradle (D5), momentum and energy of random collisions.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

Vec3 vec(const nlohmann::json& j) { return {j[0], j[1], j[2]}; }
Quat quat(const nlohmann::json& j) { return {j[0], j[1], j[2], j[3]}; }

// A body of the reference, with a small ball as its surface that touches the point.
BodyDef impact_body(const nlohmann::json& b, const Vec3& ball_W, double radius, MaterialId m) {
  BodyDef def;
  def.X_WB = {vec(b["x"]), normalized(quat(b["q"]))};
  def.colliders = {{Sphere{radius}, {}, m, 1000}};
  def.colliders[0].X_BS.p = rotate(conjugate(def.X_WB.q), ball_W - def.X_WB.p);
  if (b["m"].is_null()) {
    def.motion = MotionKind::kStatic;
    return def;
  }
  def.mass = MassProperties{b["m"], {}, Mat3::diagonal(vec(b["I"]))};
  def.velocity = vec(b["v"]);
  def.angular_velocity = vec(b["w"]);
  return def;
}

TEST(TwoBodyImpact, HasTheExactImpulse) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D4_impacts_frictionless.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 20u);
  double worst = 0;
  for (const auto& c : cases) {
    // a step so short that nothing happens but the impact: where there is no rebound, the bodies go
    // on touching and pushing
    World world = make_world(1e-13, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.restitution = c["restitution"].get<double>()});
    const Vec3 p = vec(c["point"]), n = vec(c["normal_2_to_1"]), P = vec(c["impulse_on_1"]);
    const double r = 0.05;
    const double inside = 1e-14;  // m, more than round-off: they touch
    const BodyHandle one = add_body(world, impact_body(c["body1"], p + (r - inside) * n, r, m));
    const BodyHandle two = add_body(world, impact_body(c["body2"], p - r * n, r, m));
    const Vec3 v1 = world.velocity(one), L1 = world.angular_momentum(one);
    const Vec3 v2 = world.velocity(two), L2 = world.angular_momentum(two);
    const Vec3 x1 = world.center_of_mass(one), x2 = world.center_of_mass(two);
    world.step();
    const auto expect = [&](BodyHandle b, const Vec3& v, const Vec3& L, const Vec3& x,
                            double sign) {
      if (world.motion(b) != MotionKind::kDynamic) return;
      const double dv = norm(world.mass(b).mass * (world.velocity(b) - v) - sign * P) / norm(P);
      // the angular momentum does not change after the impact, the angular velocity does
      const Vec3 torque = cross(p - x, sign * P);
      const double dL = norm(world.angular_momentum(b) - L - torque) / norm(torque);
      worst = std::max({worst, dv, dL});
    };
    expect(one, v1, L1, x1, 1);
    expect(two, v2, L2, x2, -1);
  }
  report("D4 error of the impulse, relative", worst, "1e-12");
  EXPECT_LT(worst, 1e-12);
}

// Five balls in a row that touch; the first `in` move.
std::vector<double> row_of_balls(int in, double e, double step, bool hanging, double gap) {
  World world = make_world(step, {.gravity = kNoGravity});
  const MaterialId m = add_surface(world, {.restitution = e});
  std::vector<BodyHandle> balls;
  const double r = 0.0625;  // exact in binary, and so are the places
  for (int i = 0; i < 5; ++i) {
    BodyDef def = make_solid(Sphere{r}, 1, {2 * r * i + (i >= in ? gap : 0), 0, 0}, m);
    if (i < in) def.velocity = {1, 0, 0};
    if (hanging && i < in) def.angular_velocity = {0, 0, 1};
    balls.push_back(add_body(world, def));
    if (hanging) {
      const Vec3 top = world.center_of_mass(balls.back()) + Vec3{0, 1, 0};
      add_hinge_z(world, {}, balls.back(), top);
    }
  }
  const int steps = static_cast<int>(gap / step) + 2;
  for (int i = 0; i < steps; ++i) world.step();
  std::vector<double> v;
  for (const BodyHandle b : balls) {
    v.push_back(hanging ? world.angular_velocity(b).z : world.velocity(b).x);
  }
  return v;
}

void expect_row(const std::vector<double>& v, const nlohmann::json& final, double tolerance,
                const std::string& what) {
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(v[i], final[i].get<double>(), tolerance) << what << ", ball " << i;
  }
}

TEST(Cradle, PassesBallsOnOneAfterTheOther) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D_contact_closed_form.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  const nlohmann::json& d = all["D5_cradle_serial"];
  for (const double step : {kFine, kFrame}) {
    for (const double gap : {0.0, 0.001}) {
      const std::string what = "step " + std::to_string(step) + ", gap " + std::to_string(gap);
      expect_row(row_of_balls(1, 1, step, false, gap), d["one_in_e1"]["final"], 1e-12, what);
      expect_row(row_of_balls(2, 1, step, false, gap), d["two_in_e1"]["final"], 1e-12,
                 what + ", two");
      expect_row(row_of_balls(1, 0.9, step, false, gap), d["one_in_e0.9_until_separated"]["final"],
                 1e-12, what + ", e = 0.9");
    }
  }
}

// Gaps between all balls, so small that several hits fall into one step: pairs that only come near
// each other because of a hit must be seen as well.
TEST(Cradle, PassesBallsOnThroughGaps) {
  for (const double step : {kFine, kFrame}) {
    for (const double gap : {1e-3, 1e-2}) {
      World world = make_world(step, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.restitution = 1});
      std::vector<BodyHandle> balls;
      for (int i = 0; i < 5; ++i) {
        BodyDef def = make_solid(Sphere{0.0625}, 1, {(0.125 + gap) * i, 0, 0}, m);
        if (i == 0) def.velocity = {1, 0, 0};
        balls.push_back(add_body(world, def));
      }
      step_to(world, 4 * gap + 4 * step);
      std::vector<double> v;
      for (const BodyHandle b : balls) v.push_back(world.velocity(b).x);
      expect_row(v, std::vector<double>{0, 0, 0, 0, 1}, 1e-12,
                 "step " + std::to_string(step) + ", gaps of " + std::to_string(gap));
      const double x = 4 * (0.125 + gap) + world.time() - 4 * gap;
      EXPECT_NEAR(world.center_of_mass(balls[4]).x, x, 1e-9) << step << " " << gap;
    }
  }
}

TEST(Cradle, PassesBallsOnThatHangOnHinges) {
  const std::vector<double> one{0, 0, 0, 0, 1}, two{0, 0, 0, 1, 1};
  for (const double step : {kFine, kFrame}) {
    expect_row(row_of_balls(1, 1, step, true, 0), one, 1e-9, "one, hanging");
    expect_row(row_of_balls(2, 1, step, true, 0), two, 1e-9, "two, hanging");
  }
}

// The whole toy: with gravity, the first balls pulled up by 0.3 rad, one swing there. The last
// balls must rise as high, and the others stay.
void swing(int in, double step) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.restitution = 1});
  const double r = 0.0625, length = 1;
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 5; ++i) {
    const double angle = i < in ? -0.3 : 0;
    const Vec3 pivot{2 * r * i, length, 0};
    const Quat q = from_axis_angle({0, 0, 1}, angle);
    balls.push_back(add_solid(world, Sphere{r}, 1, pivot + rotate(q, {0, -length, 0}), m, q));
    add_hinge_z(world, {}, balls.back(), pivot);
  }
  const double E = energy(world);
  std::vector<double> highest(5, 0);
  double worst = 0;
  step_to(world, 0.75);  // the impact is at 0.5 s
  while (world.time() < 1.4) {
    world.step();
    for (size_t i = 0; i < 5; ++i) {
      const double y = world.center_of_mass(balls[i]).y;
      highest[i] = std::max(highest[i], y);
    }
    worst = std::max(worst, std::fabs(energy(world) - E));
  }
  const double rise = length * (1 - std::cos(0.3));
  report("cradle: energy error, of what swings", worst / (in * kG * rise), "1e-2");
  EXPECT_LT(worst, 0.01 * in * kG * rise) << step;
  for (size_t i = 0; i < 5; ++i) {
    const double expected = static_cast<int>(i) >= 5 - in ? rise : 0;
    EXPECT_NEAR(highest[i], expected, 0.02 * rise) << "ball " << i << " of " << in << ", " << step;
  }
}

TEST(Cradle, SwingsToTheOtherSide) {
  for (const double step : {kFine, kFrame}) {
    swing(1, step);
    swing(2, step);
  }
}

struct Isolated {
  double linear = 0, angular = 0, gain = 0;  // relative errors, largest rise of energy in a step
  int impacts = 0;
};
// Bodies of all shapes that fly at one another; `chains`: every three are joined by ball joints.
Isolated run_cloud(uint64_t seed, double e, double mu, bool chains, double step) {
  Rng rng(seed);
  World world = make_world(step, {.gravity = kNoGravity});
  const MaterialId m =
      add_surface(world, {.friction = mu, .restitution = e, .rolling = 0.001, .spinning = 0.001});
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < 12; ++i) {
    const Vec3 p{1.2 * (i % 3), 1.2 * (i / 3), 0.1 * (i % 2)};
    BodyDef def =
        make_solid(any_shape(rng), rng.uniform(0.5, 5), p, m, exp_map(random_vec(rng, 3)));
    const Vec3 to_middle = Vec3{1.2, 1.8, 0} - p;
    def.velocity = to_middle + random_vec(rng, 0.5);
    def.angular_velocity = random_vec(rng, 4);
    bodies.push_back(add_body(world, def));
  }
  if (chains) {
    for (size_t i = 0; i < 12; ++i) {
      if (i % 3 == 0) continue;
      const Vec3 p = 0.5 * (world.pose(bodies[i - 1]).p + world.pose(bodies[i]).p);
      add_ball(world, bodies[i - 1], bodies[i], p);
    }
    world.step();  // velocities that fit the joints
  }
  const Mechanics start = world.calc_mechanics();
  const MomentumScale scale = momentum_scale(world);
  Isolated result;
  double last = start.kinetic_J;
  while (world.time() < 2) {
    world.step();
    const Mechanics now = world.calc_mechanics();
    result.linear =
        std::max(result.linear, norm(now.linear_momentum - start.linear_momentum) / scale.linear);
    result.angular = std::max(result.angular,
                              norm(now.angular_momentum - start.angular_momentum) / scale.angular);
    result.gain = std::max(result.gain, (now.kinetic_J - last) / start.kinetic_J);
    last = now.kinetic_J;
    for (const Event& event : world.events()) {
      result.impacts += event.kind == EventKind::kContactBegin;
    }
  }
  EXPECT_TRUE(all_finite(world));
  return result;
}

TEST(IsolatedCollisions, KeepMomentum) {
  for (const bool chains : {false, true}) {
    for (const double step : {kFine * 4, kFrame}) {
      Isolated worst;
      for (uint64_t seed = 1; seed <= 6; ++seed) {
        const double e = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.5 : 1;
        const Isolated r = run_cloud(seed, e, seed % 2 == 0 ? 0.5 : 0, chains, step);
        EXPECT_GT(r.impacts, 3);
        worst.linear = std::max(worst.linear, r.linear);
        worst.angular = std::max(worst.angular, r.angular);
        worst.gain = std::max(worst.gain, r.gain);
        EXPECT_LT(r.linear, 1e-12) << "seed " << seed << " joints " << chains << " step " << step;
        EXPECT_LT(r.angular, 1e-12) << "seed " << seed << " joints " << chains << " step " << step;
        // joints are closed to a tolerance, and what is left of their errors does work
        EXPECT_LT(r.gain, chains ? 1e-8 : 1e-9)
            << "seed " << seed << " joints " << chains << " step " << step;
      }
      const std::string which = chains ? " of collisions with joints" : " of collisions";
      report("linear momentum" + which, worst.linear, "1e-12");
      report("angular momentum" + which, worst.angular, "1e-12");
      report("largest gain of energy in a step" + which, worst.gain, "0");
    }
  }
}

TEST(RandomImpact, NeverGainsEnergy) {
  const double all_e[] = {0, 0.5, 1}, all_mu[] = {0, 0.3, 1, 100};
  Rng rng(7);
  double worst = 0;
  int bad = 0, impacts = 0;
  for (int i = 0; i < 1000; ++i) {
    const double e = all_e[i % 3], mu = all_mu[(i / 3) % 4];
    World world = make_world(i % 2 == 0 ? kFrame : kFine * 5, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = mu, .restitution = e});
    for (int k = 0; k < 2; ++k) {
      const Vec3 p{k == 0 ? -0.7 : 0.7, 0, 0};
      // one after the other: compilers differ in the order of arguments
      const Shape shape = any_shape(rng);
      const double mass = rng.uniform(0.5, 5);
      BodyDef def = make_solid(shape, mass, p, m, exp_map(random_vec(rng, 3)));
      def.velocity = Vec3{k == 0 ? 4.0 : -4.0, 0, 0} + random_vec(rng, 1.5);
      def.angular_velocity = random_vec(rng, 10);
      if (k == 1 && i % 5 == 0) {
        def.motion = MotionKind::kStatic;
        def.velocity = def.angular_velocity = {};
      }
      add_body(world, def);
    }
    const double start = kinetic(world);
    double last = start, gain = 0;
    bool hit = false;
    while (world.time() < 0.4) {
      world.step();
      gain = std::max(gain, (kinetic(world) - last) / start);
      last = kinetic(world);
      hit = hit || !world.events().empty();
    }
    impacts += hit;
    // what turns on in contact with a fixed body is right to second order of the step only
    const double most = i % 5 == 0 ? 2e-6 : 1e-9;
    bad += gain > most;
    if (gain > most) {
      std::printf("case %d e %g mu %g gains %g%s\n", i, e, mu, gain, i % 5 == 0 ? " static" : "");
    }
    worst = std::max(worst, gain);
  }
  report("impacts of 1000 that gain energy", bad, "0");
  report("largest gain, of the energy before", worst, "0");
  EXPECT_GT(impacts, 500);
  EXPECT_EQ(bad, 0);
}

// -- hits at the same time

// A top and four legs, one collider each.
BodyDef make_table(double height, MaterialId m) {
  BodyDef def;
  def.X_WB.p = {0, height, 0};
  def.colliders = {{Box{{0.5, 0.025, 0.5}}, {{0, 0.5, 0}, {}}, m, 500}};
  for (const double x : {-0.45, 0.45}) {
    for (const double z : {-0.45, 0.45}) {
      def.colliders.push_back({Box{{0.025, 0.25, 0.025}}, {{x, 0.225, z}, {}}, m, 500});
    }
  }
  return def;
}

// Legs that were hit one after the other would turn it over: it ended 26 cm away.
TEST(ManySupports, LetATableLandLevel) {
  for (const double step : {kFine, kFrame}) {
    for (const double e : {0.0, 0.4}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = e});
      add_floor(world, m);
      const BodyHandle table = add_body(world, make_table(0.525, m));
      const Vec3 start = world.center_of_mass(table);
      double turn = 0;
      while (world.time() < 3) {
        world.step();
        turn = std::max(turn, angle_between(world.pose(table).q, {}));
      }
      const Vec3 way = world.center_of_mass(table) - start;
      report("table: turned by, rad", turn, "1e-5");
      EXPECT_LT(turn, 1e-5) << step << " e " << e;
      EXPECT_LT(norm(Vec3{way.x, 0, way.z}), 1e-5) << step << " e " << e;
    }
  }
}

// Without losses it comes back to where it fell from, as a ball does.
TEST(ManySupports, GiveATableItsEnergyBack) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.restitution = 1});
  add_floor(world, m);
  const BodyHandle table = add_body(world, make_table(0.525, m));
  const double start = energy(world);
  double worst = 0;
  while (world.time() < 3) {
    world.step();
    worst = std::max(worst, std::fabs(energy(world) - start) / start);
  }
  report("table that bounces: error of its energy", worst, "1e-9");
  EXPECT_LT(worst, 1e-9);
  EXPECT_LT(angle_between(world.pose(table).q, {}), 1e-9);
}

// A long row of boxes, bricklike on another: more than are hit at once, and all are hit.
TEST(ManySupports, HitLongRows) {
  World world = make_world(kFrame, {.gravity = kNoGravity});
  const MaterialId m = add_surface(world, {.restitution = 0.8});
  for (int i = 0; i <= 12; ++i) {
    add_solid(world, Box{{0.5, 0.5, 0.5}}, 20, {i - 0.5, -0.5, 0}, m);
  }
  std::vector<BodyHandle> row;
  for (int i = 0; i < 12; ++i) {
    BodyDef def = make_solid(Box{{0.45, 2, 0.5}}, 1, {1.0 * i, 2.013, 0}, m);
    def.velocity = {0, -1, 0};
    row.push_back(add_body(world, def));
  }
  step_to(world, 0.2);
  // alone on two: (e M - m) / (M + m) = 0.76 of its speed with m = 1 and M = 40;
  // in a row, one hit after the other, a little less
  for (const BodyHandle box : row) EXPECT_GT(world.velocity(box).y, 0.5);
}

// A beam on two equal boxes, whatever order they are made in: nothing tells left from right.
TEST(ManySupports, LetABeamLandInTheMiddle) {
  for (const double step : {kFine, kFrame}) {
    for (const double first : {-0.3, 0.3}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = 0.5});
      add_floor(world, m);
      const BodyHandle one = add_solid(world, Box{{0.1, 0.1, 0.1}}, 8, {first, 0.1, 0}, m);
      const BodyHandle two = add_solid(world, Box{{0.1, 0.1, 0.1}}, 8, {-first, 0.1, 0}, m);
      const BodyHandle beam = add_solid(world, Box{{0.5, 0.05, 0.1}}, 20, {0, 0.8, 0}, m);
      step_to(world, 3);
      EXPECT_NEAR(world.center_of_mass(beam).x, 0, 1e-4) << step << " " << first;
      EXPECT_NEAR(world.center_of_mass(one).x, first, 1e-4) << step << " " << first;
      EXPECT_NEAR(world.center_of_mass(two).x, -first, 1e-4) << step << " " << first;
    }
  }
}

// A bar meets two balls at once in space: momentum is kept, and energy is never gained; without
// losses it is kept.
TEST(ManySupports, KeepMomentumAndGiveNoEnergy) {
  for (const double friction : {0.0, 0.5}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      World world = make_world(kFrame, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.friction = friction, .restitution = e});
      BodyDef def = make_solid(Box{{0.5, 0.05, 0.1}}, 4, {0, 0.5, 0}, m);
      def.velocity = friction > 0 ? Vec3{0.7, -3, 0.2} : Vec3{0, -3, 0};
      const BodyHandle bar = add_body(world, def);
      const BodyHandle left = add_solid(world, Sphere{0.1}, 1, {-0.3, 0, 0}, m);
      const BodyHandle right = add_solid(world, Sphere{0.1}, 1, {0.3, 0, 0}, m);
      const double start = kinetic(world);
      const Mechanics before = world.calc_mechanics();
      step_to(world, 0.3);
      const Mechanics after = world.calc_mechanics();
      const MomentumScale scale = momentum_scale(world);
      EXPECT_LT(norm(after.linear_momentum - before.linear_momentum), 1e-13 * scale.linear);
      EXPECT_LT(norm(after.angular_momentum - before.angular_momentum), 1e-12 * scale.angular);
      EXPECT_LT(kinetic(world), start * (1 + 1e-12)) << friction << " " << e;
      if (friction > 0) continue;
      // masses 4 and 1 + 1 along the normal: P = (1 + e) 3 m/s / (1/4 + 1/2)
      const double P = (1 + e) * 3 / (0.25 + 0.5);
      EXPECT_NEAR(world.velocity(bar).y, -3 + P / 4, 1e-9) << e;
      EXPECT_NEAR(world.velocity(left).y, -P / 2, 1e-9) << e;
      EXPECT_NEAR(world.velocity(right).y, -P / 2, 1e-9) << e;
      if (e < 1) continue;
      EXPECT_NEAR(kinetic(world), start, 1e-12 * start);
    }
  }
}

}  // namespace
}  // namespace tenon::test
