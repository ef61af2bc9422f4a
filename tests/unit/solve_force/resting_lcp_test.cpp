// Resting contact as a complementarity problem: boxes on slopes, stacks, redundant points, and a
// rod for which rigid bodies with friction have no answer.
#include "tenon/engine/solve_force/resting_lcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

constexpr double kG = 9.81;

struct Bodies {
  std::vector<FreeResponse::Inverse> inverse;
  std::vector<Vec3> x;
  std::vector<Motion> acceleration;  // without contacts
};

// A box of half sizes h, its mass centre at x, aligned with the axes. Body 0 is the ground.
void add_box(Bodies& b, double m, const Vec3& h, const Vec3& x, const Vec3& gravity) {
  const Vec3 I{m / 3 * (h.y * h.y + h.z * h.z), m / 3 * (h.x * h.x + h.z * h.z),
               m / 3 * (h.x * h.x + h.y * h.y)};
  b.inverse.push_back({1 / m, Mat3::diagonal({1 / I.x, 1 / I.y, 1 / I.z})});
  b.x.push_back(x);
  b.acceleration.push_back({gravity, {}});
}

RestingPoint make_point(const Bodies& b, uint32_t lower, uint32_t upper, const Vec3& p, double mu) {
  RestingPoint r;
  r.at = {lower, upper, p - b.x[lower], p - b.x[upper], {0, 1, 0}};
  r.bias_W = relative_velocity(r.at, b.acceleration[lower], b.acceleration[upper]);
  r.static_friction = r.sliding_friction = mu;
  return r;
}

// Accelerations with the forces of the points.
std::vector<Motion> accelerate(const Bodies& b, std::span<const RestingPoint> points) {
  std::vector<Motion> a = b.acceleration;
  const FreeResponse response(b.inverse);
  std::vector<AnsweringBody> answer;
  for (const RestingPoint& p : points) {
    LoadedBody loads[2];
    loads_at(p.at, p.force_W, loads);
    response.respond(loads, answer);
    for (const AnsweringBody& x : answer) {
      a[x.body].v += x.change.v;
      a[x.body].w += x.change.w;
    }
  }
  return a;
}

struct Stack {
  Bodies bodies;
  std::vector<RestingPoint> points;
};

Stack make_stack(int count, double mu, const Vec3& gravity) {
  Stack s;
  s.bodies.inverse.push_back({});
  s.bodies.x.push_back({});
  s.bodies.acceleration.push_back({});
  for (int i = 0; i < count; ++i) {
    add_box(s.bodies, 1, {0.25, 0.25, 0.25}, {0, 0.25 + 0.5 * i, 0}, gravity);
  }
  for (int i = 0; i < count; ++i) {
    for (const double x : {-0.25, 0.25}) {
      for (const double z : {-0.25, 0.25}) {
        s.points.push_back(make_point(s.bodies, static_cast<uint32_t>(i),
                                      static_cast<uint32_t>(i + 1), {x, 0.5 * i, z}, mu));
      }
    }
  }
  return s;
}

double fastest(std::span<const Motion> a) {
  double most = 0;
  for (const Motion& m : a) most = std::max({most, norm(m.v), norm(m.w)});
  return most;
}

TEST(RestingLcp, CarriesAStackOfTenAndSharesTheWeightEqually) {
  for (const bool lemke : {false, true}) {
    Stack s = make_stack(10, 0.5, {0, -kG, 0});
    std::vector<RestingMode> modes;
    const RestingResult result =
        calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes, {.lemke_only = lemke});
    EXPECT_EQ(result.status, LcpStatus::kSolved);
    EXPECT_EQ(result.way, lemke ? RestingWay::kLemke : RestingWay::kGuess);
    // what Lemke's algorithm leaves of the softness: 1e-8 of the load of 10 boxes
    EXPECT_LT(fastest(accelerate(s.bodies, s.points)), lemke ? 1e-5 : 1e-10);
    for (int i = 0; i < 10; ++i) {
      for (size_t k = 0; k < 4; ++k) {
        const double share = 0.25 * kG * (10 - i);
        EXPECT_NEAR(s.points[4 * static_cast<size_t>(i) + k].normal, share, 2e-6 * share)
            << i << lemke;
      }
    }
  }
}

TEST(RestingLcp, HoldsABoxOnASlopeUpToItsFriction) {
  for (const double slope : {0.1, 0.3, 0.49, 0.51, 0.8}) {
    const double mu = 0.5, norm1 = std::sqrt(1 + slope * slope);
    // axes of the slope: gravity leans, in a direction between the friction polygon's of another
    // choice
    const Vec3 down = (slope / norm1) * Vec3{0.8, 0, 0.6};
    const Vec3 gravity = kG * (down - Vec3{0, 1 / norm1, 0});
    Stack s = make_stack(1, mu, gravity);
    std::vector<RestingMode> modes;
    const RestingResult result =
        calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes);
    ASSERT_EQ(result.status, LcpStatus::kSolved) << slope;
    const std::vector<Motion> a = accelerate(s.bodies, s.points);
    const double expected = slope <= mu ? 0 : kG * (slope - mu) / norm1;
    EXPECT_NEAR(norm(a[1].v), expected, 1e-6) << slope;
    EXPECT_NEAR(norm(a[1].w), 0, 1e-6) << slope;  // tall as wide: it does not tip below 45 degrees
  }
}

