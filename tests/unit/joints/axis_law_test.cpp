// Laws along a freedom: the active set that a solver walks, against bisection on the whole graph.
#include "tenon/engine/joints/axis_law.h"

#include <cmath>

#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

// One mass on the coordinate, as the mean of a step sees it: lambda = A c1 - B.
struct Mass {
  double A, B;
  Mass(double m, double c0, double rate, double h)
      : A(2 * m / (h * h)), B(m * (2 * c0 / (h * h) + 2 * rate / h)) {}
  double lambda(double c1) const { return A * c1 - B; }
};

struct Case {
  JointAxisDef axis;
  double c0, rate, h, m;
};

// Written anew from the definition: the force where no jump is at c1.
double reference_force(const Case& k, double wanted, double c1) {
  const JointAxisDef& a = k.axis;
  if (c1 < a.min) return kInfinity;
  if (c1 > a.max) return -kInfinity;
  double force = -a.stiffness * (0.5 * (k.c0 + c1) - a.rest) - a.damping * (c1 - k.c0) / k.h;
  const double s = a.min_separation;
  if (s >= a.rest && a.stiffness > 0) {
    // taut from s on: the mean over the taut part, and never a push
    const double from = std::max(k.c0, s), image = k.c0 < s ? s : 2 * s - k.c0;
    force = -0.5 * a.stiffness * (c1 - image) - a.damping * (c1 - from) / k.h;
    force = std::min(force, 0.0) - (c1 > s ? a.stiffness * (s - a.rest) : 0);
  } else if (k.c0 < s) {
    force = 0;
  }
  if (a.friction > 0) force += c1 < k.c0 ? a.friction : -a.friction;
  if (a.motor.kind == Motor::Kind::kForce) force += a.motor.target;
  if (a.motor.kind == Motor::Kind::kVelocity || a.motor.kind == Motor::Kind::kPosition)
    force += c1 < wanted ? a.motor.max_force : -a.motor.max_force;
  return force;
}

double reference_solution(const Case& k) {
  const Mass mass(k.m, k.c0, k.rate, k.h);
  double wanted = k.c0 + k.h * k.axis.motor.target;
  if (k.axis.motor.kind == Motor::Kind::kPosition) {
    wanted = k.axis.motor.target + damped_oscillation(k.c0 - k.axis.motor.target, k.rate,
                                                      2 * kPi * k.axis.motor.frequency_hz,
                                                      k.axis.motor.damping_ratio, k.h)
                                       .error;
  }
  double low = -1e6, high = 1e6;
  for (int n = 0; n < 200; ++n) {
    const double c1 = 0.5 * (low + high);
    (mass.lambda(c1) < reference_force(k, wanted, c1) ? low : high) = c1;
  }
  return 0.5 * (low + high);
}

Case random_case(Rng& rng) {
  Case k;
  k.c0 = rng.uniform(-1, 1);
  k.rate = rng.below(4) == 0 ? 0 : rng.uniform(-5, 5);
  k.h = rng.below(2) == 0 ? 1.0 / 60 : rng.uniform(1e-3, 0.1);
  k.m = exp(rng.uniform(-4, 4));
  JointAxisDef& a = k.axis;
  const auto maybe = [&](double value) { return rng.below(2) == 0 ? value : 0.0; };
  if (rng.below(2) == 0) a.min = rng.uniform(-1.2, 0.6);
  if (rng.below(2) == 0) a.max = std::max(rng.uniform(-0.6, 1.2), a.min);
  if (rng.below(8) == 0) a.min = k.c0;  // exactly at a limit
  if (rng.below(8) == 0) a.max = std::max(k.c0, a.min);
  if (a.min > a.max) a.max = a.min;
  a.friction = maybe(exp(rng.uniform(-3, 6)));
  a.stiffness = maybe(exp(rng.uniform(-3, 8)));
  a.damping = maybe(exp(rng.uniform(-3, 5)));
  a.rest = rng.uniform(-1, 1);
  if (rng.below(3) == 0) a.min_separation = rng.uniform(-1, 1);
  if (rng.below(8) == 0) a.min_separation = a.rest;  // an elastic rope
  if (rng.below(8) == 0) a.min_separation = k.c0;
  a.restitution = rng.uniform();
  a.motor.kind = static_cast<Motor::Kind>(rng.below(4));
  a.motor.target = maybe(rng.uniform(-3, 3));  // zero: the same place as friction
  a.motor.max_force = rng.below(3) == 0 ? kInfinity : exp(rng.uniform(-3, 7));
  a.motor.frequency_hz = exp(rng.uniform(-2, 3));
  a.motor.damping_ratio = rng.uniform(0, 2.5);
  return k;
}

