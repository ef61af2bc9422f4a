// Stacks: D10, PAL-6, PAL-7, extreme mass ratios, full restitution.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

struct StackRun {
  double drift = 0;        // m, of the top box from where it was after a second
  double sway = 0;         // m, sideways from its start, of any box
  double kinetic = 0;      // J/kg, largest after 5 s
  double penetration = 0;  // m, largest
};

StackRun run_stack(World& world, const std::vector<BodyHandle>& boxes, double seconds) {
  StackRun r;
  std::vector<Vec3> start;
  for (const BodyHandle b : boxes) start.push_back(world.center_of_mass(b));
  const Vec3 top = start.back();
  const double mass = mass_of(world);
  while (world.time() < seconds) {
    world.step();
    r.drift = std::max(r.drift, norm(world.center_of_mass(boxes.back()) - top));
    for (size_t i = 0; i < boxes.size(); ++i) {
      const Vec3 d = world.center_of_mass(boxes[i]) - start[i];
      r.sway = std::max(r.sway, std::sqrt(d.x * d.x + d.z * d.z));
    }
    if (world.time() > 5) r.kinetic = std::max(r.kinetic, kinetic(world) / mass);
    r.penetration = std::max(r.penetration, world.diagnostics().penetration_m);
  }
  return r;
}

void expect_rest(const StackRun& r, const std::string& what) {
  report(what + ": drift of the top, m", r.drift, "1e-3");
  report(what + ": kinetic energy after 5 s, J/kg", r.kinetic, "1e-8");
  report(what + ": largest penetration, m", r.penetration, "1e-3");
  EXPECT_LT(r.drift, 1e-3) << what;
  EXPECT_LT(r.sway, 1e-3) << what;
  EXPECT_LT(r.kinetic, 1e-8) << what;
  EXPECT_LT(r.penetration, 1e-3) << what;
}

TEST(Stack, OfTenStandsForHalfAMinute) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto boxes = add_stack(world, std::vector<double>(10, 1.0), m);
  expect_rest(run_stack(world, boxes, 30), "D10");
}

TEST(Stack, StandsWithTheHeaviestOnTop) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  std::vector<double> masses(10, 1.0);
  masses.back() = 10;
  const auto boxes = add_stack(world, masses, m);
  expect_rest(run_stack(world, boxes, 30), "D10, ten times the mass on top");
}

TEST(Stack, OfTwoToTwentyStands) {
  for (const int n : {2, 3, 5, 8, 12, 16, 20}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    const auto boxes = add_stack(world, std::vector<double>(static_cast<size_t>(n), 1.0), m);
    expect_rest(run_stack(world, boxes, 10), "PAL-6, " + std::to_string(n) + " boxes");
  }
}

TEST(Stack, StandsAtFineSteps) {
  World world = make_world(kFine);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto boxes = add_stack(world, std::vector<double>(10, 1.0), m);
  expect_rest(run_stack(world, boxes, 7), "D10 at 1 ms");
}

// Boxes that are dropped on each other from small heights, each turned a little.
TEST(Stack, SettlesFromSmallDrops) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 10; ++i) {
    boxes.push_back(add_solid(world, Box{{0.25, 0.25, 0.25}}, 1, {0, 0.26 + 0.51 * i, 0}, m,
                              from_axis_angle({0, 1, 0}, 0.05 * i)));
  }
  step_to(world, 3);
  const StackRun r = run_stack(world, boxes, 13);
  expect_rest(r, "dropped stack");
}

TEST(Stack, CarriesAMillionTimesItsMass) {
  for (const double ratio : {1e3, 1e6}) {
    for (const double step : {kFrame, 4e-3}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = 0.5});
      const auto boxes = add_stack(world, {1, ratio}, m);
      const StackRun r = run_stack(world, boxes, 10);
      expect_rest(r, "heavy on light, " + std::to_string(ratio));
    }
  }
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto boxes = add_stack(world, {1e6, 1}, m);
  expect_rest(run_stack(world, boxes, 10), "light on heavy, 1e6");
}

TEST(Stack, CarriesHeavyBoxesBetweenLightOnes) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const auto tower = add_stack(world, {1, 1e2, 1, 1e4, 1, 1e6}, m);
  expect_rest(run_stack(world, tower, 10), "light and heavy in turns");
}

// Five balls exactly above each other stand; a micrometre aside, they fall.
TEST(Stack, OfBallsStandsOnlyWhereItIsStraight) {
  for (const double step : {kFrame, 4e-3}) {
    for (const double offset : {0.0, 1e-6}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = 0.5});
      add_floor(world, m);
      std::vector<BodyHandle> balls;
      for (int i = 0; i < 5; ++i) {
        const double x = i % 2 == 0 ? 0 : offset;
        balls.push_back(add_solid(world, Sphere{0.125}, 1, {x, 0.125 + 0.25 * i, 0}, m));
      }
      step_to(world, 10);
      const Vec3 top = world.center_of_mass(balls.back());
      if (offset == 0) {
        EXPECT_LT(norm(top - Vec3{0, 1.125, 0}), 1e-5) << step;
        EXPECT_LT(kinetic(world), 1e-8) << step;
      } else {
        EXPECT_LT(top.y, 1) << step;
      }
      EXPECT_TRUE(all_finite(world));
      EXPECT_LT(world.diagnostics().penetration_m, 1e-3) << step;
    }
  }
}