TEST(RestingLcp, SlidingFrictionActsAgainstTheSliding) {
  Stack s = make_stack(1, 0.3, {0, -kG, 0});
  for (RestingPoint& p : s.points) p.slip_W = {0.6, 0, 0.8};
  std::vector<RestingMode> modes;
  calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes);
  const std::vector<Motion> a = accelerate(s.bodies, s.points);
  EXPECT_NEAR(a[1].v.x, -0.6 * 0.3 * kG, 1e-9);
  EXPECT_NEAR(a[1].v.y, 0, 1e-9);
  EXPECT_NEAR(a[1].v.z, -0.8 * 0.3 * kG, 1e-9);
  // its torque is carried by the front points
  EXPECT_NEAR(norm(a[1].w), 0, 1e-9);
}

TEST(RestingLcp, LetsGoWhatLifts) {
  // a see-saw's end: the box turns about its left edge
  Stack s = make_stack(1, 0, {0, -kG, 0});
  s.bodies.acceleration[1].w = {0, 0, 100};
  for (RestingPoint& p : s.points) {
    p.bias_W = relative_velocity(p.at, {}, s.bodies.acceleration[1]);
  }
  std::vector<RestingMode> modes;
  const RestingResult result = calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes);
  ASSERT_EQ(result.status, LcpStatus::kSolved);
  const std::vector<Motion> a = accelerate(s.bodies, s.points);
  for (const RestingPoint& p : s.points) {
    const double rate = dot(p.at.normal_W, relative_velocity(p.at, {}, a[1]));
    if (p.at.rB_W.x < 0) {
      EXPECT_GT(p.normal, 1);
      EXPECT_NEAR(rate, 0, 1e-6);
    } else {
      EXPECT_EQ(p.normal, 0);
      EXPECT_GT(rate, 1);
    }
  }
  // and takes what it has found for the next time
  const RestingResult again = calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes);
  EXPECT_EQ(again.way, RestingWay::kGuess);
}

TEST(RestingLcp, SaysThatThereIsNoAnswerWhereRigidBodiesHaveNone) {
  // Painleve: a rod that slides on its tip, leaning so that the normal force of friction presses
  // the tip down more than it lifts it, and whose turning goes into the ground
  const double angle = 1.0, mu = 1.8, l = 1;  // rad from the ground, half length in m
  Bodies b;
  b.inverse = {{}, {1, Mat3::diagonal({3, 3, 3})}};  // m = 1, I = l^2 / 3
  const Vec3 r{-l * std::cos(angle), -l * std::sin(angle), 0};
  b.x = {{}, -r};
  b.acceleration = {{}, {{0, -kG, 0}, {}}};
  RestingPoint p = make_point(b, 0, 1, {}, mu);
  p.slip_W = {-1, 0, 0};
  // the answer of the normal direction to f_N: 1 + 3 l^2 cos^2 - 3 mu l^2 sin cos < 0
  std::vector<RestingPoint> points{p};
  std::vector<RestingMode> modes;
  const RestingResult result = calc_resting_forces(points, FreeResponse(b.inverse), modes);
  EXPECT_EQ(result.status, LcpStatus::kRay);
  EXPECT_EQ(points[0].normal, 0);
}

TEST(RestingLcp, ObeysItsConditionsForRandomHeaps) {
  int guessed = 0;
  Rng rng(7);
  for (int trial = 0; trial < 100; ++trial) {
    Stack s = make_stack(1 + static_cast<int>(rng.below(4)), 0.4, {0, -kG, 0});
    for (size_t i = 1; i < s.bodies.acceleration.size(); ++i) {
      s.bodies.acceleration[i].v +=
          Vec3{rng.uniform(-3, 3), rng.uniform(-8, 8), rng.uniform(-3, 3)};
      s.bodies.acceleration[i].w = {rng.uniform(-9, 9), rng.uniform(-1, 1), rng.uniform(-9, 9)};
    }
    for (RestingPoint& p : s.points) {
      p.bias_W = relative_velocity(p.at, s.bodies.acceleration[p.at.body_a],
                                   s.bodies.acceleration[p.at.body_b]);
    }
    std::vector<RestingMode> modes;
    const RestingResult result =
        calc_resting_forces(s.points, FreeResponse(s.bodies.inverse), modes);
    ASSERT_EQ(result.status, LcpStatus::kSolved) << trial;
    guessed += result.way == RestingWay::kGuess ? 1 : 0;
    // the conditions themselves
    const std::vector<Motion> a = accelerate(s.bodies, s.points);
    for (const RestingPoint& p : s.points) {
      const Vec3 rate = relative_velocity(p.at, a[p.at.body_a], a[p.at.body_b]);
      // softness 1e-4 where Lemke's algorithm found its way only at the last try
      EXPECT_GE(rate.y, -5e-3) << trial;
      EXPECT_LE(std::min(p.normal, rate.y), 5e-3) << trial;
      const double across = std::sqrt(p.force_W.x * p.force_W.x + p.force_W.z * p.force_W.z);
      EXPECT_LE(across, 0.4 * p.normal + 1e-6) << trial;
      // what gives way is rubbed to the full, against the way it goes
      const double way = std::sqrt(rate.x * rate.x + rate.z * rate.z);
      if (p.normal < 1e-3 || way < 1e-2) continue;
      EXPECT_NEAR(across, 0.4 * p.normal, 0.1 * p.normal) << trial;
      EXPECT_LT(rate.x * p.force_W.x + rate.z * p.force_W.z, 0) << trial;
    }
  }
  std::printf("[ figure   ] %d of 100 by guesses\n", guessed);
  EXPECT_GT(guessed, 60);
}

}  // namespace
}  // namespace tenon
