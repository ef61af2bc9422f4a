// Gravity that varies at random about its mean: unstable stacks fall, as they do in the world
// [Keller1993, sec. 3.9].
//
// The deviation is a function of time alone,
//   g(t) = g + share |g| n(t),  n_k(t) in [-1, 1], mean zero,                                  (1)
// value noise: independent random numbers, uniform in [-1, 1), at the times i / 16 s, hashed from
// the seed and i, with the cubic 3 u^2 - 2 u^3 between them. So n is continuously differentiable,
// the same for every method, step and thread count, and its integral over a step is exact. The
// variance of each component is 26/105, a half of its bounds on average; its memory is 1/16 s: slow
// enough for frame steps to follow, fast against what it shakes.
// Departure: the paper's numbers depend on when its integrator asks for them.
#pragma once

#include <cstdint>

#include "tenon/engine/math/vec3.h"

namespace tenon {

struct GravityNoise {
  double share = 0;   // 0 to 1, of the strength of gravity; 0: none
  uint64_t seed = 0;  // another one, another noise
};

inline constexpr double kGravityNoiseRate = 16;  // 1/s: fresh numbers so often

// n(t) of (1), and its exact mean over [t0, t1], t0 < t1.
Vec3 gravity_noise_at(uint64_t seed, double t);
Vec3 mean_gravity_noise(uint64_t seed, double t0, double t1);

// The deviation from `gravity` at an instant, m/s^2, and its mean over [t0, t1].
inline Vec3 gravity_deviation_at(const GravityNoise& noise, const Vec3& gravity, double t) {
  if (noise.share == 0) return {};
  return noise.share * norm(gravity) * gravity_noise_at(noise.seed, t);
}
inline Vec3 mean_gravity_deviation(const GravityNoise& noise, const Vec3& gravity, double t0,
                                   double t1) {
  if (noise.share == 0) return {};
  return noise.share * norm(gravity) * mean_gravity_noise(noise.seed, t0, t1);
}

}  // namespace tenon
