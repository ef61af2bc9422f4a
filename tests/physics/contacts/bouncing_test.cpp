// Restitution: drops (D3, PAL-2), long bouncing, SimBenchmark bouncing (D8), the cuboid that falls
// flat (D6).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

struct Apex {
  double height, impact_time;  // above the floor; of the impact before it
};

// Drops a ball and returns the tops of its flights, exact between impacts: height + v^2 / (2 g).
struct Drop {
  World world;
  BodyHandle ball;
  double r = 0.05;

  Drop(double height, double e, double step, double mu = 0) : world(make_world(step)) {
    const MaterialId m = add_surface(world, {.friction = mu, .restitution = e});
    add_floor(world, m);
    ball = add_solid(world, Sphere{r}, 1, {0, r + height, 0}, m);
  }
  double height() const { return world.center_of_mass(ball).y - r; }
  double speed() const { return world.velocity(ball).y; }

  std::vector<Apex> run(size_t count, double end) {
    std::vector<Apex> all;
    double last = speed();
    while (all.size() < count && world.time() < end) {
      world.step();
      const double v = speed(), top = height() + v * v / (2 * kG);
      if (last <= 0 && v > 1e-9) {
        all.push_back({top, world.time() - (std::sqrt(2 * kG * top) - v) / kG});
      }
      last = v;
    }
    return all;
  }
};

TEST(Drop, BouncesAsTheClosedFormSays) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D_contact_closed_form.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  const nlohmann::json& reference = all["D3_drop_0.05m_e0.81"];
  for (const double step : {kFine, kFrame}) {
    Drop drop(0.05, 0.81, step);
    const std::vector<Apex> tops = drop.run(5, 2);
    ASSERT_EQ(tops.size(), 5u) << step;
    double worst = 0, late = 0;
    for (size_t i = 0; i < 5; ++i) {
      const double apex = reference["events"][i]["apex_after"];
      const double time = reference["events"][i]["time"];
      worst = std::max(worst, std::fabs(tops[i].height / apex - 1));
      late = std::max(late, std::fabs(tops[i].impact_time - time));
      EXPECT_NEAR(tops[i].height, apex, 0.01 * apex) << "impact " << i << " step " << step;
      EXPECT_NEAR(tops[i].impact_time, time, 0.01 * time) << "impact " << i << " step " << step;
    }
    report("D3 error of five apexes, relative, step " + std::to_string(step), worst, "1e-2");
    report("D3 error of five impact times, s", late, "");
  }
}

TEST(Drop, ComesToRestInTime) {
  for (const double step : {kFine, kFrame}) {
    Drop drop(0.05, 0.81, step);
    step_to(drop.world, 0.97 + 5 * step);
    EXPECT_LT(std::fabs(drop.speed()), 1e-6) << step;
    step_to(drop.world, 3);
    EXPECT_LT(std::fabs(drop.speed()), 1e-9) << step;
    EXPECT_GT(drop.height(), -1e-6) << step;
    EXPECT_LT(drop.height(), 1e-5) << step;
  }
}

TEST(Drop, ReachesTheSquareOfRestitution) {
  for (const double step : {kFine, kFrame}) {
    double worst = 0;
    for (int k = 0; k <= 10; ++k) {
      const double e = 0.1 * k, h = 1;
      Drop drop(h, e, step);
      const double t = std::sqrt(2 * h / kG), v = e * kG * t;
      // after the impact, before the next
      step_to(drop.world, t + 2 * step);
      double top = drop.height();
      while (drop.world.time() < t + 2 * v / kG - step) {
        drop.world.step();
        top = std::max(top, drop.height());
      }
      // between two samples the flight rises by at most g h^2 / 8
      if (e * e * h > kG * step * step) {
        worst = std::max(worst, std::fabs(top / (e * e * h) - 1));
        EXPECT_NEAR(top, e * e * h, 0.01 * e * e * h + kG * step * step / 8)
            << "e " << e << " step " << step;
      } else {
        EXPECT_LT(top, e * e * h + 1e-6) << "e " << e << " step " << step;
      }
    }
    report("PAL-2 error of the apex, relative, step " + std::to_string(step), worst, "1e-2");
  }
}

TEST(Drop, WithFullRestitutionKeepsItsHeight) {
  for (const double step : {kFine, kFrame}) {
    for (const double mu : {0.0, 0.5}) {
      Drop drop(1, 1, step, mu);
      const std::vector<Apex> tops = drop.run(20, 60);
      ASSERT_EQ(tops.size(), 20u);
      double worst = 0;
      for (const Apex& a : tops) worst = std::max(worst, std::fabs(a.height - 1));
      report("height of 20 bounces, error, step " + std::to_string(step), worst, "1e-2");
      EXPECT_LT(worst, 0.01) << step;
    }
  }
}

