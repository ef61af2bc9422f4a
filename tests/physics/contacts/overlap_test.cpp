// Bodies that start or are put inside each other: they come apart, slowly, and nothing explodes.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// Without gravity: the way apart is made without speed.
TEST(DeepOverlap, ComesApartWithoutSpeed) {
  Rng rng(11);
  double fastest = 0, slowest = 0;
  for (int i = 0; i < 60; ++i) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.5});
    for (int k = 0; k < 2; ++k) {
      const Vec3 p = k == 0 ? Vec3{} : random_vec(rng, 0.05);
      add_body(world,
               make_solid(any_shape(rng), rng.uniform(1, 100), p, m, exp_map(random_vec(rng, 3))));
    }
    while (world.time() < 3) {
      world.step();
      fastest = std::max(fastest, top_speed(world));
      if (world.diagnostics().penetration_m > 1e-4) slowest = std::max(slowest, world.time());
    }
    EXPECT_TRUE(all_finite(world)) << i;
    EXPECT_LT(world.diagnostics().penetration_m, 1e-4) << i;
  }
  report("deep overlap: fastest body, m/s", fastest, "1e-6");
  report("deep overlap: gone after, s", slowest, "3");
  EXPECT_LT(fastest, 1e-6);
}

TEST(DeepOverlap, OnAFloorEndsAtRest) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const Box box{{0.25, 0.25, 0.25}};
  // half in the floor, and one nearly wholly in the other
  add_solid(world, box, 1, {0, 0, 0}, m);
  add_solid(world, box, 1, {0.1, 0.05, 0.02}, m);
  double fastest = 0;
  while (world.time() < 5) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
  }
  report("boxes inside each other on a floor: fastest, m/s", fastest, "3.2 = fall of a box height");
  EXPECT_LT(fastest, 3.2);
  EXPECT_LT(top_speed(world), 1e-5);
  EXPECT_LT(world.diagnostics().penetration_m, 1e-4);
}

TEST(CoincidentBodies, ComeApart) {
  const Shape shapes[] = {Sphere{0.2}, Box{{0.2, 0.2, 0.2}}, Cylinder{0.2, 0.2}, Capsule{0.1, 0.2}};
  for (const Shape& shape : shapes) {
    for (const double g : {0.0, kG}) {
      World world = make_world(kFrame, {.gravity = {0, -g, 0}});
      const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.5});
      if (g > 0) add_floor(world, m);
      add_solid(world, shape, 1, {0, 0.5, 0}, m);
      add_solid(world, shape, 1, {0, 0.5, 0}, m);
      double fastest = 0;
      while (world.time() < 4) {
        world.step();
        fastest = std::max(fastest, top_speed(world));
      }
      EXPECT_TRUE(all_finite(world));
      EXPECT_LT(world.diagnostics().penetration_m, 1e-3) << name(kind(shape)) << " g " << g;
      EXPECT_LT(fastest, g > 0 ? 4.0 : 1e-6) << name(kind(shape)) << " g " << g;
    }
  }
}

// A crate is put into the middle of a stack, another one half into the floor.
TEST(TeleportedBody, DoesNotBlowUpAStack) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto boxes = add_stack(world, std::vector<double>(5, 1.0), m);
  const BodyHandle other = add_solid(world, Box{{0.25, 0.25, 0.25}}, 1, {3, 0.25, 0}, m);
  step_to(world, 1);
  ASSERT_TRUE(world.set_pose(other, {{0.1, 1.3, 0.05}, {}}).ok());
  double fastest = 0;
  while (world.time() < 4) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
  }
  ASSERT_TRUE(world.set_pose(boxes[0], {{5, -0.1, 0}, {}}).ok());
  while (world.time() < 8) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
  }
  // nothing may be faster than a fall from the top: sqrt(2 g 3 m)
  report("teleported into a stack: fastest, m/s", fastest, "7.7");
  EXPECT_LT(fastest, 7.7);
  EXPECT_TRUE(all_finite(world));
  EXPECT_LT(world.diagnostics().penetration_m, 1e-3);
  EXPECT_LT(top_speed(world), 1e-3);
}

// A resting box is lifted by a set_pose and falls again; an old contact must not hold it.
TEST(TeleportedBody, ForgetsItsContacts) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto boxes = add_stack(world, {1}, m);
  step_to(world, 1);
  ASSERT_TRUE(world.set_pose(boxes[0], {{0, 5, 0}, {}}).ok());
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_NEAR(world.velocity(boxes[0]).y, -kG * 0.5, 1e-9);
  EXPECT_NEAR(world.center_of_mass(boxes[0]).y, 5 - 0.5 * kG * 0.25, 1e-9);
}

// Two frames of four bars, one half-way in the other: its bars push to both sides. They come apart
// and stay so, without speed.
TEST(HookedBodies, ComeApart) {
  for (const Vec3 shift : {Vec3{0.03, 0.004, 0}, Vec3{0.02, 0.03, 0}, Vec3{0.012, 0.005, 0}}) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = 0.3});
    for (const double side : {-0.5, 0.5}) {
      BodyDef def = make_solid(Box{{0.0225, 0.03, 0.015}}, 0.02, side * shift, m);
      const Shape post = Box{{0.006, 0.03, 0.015}}, beam = Box{{0.0105, 0.006, 0.015}};
      def.colliders = {{post, {{0.0165, 0, 0}, {}}, m, 1000},
                       {post, {{-0.0165, 0, 0}, {}}, m, 1000},
                       {beam, {{0, 0.024, 0}, {}}, m, 1000},
                       {beam, {{0, -0.024, 0}, {}}, m, 1000}};
      add_body(world, def);
    }
    double fastest = 0;
    while (world.time() < 2) {
      world.step();
      fastest = std::max(fastest, top_speed(world));
    }
    EXPECT_LT(world.diagnostics().penetration_m, 1e-5) << shift.x;
    EXPECT_LT(fastest, 0.05) << shift.x;
  }
}

TEST(Crowd, OfFiveHundredInOneSpotDoesNotExplode) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.3});
  add_floor(world, m);
  Rng rng(5);
  for (int i = 0; i < 500; ++i) {
    add_body(world, make_solid(any_shape(rng, 0.25), 1, Vec3{0, 0.5, 0} + random_vec(rng, 0.2), m,
                               exp_map(random_vec(rng, 3))));
  }
  double fastest = 0, most = 0;
  while (world.time() < 1.5) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
    most = std::max(most, kinetic(world) / 500);
  }
  report("500 bodies in one spot: fastest, m/s", fastest, "20");
  report("500 bodies in one spot: kinetic energy, J/kg", most, "10");
  EXPECT_TRUE(all_finite(world));
  EXPECT_LT(fastest, 20);
  EXPECT_LT(most, 10);
}

}  // namespace
}  // namespace tenon::test
