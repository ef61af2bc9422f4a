// Contact laws as forces: E14 (settling), rebound of the spring method, creep of friction (E8b).
#include <gtest/gtest.h>

#include "tenon/tests/physics/force_contacts/force_kit.h"

namespace tenon::test {
namespace {

TEST(ForceLaws, SettleAnIronSphereAsTheClosedFormSays) {
  const nlohmann::json e =
      load_reference("E_force_model_closed_form")["E8_penalty_settling_iron_sphere"];
  const double mass = e["mass"], r = e["radius"], c = e["c"], depth = e["static_depth"];
  const double w0 = std::sqrt(c / mass);
  for (const auto& one : e["cases"]) {
    World world = make_force_world(ForceContacts::kPenalty, 1 / w0, 1e-11);
    const MaterialId m = add_stiff_surface(world, c, one["d"]);
    add_floor(world, m);
    const BodyHandle ball = add_solid(world, Sphere{r}, mass, {0, r, 0}, m);
    double worst = 0;
    for (int i = 1; i <= 10; ++i) {
      world.step();
      const auto& at = one["x_over_static_at_w0t"];
      if (!at.contains(std::to_string(i))) continue;
      const double x = (r - world.center_of_mass(ball).y) / depth;
      worst = std::max(worst, std::fabs(x - at[std::to_string(i)].get<double>()));
    }
    report("E14 settling, zeta " + std::to_string(one["zeta"].get<double>()), worst, "1e-6");
    EXPECT_LT(worst, 1e-6);
    if (one["zeta"].get<double>() < 0.5) continue;
    for (int i = 0; i < 60; ++i) world.step();
    const double left = std::fabs((r - world.center_of_mass(ball).y) / depth - 1);
    report("E14 static depth, relative", left, "1e-6");
    EXPECT_LT(left, 1e-6);
  }
}

TEST(ForceLaws, SpringsGiveBackTheRootOfTheRestitution) {
  // gravity would pull while they are pressed: without it the ratio is exact but for the blend
  World world = make_force_world(ForceContacts::kSpring, 1e-3, 1e-10, kNoGravity);
  const MaterialId m = add_stiff_surface(world, 1e6, 0, 0.81);
  add_floor(world, m);
  BodyDef def = make_solid(Sphere{0.05}, 1, {0, 0.051, 0}, m);
  def.velocity = {0, -1, 0};
  const BodyHandle ball = add_body(world, def);
  while (world.time() < 0.02) world.step();
  report("spring method, rebound for restitution 0.81", world.velocity(ball).y, "0.9");
  EXPECT_NEAR(world.velocity(ball).y, 0.9, 1e-5);
}

TEST(ForceLaws, SpringsLetABodyRest) {
  World world = make_force_world(ForceContacts::kSpring, 1.0 / 60, 1e-8);
  const MaterialId m = add_stiff_surface(world, 1e5, 0, 0.5);
  add_floor(world, m);
  const BodyHandle ball = add_solid(world, Sphere{0.1}, 1, {0, 0.12, 0}, m);
  while (world.time() < 4) world.step();
  EXPECT_LT(std::fabs(world.velocity(ball).y), 1e-5);
  EXPECT_NEAR(0.1 - world.center_of_mass(ball).y, 2 * kG / (1.5 * 1e5), 1e-6);
  EXPECT_EQ(world.diagnostics().minimum_steps, 0u);
}

TEST(ForceLaws, FrictionCreepsByItsLaw) {
  const nlohmann::json e = load_reference("E_force_model_closed_form")["E8b_friction_creep"];
  const double theta = e["theta_deg"].get<double>() * kPi / 180;
  for (const ForceContacts contacts : {ForceContacts::kPenalty, ForceContacts::kAnalytic}) {
    World world = make_force_world(contacts, 1.0 / 60, 1e-9,
                                   {kG * std::sin(theta), -kG * std::cos(theta), 0});
    ForceSettings f = world.settings().force;
    f.v_tangent_max = e["v_Tmax"];
    set_force(world, f);
    const MaterialId m = add_stiff_surface(world, 1e5, 2e3, 0, e["mu"]);
    add_floor(world, m);
    const BodyHandle box = add_solid(world, Box{{0.2, 0.1, 0.2}}, 1, {0, 0.1, 0}, m);
    while (world.time() < 1) world.step();
    const double creep = e["creep"];
    report("E8b creep, relative error", std::fabs(world.velocity(box).x / creep - 1), "1e-4");
    EXPECT_NEAR(world.velocity(box).x, creep, 1e-4 * creep);
  }
}

TEST(ForceLaws, SlideAsCoulombSays) {
  const nlohmann::json all = load_reference("D_contact_closed_form");
  for (const ForceContacts contacts :
       {ForceContacts::kPenalty, ForceContacts::kAnalytic, ForceContacts::kLcp}) {
    double worst = 0;
    for (const auto& c : all["D1_incline"]) {
      const double a = c["angle_deg"].get<double>() * kPi / 180;
      if (contacts == ForceContacts::kAnalytic && a > 0.2) continue;  // the same laws at rest
      World world =
          make_force_world(contacts, 1.0 / 20, 1e-7, {kG * std::sin(a), -kG * std::cos(a), 0});
      ForceSettings f = world.settings().force;
      // without unknowns for friction, slow creeping is paid for by short steps
      f.v_tangent_max = contacts == ForceContacts::kLcp ? 1e-3 : 2e-4;
      f.h_min = 1e-8;
      set_force(world, f);
      const MaterialId m = add_stiff_surface(world, 1e5, 1e3, 0, c["mu"]);
      add_floor(world, m);
      BodyDef def = make_solid(Box{{0.4, 0.02, 0.4}}, 1, {0, 0.02, 0}, m);
      def.velocity = {c["v0_downslope"].get<double>(), 0, 0};
      const BodyHandle box = add_body(world, def);
      while (world.time() < 1 - 1e-9) world.step();
      const double x = world.center_of_mass(box).x, expected = c["x_v_at_t"]["1"][0];
      worst = std::max(worst, std::fabs(x - expected));
      EXPECT_NEAR(x, expected, 5e-3 * std::max(0.1, std::fabs(expected))) << c["angle_deg"];
    }
    report("D1 way in 1 s, m", worst, "0.5 %");
  }
}

}  // namespace
}  // namespace tenon::test