// Bodies of all shapes tumble on a floor: energy falls, and in the end they lie still.
TEST(Drop, OfAnyShapeLosesEnergyAndComesToRest) {
  Rng rng(3);
  double gain = 0, restless = 0, deep = 0;
  for (int i = 0; i < effort(60, 10); ++i) {
    World world = make_world(i % 2 == 0 ? kFrame : 4 * kFine);
    const MaterialId m = add_surface(world, {.friction = 0.5,
                                             .restitution = i % 3 == 0 ? 0.8 : 0.3,
                                             .rolling = 0.02,
                                             .spinning = 0.02});
    add_floor(world, m);
    const Shape shape = any_shape(rng);
    BodyDef def = make_solid(shape, 2, {0, 1.2, 0}, m, exp_map(random_vec(rng, 3)));
    def.velocity = random_vec(rng, 1);
    def.angular_velocity = random_vec(rng, 5);
    add_body(world, def);
    const double scale = 2 * kG * 1.2;
    double last = energy(world), worst = 0;
    while (world.time() < 15) {
      world.step();
      const double now = energy(world);
      worst = std::max(worst, (now - last) / scale);
      last = now;
      deep = std::max(deep, world.diagnostics().penetration_m);
    }
    gain = std::max(gain, worst);
    restless = std::max(restless, kinetic(world));
    EXPECT_LT(worst, 1e-3) << i << " " << name(kind(shape));
    EXPECT_LT(kinetic(world), 1e-8) << i << " " << name(kind(shape));
  }
  report("drop of any shape: largest gain of energy in a step, of m g h", gain, "1e-3");
  report("drop of any shape: kinetic energy after 15 s, J", restless, "1e-8");
  report("drop of any shape: deepest overlap, m", deep, "1e-3");
  EXPECT_LT(deep, 1e-3);
}

// 7 x 7 balls bounce for 20 s; the error is the mean of (E - E0)^2.
double bouncing_error(double step) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.restitution = 1});
  add_floor(world, m);
  for (int i = 0; i < 49; ++i) {
    add_solid(world, Sphere{0.1}, 10, {1.0 * (i % 7), 5, 1.0 * (i / 7)}, m);
  }
  const double E = 49 * 10 * kG * 5;
  EXPECT_NEAR(E, 24034.5, 1e-6);
  double sum = 0;
  int count = 0;
  while (world.time() < 20 - 0.5 * step) {
    world.step();
    const double e = energy(world) - E;
    sum += e * e;
    ++count;
  }
  return sum / count;
}

TEST(SimBenchmarkBouncing, KeepsItsEnergy) {
  const double fine = bouncing_error(kFine), coarse = bouncing_error(0.01);
  report("D8 mean squared energy error, step 0.001, J^2", fine, "0.02; RaiSim 0.0186");
  report("D8 mean squared energy error, step 0.01, J^2", coarse, "186; RaiSim 186");
  EXPECT_LT(fine, 0.02);
  EXPECT_LT(coarse, 186);
}

// All four corners at once: the simultaneous solution, without a turn.
TEST(FlatCuboid, ReboundsWithoutTurning) {
  struct Case {
    Vec3 half;
    double mass, e;
  };
  for (const Case& c :
       {Case{{0.5, 0.5, 0.5}, 1, 0.5}, Case{{1, 0.25, 0.5}, 3, 0}, Case{{0.5, 0.5, 0.5}, 1, 1}}) {
    for (const double mu : {0.0, 0.5}) {
      for (const double step : {kFine, kFrame}) {
        for (const double gap : {0.0, 0.4 * step}) {
          World world = make_world(step, {.gravity = kNoGravity});
          const MaterialId m = add_surface(world, {.friction = mu, .restitution = c.e});
          add_floor(world, m);
          BodyDef def = make_solid(Box{c.half}, c.mass, {0, c.half.y + gap, 0}, m);
          def.velocity = {0, -1, 0};
          const BodyHandle box = add_body(world, def);
          for (int i = 0; i < 3; ++i) world.step();
          // a gap that closes without a bounce may stop short by the tolerance of contacts
          const double slack = c.e > 0 ? 1e-9 : 1e-5;
          EXPECT_NEAR(world.velocity(box).y, c.e, 1e-6);
          EXPECT_LT(norm(world.angular_velocity(box)), 0.01);
          const double y = c.half.y + c.e * (3 * step - gap);
          EXPECT_NEAR(world.center_of_mass(box).y, y, slack);
        }
      }
    }
  }
}

