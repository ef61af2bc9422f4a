// Open chains against outside references: heavy top, pendulums, chains (validation cases A4, B1-B4,
// B6, B8, E3). The files of tests/reference were computed in joint coordinates with extrapolation.
#include <gtest/gtest.h>

#include "tenon/tests/physics/joints/double_pendulum.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"
#include "tenon/tests/physics/reference_series.h"

namespace tenon::test {
namespace {

// Round-off is the only thing that may be left of a joint's error.
constexpr double kTight = 1e-12;

// -- A4: heavy top

struct TopErrors {
  double center = 0, energy = 0, gap = 0;
};

TopErrors run_heavy_top(double step, double until) {
  const Series reference = load_series("A4_heavy_top.csv");
  World world = make_world(step, {.gravity = {0, 0, -9.81}, .tolerance = kTight});
  BodyDef def = make_body(15, {0.234375, 0.46875, 0.234375}, {0, 1, 0});
  def.angular_velocity = {0, 150, -4.61538};
  def.velocity = {4.61538, 0, 0};
  const BodyHandle top = add_body(world, def);
  add_ball(world, {}, top, {});
  const double E0 = energy(world);
  TopErrors e;
  JointErrors joints;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    if (t > until + 1e-9) break;
    while (world.time() < t - 0.5 * step) {
      world.step();
      joints.add(world);
      e.energy = std::max(e.energy, std::fabs(energy(world) / E0 - 1));
    }
    const Vec3 exact{reference.at(row, "comx"), reference.at(row, "comy"),
                     reference.at(row, "comz")};
    e.center = std::max(e.center, norm(world.center_of_mass(top) - exact));
  }
  e.gap = joints.gap_m;
  return e;
}

TEST(HeavyTop, FollowsTheReferenceOverASecond) {
  const TopErrors coarse = run_heavy_top(1e-3, 1), fine = run_heavy_top(1e-4, 1);
  report("A4 heavy top, 1e-3: centre of mass over 1 s, m", coarse.center, "3e-3");
  report("A4 heavy top, 1e-3: energy", coarse.energy, "3e-4");
  report("A4 heavy top, 1e-3: gap, m", coarse.gap, "1e-12");
  report("A4 heavy top, 1e-4: centre of mass over 1 s, m", fine.center, "2e-4");
  report("A4 heavy top, 1e-4: energy", fine.energy, "1e-5");
  EXPECT_LT(coarse.center, 3e-3);
  EXPECT_LT(coarse.energy, 3e-4);
  EXPECT_LT(coarse.gap, 1e-12);
  EXPECT_LT(fine.center, 2e-4);
  EXPECT_LT(fine.energy, 1e-5);
  EXPECT_LT(fine.gap, 1e-12);
}

// -- B1: point mass on a rod

struct PendulumRun {
  double period = 0, position = 0, energy_J = 0, gap = 0;
};

PendulumRun run_simple_pendulum(double step) {
  const Series reference = load_series("B1_simple_pendulum.csv");
  World world = make_world(step, {.tolerance = kTight});
  const BodyHandle mass = add_body(world, make_body(1, {}, {-1, 0, 0}));
  JointDef rod = make_joint(world, JointKind::kDistance, {}, mass, {});
  rod.X_BC = {};
  rod.length = 1;
  add_joint(world, rod);
  const double E0 = energy(world);
  PendulumRun run;
  JointErrors joints;
  std::vector<double> crossings;
  double last = -1;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    while (world.time() < t - 0.5 * step) {
      world.step();
      joints.add(world);
      run.energy_J = std::max(run.energy_J, std::fabs(energy(world) - E0));
      const double x = world.center_of_mass(mass).x;
      if (x * last < 0) crossings.push_back(world.time() - step * x / (x - last));
      last = x;
    }
    // rows between two steps are left out: nothing is interpolated
    if (std::fabs(world.time() - t) > 1e-9) continue;
    const Vec3 exact{reference.at(row, "x"), reference.at(row, "y"), 0};
    run.position = std::max(run.position, norm(world.center_of_mass(mass) - exact));
  }
  run.period =
      2 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  run.gap = joints.gap_m;
  return run;
}

