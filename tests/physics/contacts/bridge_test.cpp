// Heavy on light: blocks on bridges of light planks. Contacts and joints at once, with mass ratios
// up to ten thousand.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

struct Bridge {
  int planks = 12;
  double bend = 4 * kPi / 180;  // between two planks as they start: the bridge is slack
  double plank = 1;             // kg
  double block = 1000;          // kg
  double step = kFrame;
  double off = 0.2;   // m, of the block's middle from the bridge's
  double fall = 0.1;  // m, of the block's lower face to the middle of the planks
};

struct BridgeRun {
  double gap = 0;      // of a plank, at the end of every step
  double overlap = 0;  // m, mean of the last second
  double deepest = 0;  // m, of all steps
  double gain = 0;     // J, the largest excess over the energy at the start
  double rise = 0;     // J, the largest gain of a step
  double height = 0;   // m, of the block's lower face over the ends of the bridge
  double load = 0;     // N, vertical, mean of the last second
};

constexpr double kPlank = 0.5;  // m

std::vector<BodyHandle> add_planks(World& world, const Bridge& b, MaterialId m) {
  const double chord = kPlank / std::sin(b.bend / 2),
               half_span = chord * std::sin(b.planks * b.bend / 2) / 2;
  std::vector<BodyHandle> planks;
  const auto at = [&](int i) {
    return Vec3{
        chord * std::sin(i * b.bend / 2) * std::cos((i - b.planks) * b.bend / 2) - half_span,
        chord * std::sin(i * b.bend / 2) * std::sin((i - b.planks) * b.bend / 2), 0};
  };
  BodyHandle last;
  for (int i = 0; i <= b.planks; ++i) {
    const Pose X_WJ{at(i), axis_along_z()};
    if (i == b.planks) {
      add_joint(world, make_joint(world, JointKind::kHinge, {}, last, X_WJ));
      break;
    }
    const Vec3 from = at(i), to = at(i + 1);
    const double lean = std::atan2(to.y - from.y, to.x - from.x);
    planks.push_back(add_solid(world, Box{{0.24, 0.03, 0.7}}, b.plank, 0.5 * (from + to), m,
                               from_axis_angle({0, 0, 1}, lean)));
    add_joint(world, make_joint(world, JointKind::kHinge, last, planks.back(), X_WJ));
    last = planks.back();
  }
  return planks;
}

BridgeRun run_bridge(const Bridge& b, double seconds = 6) {
  World world = make_world(b.step);
  const MaterialId m = add_surface(world, {.friction = 0.7});
  const std::vector<BodyHandle> planks = add_planks(world, b, m);
  const double sag = world.center_of_mass(planks[planks.size() / 2]).y;
  const BodyHandle block =
      add_solid(world, Box{{0.4, 0.4, 0.4}}, b.block, {b.off, sag + 0.4 + b.fall, 0}, m);
  BridgeRun run;
  const auto energy = [&] {
    const Mechanics now = world.calc_mechanics();
    return now.kinetic_J + now.potential_J;
  };
  const double start = energy();
  int steps = 0;
  double last = start;
  while (world.time() < seconds) {
    world.step();
    run.deepest = std::max(run.deepest, world.diagnostics().penetration_m);
    run.rise = std::max(run.rise, energy() - last);
    last = energy();
    run.gap = std::max(run.gap, world.diagnostics().joint_gap_rel);
    run.gain = std::max(run.gain, energy() - start);
    if (world.time() < seconds - 1) continue;
    run.load += world.contact_force(block).y;
    run.overlap += world.diagnostics().penetration_m;
    ++steps;
  }
  run.load /= steps;
  run.overlap /= steps;
  run.height = world.center_of_mass(block).y - 0.4;
  return run;
}

void expect_held(const Bridge& b, const BridgeRun& run) {
  SCOPED_TRACE(testing::Message() << b.planks << " planks, " << b.block << " kg, step " << b.step);
  EXPECT_LE(run.gap, 1e-6);
  EXPECT_LE(run.overlap, 1e-4);
  // a block that swings lightly to and fro is carried with its weight, in the mean
  EXPECT_NEAR(run.load, b.block * kG, 0.05 * b.block * kG);
  EXPECT_GT(run.height, -kPlank * b.planks / 2);
  // it falls 0.1 m and a sag more: nothing may come of it but losses
  EXPECT_LE(run.gain, 0.002 * b.block * kG * 0.5);
}

