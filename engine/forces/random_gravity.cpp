#include "tenon/engine/forces/random_gravity.h"

#include <cmath>

#include "tenon/engine/base/hash.h"

namespace tenon {
namespace {

// The numbers at time cell / 16 s. Cells are whole numbers below 2^53, so they are exact.
Vec3 numbers_at(uint64_t seed, double cell) {
  Hasher h;
  h.add(seed);
  h.add(cell);
  const auto number = [&h](uint64_t axis) {
    h.add(axis);
    return 2 * (static_cast<double>(h.value() >> 11) * 0x1p-53) - 1;
  };
  const double x = number(0), y = number(1), z = number(2);
  return {x, y, z};
}

// Integral over [0, u] of a + (b - a)(3 s^2 - 2 s^3), u in [0, 1].
Vec3 integral_to(const Vec3& a, const Vec3& b, double u) {
  return u * a + (u * u * u * (1 - 0.5 * u)) * (b - a);
}

}  // namespace

Vec3 gravity_noise_at(uint64_t seed, double t) {
  const double cell = std::floor(kGravityNoiseRate * t), u = kGravityNoiseRate * t - cell;
  const Vec3 a = numbers_at(seed, cell), b = numbers_at(seed, cell + 1);
  return a + (u * u * (3 - 2 * u)) * (b - a);
}

Vec3 mean_gravity_noise(uint64_t seed, double t0, double t1) {
  const double from = kGravityNoiseRate * t0, to = kGravityNoiseRate * t1;
  if (!(from < to)) return gravity_noise_at(seed, t0);
  const double first = std::floor(from), last = std::floor(to);
  Vec3 a = numbers_at(seed, first), b = numbers_at(seed, first + 1);
  Vec3 sum = -integral_to(a, b, from - first);
  for (double cell = first; cell < last; ++cell) {
    sum += 0.5 * (a + b);  // the whole cell
    a = b;
    b = numbers_at(seed, cell + 2);
  }
  sum += integral_to(a, b, to - last);
  return sum / (to - from);
}

}  // namespace tenon
