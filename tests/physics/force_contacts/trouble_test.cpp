// Problems without a solution and forces that cannot be integrated: told, and never the end.
#include <gtest/gtest.h>

#include "tenon/tests/physics/force_contacts/force_kit.h"

namespace tenon::test {
namespace {

TEST(ForceTrouble, ARodThatDigsInIsReportedAndGoesOn) {
  // Painleve's rod: a thin box that slides on one edge
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60);
  ForceSettings f = world.settings().force;
  f.h_min = 1e-6;
  set_force(world, f);
  const MaterialId m = add_surface(world, {.friction = 1.8});
  add_floor(world, m);
  const double angle = 1.0, l = 1, t = 0.01;
  const Quat q = from_axis_angle({0, 0, 1}, angle);
  // its lower edge on the ground
  const Vec3 corner = rotate(q, {-l, -t, 0});
  BodyDef def = make_solid(Box{{l, t, 0.1}}, 1, {0, -corner.y, 0}, m, q);
  def.velocity = {-2, 0, 0};
  const BodyHandle rod = add_body(world, def);
  uint32_t failures = 0;
  while (world.time() < 1) {
    world.step();
    failures += world.diagnostics().lcp_failures;
    ASSERT_TRUE(is_finite(world.center_of_mass(rod)));
    ASSERT_LT(world.diagnostics().penetration_m, 0.01);
  }
  EXPECT_GT(failures, 0u);
  EXPECT_EQ(world.diagnostics().frozen_bodies, 0u);
  // energy has not come from nowhere
  EXPECT_LT(kinetic(world), 1 * kG * 2 + 2.1);
}

TEST(ForceTrouble, StiffnessThatCannotBeIntegratedIsCountedAndEnds) {
  World world = make_force_world(ForceContacts::kPenalty, 1.0 / 60);
  ForceSettings f = world.settings().force;
  f.h_min = 1e-5;
  set_force(world, f);
  const MaterialId m = add_stiff_surface(world, 1e16, 1e10);
  add_floor(world, m);
  const BodyHandle ball = add_solid(world, Sphere{0.1}, 1, {0, 0.11, 0}, m);
  uint32_t least = 0;
  while (world.time() < 0.2) {
    world.step();
    least += world.diagnostics().minimum_steps;
    // not more steps than the frame has room for
    ASSERT_LE(world.diagnostics().integrator_steps, 2000u);
  }
  EXPECT_GT(least, 0u);
  EXPECT_TRUE(world.frozen(ball) || is_finite(world.center_of_mass(ball)));
}

TEST(ForceTrouble, BodiesThatBeginInsideEachOtherComeApart) {
  for (const ForceContacts contacts :
       {ForceContacts::kPenalty, ForceContacts::kAnalytic, ForceContacts::kLcp}) {
    World world = make_force_world(contacts, 1.0 / 60);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_floor(world, m);
    const BodyHandle a = add_solid(world, Box{{0.2, 0.2, 0.2}}, 1, {0, 0.17, 0}, m);
    while (world.time() < 2) world.step();
    EXPECT_GT(world.center_of_mass(a).y, 0.199) << static_cast<int>(contacts);
    EXPECT_LT(norm(world.center_of_mass(a)), 5) << static_cast<int>(contacts);
  }
}

TEST(ForceTrouble, AnEmptyWorldAndLonelyBodiesStep) {
  World empty = make_force_world(ForceContacts::kLcp, 1.0 / 60);
  empty.step();
  World world = make_force_world(ForceContacts::kAnalytic, 1.0 / 60);
  add_solid(world, Sphere{1}, 1, {}, 0);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(world.diagnostics().impacts, 0u);
}

}  // namespace
}  // namespace tenon::test
