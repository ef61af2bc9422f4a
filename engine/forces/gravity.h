// Uniform gravity.
#pragma once

#include "tenon/engine/bodies/body.h"

namespace tenon {

// Weight acts at the centre of mass, so it has no torque about it.
inline void add_gravity(Wrench& wrench, const BodyMass& body, const Vec3& gravity) {
  wrench.force += body.mass * gravity;
}

// Potential energy, zero for a centre of mass at the world origin.
inline double gravity_potential(const BodyMass& body, const Vec3& gravity, const Vec3& x_WC) {
  return -body.mass * dot(gravity, x_WC);
}

// Angular impulse about the world origin of the constant force f during a free step of length h:
//   int x(t) x f dt = (h x_n + h^2/2 v_n) x f,  since x(t) = x_n + t v_n + t^2/2 f/m and f x f = 0.
inline Vec3 angular_impulse_of_force(const BodyState& start, const Vec3& force, double h) {
  return cross(h * (start.x_WC + (0.5 * h) * start.v_WC), force);
}

}  // namespace tenon