TEST(SimplePendulum, HasThePeriodOfTheEllipticIntegral) {
  const PendulumRun run = run_simple_pendulum(1e-3);
  report("B1 pendulum, 1e-3: relative error of the period", run.period / 2.36784194758 - 1, "1e-3");
  report("B1 pendulum, 1e-3: position over 10 s, m", run.position, "none given");
  report("B1 pendulum, 1e-3: gap, m", run.gap, "1e-12");
  EXPECT_NEAR(run.period, 2.36784194758, 1e-3 * 2.36784194758);
  EXPECT_LT(run.gap, 1e-12);
  // what a period that is right to second order leaves after four swings
  EXPECT_LT(run.position, 1e-4);
}

TEST(SimplePendulum, KeepsItsEnergyAsTheSecondOrderCodesDo) {
  const PendulumRun run = run_simple_pendulum(8e-4);
  report("B1 pendulum, 8e-4: energy, J", run.energy_J, "5e-5");
  EXPECT_LT(run.energy_J, 5e-5);
}

// -- B2, B8, E3: double pendulum

TEST(DoublePendulum, ComparisonIntegratorAgreesWithTheReferenceFile) {
  const Series reference = load_series("B2_double_pendulum.csv");
  DoublePendulum exact(1, 1);
  double worst = 0;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    exact.advance_to(reference.at(row, "t"));
    worst = std::max(worst,
                     norm(exact.tip() - Vec3{reference.at(row, "x2"), reference.at(row, "y2"), 0}));
  }
  EXPECT_LT(worst, 1e-9);  // chaotic growth of 1e-14 over 5 s
}

struct DoubleErrors {
  double tip = 0, energy = 0, energy_gain = 0, gap = 0, angle = 0;
};

DoubleErrors run_double_pendulum(double step, double m2, double until, double tolerance) {
  World world = make_world(step, {.tolerance = tolerance});
  const std::vector<BodyHandle> rods = add_chain(world, 2, 1, JointKind::kHinge, 1, m2);
  DoublePendulum exact(1, m2);
  const double E0 = energy(world), scale = 9.81 * (0.5 + 1.5 * m2);
  DoubleErrors e;
  JointErrors joints;
  while (world.time() < until - 0.5 * step) {
    world.step();
    joints.add(world);
    exact.advance_to(world.time());
    e.tip = std::max(e.tip, norm(point_of(world, rods[1], {0.5, 0, 0}) - exact.tip()));
    const double dE = (energy(world) - E0) / scale;
    e.energy = std::max(e.energy, std::fabs(dE));
    e.energy_gain = std::max(e.energy_gain, dE);
  }
  e.gap = joints.gap_m;
  e.angle = joints.angle_rad;
  return e;
}

TEST(DoublePendulum, ErrsWithTheSquareOfTheStep) {
  std::vector<DoubleErrors> errors;
  for (const double step : {1e-2, 5e-3, 2.5e-3, 1.25e-3}) {
    errors.push_back(run_double_pendulum(step, 1, 2, kTight));
    report("B2 double pendulum, " + std::to_string(step) + ": tip over 2 s, m", errors.back().tip,
           "6 dt at 1 s");
    report("B2 double pendulum, " + std::to_string(step) + ": energy", errors.back().energy,
           "1.4 dt");
    EXPECT_LT(errors.back().tip, 6 * step);
    EXPECT_LT(errors.back().energy, 1.4 * step);
    EXPECT_LT(errors.back().gap, 1e-12);
    EXPECT_LT(errors.back().angle, 1e-12);
    EXPECT_LT(errors.back().energy_gain, 1e-11);
  }
  for (size_t i = 1; i < errors.size(); ++i) {
    const double order = std::log2(errors[i - 1].tip / errors[i].tip);
    report("B2 double pendulum: order", order, ">= 1.9");
    EXPECT_GT(order, 1.9);
  }
}

TEST(DoublePendulum, FollowsTheReferenceThroughItsChaos) {
  const Series reference = load_series("B2_double_pendulum.csv");
  World world = make_world(1e-3, {.tolerance = kTight});
  const std::vector<BodyHandle> rods = add_chain(world, 2, 1, JointKind::kHinge);
  step_to(world, 5);
  const size_t end = reference.rows.size() - 1;
  ASSERT_NEAR(reference.at(end, "t"), world.time(), 1e-9);
  const Vec3 tip{reference.at(end, "x2"), reference.at(end, "y2"), 0};
  const double error = norm(point_of(world, rods[1], {0.5, 0, 0}) - tip);
  report("B2 double pendulum, 1e-3: tip at 5 s, m", error, "none given");
  EXPECT_LT(error, 5e-3);  // second order from 6e-5 m at 2 s, growing with the chaos
}