TEST(AxisLaws, WalkToTheSolutionOfTheWholeGraphFromEveryPart) {
  Rng rng(11);
  int most_changes = 0;
  for (int n = 0; n < 20000; ++n) {
    const Case k = random_case(rng);
    const AxisLaw law(k.axis, k.c0, k.rate, k.h);
    const Mass mass(k.m, k.c0, k.rate, k.h);
    const double expected = reference_solution(k);
    for (int start = 0; start < law.part_count(); ++start) {
      int part = start, changes = 0;
      double c1 = 0;
      for (;; ++changes) {
        ASSERT_LE(changes, law.part_count()) << n;
        const LawRow row = law.row(part);
        // a c1 + b (A c1 - B) = g
        c1 = (row.g + row.b * mass.B) / (row.a + row.b * mass.A);
        const int next = law.next(part, c1, mass.lambda(c1), 1e-12, 1e-9 * (1 + mass.A));
        if (next == part) break;
        ASSERT_TRUE(law.reachable(next)) << n;
        part = next;
      }
      most_changes = std::max(most_changes, changes);
      // slack of 1e-12, and round-off of c1 in lambda = A c1 - B
      ASSERT_NEAR(c1, expected, 1e-9) << "case " << n << " from part " << start;
    }
    ASSERT_TRUE(law.reachable(law.find(k.c0 + k.h * k.rate)));
  }
  EXPECT_LE(most_changes, 10);
  EXPECT_GE(most_changes, 3);  // otherwise the cases are too easy
}

// Energy of a spring that acts from s on, and the work of its force over a step.
TEST(AxisLaws, ASpringWithASeparationNeverGivesMoreThanItHas) {
  Rng rng(5);
  double least = 1e9, lost = 0, stored = 0;
  for (int n = 0; n < 200000; ++n) {
    JointAxisDef axis;
    axis.stiffness = exp(rng.uniform(0, 8));
    axis.rest = rng.uniform(0, 1);
    axis.min_separation = rng.below(3) == 0 ? axis.rest : rng.uniform(0, 2);
    const double s = axis.min_separation, c0 = rng.uniform(0, 2), c1 = rng.uniform(0, 2);
    const auto energy = [&](double c) {
      const double at_s = s - axis.rest, at_c = c - axis.rest;
      return c < s ? 0 : 0.5 * axis.stiffness * (at_c * at_c - at_s * at_s);
    };
    const AxisLaw law(axis, c0, 0, 1.0 / 60);
    const double gain = law.force(c1) * (c1 - c0) + energy(c1) - energy(c0);
    if (s < axis.rest) {
      // the force rises at s: whoever comes from there gets nothing from it in this step, whoever
      // leaves has to overcome it all the way
      EXPECT_EQ(law.part_count(), 1);
      EXPECT_EQ(law.force(c1) == 0, c0 < s || c0 + c1 == 2 * axis.rest);
      continue;
    }
    least = std::min(least, -gain);
    lost += -gain;
    stored += energy(c0);
    // nothing is lost while it stays taut, or slack
    if ((c0 > s) == (c1 > s)) {
      EXPECT_NEAR(gain, 0, 1e-9 * (1 + energy(c0) + energy(c1)));
    }
    EXPECT_LE(law.force(c1), 0);
  }
  EXPECT_GT(least, -1e-9);
  EXPECT_LT(lost, stored);  // and it is not all lost
}

