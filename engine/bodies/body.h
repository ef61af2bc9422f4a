// Bodies as the solvers see them: what a body is (constant) and what it does (state).
#pragma once

#include <cstdint>

#include "tenon/engine/math/transform.h"

namespace tenon {

enum class MotionKind : uint8_t {
  kDynamic,    // moved by forces
  kStatic,     // never moves
  kKinematic,  // moved by its script; nothing pushes it back
};

// Mass of a dynamic body, in its body frame B. Static and kinematic bodies have inverse mass and
// inverse inertia zero.
struct BodyMass {
  double mass = 0;      // kg
  double inv_mass = 0;  // 1/kg
  Vec3 com_B;           // centre of mass from B's origin
  Mat3 I_B{};           // inertia about the centre of mass, kg m^2, in B's axes
  Mat3 inv_I_B{};
  // Principal axes P, from the centre of mass: R_BP^T I_B R_BP = diag(moments), moments ascending.
  Quat q_BP;
  Vec3 moments;
  double size = 0;  // m, diagonal of a box with this mass and inertia; zero for a point mass
};

// Mass, inertia, its inverse and principal axes. Zero inertia makes a point mass, which has no
// rotation: its inverse inertia is zero. Precondition: mass > 0, inertia symmetric and positive
// definite, or zero.
BodyMass make_body_mass(double mass, const Vec3& com_B, const Mat3& I_B);

// State in maximal coordinates, {x, q, v, omega, L} of [Weinstein2006, sec. III]. Between steps
// w_WB = I_W^-1 L_W holds to round-off; L_W is the one that time integration advances, so that it
// stays constant to the last bit in free flight.
struct BodyState {
  Vec3 x_WC;  // centre of mass C
  Quat q_WB;  // orientation of the body frame
  Vec3 v_WC;  // velocity of the centre of mass
  Vec3 w_WB;  // angular velocity, world axes
  Vec3 L_W;   // spin angular momentum about C, world axes
};

// The pose of the body frame, whose origin need not be the centre of mass.
inline Pose body_pose(const BodyState& s, const Vec3& com_B) {
  return {s.x_WC - rotate(s.q_WB, com_B), s.q_WB};
}
// Velocity of the body frame's origin.
inline Vec3 origin_velocity(const BodyState& s, const Vec3& com_B) {
  return s.v_WC - cross(s.w_WB, rotate(s.q_WB, com_B));
}
// I_W^-1 L: angular velocity that belongs to an angular momentum.
inline Vec3 angular_velocity(const Quat& q_WB, const Mat3& inv_I_B, const Vec3& L_W) {
  return rotate(q_WB, inv_I_B * rotate(conjugate(q_WB), L_W));
}
inline Vec3 angular_momentum(const Quat& q_WB, const Mat3& I_B, const Vec3& w_W) {
  return rotate(q_WB, I_B * rotate(conjugate(q_WB), w_W));
}
inline bool is_finite(const BodyState& s) {
  return is_finite(s.x_WC) && is_finite(s.q_WB) && is_finite(s.v_WC) && is_finite(s.w_WB) &&
         is_finite(s.L_W);
}

// Force and torque on a body for the coming step, world axes, torque about the centre of mass.
struct Wrench {
  Vec3 force;
  Vec3 torque;
};

// Velocities of a body: of its mass centre, and angular, world axes.
struct Motion {
  Vec3 v, w;
};

// A direction of two bodies' motion along which an impulse p acts, low <= p <= high, so that the
// rate becomes `rate` where the bounds allow it: a limit or a motor of a joint as contacts see it.
// A spring or damper makes rate + soft p + keep (rate at the begin of the step) that instead.
struct BoundedRow {
  uint32_t body[2] = {0, 0};  // local indices of a mechanism
  Vec3 f[2], t[2];            // rate = sum f . v + t . w
  double rate = 0;            // m/s or rad/s
  double low = 0, high = 0;   // N s or N m s
  double gap = 0;             // m or rad, to a limit; infinite for others
  double guess = 0;           // of p
  double soft = 0;            // m/s per N s, or rad/s per N m s
  double keep = 0;            // 0 ... 1
  // Of a motor: its joint, by local index, and row. It is soft as contacts see it, see (5h).
  bool motor = false;
  uint8_t row = 0;
  uint32_t joint = 0;
};

// Of the last step, world axes; known for bodies that hang in joints.
struct Acceleration {
  Vec3 linear;   // of the centre of mass, m/s^2
  Vec3 angular;  // rad/s^2
};

}  // namespace tenon
