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

// Closed form of the free symmetric top with moments (I, I, J about `axis`): the body spins by
// (L.a)(1/J - 1/I) about its own axis and the whole turns by L/I about the world's L
// [Goldstein2002, sec. 5.6].
Quat symmetric_top(const Quat& q0, const Vec3& axis_B, double I, double J, const Vec3& L,
                   double t) {
  const double spin = dot(rotate(conjugate(q0), L), axis_B) * (1 / J - 1 / I);
  return exp_map((t / I) * L) * q0 * exp_map((t * spin) * axis_B);
}

TEST(SlenderRods, FollowTheClosedFormHoweverThin) {
  // rods of 1 m; the thinner, the more a small tilt changes the axial spin
  for (const double radius : {1e-2, 2e-3, 1e-3, 1e-5}) {
    World world = make_world(1.0 / 60);
    BodyDef def;
    def.colliders = {{Cylinder{radius, 0.5}, {}, 0, 7800}};
    def.X_WB.q = exp_map({0.3, -1, 0.5});
    def.angular_velocity = rotate(def.X_WB.q, {6, 1, 2});
    const BodyHandle body = *world.create_body(def);
    const BodyMass mass = world.mass(body);
    const Vec3 L = world.angular_momentum(body);
    const double E0 = spin_energy(world, body);
    double worst = 0;
    while (world.time() < 5) {
      world.step();
      const Quat exact = symmetric_top(normalized(def.X_WB.q), {0, 1, 0}, mass.I_B(0, 0),
                                       mass.I_B(1, 1), L, world.time());
      worst = std::max(worst, angle_between(world.pose(body).q, exact));
    }
    // the spin is L_axial / I_axial: round-off in the orientation turns L against the axis and is
    // enlarged by the ratio of the moments, 300 times over
    const double ratio = mass.I_B(0, 0) / mass.I_B(1, 1);
    EXPECT_LT(worst, 1e-12 + 4e-13 * ratio) << "radius " << radius;
    EXPECT_NEAR(spin_energy(world, body), E0, (1e-12 + 1e-15 * ratio) * E0) << "radius " << radius;
  }
}

TEST(AsymmetricBodies, KeepFourthOrderAccuracyForNeedlesAndPlates) {
  // no closed form: the same body with a step a tenth as long is the reference
  const auto orientation_after = [](const Vec3& moments, double step) {
    World world = make_world(step);
    BodyDef def = body_with_inertia(moments);
    def.angular_velocity = {4, 1, 2};
    const BodyHandle body = *world.create_body(def);
    const int steps = static_cast<int>(std::lround(2 / step));
    for (int i = 0; i < steps; ++i) world.step();
    return world.pose(body).q;
  };
  for (const Vec3& moments : {Vec3{1, 2, 2.9}, Vec3{1, 1.2, 2.2}, Vec3{1e-2, 1, 1.005},
                              Vec3{1e-4, 1, 1.00005}, Vec3{1e-6, 1, 1.0000005}}) {
    const Quat coarse = orientation_after(moments, 1.0 / 60);
    const Quat fine = orientation_after(moments, 1.0 / 600);
    // 4.6 rad/s for 2 s in steps of 0.08 rad; 1e-7 per radian is promised
    EXPECT_LT(angle_between(coarse, fine), 1e-6) << moments.x;
  }
}

TEST(FastSpin, IsRightAtManyRadiansPerStep) {
  const auto orientation_after = [](double step) {
    World world = make_world(step);
    BodyDef def = body_with_inertia({1, 2, 2.5});
    def.angular_velocity = {400, 30, 900};  // 41 rad in a step of 1/24 s
    const BodyHandle body = *world.create_body(def);
    const double E0 = spin_energy(world, body);
    const int steps = static_cast<int>(std::lround(1 / step));
    for (int i = 0; i < steps; ++i) world.step();
    EXPECT_NEAR(spin_energy(world, body), E0, 1e-12 * E0);
    return world.pose(body).q;
  };
  // a thousand radians at the promised 1e-7 rad per radian
  EXPECT_LT(angle_between(orientation_after(1.0 / 24), orientation_after(1.0 / 4800)), 1e-4);
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

TEST(AppliedTorque, DoesTheWorkThatIsBookedAtAnySpin) {
  for (const double spin : {1.0, 30.0, 200.0}) {  // up to 3.3 rad per step
    World world = make_world(1.0 / 60);
    BodyDef def = body_with_inertia({1, 2, 2.5});
    def.angular_velocity = {0.3 * spin, 0, spin};
    const BodyHandle body = *world.create_body(def);
    const double start = world.diagnostics().work_J;
    const double E0 = spin_energy(world, body);
    for (int i = 0; i < 60; ++i) {
      EXPECT_TRUE(world.apply_wrench(body, {{}, {0.2, 0.5, 1}}).ok());
      world.step();
    }
    const double gained = spin_energy(world, body) - E0;
    EXPECT_NEAR(world.diagnostics().work_J - start, gained, 1e-10 * (E0 + std::fabs(gained)));
    EXPECT_GT(std::fabs(gained), 0.1);
  }
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