// A ball that comes at an angle, without friction: mirror reflection, also in position.
TEST(ObliqueBounce, IsAMirrorWithoutFriction) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.restitution = 1});
    add_floor(world, m);
    BodyDef def = make_solid(Sphere{0.1}, 1, {0, 0.537, 0}, m);
    def.velocity = {3, -2, 1};
    def.angular_velocity = {1, 2, 3};
    const BodyHandle ball = add_body(world, def);
    step_to(world, 0.5);
    const double t = world.time();
    EXPECT_LT(norm(world.velocity(ball) - Vec3{3, 2, 1}), 1e-12) << step;
    EXPECT_LT(norm(world.center_of_mass(ball) - Vec3{3 * t, 0.1 + 2 * t - 0.437, t}), 1e-12)
        << step;
    EXPECT_LT(norm(world.angular_velocity(ball) - Vec3{1, 2, 3}), 1e-12) << step;
  }
}

// With friction (closed form of a rigid bounce): sliding, P_t = mu P_n; sticking, the ball rolls
// off with u_t = 0 at the contact point.
TEST(ObliqueBounce, FollowsCoulombsLaw) {
  const double e = 0.6, r = 0.1;
  for (const double step : {kFine, kFrame}) {
    for (const double mu : {0.1, 0.2, 0.5, 1.0}) {
      World world = make_world(step, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.friction = mu, .restitution = e});
      add_floor(world, m);
      BodyDef def = make_solid(Sphere{r}, 1, {0, 0.437, 0}, m);
      def.velocity = {3, -2, 0};
      const BodyHandle ball = add_body(world, def);
      step_to(world, 0.5);
      const double Pn = 2 * (1 + e), stick = 3 / 3.5;  // impulse that stops the sliding: u m / 3.5
      const double Pt = std::min(mu * Pn, stick);
      EXPECT_NEAR(world.velocity(ball).y, 2 * e, 1e-9) << mu;
      EXPECT_NEAR(world.velocity(ball).x, 3 - Pt, 1e-9) << mu;
      EXPECT_NEAR(world.angular_velocity(ball).z, -Pt * r / (0.4 * r * r), 1e-8) << mu;
    }
  }
}

// Capsules in a chain of ball joints, loose or on a wall, masses alternating or with a heavy end,
// in a box whose walls give everything back: what hits give is never more than they took, at any
// step.
TEST(BouncingChains, NeverGainEnergy) {
  for (const double hz : {24.0, 60.0, 240.0}) {
    for (const double ratio : {1.0, 1000.0}) {
      for (int seed = 1; seed <= (kShortTests ? 8 : 32); ++seed) {
        Rng rng(static_cast<uint64_t>(seed));
        const bool gravity = seed % 2 == 0, fastened = seed / 2 % 2 == 0, end = seed / 4 % 2 == 0;
        World world = make_world(1 / hz, {.gravity = gravity ? Vec3{0, -kG, 0} : Vec3{}});
        const MaterialId m = add_surface(world, {.restitution = 1});
        for (int side = 0; side < 6; ++side) {
          Vec3 half{3, 3, 3}, at;
          half[side / 2] = 0.5;
          at[side / 2] = side % 2 == 0 ? 2 : -2;
          BodyDef wall = make_solid(Box{half}, 1, at, m);
          wall.motion = MotionKind::kStatic;
          add_body(world, wall);
        }
        BodyHandle last;
        double scale = 0;
        const int links = 3 + seed % 4;
        for (int i = 0; i < links; ++i) {
          const double mass = (end ? i == links - 1 : i % 2 == 0) ? ratio : 1;
          const double x = 0.45 * i - 0.9;
          const BodyHandle link = add_solid(world, Capsule{0.1, 0.1}, mass, {x, 0, 0}, m,
                                            from_axis_angle({0, 0, 1}, kPi / 2));
          if (i > 0 || fastened) add_ball(world, last, link, {x - (i > 0 ? 0.225 : 0), 0, 0});
          ASSERT_TRUE(world.set_velocity(link, random_vec(rng, 2)).ok());
          last = link;
          if (gravity) scale += mass * kG;
        }
        ASSERT_TRUE(world.match_velocities().ok());
        const double begin = energy(world);
        scale += kinetic(world);
        double most = 0;
        while (world.time() < 10) {
          world.step();
          most = std::max(most, energy(world) - begin);
        }
        // of velocities that do not fit the joints to the last digit, and of what rests overlapped
        EXPECT_LT(most, 1e-3 * scale) << hz << " Hz, " << ratio << " : 1, seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace tenon::test
