// What must not change in long runs: momentum and energy of isolated chains (validation case B7)
// and the gaps of a swinging chain (E2).
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/tests/effort.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

Vec3 random_vector(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

// A free chain of boxes of random masses and sizes, in random directions, turning at random.
// `kinds` are used in turn.
void add_random_chain(World& world, int links, const std::vector<JointKind>& kinds, uint64_t seed) {
  Rng rng(seed);
  Vec3 end{0.3, -0.2, 0.1};
  BodyHandle last;
  for (int i = 0; i < links; ++i) {
    const Quat q = normalized(exp_map(random_vector(rng, 2)));
    const Vec3 half{rng.uniform(0.1, 0.2), rng.uniform(0.03, 0.06), rng.uniform(0.03, 0.06)};
    const double m = rng.uniform(0.5, 2);
    const Vec3 I{m / 3 * (half.y * half.y + half.z * half.z),
                 m / 3 * (half.x * half.x + half.z * half.z),
                 m / 3 * (half.x * half.x + half.y * half.y)};
    const Vec3 arm = rotate(q, {half.x, 0, 0});
    BodyDef def = make_body(m, I, end + arm, q);
    def.velocity = random_vector(rng, 0.3);
    def.angular_velocity = random_vector(rng, 2);
    const BodyHandle body = add_body(world, def);
    if (i > 0) {
      const JointKind kind = kinds[static_cast<size_t>(i) % kinds.size()];
      const Quat axes = normalized(exp_map(random_vector(rng, 2)));
      add_joint(world, make_joint(world, kind, last, body, {end, axes}));
    }
    last = body;
    end = end + 2.0 * arm;
  }
}

struct Sizes {
  double linear = 0, angular = 0;
};
Sizes momentum_sizes(const World& world) {
  Sizes s;
  for (const BodyHandle b : world.bodies()) {
    const Vec3 p = world.mass(b).mass * world.velocity(b);
    s.linear += norm(p);
    s.angular += norm(cross(world.center_of_mass(b), p) + world.angular_momentum(b));
  }
  return s;
}

void check_isolated_chain(const std::string& name, int links, const std::vector<JointKind>& kinds) {
  World world = make_world(1e-3, {.gravity = {}});
  add_random_chain(world, links, kinds, 7);
  const Mechanics start = world.calc_mechanics();
  const Sizes size = momentum_sizes(world);
  double dP = 0, dL = 0, early = 0, late = 0, gain = -1, last = kInfinity;
  const int steps = 10000;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const Mechanics m = world.calc_mechanics();
    dP = std::max(dP, norm(m.linear_momentum - start.linear_momentum) / size.linear);
    dL = std::max(dL, norm(m.angular_momentum - start.angular_momentum) / size.angular);
    if (i > 0) gain = std::max(gain, (m.kinetic_J - last) / m.kinetic_J);
    last = m.kinetic_J;
    if (i == steps / 10) early = m.kinetic_J;
    late = m.kinetic_J;
  }
  report("B7 " + name + ": linear momentum, rel., 1e4 steps", dP, "1e-12");
  report("B7 " + name + ": angular momentum, rel., 1e4 steps", dL, "1e-12");
  report("B7 " + name + ": energy from 1 s to 10 s, rel.", late / early - 1, "no trend");
  report("B7 " + name + ": largest gain in a step, rel.", gain, "tolerance");
  EXPECT_LT(dP, 1e-12);
  EXPECT_LT(dL, 1e-12);
  // nine seconds at a thousandth: the loss falls with the cube of the step
  EXPECT_LT(std::fabs(late / early - 1), 1e-3);
  EXPECT_LT(gain, 1e-8);  // joint errors within the tolerance times forces: no more than this
}

TEST(IsolatedChain, KeepsMomentumWithBallJoints) {
  check_isolated_chain("20 links, balls", 20, {JointKind::kPoint});
}
TEST(IsolatedChain, KeepsMomentumWithHinges) {
  check_isolated_chain("12 links, hinges", 12, {JointKind::kHinge});
}
TEST(IsolatedChain, KeepsMomentumWithMixedJoints) {
  check_isolated_chain("10 links, mixed", 10,
                       {JointKind::kPoint, JointKind::kHinge, JointKind::kUniversal,
                        JointKind::kCylindrical, JointKind::kTwist});
}

// -- E2: no drift

void check_no_drift(double tolerance, int steps, double allowed_gap) {
  World world = make_world(0.01, {.tolerance = tolerance});
  add_chain(world, 20, 0.2, JointKind::kPoint);
  std::vector<double> gaps;
  const double E0 = energy(world);
  double highest = E0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    gaps.push_back(world.diagnostics().joint_gap_m);
    highest = std::max(highest, energy(world));
  }
  const auto tenth = [&](int k) {
    const auto from = gaps.begin() + k * (steps / 10);
    return *std::max_element(from, from + steps / 10);
  };
  const double worst = *std::max_element(gaps.begin(), gaps.end());
  const std::string name = "E2 20 links, " + std::to_string(steps) + " steps, tolerance " +
                           (tolerance > 1e-9 ? "1e-6" : "1e-12");
  report(name + ": gap, m", worst, allowed_gap > 1e-9 ? "1e-6" : "1e-12");
  report(name + ": drift ratio", tenth(9) / tenth(1), "<= 1.1");
  EXPECT_LT(worst, allowed_gap);
  // gaps below what was asked for are chance, not drift
  EXPECT_LT(tenth(9), std::max(1.1 * tenth(1), 0.1 * allowed_gap));
  EXPECT_LT(highest, E0 + 1e-3);
  EXPECT_TRUE(all_finite(world));
}

TEST(SwingingChain, DoesNotDriftAtTheDefaultTolerance) {
  check_no_drift(1e-6, effort(100000, 3000), 1e-6);
}
TEST(SwingingChain, DoesNotDriftAtATightTolerance) { check_no_drift(1e-12, 10000, 1e-12); }

}  // namespace
}  // namespace tenon::test
