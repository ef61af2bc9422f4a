// Coulomb's law for one patch.
#pragma once

#include <cmath>
#include <cstddef>

#include "tenon/engine/math/vec3.h"

namespace tenon {

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
    if (regular && size(next) <= 1) return next;
    // slide
    const double most = friction * normal, moment = moment_of();
    const double ratio = most > 0 ? moment / most : 0;
    double step = 1 / largest;
    if (k > 0 && step * ratio * ratio * k > 1) step = 1 / (ratio * ratio * k);
    next = {now.x - step * u.x, now.y - step * u.y, now.z - step * ratio * ratio * u.z};
    const double beyond = size(next);
    if (beyond > 1) next *= 1 / beyond;
    if (!(moment > 0)) next.z = 0;
    return next;
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
