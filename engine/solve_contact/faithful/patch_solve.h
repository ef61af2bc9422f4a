// Impulses at all points of the patches between two bodies, with friction.
#pragma once

#include <span>

#include "tenon/engine/math/mat3.h"

namespace tenon::faithful {

// A body as impulses see it. Zero inverses: nothing moves it.
struct PatchBody {
  Vec3 v, w;
  double inv_mass = 0;
  Mat3 inv_I{};
};

struct PatchPoint {
  Vec3 rA, rB;       // levers from the mass centres
  Vec3 n;            // unit, from A to B
  double bound = 0;  // m/s: the velocity of B against A along n is to reach it
  double static_mu = 0, sliding_mu = 0;
  Vec3 impulse{};      // N s, on B; in: so far, contained in the velocities; out: the result
  bool sticks = true;  // within the cone; result
};

// What the points do together, in addition to what they had done.
struct PatchImpulse {
  Vec3 linear;              // on B; A gets the opposite
  Vec3 torque_A, torque_B;  // N m s about the mass centres
  double normal = 0;        // sum of normal impulses
  bool sticks = true;       // none of the points slides
  bool any = false;
};

// Finds impulses, each >= 0 along its normal and within its friction cone, such that every point's
// normal velocity reaches its bound. Point after point, again and again until nothing changes by
// more than `tolerance` of the velocities at hand, 100 times at most: a square patch needs about 30
// for 1e-10.
//
// Source: [Guendelman2003, sec. 7]: sticking first, and where that leaves the cone the impulse on
// its edge against the sliding velocity. For one point the same; departure for several: impulses
// are sums per point, so a point can take back what another one made superfluous.
PatchImpulse solve_patch(const PatchBody& A, const PatchBody& B, std::span<PatchPoint> points,
                         double tolerance);

// The factor <= 1 by which the impulse has to be scaled not to add kinetic energy, relative to
// whatever moves the infinite one of the two.
double calc_energy_guard(const PatchBody& A, const PatchBody& B, const PatchImpulse& impulse);

// Resistance to rolling and spinning at a contact that sticks, at the point with levers rA, rB.
// The couple is at most rolling * normal across the normal and spinning * normal along it
// (coefficients in metres), no more than stops the relative rotation, and comes with the impulse
// that leaves the contact point's velocity as it is. Adds to `impulse`.
struct RollingFriction {
  Vec3 rA, rB, n;
  double rolling = 0, spinning = 0;
};
void add_rolling_friction(const PatchBody& A, const PatchBody& B, const RollingFriction& law,
                          PatchImpulse& impulse);

}  // namespace tenon::faithful
