// What no sensible scene has, and users try: plates without thickness, friction of nothing and of a
// hundred, thousands of bodies in one spot.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

// A box without thickness has no volume: refused with a message, in the document and in the engine.
TEST(ZeroThickness, IsRefusedWithAReason) {
  World world = make_world(kFrame);
  BodyDef def = make_solid(Box{{0.5, 0.1, 0.5}}, 1, {0, 1, 0}, {});
  def.colliders[0].shape = Box{{0.5, 0, 0.5}};
  const Result<BodyHandle> body = world.create_body(def);
  ASSERT_FALSE(body.ok());
  EXPECT_NE(format(body.error()).find("box"), std::string::npos) << format(body.error());
}

// Plates of a thousandth and of a hundred-thousandth of their width fall on each other, with and
// without a ball on top: nothing passes, all rest.
void drop_on_plates(double step, double half, double height) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> plates;
  for (int i = 0; i < 5; ++i) {
    plates.push_back(
        add_solid(world, Box{{0.5, half, 0.5}}, 0.1, {0, 0.01 + (2 * half + 0.01) * i, 0}, m));
  }
  BodyHandle ball;
  if (height > 0) ball = add_solid(world, Sphere{0.1}, 5, {0.05, height, 0.02}, m);
  step_to(world, 4);
  const std::string what = "half " + std::to_string(half) + ", ball from " + std::to_string(height);
  EXPECT_TRUE(all_finite(world));
  EXPECT_LT(top_speed(world), 0.01) << what;
  // the slack of a plate is 1e-5 of its size
  if (height > 0) {
    EXPECT_NEAR(world.center_of_mass(ball).y, 0.1 + 10 * half, 1e-4) << what;
  }
  for (size_t i = 0; i < plates.size(); ++i) {
    const double y = (2 * static_cast<double>(i) + 1) * half;
    EXPECT_NEAR(world.center_of_mass(plates[i]).y, y, 1e-4) << what << ", plate " << i;
  }
}

TEST(ThinPlates, LieOnEachOther) {
  for (const double half : {5e-4, 5e-6}) drop_on_plates(kFine, half, 0);
}

TEST(ThinPlates, CarryWhatIsDroppedOnThem) {
  for (const double half : {5e-4, 5e-6}) drop_on_plates(kFine, half, 0.2);
  drop_on_plates(kFine, 5e-6, 1.0);
}

// Forces alone move them by more than their thickness in such a step, and speed by many times that.
TEST(ThinPlates, LieOnEachOtherAtCoarseSteps) {
  for (const double height : {0.0, 0.2, 1.0}) drop_on_plates(kFrame, 5e-4, height);
}
// The ball is fifty times heavier than a plate, and hits them at four plates per step.
TEST(ThinPlates, CarryWhatHitsThemHard) { drop_on_plates(kFine, 5e-4, 1.0); }

// A heap in a pit of five walls.
double drop_heap(World& world, MaterialId m) {
  add_floor(world, m);
  for (const Vec3 n : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    add_floor(world, m, from_axis_angle(cross({0, 1, 0}, n), 0.5 * kPi), -1.0 * n);
  }
  Rng rng(11);
  for (int i = 0; i < 60; ++i) {
    const Vec3 p{rng.uniform(-0.6, 0.6), 0.4 + 0.25 * i / 4, rng.uniform(-0.6, 0.6)};
    add_body(world, make_solid(any_shape(rng, 0.6), 1, p, m, exp_map(random_vec(rng, 3))));
  }
  const Mechanics begin = world.calc_mechanics();
  return begin.kinetic_J + begin.potential_J;
}

TEST(Friction, OfNothingAndOfAHundredLeavesAHeapWhole) {
  for (const double friction : {0.0, 100.0}) {
    World world = make_world(kFrame);
    const double energy = drop_heap(world, add_surface(world, {.friction = friction}));
    double most = 0;
    while (world.time() < effort(10, 1)) {  // something may tip over late
      world.step();
      const Mechanics now = world.calc_mechanics();
      most = std::max(most, now.kinetic_J + now.potential_J);
    }
    if (kShortTests) continue;  // still falling
    report("heap with friction " + std::to_string(friction) + ": energy, of the start",
           most / energy, "1");
    report("heap: fastest at the end, m/s", top_speed(world), "0.3");
    EXPECT_TRUE(all_finite(world));
    EXPECT_LT(most, 1.001 * energy) << friction;
    EXPECT_LT(world.diagnostics().penetration_m, 1e-3) << friction;
    EXPECT_LT(top_speed(world), friction > 0 ? 0.3 : 1.0) << friction;  // ice slides on
    for (const BodyHandle b : world.bodies()) {
      if (world.motion(b) != MotionKind::kDynamic) continue;
      const Vec3 p = world.center_of_mass(b);
      EXPECT_TRUE(p.y > 0 && std::fabs(p.x) < 1 && std::fabs(p.z) < 1) << friction;
    }
  }
}

// Fifteen hundred within a decimetre: they come apart at a bounded speed, and in bounded time.
constexpr int kCrowd = effort(1500, 150);
TEST(Crowd, OfFifteenHundredInOneSpotDoesNotExplode) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.3});
  add_floor(world, m);
  Rng rng(7);
  for (int i = 0; i < kCrowd; ++i) {
    add_body(world, make_solid(Sphere{0.03}, 1, Vec3{0, 0.5, 0} + random_vec(rng, 0.1), m));
  }
  double fastest = 0;
  for (int i = 0; i < 20; ++i) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
  }
  report(std::to_string(kCrowd) + " bodies in one spot: fastest, m/s", fastest, "20");
  EXPECT_TRUE(all_finite(world));
  EXPECT_EQ(world.diagnostics().frozen_bodies, 0u);
  EXPECT_LT(fastest, 20);
}

// All mass centres in one point: every pair overlaps by the same, in a direction of nobody's
// choice.
TEST(Crowd, InOnePointComesApart) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> all;
  for (int i = 0; i < effort(300, 40); ++i) {
    all.push_back(add_solid(world, Sphere{0.1}, 1, {0, 1, 0}, m));
  }
  double fastest = 0, farthest = 0;
  for (int i = 0; i < 40; ++i) {
    world.step();
    fastest = std::max(fastest, top_speed(world));
  }
  for (const BodyHandle b : all) {
    const Vec3 p = world.center_of_mass(b);
    farthest = std::max(farthest, norm(Vec3{p.x, 0, p.z}));
  }
  report("bodies in one point: fastest, m/s", fastest, "20");
  report("how far aside they are after 40 steps, m", farthest, "at least 0.1");
  EXPECT_TRUE(all_finite(world));
  EXPECT_LT(fastest, 20);
  EXPECT_GT(farthest, 0.1);
}

}  // namespace
}  // namespace tenon::test