TEST(AxisLaws, RopesHaveAKinkAndNoHold) {
  JointAxisDef axis;
  axis.stiffness = 100;
  axis.damping = 2;
  axis.rest = axis.min_separation = 1;
  const double h = 0.1;
  // slack: from its length on; taut: the mean of both ends, while that pulls
  const AxisLaw slack(axis, 0.5, 0, h), taut(axis, 1.25, 0, h);
  EXPECT_EQ(slack.force(0.9), 0);
  EXPECT_NEAR(slack.force(1.5), -(50 + 20) * 0.5, 1e-12);
  EXPECT_NEAR(taut.force(1.5), -100 * 0.375 - 20 * 0.25, 1e-12);
  EXPECT_EQ(taut.force(0.5), 0);
  for (const AxisLaw& law : {slack, taut}) {
    EXPECT_EQ(law.part_count(), 3);
    for (const double c1 : {0.2, 1.0, 2.0}) EXPECT_FALSE(law.holds(law.find(c1)));
    EXPECT_EQ(law.next(0, 2, 0, 1e-12, 1e-9), 2);
    EXPECT_EQ(law.next(2, 0.2, 0, 1e-12, 1e-9), 0);
    // rates do not pass it as they pass friction
    EXPECT_EQ(law.passed_jump(0, -1, 1), 0);
    EXPECT_EQ(law.passed_jump(2, 1, -1), 2);
  }
}

TEST(AxisLaws, ACoordinateBeyondALimitIsPutBackToIt) {
  JointAxisDef axis;
  axis.min = -1;
  axis.max = 1;
  axis.friction = 5;
  for (const double c0 : {-3.0, 3.0}) {
    const AxisLaw law(axis, c0, 0, 0.01);
    const int part = law.find(c0);
    EXPECT_TRUE(law.holds(part));
    EXPECT_EQ(law.row(part).g, c0 < 0 ? -1 : 1);
  }
}

TEST(AxisLaws, LimitsAreToldFromOtherHoldsAndPushInwardsOnly) {
  JointAxisDef axis;
  axis.min = -1;
  axis.max = 1;
  axis.friction = 5;
  const AxisLaw law(axis, 0.99, 3, 0.01);
  const int low = law.find(-2), high = law.find(1.02), stuck = law.find(0.99);
  EXPECT_EQ(law.limit_side(low), -1);
  EXPECT_EQ(law.limit_side(high), 1);
  EXPECT_EQ(law.limit_side(stuck), 0);
  EXPECT_EQ(law.least_force(low), 5);  // below the friction's jump
  EXPECT_EQ(law.greatest_force(low), kInfinity);
  EXPECT_EQ(law.least_force(high), -kInfinity);
  EXPECT_EQ(law.greatest_force(high), -5);
  EXPECT_EQ(law.least_force(stuck), -5);
  EXPECT_EQ(law.greatest_force(stuck), 5);
  for (const int part : {low, high, stuck}) EXPECT_EQ(law.end_rate(part), 0);
  axis.min = axis.max;
  const AxisLaw locked(axis, 0.9, 3, 0.01);
  EXPECT_EQ(locked.limit_side(locked.find(0.9)), 0);
  EXPECT_EQ(locked.end_rate(locked.find(0.9)), 0);
}

TEST(AxisLaws, NameTheJumpThatARateHasPassed) {
  JointAxisDef axis;
  axis.friction = 5;
  const AxisLaw brake(axis, 0, 1, 0.01);
  const int sliding = brake.find(0.005), stuck = brake.find(0);
  EXPECT_EQ(brake.passed_jump(sliding, 1, 0.5), sliding);
  EXPECT_EQ(brake.passed_jump(sliding, 1, -0.5), stuck);
  EXPECT_EQ(brake.passed_jump(sliding, 1, 2), sliding);
  EXPECT_EQ(brake.passed_jump(stuck, 1, -0.5), stuck);
  axis = {};
  axis.max = 1;
  axis.motor = {.kind = Motor::Kind::kVelocity, .target = 2, .max_force = 3};
  const AxisLaw drive(axis, 0, 0, 0.01);
  const int saturated = drive.find(0.001);
  EXPECT_EQ(drive.passed_jump(saturated, 0, 1.9), saturated);
  EXPECT_EQ(drive.passed_jump(saturated, 0, 2.1), saturated + 1);
  EXPECT_EQ(drive.end_rate(saturated + 1), 2);
  // limits are no jumps
  EXPECT_EQ(drive.passed_jump(drive.find(0.5), 3, 4), drive.find(0.5));
}

