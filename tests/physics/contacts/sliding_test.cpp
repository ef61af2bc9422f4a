// Dry friction against Coulomb's law: boxes on inclines and floors, cases D1 and PAL-3.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr double kDegree = kPi / 180;
const Vec3 kHalf{0.5, 0.1, 0.5};

// A box on a plane that falls towards +x.
struct Incline {
  World world;
  BodyHandle box;
  Vec3 down, start;

  Incline(double angle, const Surface& surface, double step, double v0 = 0)
      : world(make_world(step)) {
    const Quat q = from_axis_angle({0, 0, 1}, -angle);
    down = rotate(q, {1, 0, 0});
    const MaterialId m = add_surface(world, surface);
    add_floor(world, m, q);
    BodyDef def = make_solid(Box{kHalf}, 3, rotate(q, {0, kHalf.y, 0}), m, q);
    def.velocity = v0 * down;
    box = add_body(world, def);
    start = world.center_of_mass(box);
  }
  Vec3 way() const { return world.center_of_mass(box) - start; }
  double x() const { return dot(way(), down); }
};

TEST(Incline, HoldsUpToTheAngleOfFriction) {
  for (const double step : {kFine, kFrame}) {
    double creep = 0;
    for (int k = 1; k <= 8; ++k) {
      const double mu = 0.1 * k, angle = std::atan(mu);
      Incline below(angle - 0.1 * kDegree, {.friction = mu}, step);
      step_to(below.world, 10);
      creep = std::max(creep, norm(below.way()));
      EXPECT_LT(norm(below.way()), 1e-6) << "mu " << mu << " step " << step;
      Incline above(angle + 0.1 * kDegree, {.friction = mu}, step);
      step_to(above.world, 1);
      const double a =
          kG * (std::sin(angle + 0.1 * kDegree) - mu * std::cos(angle + 0.1 * kDegree));
      EXPECT_NEAR(above.x(), 0.5 * a, 0.005 * 0.5 * a) << "mu " << mu << " step " << step;
    }
    report("D1 creep in 10 s, 0.1 deg below the threshold, m", creep, "1e-6");
  }
}

TEST(Incline, SlidesAsTheClosedFormSays) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/D_contact_closed_form.json");
  const nlohmann::json cases = nlohmann::json::parse(file)["D1_incline"];
  ASSERT_EQ(cases.size(), 6u);
  for (const double step : {kFine, kFrame}) {
    double worst = 0;
    for (const auto& c : cases) {
      const double angle = c["angle_deg"].get<double>() * kDegree, mu = c["mu"];
      const double v0 = c["v0_downslope"];
      Incline s(angle, {.friction = mu}, step, v0);
      for (const double t : {0.25, 0.5, 1.0, 2.0}) {
        step_to(s.world, t);
        const char* key = t == 0.25 ? "0.25" : t == 0.5 ? "0.5" : t == 1 ? "1" : "2";
        const double x = c["x_v_at_t"][key][0];
        // where it stops within a step, that step may be too long by half of what it still moved
        const double a = kG * (std::sin(angle) + mu * std::cos(angle));
        const double slack = v0 < 0 ? a * step * step : 0;
        EXPECT_NEAR(s.x(), x, 0.005 * std::fabs(x) + slack + 1e-9)
            << c["angle_deg"] << " deg, mu " << mu << ", v0 " << v0 << ", t " << t << " s, step "
            << step;
        if (x != 0) worst = std::max(worst, std::fabs(s.x() / x - 1));
      }
    }
    report("D1 position error, relative, step " + std::to_string(step), worst, "5e-3");
  }
}

TEST(Incline, StuckBoxDoesNotCreep) {
  for (const double step : {kFine, kFrame}) {
    for (const double mu : {0.5, 1.0, 100.0}) {
      Incline s(20 * kDegree, {.friction = mu}, step);
      step_to(s.world, 10);
      report("D1 creep in 10 s at 20 deg, mu " + std::to_string(mu), norm(s.way()), "1e-6 m");
      EXPECT_LT(norm(s.way()), 1e-6) << "mu " << mu << " step " << step;
    }
  }
}

TEST(Incline, WithHugeFrictionHoldsSteepSlopes) {
  // the box is 1 m long and 0.2 m high: it tips over beyond 78 degrees
  Incline s(70 * kDegree, {.friction = 100}, kFrame);
  step_to(s.world, 5);
  EXPECT_LT(norm(s.way()), 1e-6);
}

TEST(Incline, WithoutFrictionGivesGravityAlone) {
  for (const double step : {kFine, kFrame}) {
    const double angle = 1 * kDegree;
    Incline s(angle, {}, step);
    step_to(s.world, 2);
    EXPECT_NEAR(s.x(), 2 * kG * std::sin(angle), 1e-6);
    EXPECT_NEAR(norm(s.world.angular_velocity(s.box)), 0, 1e-6);
  }
}

