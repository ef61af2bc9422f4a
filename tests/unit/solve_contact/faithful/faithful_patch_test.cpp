// Impulses at the points of a patch.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/quat.h"
#include "tenon/engine/solve_contact/faithful/patch_solve.h"

namespace tenon::test {
namespace {

using faithful::PatchBody;
using faithful::PatchImpulse;
using faithful::PatchPoint;

Vec3 velocity_after(const PatchBody& A, const PatchBody& B, const PatchPoint& p,
                    const PatchImpulse& j) {
  const Vec3 vA = A.v - A.inv_mass * j.linear, wA = A.w + A.inv_I * j.torque_A;
  const Vec3 vB = B.v + B.inv_mass * j.linear, wB = B.w + B.inv_I * j.torque_B;
  return vB + cross(wB, p.rB) - vA - cross(wA, p.rA);
}

PatchBody random_body(Rng& rng) {
  const auto within = [&](double r) {
    return Vec3{rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
  };
  const Mat3 R = to_matrix(exp_map(within(3)));
  const Vec3 inverse_moments{rng.uniform(0.5, 20), rng.uniform(0.5, 20), rng.uniform(0.5, 20)};
  return {within(3), within(3), rng.uniform(0.1, 2),
          R * Mat3::diagonal(inverse_moments) * transpose(R)};
}

// A ball that meets the ground obliquely: the stick and the slide of [Guendelman2003] in closed
// form. With the friction impulse f at lever r, sticking needs f = 2/7 m v.
TEST(FaithfulPatch, BallSticksOrSlidesAsTheClosedFormSays) {
  const double m = 2, r = 0.5, vx = 3, vy = -2, e = 0.6;
  const double I = 0.4 * m * r * r;
  const PatchBody ground{};
  const PatchBody ball{{vx, vy, 0}, {}, 1 / m, (1 / I) * Mat3::identity()};
  for (const double mu : {0.05, 0.2, 0.9}) {
    PatchPoint points[] = {{{}, {0, -r, 0}, {0, 1, 0}, -e * vy, mu, mu}};
    const PatchImpulse j = solve_patch(ground, ball, points, 1e-12);
    const double normal = (1 + e) * m * -vy;
    const double friction = std::fmin(mu * normal, 2.0 / 7 * m * vx);
    EXPECT_NEAR(j.linear.y, normal, 1e-12 * normal) << mu;
    EXPECT_NEAR(j.linear.x, -friction, 1e-12 * normal) << mu;
    EXPECT_EQ(j.sticks, friction < mu * normal) << mu;
  }
}

// The square patch of a box: four points for three freedoms along the normal.
TEST(FaithfulPatch, FlatImpactLeavesNoSpin) {
  const double m = 3;
  const Vec3 inverse_moments{1.1, 0.7, 1.3};
  const PatchBody ground{};
  const PatchBody box{{0, -1, 0}, {}, 1 / m, Mat3::diagonal(inverse_moments)};
  std::vector<PatchPoint> points;
  for (const double x : {-0.4, 0.4}) {
    for (const double z : {-0.3, 0.3}) points.push_back({{}, {x, -0.2, z}, {0, 1, 0}, 0.5});
  }
  const PatchImpulse j = solve_patch(ground, box, points, 1e-10);
  EXPECT_NEAR(j.linear.y, 1.5 * m, 1e-8);
  EXPECT_NEAR(norm(j.torque_B), 0, 1e-8);
  for (const PatchPoint& p : points) EXPECT_GE(p.impulse.y, 0);
}

// Whatever the bodies are: bounds are reached, impulses push, cones hold, energy is not made.
TEST(FaithfulPatch, RandomPatchesKeepTheirInequalities) {
  Rng rng(7);
  int rough = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const PatchBody A = trial % 3 == 0 ? PatchBody{} : random_body(rng), B = random_body(rng);
    std::vector<PatchPoint> points;
    const double mu = rng.uniform(0, 0.6), e = rng.uniform(0, 1);
    for (int k = 0; k < 1 + trial % 4; ++k) {
      const Vec3 at{rng.uniform(-0.5, 0.5), 0, rng.uniform(-0.5, 0.5)};
      points.push_back({at + Vec3{0, 0.4, 0}, at - Vec3{0, 0.3, 0}, {0, 1, 0}, 0, mu, mu});
      PatchPoint& p = points.back();
      const double u = dot(velocity_after(A, B, p, {}), p.n);
      p.bound = u < 0 ? -e * u : 0;
    }
    const PatchImpulse j = solve_patch(A, B, points, 1e-10);
    for (const PatchPoint& p : points) {
      const Vec3 u = velocity_after(A, B, p, j);
      // cycles converge linearly, and slowly where points nearly coincide
      EXPECT_GT(dot(u, p.n), p.bound - 0.1) << trial;
      rough += dot(u, p.n) < p.bound - 1e-6;
      const double normal = dot(p.impulse, p.n);
      EXPECT_GE(normal, 0);
      EXPECT_LE(norm(p.impulse - normal * p.n), mu * normal * (1 + 1e-12) + 1e-15);
    }
    const double guard = calc_energy_guard(A, B, j);
    EXPECT_GE(guard, 0);
    EXPECT_LE(guard, 1);
    // relative to A where that is the ground; else in all
    const auto kinetic = [](const PatchBody& b) {
      return b.inv_mass == 0
                 ? 0.0
                 : 0.5 * norm2(b.v) / b.inv_mass + 0.5 * dot(b.w, inverse(b.inv_I) * b.w);
    };
    PatchBody A2 = A, B2 = B;
    A2.v -= guard * A.inv_mass * j.linear;
    A2.w += guard * (A.inv_I * j.torque_A);
    B2.v += guard * B.inv_mass * j.linear;
    B2.w += guard * (B.inv_I * j.torque_B);
    EXPECT_LE(kinetic(A2) + kinetic(B2), (kinetic(A) + kinetic(B)) * (1 + 1e-12)) << trial;
  }
  EXPECT_LT(rough, 8);  // of 750 points
}

// A ball that rolls and spins on the ground: the couple slows it down at the rate of its lever and
// stops it, but never turns it back; the contact point stays at rest.
TEST(FaithfulPatch, RollingFrictionSlowsAndStops) {
  const double m = 2, r = 0.5, I = 0.4 * m * r * r;
  const PatchBody ground{};
  const PatchBody ball{{1, 0, 0}, {0, 3, -2}, 1 / m, (1 / I) * Mat3::identity()};
  PatchPoint at{{}, {0, -r, 0}, {0, 1, 0}};
  for (const double lever : {0.001, 10.0}) {
    PatchImpulse j;
    j.normal = 4;
    add_rolling_friction(ground, ball, {{}, at.rB, at.n, lever, 0.5 * lever}, j);
    const Vec3 w = ball.w + ball.inv_I * j.torque_B;
    EXPECT_NEAR(norm(velocity_after(ground, ball, at, j)), 0, 1e-12);
    // about the contact point the ball has the inertia 7/5 m r^2
    const double roll = lever < 1 ? -2 + lever * 4 / (1.4 * m * r * r) : 0;
    const double spin = lever < 1 ? 3 - 0.5 * lever * 4 / I : 0;
    EXPECT_NEAR(w.z, roll, 1e-12);
    EXPECT_NEAR(w.y, spin, 1e-12);
  }
}

}  // namespace
}  // namespace tenon::test