TEST(AxisLaws, AnUnlimitedMotorLeavesOnePlaceOnly) {
  JointAxisDef axis;
  axis.friction = 1;
  axis.motor = {.kind = Motor::Kind::kVelocity, .target = 2};
  axis.max = 0.5;
  const AxisLaw law(axis, 0, 0, 0.1);
  for (int part = 0; part < law.part_count(); ++part) EXPECT_EQ(law.row(part).g, 0.2);
  EXPECT_EQ(law.end_rate(law.find(0)), 2);
  const AxisLaw stopped(axis, 0.4, 0, 0.1);
  EXPECT_EQ(stopped.row(stopped.find(0)).g, 0.5);
  EXPECT_EQ(stopped.end_rate(stopped.find(0)), 0);
}

TEST(AxisLaws, ADampedSpringHasTheDiscreteGradientOfItsEnergy) {
  JointAxisDef axis;
  axis.stiffness = 30;
  axis.rest = 0.2;
  const AxisLaw law(axis, 0.5, 0, 0.1);
  const auto energy = [&](double c) { return 0.5 * 30 * (c - 0.2) * (c - 0.2); };
  for (const double c1 : {-1.0, 0.1, 0.7, 4.0})
    EXPECT_NEAR(law.force(c1) * (c1 - 0.5), energy(0.5) - energy(c1), 1e-12);
}

TEST(AxisLaws, NothingActsByDefault) {
  const AxisLaw law;
  EXPECT_EQ(law.part_count(), 1);
  EXPECT_EQ(law.find(7), 0);
  EXPECT_EQ(law.next(0, 1e9, 0, 0, 0), 0);
  EXPECT_EQ(law.force(3), 0);
}

TEST(Oscillations, SolveTheirDifferentialEquation) {
  // classical Runge-Kutta with 4000 steps: error ~ (w h / 4000)^4, below 1e-9 for w h up to 20
  Rng rng(12);
  for (int n = 0; n < 60; ++n) {
    const double w = rng.uniform(0, 20), zeta = n % 3 == 0 ? 1.0 : rng.uniform(0, 3);
    const double h = rng.uniform(0, 1), e0 = rng.uniform(-1, 1), v0 = rng.uniform(-3, 3);
    double e = e0, v = v0;
    const int steps = 4000;
    const double dt = h / steps;
    const auto acceleration = [&](double x, double y) { return -2 * zeta * w * y - w * w * x; };
    for (int s = 0; s < steps; ++s) {
      const double k1e = v, k1v = acceleration(e, v);
      const double k2e = v + 0.5 * dt * k1v, k2v = acceleration(e + 0.5 * dt * k1e, k2e);
      const double k3e = v + 0.5 * dt * k2v, k3v = acceleration(e + 0.5 * dt * k2e, k3e);
      const double k4e = v + dt * k3v, k4v = acceleration(e + dt * k3e, k4e);
      e += dt / 6 * (k1e + 2 * k2e + 2 * k3e + k4e);
      v += dt / 6 * (k1v + 2 * k2v + 2 * k3v + k4v);
    }
    const Oscillation o = damped_oscillation(e0, v0, w, zeta, h);
    EXPECT_NEAR(o.error, e, 1e-9) << w << " " << zeta;
    EXPECT_NEAR(o.rate, v, 1e-7) << w << " " << zeta;
  }
}

TEST(Oscillations, AreContinuousAcrossCriticalDampingAndStayFinite) {
  const Oscillation critical = damped_oscillation(1, -2, 7, 1, 0.1);
  for (const double zeta : {1 - 1e-9, 1 + 1e-9, 1 - 1e-7, 1 + 1e-7}) {
    EXPECT_NEAR(damped_oscillation(1, -2, 7, zeta, 0.1).error, critical.error, 1e-7);
    EXPECT_NEAR(damped_oscillation(1, -2, 7, zeta, 0.1).rate, critical.rate, 1e-6);
  }
  for (const double w : {0.0, 1e-300, 1e10, 1e200, 1e308}) {
    for (const double zeta : {0.0, 0.5, 1.0, 2.0, 1e10, 1e200, 1e308}) {
      const Oscillation o = damped_oscillation(1, 1, w, zeta, 0.1);
      EXPECT_TRUE(std::isfinite(o.error) && std::isfinite(o.rate)) << w << " " << zeta;
    }
  }
  // very strong damping: a slow creep with the rate w / (2 zeta)
  EXPECT_NEAR(damped_oscillation(1, 0, 1, 1e8, 1e7).error, exp(-0.05), 1e-9);
}

}  // namespace
}  // namespace tenon