TEST(Incline, StaticFrictionHoldsAndSlidingFrictionRubs) {
  for (const double step : {kFine, kFrame}) {
    const Surface surface{.friction = 0.6, .sliding = 0.3};
    const double angle = std::atan(0.5);
    Incline still(angle, surface, step);
    step_to(still.world, 5);
    EXPECT_LT(norm(still.way()), 1e-6) << step;
    // once it moves, the smaller coefficient counts
    Incline moving(angle, surface, step, 0.5);
    step_to(moving.world, 1);
    const double x = 0.5 + 0.5 * kG * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(moving.x(), x, 0.005 * x) << step;
    // too steep for static friction
    const double steep = std::atan(0.61);
    Incline slides(steep, surface, step);
    step_to(slides.world, 1);
    const double y = 0.5 * kG * (std::sin(steep) - 0.3 * std::cos(steep));
    EXPECT_NEAR(slides.x(), y, 0.005 * y + 0.5 * kG * 0.3 * step) << step;
  }
}

// Pushed over a level floor in 16 directions, flat boxes that are turned by an odd angle.
TEST(Friction, IsTheSameInAllDirections) {
  for (const double step : {kFine, kFrame}) {
    double least = 1e9, most = 0, aside = 0;
    for (int k = 0; k < 16; ++k) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = 0.5});
      add_floor(world, m);
      const double angle = 2 * kPi * k / 16;
      const Vec3 d{std::cos(angle), 0, std::sin(angle)};
      BodyDef def = make_solid(Box{kHalf}, 2, {0, kHalf.y, 0}, m, from_axis_angle({0, 1, 0}, 0.3));
      def.velocity = 3 * d;
      const BodyHandle box = add_body(world, def);
      step_to(world, 0.5);
      const Vec3 p = world.center_of_mass(box);
      least = std::min(least, dot(p, d));
      most = std::max(most, dot(p, d));
      aside = std::max(aside, norm(cross(Vec3{p.x, 0, p.z}, d)));
    }
    const double x = 3 * 0.5 - 0.5 * 0.5 * kG * 0.25;
    report("friction: spread of the way over 16 directions", most / least - 1, "5e-3");
    report("friction: largest way aside, of the way", aside / x, "5e-3");
    EXPECT_LT(most / least - 1, 0.005) << step;
    EXPECT_NEAR(most, x, 0.005 * x) << step;
    EXPECT_LT(aside, 0.005 * x) << step;
  }
}

TEST(Friction, HoldsAgainstForcesFromAllDirections) {
  for (int k = 0; k < 16; ++k) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_floor(world, m);
    const double angle = 2 * kPi * k / 16;
    const Vec3 d{std::cos(angle), 0, std::sin(angle)};
    const BodyHandle holds = add_solid(world, Box{kHalf}, 2, {0, kHalf.y, 0}, m);
    const BodyHandle slides = add_solid(world, Box{kHalf}, 2, {5, kHalf.y, 0}, m);
    for (int i = 0; i < 60; ++i) {
      // at the floor, so that the force does not tip the box
      const double f = 0.5 * 2 * kG;
      ASSERT_TRUE(world.apply_force(holds, 0.995 * f * d, {world.pose(holds).p.x, 0, 0}).ok());
      const Vec3 p = world.pose(slides).p;
      ASSERT_TRUE(world.apply_force(slides, 1.005 * f * d, {p.x, 0, p.z}).ok());
      world.step();
    }
    EXPECT_LT(norm(world.velocity(holds)), 1e-6) << k;
    const double v = 0.005 * 0.5 * kG;  // after one second
    EXPECT_NEAR(dot(world.velocity(slides), d), v, 0.05 * v) << k;
  }
}

// A box that slides and turns at once comes to rest: the friction couples both.
TEST(Friction, StopsSlidingAndTurningTogether) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.3});
    add_floor(world, m);
    BodyDef def = make_solid(Box{kHalf}, 2, {0, kHalf.y, 0}, m);
    def.velocity = {1, 0, 0};
    def.angular_velocity = {0, 3, 0};
    const BodyHandle box = add_body(world, def);
    double last = kinetic(world);
    while (world.time() < 2) {
      world.step();
      ASSERT_LE(kinetic(world), last * (1 + 1e-9) + 1e-12) << world.time();
      last = kinetic(world);
    }
    EXPECT_LT(norm(world.velocity(box)), 1e-9);
    EXPECT_LT(norm(world.angular_velocity(box)), 1e-9);
    EXPECT_NEAR(world.center_of_mass(box).y, kHalf.y, 1e-6);
    EXPECT_NEAR(world.center_of_mass(box).z, 0, 0.02);
  }
}

}  // namespace
}  // namespace tenon::test