// It comes taut with a jerk, within a fraction of a millisecond that no step resolves: planks that
// still bend stop a block a thousand times their weight as soon as they are straight.
TEST(LightBridge, IsLandedOnWithoutOverlap) {
  for (const double step : {1.0 / 30, kFrame, 1.0 / 120, 1.0 / 240}) {
    for (const double fall : {0.1, 0.4}) {
      for (const double mass : {100.0, 1000.0, 10000.0}) {
        if (kShortTests && (mass != 1000 || (fall != 0.1 && step != kFrame))) continue;
        const Bridge b{.block = mass, .step = step, .fall = fall};
        const BridgeRun run = run_bridge(b, 2);
        SCOPED_TRACE(testing::Message() << mass << " kg from " << fall << " m, step " << step);
        EXPECT_LE(run.deepest, 1e-4);
        EXPECT_LE(run.gap, 1e-6);
        EXPECT_LE(run.gain, 1e-9 * mass);
        // to lift what overlaps must be paid for by motion, and what rests has none: 2 mm of weight
        EXPECT_LE(run.rise, 0.002 * mass * kG);
      }
    }
  }
}

// A table of 1.8 kg on legs in one piece with it, and loads of up to five thousand times its mass
// that fall on it from 5 cm, or on a plate that lies on it: what is hit on one side and stands on
// the other is hit again and again, by a thousandth less each time.
void fall_on_table(double mass, double e, double step, double off, double plate) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = e});
  add_floor(world, m);
  const BodyHandle top = add_solid(world, Box{{0.5, 0.025, 0.5}}, 1, {0, 0.525, 0}, m);
  for (const double x : {-0.4, 0.4}) {
    for (const double z : {-0.4, 0.4}) {
      const BodyHandle leg = add_solid(world, Box{{0.025, 0.25, 0.025}}, 0.2, {x, 0.25, z}, m);
      add_joint(world, make_joint(world, JointKind::kRigid, top, leg, {{x, 0.5, z}, {}}));
    }
  }
  const double thick = plate > 0 ? 0.04 : 0;
  if (plate > 0) add_solid(world, Box{{0.3, 0.02, 0.3}}, plate, {0, 0.57, 0}, m);
  const BodyHandle load =
      add_solid(world, Box{{0.15, 0.25, 0.15}}, mass, {off, 0.85 + thick, 0.03}, m);
  double deepest = 0, least = energy(world), rise = 0;
  while (world.time() < 1.5) {
    world.step();
    deepest = std::max(deepest, world.diagnostics().penetration_m);
    least = std::min(least, energy(world));
    rise = std::max(rise, energy(world) - least);
  }
  // of 5 cm; what bounces is followed to first order in the step
  EXPECT_LT(deepest, e > 0 ? 3e-3 : 1e-3);
  EXPECT_LT(rise, 1e-3 * mass * kG * 0.85);
  EXPECT_NEAR(world.pose(load).p.y, 0.8 + thick, 1e-4);
  EXPECT_NEAR(world.pose(top).p.y, 0.525, 1e-4);
}

TEST(LightTable, IsFallenOnByAnyWeight) {
  for (const double mass : {100.0, 1000.0, 10000.0}) {
    for (const double e : {0.0, 0.3}) {
      for (const double step : {kFrame, 1.0 / 120, 1.0 / 240}) {
        for (const double plate : {0.0, 2.0}) {
          SCOPED_TRACE(testing::Message()
                       << mass << " kg on " << plate << " kg, e " << e << ", step " << step);
          fall_on_table(mass, e, step, plate > 0 ? 0 : 0.2, plate);
        }
      }
    }
  }
}

// A chain of hits is not stopped because it is long, nor because something heavy began it.
TEST(RowOnRails, KeepsItsEnergyBehindAHeavyBall) {
  for (const double mass : {19.0, 21.0, 100.0}) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.restitution = 1});
    for (int i = 0; i < 16; ++i) {
      const Vec3 p{i == 0 ? -0.03 : 0.201 * i, 0, 0};
      const BodyHandle ball = add_solid(world, Sphere{0.1}, i == 0 ? mass : 1, p, m);
      add_joint(world, make_joint(world, JointKind::kSlider, {}, ball, {p, {}}));
      if (i > 0) continue;
      ASSERT_TRUE(world.set_velocity(ball, {5, 0, 0}).ok());
    }
    const double begin = kinetic(world);
    step_to(world, 0.5);
    EXPECT_NEAR(kinetic(world), begin, 1e-9 * begin) << mass << " kg";
  }
}

TEST(LightBridge, CarriesATonneAtAnyStep) {
  for (const double step : {1.0 / 30, kFrame, 1.0 / 240}) {
    const Bridge b{.step = step};
    expect_held(b, run_bridge(b));
  }
}

TEST(LightBridge, CarriesBlocksOfAnyWeight) {
  for (const double mass : {1.0, 10.0, 30.0, 100.0, 10000.0}) {
    if (kShortTests && mass != 10.0) continue;
    const Bridge b{.block = mass};
    expect_held(b, run_bridge(b));
  }
}

TEST(LightBridge, OfAnyLengthCarriesATonneAnywhere) {
  for (const int planks : {5, 8, 20}) {
    for (const double off : {-0.35, 0.0, 0.6}) {
      if (kShortTests && (planks != 8 || off != 0.6)) continue;
      const Bridge b{.planks = planks, .off = off};
      expect_held(b, run_bridge(b));
    }
  }
}

}  // namespace
}  // namespace tenon::test