TEST(DoublePendulum, IsRightForVeryUnequalMasses) {
  for (const double ratio : {1000.0, 0.001}) {
    const std::string name = "B8 mass ratio " + std::to_string(ratio);
    const DoubleErrors coarse = run_double_pendulum(5e-3, ratio, 1, kTight);
    const DoubleErrors fine = run_double_pendulum(2.5e-3, ratio, 1, kTight);
    report(name + ", 2.5e-3: tip over 1 s, m", fine.tip, "6 dt");
    report(name + ": order", std::log2(coarse.tip / fine.tip), ">= 1.9");
    report(name + ": gap, m", fine.gap, "1e-8");
    report(name + ": energy", fine.energy, "1.4 dt");
    EXPECT_LT(fine.tip, 6 * 2.5e-3);
    EXPECT_GT(std::log2(coarse.tip / fine.tip), 1.9);
    EXPECT_LT(fine.gap, 1e-8);
    EXPECT_LT(fine.energy, 1.4 * 2.5e-3);
    // with the default tolerance as well
    EXPECT_LT(run_double_pendulum(1.0 / 60, ratio, 2, 1e-6).gap, 1e-8);
  }
}

TEST(DoublePendulum, HasGapsThatDoNotDependOnTheStep) {
  const std::vector<double> steps{0.02, 0.01, 0.002, 1e-3, 1e-4};
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const double step : steps) {
    const double gap = run_double_pendulum(step, 1, 2, kTight).gap;
    report("E3 double pendulum, " + std::to_string(step) + ": gap, m", gap, "independent of dt");
    // rods of 1 m: the gap in metres is the relative one up to a factor of about one
    EXPECT_LT(run_double_pendulum(step, 1, step < 1e-3 ? 0.2 : 2, 1e-6).gap, 1e-6);
    // below a tenth of the smallest gap that is asked for anywhere there is only round-off
    const double x = std::log(step), y = std::log(std::max(gap, 1e-13));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = static_cast<double>(steps.size());
  const double exponent = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  report("E3 double pendulum: exponent of gap against step", exponent, "< 0.2");
  EXPECT_LT(std::fabs(exponent), 0.2);
}

// -- B3: spherical pendulum

TEST(SphericalPendulum, TurnsAtTheHeightsAndByTheAngleOfTheReference) {
  World world = make_world(1e-3, {.gravity = {0, 0, -9.81}, .tolerance = kTight});
  const double s = std::sqrt(0.75);
  BodyDef def = make_body(1, {}, {s, 0, -0.5});
  def.velocity = {0, 2 * s, 0};
  const BodyHandle mass = add_body(world, def);
  JointDef rod = make_joint(world, JointKind::kDistance, {}, mass, {});
  rod.X_BC = {};
  rod.length = 1;
  add_joint(world, rod);
  const double L0 = world.calc_mechanics().angular_momentum.z;
  double low = 0, high = -1, worst_L = 0, azimuth = 0, last_vz = 0;
  Vec3 last = def.X_WB.p;
  std::vector<double> times, azimuths;  // of the lowest points
  while (world.time() < 10) {
    world.step();
    const Vec3 p = world.center_of_mass(mass);
    const double turn = std::atan2(last.x * p.y - last.y * p.x, last.x * p.x + last.y * p.y);
    const double vz = world.velocity(mass).z;
    if (last_vz < 0 && vz >= 0) {
      const double part = vz / (vz - last_vz);
      times.push_back(world.time() - 1e-3 * part);
      azimuths.push_back(azimuth + turn * (1 - part));
    }
    azimuth += turn;
    low = std::min(low, p.z);
    if (!times.empty()) high = std::max(high, p.z);
    worst_L = std::max(worst_L, std::fabs(world.calc_mechanics().angular_momentum.z / L0 - 1));
    last = p;
    last_vz = vz;
  }
  ASSERT_GT(times.size(), 5u);
  const double n = static_cast<double>(times.size() - 1);
  const double period = (times.back() - times.front()) / n;
  const double apsidal = (azimuths.back() - azimuths.front()) / n;
  report("B3 spherical pendulum, 1e-3: lowest point, m", low + 0.8875973996, "1e-3");
  report("B3 spherical pendulum, 1e-3: highest point, m", high + 0.5, "1e-3");
  report("B3 spherical pendulum, 1e-3: apsidal angle, rel.", apsidal / 3.83116238961 - 1, "2e-3");
  report("B3 spherical pendulum, 1e-3: period, rel.", period / 1.07966916266 - 1, "none given");
  report("B3 spherical pendulum, 1e-3: vertical momentum, rel.", worst_L, "1e-12");
  EXPECT_NEAR(low, -0.8875973996, 1e-3);
  EXPECT_NEAR(high, -0.5, 1e-3);
  EXPECT_NEAR(apsidal, 3.83116238961, 2e-3 * 3.83116238961);
  EXPECT_NEAR(period, 1.07966916266, 1e-4);
  EXPECT_LT(worst_L, 1e-12);
}

