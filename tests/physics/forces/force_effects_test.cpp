// Forces on a timeline, random gravity, air and wind in the method `force`.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon {
namespace {

using namespace test;

WorldSettings make_force_settings(double step, double accuracy = 1e-9) {
  WorldSettings s;
  s.step = step;
  s.gravity = {};
  s.method = Method::kForce;
  s.force.accuracy = accuracy;
  return s;
}

World make_force_world(const WorldSettings& settings) {
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : format(world.error()));
  return std::move(*world);
}

// Jumps at its begin and its end, corners in between.
TimedForceDef make_curve(BodyHandle body) {
  TimedForceDef def;
  def.body = body;
  def.force = {10, -4, 1};
  def.begin = 0.013;
  def.end = 1.777;
  def.curve = {{-1, 0}, {0.1, 0.3}, {0.5, 2}, {0.51, -1}, {1.2, -0.2}, {3, 7}};
  return def;
}

TEST(ForceMethod, GivesTheImpulseOfTheCurve) {
  for (const double step : {1.0 / 60, 0.3}) {
    World world = make_force_world(make_force_settings(step));
    const BodyHandle body = add_body(world, make_body(2, {1, 1, 1}));
    const TimedForceDef def = make_curve(body);
    ASSERT_TRUE(world.add_force(def).ok());
    while (world.time() < 2) world.step();
    const double area =
        integrate_scale(make_timed_force(def, {}, {}), 0, 2).value;  // against trapezia by hand:
                                                                     // timed_force_motion_test
    EXPECT_LT(norm(2 * world.velocity(body) - area * def.force), 1e-9) << step;
    EXPECT_NEAR(world.diagnostics().work_J, world.calc_mechanics().kinetic_J, 1e-8);
  }
}

TEST(ForceMethod, AgreesWithTheImpulseMethodWhereThatConverges) {
  const auto run = [](const WorldSettings& settings) {
    World world = make_force_world(settings);
    BodyDef lure;
    lure.motion = MotionKind::kKinematic;
    lure.script.kind = KinematicMotion::Kind::kTurn;
    lure.script.start.p = {2, 0, 0};
    lure.script.rate = 3;
    TimedForceDef pull;
    pull.target = add_body(world, lure);
    BodyDef box = make_body(1, {0.1, 0.2, 0.3}, {0.5, 0, 0});
    box.angular_velocity = {1, 2, 0.5};
    box.drag = 0.1;
    pull.body = add_body(world, box);
    pull.frame = ForceFrame::kToward;
    pull.magnitude = 2;
    pull.point = Vec3{0.1, 0.2, 0};
    EXPECT_TRUE(world.add_force(pull).ok());
    TimedForceDef thrust;
    thrust.body = pull.body;
    thrust.frame = ForceFrame::kBody;
    thrust.force = {0.5, 0, 0};
    thrust.torque = {0, 0.1, 0};
    thrust.begin = 0.3;
    thrust.end = 1.1;
    EXPECT_TRUE(world.add_force(thrust).ok());
    for (int i = 0; i < static_cast<int>(2 / settings.step + 0.5); ++i) world.step();
    return world.center_of_mass(pull.body);
  };
  WorldSettings force = make_force_settings(1.0 / 50), impulse = force;
  force.wind = impulse.wind = {1, 0.5, 0};
  force.gravity = impulse.gravity = {0, -1, 0};
  force.gravity_noise = impulse.gravity_noise = {0.5, 4};
  const Vec3 reference = run(force);
  force.force.accuracy = 1e-6;
  EXPECT_LT(norm(run(force) - reference), 1e-4);
  impulse.method = Method::kImpulse;
  impulse.step = 1.0 / 200;
  const double coarse = norm(run(impulse) - reference);
  impulse.step = 1.0 / 800;
  const double fine = norm(run(impulse) - reference);
  report("impulse against force, step 1/800", fine, "1e-4");
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 8);  // second order: 16
}

TEST(ForceMethod, FallsAsTheReferenceAlsoInWind) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/E_force_model_closed_form.json");
  const nlohmann::json a5 = nlohmann::json::parse(file)["A5_quadratic_drag"];
  for (const Vec3& wind : {Vec3{}, Vec3{-3, 12, 7}}) {
    WorldSettings s = make_force_settings(0.5, 1e-11);
    s.gravity = {0, -kG, 0};
    s.wind = wind;
    World world = make_force_world(s);
    BodyDef def = make_body(a5["m"], {1, 1, 1});
    def.drag = a5["k"];
    def.velocity = wind;
    const BodyHandle body = add_body(world, def);
    double worst = 0;
    for (const auto& row : a5["fall_from_rest"]) {
      const double t = row["t"], v = row["v"], drop = row["drop"];
      while (world.time() < t - 1e-9) world.step();
      worst = std::max(worst, std::fabs(-(world.velocity(body) - wind).y - v) / v);
      worst = std::max(worst, std::fabs(-(world.center_of_mass(body) - t * wind).y - drop) / drop);
    }
    report("A5 fall in air, method force, worst relative error", worst, "1e-9");
    EXPECT_LT(worst, 1e-9);
  }
}

TEST(ForceMethod, FeelsTheSameRandomGravity) {
  WorldSettings s = make_force_settings(1.0 / 25, 1e-10);
  s.gravity = {0, -kG, 0};
  s.gravity_noise = {0.2, 99};
  World world = make_force_world(s);
  const BodyHandle body = add_body(world, make_body(2, {1, 1, 1}));
  while (world.time() < 3 - 1e-9) world.step();
  const Vec3 exact = 3 * (Vec3{0, -kG, 0} + 0.2 * kG * mean_gravity_noise(99, 0, 3));
  EXPECT_LT(norm(world.velocity(body) - exact), 1e-9);
}

TEST(ForceMethod, GoesOnWithTheSameBitsInTheMiddleOfAForce) {
  const auto make = [] {
    World world = make_force_world(make_force_settings(1.0 / 60, 1e-7));
    const BodyHandle body = add_body(world, make_body(2, {1, 2, 3}));
    TimedForceDef def = make_curve(body);
    def.frame = ForceFrame::kBody;
    def.point = Vec3{0.1, 0, 0.2};
    EXPECT_TRUE(world.add_force(def).ok());
    return world;
  };
  World whole = make(), resumed = make();
  for (int i = 0; i < 40; ++i) whole.step();
  ASSERT_TRUE(resumed.load_state(whole.save_state()).ok());
  for (int i = 0; i < 60; ++i) {
    whole.step();
    resumed.step();
    ASSERT_EQ(whole.state_hash(), resumed.state_hash()) << i;
  }
}

}  // namespace
}  // namespace tenon
