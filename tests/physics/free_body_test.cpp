// Single free bodies against closed forms and outside references (validation cases A1-A3, A5).
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/world/world.h"
#include "tenon/tests/physics/reference_series.h"

namespace tenon {
namespace {

World make_world(double step, const Vec3& gravity = {}) {
  WorldSettings settings;
  settings.step = step;
  settings.gravity = gravity;
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

BodyDef body_with_inertia(const Vec3& moments) {
  BodyDef def;
  def.mass = MassProperties{1, {}, Mat3::diagonal(moments)};
  return def;
}

double angle_between(const Quat& a, const Quat& b) { return norm(log_map(a * conjugate(b))); }

Quat reference_orientation(const test::Series& s, size_t row) {
  return normalized(Quat{s.at(row, "qw"), s.at(row, "qx"), s.at(row, "qy"), s.at(row, "qz")});
}

double spin_energy(const World& world, BodyHandle b) {
  return 0.5 * dot(world.angular_velocity(b), world.angular_momentum(b));
}

// Largest orientation error over the rows of a reference up to `until`, stepping with `step`.
double largest_angle_error(const test::Series& reference, const Vec3& moments, double step,
                           double until) {
  World world = make_world(step);
  BodyDef def = body_with_inertia(moments);
  def.angular_velocity = {reference.at(0, "wwx"), reference.at(0, "wwy"), reference.at(0, "wwz")};
  const BodyHandle body = *world.create_body(def);
  double worst = 0;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    if (t > until + 1e-9) break;
    while (world.time() < t - 0.5 * step) world.step();
    worst =
        std::max(worst, angle_between(world.pose(body).q, reference_orientation(reference, row)));
  }
  return worst;
}

TEST(FreeFall, FollowsTheParabolaAtAnyStep) {
  for (const double step : {1e-3, 1.0 / 60, 1.0 / 24}) {
    World world = make_world(step, {0, -9.81, 0});
    BodyDef def;
    def.colliders = {{Box{{0.5, 0.2, 0.1}}, {}, 0, 500}};
    def.velocity = {1, 5, 0};
    def.angular_velocity = {0, 3, 0};  // a principal axis
    const BodyHandle body = *world.create_body(def);
    double worst = 0, worst_turn = 0;
    while (world.time() < 5) {
      world.step();
      const double t = world.time();
      const Vec3 exact{t, 5 * t - 0.5 * 9.81 * t * t, 0};
      worst = std::max(worst, norm(world.center_of_mass(body) - exact));
      worst_turn = std::max(worst_turn,
                            angle_between(world.pose(body).q, from_axis_angle({0, 1, 0}, 3 * t)));
    }
    // 5000 additions of round-off to numbers below 130 m
    EXPECT_LT(worst, 1e-12 * 130) << "step " << step;
    EXPECT_LT(worst_turn, 1e-12) << "step " << step;
    EXPECT_EQ(world.velocity(body).x, 1);
  }
}

TEST(SymmetricTop, PrecessesAsTheReferenceDoes) {
  const test::Series reference = test::load_series("A2_symmetric_top.csv");
  // the target at 1e-3 is 2e-6; the fourth-order rotation reaches the reference's own digits
  EXPECT_LT(largest_angle_error(reference, {0.25, 0.25, 0.5}, 1e-3, 5), 1e-10);
  EXPECT_LT(largest_angle_error(reference, {0.25, 0.25, 0.5}, 1e-2, 5), 1e-7);
}

TEST(SymmetricTop, KeepsMomentumToTheLastBitAndEnergyToRoundOff) {
  World world = make_world(1e-3);
  BodyDef def = body_with_inertia({0.25, 0.25, 0.5});
  def.angular_velocity = {0.3, 0, 2};
  const BodyHandle body = *world.create_body(def);
  const Vec3 L0 = world.angular_momentum(body);
  const double E0 = spin_energy(world, body);
  for (int i = 0; i < 5000; ++i) world.step();
  EXPECT_EQ(world.angular_momentum(body), L0);
  EXPECT_NEAR(spin_energy(world, body), E0, 1e-13 * E0);
}

TEST(IntermediateAxis, FlipsWhenTheReferenceFlips) {
  const test::Series reference = test::load_series("A3_intermediate_axis.csv");
  // targets at 1e-3: 5e-6 over 10 s, 1e-6 over 40 s for the reference method
  EXPECT_LT(largest_angle_error(reference, {1, 2, 3}, 1e-3, 10), 1e-9);
  EXPECT_LT(largest_angle_error(reference, {1, 2, 3}, 1e-3, 40), 1e-6);
}

TEST(IntermediateAxis, FlipTimesMatchTheEllipticPeriod) {
  World world = make_world(1e-3);
  BodyDef def = body_with_inertia({1, 2, 3});
  def.angular_velocity = {0.01, 2, 0.01};
  const BodyHandle body = *world.create_body(def);
  const double E0 = spin_energy(world, body);
  double last = 2, worst_energy = 0;
  std::vector<double> flips;
  while (world.time() < 40) {
    world.step();
    const Vec3 w = world.angular_velocity(body);
    const double w2 = rotate(conjugate(world.pose(body).q), w).y;
    if (last * w2 < 0) flips.push_back(world.time() - 1e-3 * std::fabs(w2 / (w2 - last)));
    last = w2;
    worst_energy = std::max(worst_energy, std::fabs(spin_energy(world, body) / E0 - 1));
  }
  ASSERT_EQ(flips.size(), 4u);
  // half of the period 21.95514587935 s between flips; the target is 0.01 s
  for (size_t i = 1; i < flips.size(); ++i) {
    EXPECT_NEAR(flips[i] - flips[i - 1], 10.97757293968, 1e-4);
  }
  EXPECT_LT(worst_energy, 1e-12);  // target 5e-7
}

TEST(IntermediateAxis, RotationErrorFallsWithTheFourthPowerOfTheStep) {
  const test::Series reference = test::load_series("A3_intermediate_axis.csv");
  const double coarse = largest_angle_error(reference, {1, 2, 3}, 0.05, 10);
  const double fine = largest_angle_error(reference, {1, 2, 3}, 0.025, 10);
  EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " -> " << fine;
}

TEST(FastSpin, SurvivesManyRadiansPerStep) {
  World world = make_world(1.0 / 24);
  BodyDef def = body_with_inertia({1, 2, 2.5});
  def.angular_velocity = {400, 30, 900};  // 41 rad per step
  const BodyHandle body = *world.create_body(def);
  const double E0 = spin_energy(world, body);
  for (int i = 0; i < 240; ++i) world.step();
  EXPECT_NEAR(spin_energy(world, body), E0, 1e-12 * E0);
  EXPECT_NEAR(norm(world.pose(body).q), 1, 1e-15);
}

TEST(AppliedTorque, TurnsWithSecondOrder) {
  // a torque that follows nothing: constant in the world on an asymmetric body; no closed form, so
  // the order is read off three steps of halving length
  const auto orientation_after = [](double step) {
    World world = make_world(step);
    BodyDef def = body_with_inertia({1, 2, 2.5});
    def.angular_velocity = {0.5, 1, -0.3};
    const BodyHandle body = *world.create_body(def);
    const int steps = static_cast<int>(std::lround(1 / step));
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(world.apply_wrench(body, {{}, {0.7, -1.1, 2.0}}).ok());
      world.step();
    }
    return world.pose(body).q;
  };
  const Quat q1 = orientation_after(0.02), q2 = orientation_after(0.01),
             q3 = orientation_after(0.005);
  EXPECT_NEAR(std::log2(angle_between(q1, q2) / angle_between(q2, q3)), 2, 0.05);
}

TEST(AirDrag, ReachesTheTerminalSpeedOfTheClosedForm) {
  // m = 2, k = 0.05: v_t = sqrt(m g / k) = 19.80908882, v(t) = v_t tanh(g t / v_t)
  const auto speed_error = [](double step) {
    World world = make_world(step, {0, -9.81, 0});
    BodyDef def = body_with_inertia({1, 1, 1});
    def.mass->mass = 2;
    def.drag = 0.05;
    const BodyHandle body = *world.create_body(def);
    const double v_t = std::sqrt(2 * 9.81 / 0.05);
    double worst = 0;
    while (world.time() < 10) {
      world.step();
      const double exact = v_t * std::tanh(9.81 * world.time() / v_t);
      worst = std::max(worst, std::fabs(-world.velocity(body).y - exact));
    }
    return worst;
  };
  EXPECT_NEAR(std::sqrt(2 * 9.81 / 0.05), 19.80908882, 1e-8);
  const double coarse = speed_error(0.02), fine = speed_error(0.01);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(AirDrag, NeverReversesTheMotionHoweverStrong) {
  World world = make_world(1.0 / 60);
  BodyDef def = body_with_inertia({1, 1, 1});
  def.drag = 1e6;
  def.velocity = {100, 0, 0};
  const BodyHandle body = *world.create_body(def);
  for (int i = 0; i < 60; ++i) {
    world.step();
    EXPECT_GT(world.velocity(body).x, 0);
  }
  EXPECT_LT(world.velocity(body).x, 1e-5);
}

TEST(EnergyBalance, ShowsOnlyTheIntegratorsError) {
  World world = make_world(1.0 / 60, {0, -9.81, 0});
  BodyDef def;
  def.colliders = {{Box{{0.5, 0.2, 0.1}}, {}, 0, 500}};
  def.velocity = {3, 4, 0};
  def.angular_velocity = {4, 1, -2};
  def.drag = 0.3;
  const BodyHandle body = *world.create_body(def);
  const auto balance = [&] {
    const StepDiagnostics& d = world.diagnostics();
    return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
  };
  const double start = balance();
  const double scale = world.diagnostics().mechanics.kinetic_J;
  for (int i = 0; i < 300; ++i) {
    if (i == 100) {
      EXPECT_TRUE(world.set_velocity(body, {0, 9, 0}).ok());
    }
    if (i == 150) {
      EXPECT_TRUE(world.apply_wrench(body, {{100, 0, 50}, {}}).ok());
    }
    world.step();
    EXPECT_NEAR(balance(), start, 1e-9 * scale);
  }
  const StepDiagnostics& d = world.diagnostics();
  EXPECT_LT(norm(d.mechanics.linear_momentum - d.linear_impulse), 1e-9);
  EXPECT_LT(norm(d.mechanics.angular_momentum - d.angular_impulse), 1e-8);
}

}  // namespace
}  // namespace tenon
