// Many meshes at once: they land on each other without passing, and come to rest.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

double mass_of(const World& world, const std::vector<BodyHandle>& bodies) {
  double mass = 0;
  for (const BodyHandle b : bodies) mass += world.mass(b).mass;
  return mass;
}

struct Column {
  World world;
  std::vector<BodyHandle> bodies;
};

// Shapes above one another, `apart` (m), turned at random.
Column make_column(World world, const Shape& shape, int count, double apart, MaterialId m) {
  Rng rng(11);
  std::vector<BodyHandle> bodies;
  for (int k = 0; k < count; ++k) {
    const Vec3 p = random_vec(rng, 0.03) + Vec3{0, 0.1 + apart * k, 0};
    const Quat q = from_axis_angle(normalized(random_vec(rng, 1)), rng.uniform(0, 3));
    bodies.push_back(add_solid(world, shape, 0.4, p, m, q));
  }
  return {std::move(world), std::move(bodies)};
}

TEST(MeshHeap, RingsThatLandOnEachOtherDoNotPassAndComeToRest) {
  // wires of 2 cm, the last of which land at 4.5 m/s: 7.5 cm in a step of 1/60 s
  const double wire = 0.01;
  World world = make_world(kFrame, {.sleeping = true});
  const MaterialId m = add_surface(world, {.friction = 0.3, .restitution = 0.2});
  add_floor(world, m);
  Column c =
      make_column(std::move(world), to_mesh(torus(0.04, wire, 28, 10)), effort(12, 4), 0.08, m);
  double deepest = 0;
  for (int i = 0; i < effort(480, 20); ++i) {
    c.world.step();
    deepest = std::max(deepest, c.world.diagnostics().penetration_m);
  }
  // steps are cut so that nothing goes on by more than a quarter of 6 V / A, 3 times the radius,
  // where it is stopped; the middle of a wire is a radius deep
  EXPECT_LT(deepest, 0.75 * wire);
  // below half a millimetre per second: nobody sees it move
  EXPECT_LT(kinetic(c.world) / mass_of(c.world, c.bodies), effort(1.2e-7, 10.0));
}

TEST(MeshHeap, BoxesWithEdgesAndGroovesComeToRestInABowl) {
  // facets whose normals differ by degrees, edges across edges: whatever jumps keeps them moving
  World world = make_world(kFrame, {.sleeping = true});
  const MaterialId m = add_surface(world, {.friction = 0.3, .restitution = 0.2});
  add_static(world, to_mesh(ground(0.5, 24, [](double x, double z) { return x * x + z * z; })), m);
  Column c = make_column(std::move(world), to_mesh(grooved_box({0.03, 0.013, 0.02})), effort(10, 3),
                         0.08, m);
  for (int i = 0; i < effort(600, 20); ++i) c.world.step();
  EXPECT_LT(kinetic(c.world) / mass_of(c.world, c.bodies), effort(1e-8, 10.0));
  // 1 % of the longest side
  EXPECT_LT(c.world.diagnostics().penetration_m, effort(6e-4, 1e-2));
}

TEST(MeshHeap, GoesOnWithTheSameBitsFromAnyStepOfItsLanding) {
  // steps in parts look for contacts no farther than the next part goes: that is saved as well
  const Shape ring = to_mesh(torus(0.04, 0.01, 20, 8));
  const auto make = [&] {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.3, .restitution = 0.2});
    add_floor(world, m);
    return make_column(std::move(world), ring, 4, 0.08, m).world;
  };
  World one = make();
  uint64_t parts = 0;
  for (int i = 0; i < 30; ++i) {
    const std::vector<std::byte> saved = one.save_state();
    World other = make();
    ASSERT_TRUE(other.load_state(saved).ok());
    one.step();
    other.step();
    ASSERT_EQ(one.state_hash(), other.state_hash()) << i;
    parts += one.diagnostics().bisections;
  }
  EXPECT_GT(parts, 0u);
}

}  // namespace
}  // namespace tenon::test