// Full restitution: whatever the boxes do, they gain no energy, and a stack at rest rests.
TEST(Stack, WithFullRestitutionGainsNothing) {
  for (const double gap : {0.0, 0.01}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 1});
    add_floor(world, m);
    std::vector<BodyHandle> boxes;
    for (int i = 0; i < 5; ++i) {
      boxes.push_back(
          add_solid(world, Box{{0.25, 0.25, 0.25}}, 1, {0, 0.25 + gap + (0.5 + gap) * i, 0}, m));
    }
    const double start = energy(world);
    const double scale = 5 * kG * std::max(5 * gap, 0.01);
    double gain = 0;
    while (world.time() < 10) {
      world.step();
      gain = std::max(gain, energy(world) - start);
    }
    report("stack with e = 1: gain of energy, J", gain, "1e-3 of what may fall");
    EXPECT_LT(gain, 1e-3 * scale) << gap;
    if (gap == 0) {
      EXPECT_LT(kinetic(world), 1e-8);
    }
    EXPECT_LT(world.diagnostics().penetration_m, 1e-3);
  }
}

// A heavy box falls on a light one from a few centimetres, turned and beside the middle: it is held
// up, and the light one is not squeezed out. Sweeps alone would need as many of them as the ratio.
TEST(HeavyFallsOnLight, AtAnyRatio) {
  Rng rng(5);
  double fastest = 0, deepest = 0;
  for (int i = 0; i < 48; ++i) {
    const double ratio = std::pow(10.0, 1 + i % 8), drop = rng.uniform(0, 0.05);
    const double yaw = rng.uniform(-1, 1), aside = rng.uniform(-0.05, 0.05);
    World world = make_world(kFrame);
    const MaterialId m =
        add_surface(world, {.friction = 0.5, .rolling = i % 2 == 0 ? 0 : 2e-4, .spinning = 1e-4});
    add_floor(world, m);
    const BodyHandle light = add_solid(world, Box{{0.1, 0.05, 0.1}}, 1, {0, 0.05, 0}, m);
    const BodyHandle heavy =
        add_solid(world, Box{{0.5, 0.5, 0.5}}, ratio, {aside, 0.6 + drop, 0.5 * aside}, m,
                  {std::cos(0.5 * yaw), 0, std::sin(0.5 * yaw), 0});
    const double start = energy(world);
    while (world.time() < 3) {
      world.step();
      fastest = std::max(fastest, norm(world.velocity(light)));
      EXPECT_LT(energy(world) - start, 1e-3 * ratio) << ratio << " case " << i;
    }
    deepest = std::max(deepest, world.diagnostics().penetration_m);
    EXPECT_LT(std::fabs(world.pose(heavy).p.y - 0.6), 1e-4) << ratio << " case " << i;
    EXPECT_LT(norm(world.pose(light).p - Vec3{0, 0.05, 0}), 1e-2) << ratio << " case " << i;
  }
  report("heavy falls on light: fastest of the light one, m/s", fastest, "that of the fall, 1");
  EXPECT_LT(fastest, 2);
  report("heavy falls on light: overlap after 3 s, m", deepest, "3e-5");
  EXPECT_LT(deepest, 3e-5);
}

// Light and heavy boxes in turn, turned against each other, a centimetre apart: they come down on
// one another and stand.
TEST(HeavyFallsOnLight, SixOfThemStand) {
  for (const double ratio : {10.0, 1e3, 1e5}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.6, .rolling = 1e-4, .spinning = 1e-4});
    add_floor(world, m);
    std::vector<BodyHandle> boxes;
    for (int i = 0; i < 6; ++i) {
      const double mass = i % 2 == 0 ? 1 : ratio * i;
      boxes.push_back(add_solid(world, Box{{0.25, 0.25, 0.25}}, mass,
                                {0.01 * std::sin(3.0 * i), 0.25 + 0.51 * i, 0}, m,
                                {std::cos(0.15 * i), 0, std::sin(0.15 * i), 0}));
    }
    while (world.time() < 4) world.step();
    const Vec3 top = world.pose(boxes.back()).p;
    report("six unequal boxes: fall of the top beyond the gaps, m", std::fabs(top.y - 2.75),
           "1e-4");
    EXPECT_LT(std::fabs(top.y - 2.75), 1e-4) << ratio;
    EXPECT_LT(top_speed(world), 1e-3) << ratio;
    EXPECT_LT(world.diagnostics().penetration_m, 1e-4) << ratio;
  }
}

// A wall of bricks in running bond, with half bricks at its ends.
TEST(Wall, OfBricksStands) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.6});
  add_floor(world, m);
  std::vector<BodyHandle> bricks;
  const auto add = [&](double x, int row, double half) {
    bricks.push_back(
        add_solid(world, Box{{half, 0.1, 0.1}}, 10 * half, {x, 0.1 + 0.2 * row, 0}, m));
  };
  for (int row = 0; row < 6; ++row) {
    if (row % 2 == 0) {
      for (int i = 0; i < 6; ++i) add(0.4 * i, row, 0.199);
    } else {
      add(-0.1, row, 0.0995);
      for (int i = 0; i < 5; ++i) add(0.2 + 0.4 * i, row, 0.199);
      add(2.1, row, 0.0995);
    }
  }
  expect_rest(run_stack(world, bricks, 10), "wall of 39 bricks");
}

}  // namespace
}  // namespace tenon::test
