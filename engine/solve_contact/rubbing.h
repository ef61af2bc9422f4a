// Coulomb's law for one patch.
#pragma once

#include <cmath>
#include <cstddef>

#include "tenon/engine/math/vec3.h"

namespace tenon {

// The bound of the moment goes with the points that bore it, down to the round-off of levers. What
// is left of the moment then goes as well, and not with it the force, as it would by shrinking both
// alike. The moment that the force leaves room for, where it is `lost` times its bound:     (6f)
inline constexpr double kLost = 2;  // more than what changes from visit to visit
inline constexpr double kNeverLost = 1e300;
inline double without_lost(double spin, double force2, double most, double moment, double lost) {
  if (!(moment > 0)) return 0;
  if (lost == kNeverLost || !(std::fabs(spin) > lost * moment)) return spin;
  const double left = most > 0 ? 1 - force2 / (most * most) : 0;
  return left > 0 ? std::copysign(moment * std::sqrt(left), spin) : 0;
}

// Friction that Coulomb's law asks for at given normal impulses: sticking where the bound allows
// it, otherwise sliding. The bound is an ellipsoid: force `most`, moment `moment`. At the fixed
// point of the second rule the friction does the most work that the bound allows: its force is
// exactly opposed to the sliding velocity, whatever the inertias are. (6)
struct Rubbing {
  static constexpr double kHeld = 1e-9;  // answers below this part of the largest are round-off

  const double* K;  // of t1 t1
  size_t stride;
  bool spins;
  double friction;     // coefficient
  double normal, arm;  // sum of normal impulses, and of those times their arms
  double spinning;     // m
  double lost = kNeverLost;

  Vec3 solve(const Vec3& now, const Vec3& u) const {
    const double a = K[0], b = K[1], d = K[stride + 1], det = a * d - b * b;
    const double k = spins ? K[2 * stride + 2] : 0;
    const double largest = 0.5 * (a + d + std::sqrt((a - d) * (a - d) + 4 * b * b));
    if (!(largest > 0)) return now;
    // joints may hold one direction, which need not be t1 or t2
    const bool regular = det > kHeld * largest * largest;
    Vec3 next = now;
    if (regular) {
      next.x -= (d * u.x - b * u.y) / det;
      next.y -= (a * u.y - b * u.x) / det;
    }
    if (k > 0) next.z -= u.z / k;
    if (!(moment_of() > 0)) next.z = 0;
    if (regular && size(next) <= 1) return next;
    // slide
    const double most = friction * normal, moment = moment_of();
    const double ratio = most > 0 ? moment / most : 0;
    double step = 1 / largest;
    if (k > 0 && step * ratio * ratio * k > 1) step = 1 / (ratio * ratio * k);
    const double spin = without_lost(now.z, now.x * now.x + now.y * now.y, most, moment, lost);
    next = {now.x - step * u.x, now.y - step * u.y, spin - step * ratio * ratio * u.z};
    const double beyond = size(next);
    if (beyond > 1) next *= 1 / beyond;
    if (!(moment > 0)) next.z = 0;
    return next;
  }
  // The same friction within the bound, whatever it comes from.
  Vec3 within(const Vec3& q) const {
    const double force2 = q.x * q.x + q.y * q.y, most = friction * normal;
    const Vec3 kept{q.x, q.y, without_lost(q.z, force2, most, moment_of(), lost)};
    const double beyond = size(kept);
    if (!(beyond > 1)) return kept;
    return beyond < 1e100 ? (1 / beyond) * kept : Vec3{};
  }
  double moment_of() const { return spins ? friction * arm + spinning * normal : 0; }
  // relative to the bound
  double size(const Vec3& q) const {
    const double most = friction * normal, moment = moment_of();
    const double force = std::sqrt(q.x * q.x + q.y * q.y);
    const double f = force > 0 ? (most > 0 ? force / most : 1e300) : 0;
    const double m = q.z != 0 ? (moment > 0 ? std::fabs(q.z) / moment : 1e300) : 0;
    if (f > 1e100 || m > 1e100) return 1e300;
    return std::sqrt(f * f + m * m);
  }
};

}  // namespace tenon