// -- B4: two boxes in space

struct BoxErrors {
  double tip = 0, tip_1s = 0, energy = 0, gap = 0;
};

BoxErrors run_ball_chain(double step) {
  const Series reference = load_series("B4_ball_chain2.csv");
  World world = make_world(step, {.gravity = {0, 0, -9.81}, .tolerance = kTight});
  const BodyHandle b = add_ball_chain(world);
  const double E0 = reference.at(0, "energy");
  EXPECT_NEAR(energy(world), E0, 1e-12);
  BoxErrors e;
  JointErrors joints;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    while (world.time() < t - 0.5 * step) {
      world.step();
      joints.add(world);
      e.energy = std::max(e.energy, std::fabs(energy(world) - E0));
    }
    const Vec3 tip{reference.at(row, "tipx"), reference.at(row, "tipy"), reference.at(row, "tipz")};
    e.tip = std::max(e.tip, norm(point_of(world, b, {0.25, 0, 0}) - tip));
    if (t < 1 + 1e-9) e.tip_1s = e.tip;
  }
  e.gap = joints.gap_m;
  return e;
}

TEST(BallChain, FollowsTheReferenceInSpaceWithSecondOrder) {
  const BoxErrors coarse = run_ball_chain(2e-3), fine = run_ball_chain(1e-3);
  report("B4 ball chain, 1e-3: tip over 1 s, m", fine.tip_1s, "1e-2");
  report("B4 ball chain, 1e-3: tip over 3 s, m", fine.tip, "none given");
  report("B4 ball chain, 1e-3: energy, J", fine.energy, "none given");
  report("B4 ball chain, 1e-3: gap, m", fine.gap, "1e-12");
  report("B4 ball chain: order", std::log2(coarse.tip_1s / fine.tip_1s), ">= 1.9");
  EXPECT_LT(fine.tip_1s, 1e-2);
  EXPECT_LT(fine.gap, 1e-12);
  EXPECT_GT(std::log2(coarse.tip_1s / fine.tip_1s), 1.9);
}

// -- B6: five rods

struct ChainRun {
  double tip = 0, gap = 0;
  bool finite = true;
};

ChainRun run_five_rods(double step) {
  const Series reference = load_series("B6_chain5.csv");
  World world = make_world(step, {.tolerance = kTight});
  const std::vector<BodyHandle> rods = add_chain(world, 5, 0.2, JointKind::kHinge);
  ChainRun run;
  JointErrors joints;
  while (world.time() < 2 - 0.5 * step) {
    world.step();
    joints.add(world);
  }
  const size_t row = reference.rows.size() - 1;
  const Vec3 tip{reference.at(row, "tipx"), reference.at(row, "tipy"), 0};
  run.tip = norm(point_of(world, rods[4], {0.1, 0, 0}) - tip);
  run.gap = joints.gap_m;
  run.finite = all_finite(world);
  return run;
}

TEST(FiveRods, FollowTheReferenceThroughTheWhip) {
  const ChainRun run = run_five_rods(2e-3);
  report("B6 five rods, 2e-3: tip at 2 s, m", run.tip, "1e-2");
  report("B6 five rods, 2e-3: gap, m", run.gap, "1e-12");
  EXPECT_LT(run.tip, 1e-2);
  EXPECT_LT(run.gap, 1e-12);
}

TEST(FiveRods, StayTogetherAtStepsThatCannotResolveTheWhip) {
  for (const double step : {0.02, 1.0 / 24, 0.1}) {
    const ChainRun run = run_five_rods(step);
    report("B6 five rods, " + std::to_string(step) + ": gap, m", run.gap, "finite");
    EXPECT_TRUE(run.finite) << step;
    EXPECT_LT(run.gap, 2e-11) << step;  // the tolerance asked for, of rods of 0.2 m
  }
}

}  // namespace
}  // namespace tenon::test
