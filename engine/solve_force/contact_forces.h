// Contact by forces that grow with the overlap: AERO's springs and its penalty method, and its
// friction. Source: [Keller1993, sec. 3.6 - 3.8]. Pure laws; signs: `depth` > 0 overlaps,
// `approach` > 0 comes nearer, forces > 0 push apart.
//
// What is unphysical: bodies sink in by m g / c, and what slides slower than v_Tmax creeps. What it
// costs: the integrator resolves the oscillation sqrt(c / m) and the decay d / m, so stiffness is
// paid for by the step size.
#pragma once

#include <algorithm>

#include "tenon/engine/math/vec3.h"

namespace tenon {

// How a pair of surfaces pushes and rubs.
struct ContactLaw {
  double stiffness = 1e6;       // c, N/m, > 0
  double damping = 1e4;         // d, N s/m, >= 0
  double restitution = 0.5;     // 0..1
  double static_friction = 0;   // mu
  double sliding_friction = 0;  // mu_0 <= mu
  double rolling_lever = 0;     // m
  double spinning_lever = 0;    // m
};

// Springs with two-valued stiffness: c while the bodies approach, restitution c while they part, so
// that a collision gives back the part `restitution` of its energy, and sqrt(restitution) of its
// speed. Departure: between +-v_blend the stiffness goes over linearly; with a jump at rest, where
// c depth > weight > restitution c depth, the force would have to change its value infinitely often
// and the integrator would stand still.
double spring_force(const ContactLaw& law, double depth, double approach, double v_blend);

// The penalty method: c depth + d approach, and never pulls.
double penalty_force(const ContactLaw& law, double depth, double approach);

// Friction on b for a sliding velocity of b against a (in the plane of contact): mu_0 F_N against
// it from v_Tmax on, below that static friction, which grows with the velocity:
//   F_R = -(v_T / v_Tmax) mu F_N                                                              (1)
// so a body on a slope creeps by v_Tmax tan(slope) / mu.
Vec3 friction_force(const ContactLaw& law, const Vec3& slip, double normal_force,
                    double v_tangent_max);

// Resistance to rolling and spinning as a torque on b, for the angular velocity of b against a:
// lever times F_N against it; below v_Tmax / reach, which is the same creeping, in proportion.
// `reach`, m: how far the bodies' surfaces are from their mass centres.
Vec3 rolling_torque(const ContactLaw& law, const Vec3& turning, const Vec3& normal,
                    double normal_force, double w_max);

// The highest rate of decay and oscillation that a law brings to a body of this mass, 1/s: explicit
// integration needs steps of about 3 / rate.
double law_rate(const ContactLaw& law, double mass);

}  // namespace tenon
