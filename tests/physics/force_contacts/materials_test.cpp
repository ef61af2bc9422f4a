// Every built-in material: spheres of 1 to 600 kg that are dropped settle soon and do not go on
// bouncing (as AERO's authors chose c and d of theirs).
#include <gtest/gtest.h>

#include "tenon/scene/document/material.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

TEST(Materials, SettleWhateverTheMass) {
  double slowest = 0, deepest = 0;
  for (const scene::Material& material : scene::builtin_materials()) {
    for (const double mass : {1.0, 10.0, 100.0, 600.0}) {
      WorldSettings settings;
      settings.method = Method::kForce;
      settings.step = 1.0 / 60;
      settings.force.contacts = ForceContacts::kAnalytic;
      Result<World> made = World::make(settings);
      ASSERT_TRUE(made.ok());
      World world = std::move(*made);
      SurfaceMaterial s;
      s.restitution = material.restitution;
      s.static_friction = material.static_friction;
      s.sliding_friction = material.sliding_friction;
      s.stiffness = material.stiffness;
      s.damping = material.damping;
      const MaterialId m = *world.add_material(s);
      add_floor(world, m);
      const double r = std::cbrt(mass / material.density * 0.75 / kPi);
      // from where it would meet the ground with the speed from which on it would collide
      const double v = settings.force.v_normal_max;
      const BodyHandle ball = add_solid(world, Sphere{r}, mass, {0, r + 0.5 * v * v / kG, 0}, m);
      const double depth = mass * kG / material.stiffness;
      // the last time at which it was off by a tenth of what it sinks in, or in the air
      double settled = 0, top = 0;
      bool bounced = false;
      while (world.time() < 1.5) {
        world.step();
        const double x = r - world.center_of_mass(ball).y;
        if (std::fabs(x - depth) > 0.1 * depth + 1e-6) settled = world.time();
        if (world.time() > 0.1) top = std::max(top, -x);
        bounced = bounced || (world.time() > 0.5 && x < 0);
      }
      slowest = std::max(slowest, settled);
      deepest = std::max(deepest, depth / r);
      EXPECT_LE(settled, 0.4) << material.name << " " << mass << " kg";
      EXPECT_FALSE(bounced) << material.name << " " << mass << " kg";
      EXPECT_LT(depth, 0.05 * r) << material.name << " " << mass << " kg";
      EXPECT_EQ(world.diagnostics().minimum_steps, 0u);
    }
  }
  report("slowest settling of a built-in material, s", slowest, "0.4");
  report("deepest, of the radius", deepest, "0.05");
}

}  // namespace
}  // namespace tenon::test
