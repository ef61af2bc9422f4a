// A body at work in the faithful step.
#pragma once

#include <cstdint>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/bodies/free_rotation.h"

namespace tenon::faithful {

inline constexpr uint32_t kNoBody = 0xffffffffu;

struct Body {
  uint32_t slot = kNoBody;
  bool infinite = true;  // static, kinematic, or stopped by the world: no impulse moves it
  bool held = false;     // infinite for the moment: a lower level while upper ones are solved
  // Time n until move(), time n+1 after. L is primary, w = I^-1 L at q. Infinite bodies: mean
  // velocities over the step.
  Vec3 x, v, w, L;
  Quat q;
  double inv_mass = 0;
  Mat3 inv_I{};      // world axes, at q
  Mat3 inv_I_B{};    // body axes
  double size2 = 0;  // m^2, largest moment over mass
  Vec3 dv, dL;       // what the forces of the step are going to add; zero once they have
  // Added to w where (1) of step.h turns the body: without impulses the turn is then that of a free
  // body, which exp(h w) is to first order only. Constant in each phase.
  Vec3 gyro;
  Pose end;             // of infinite ones: mass centre and orientation at time n+1
  int level = 0;        // in the contact graph
  bool hit = false;     // by a collision
  bool pushed = false;  // moved by push-out

  // Predicted for time n+1.
  Transform next;
  Quat q_next;
  uint32_t changes = 0;  // of the prediction

  bool gives_way() const { return !infinite && !held; }
};

inline Mat3 world_inverse_inertia(const Mat3& R, const Mat3& inv_I_B) {
  return R * inv_I_B * transpose(R);
}

// Where (1) of step.h takes the body with the velocities v, w.
inline Pose advance(const Body& b, const Vec3& v, const Vec3& w, double h) {
  if (b.infinite) return b.end;
  return {b.x + h * v, normalized(exp_map(h * (w + b.gyro)) * b.q)};
}

// The prediction contains the forces that are still to come.
inline void predict(Body& b, double h) {
  const Pose next = advance(b, b.v + b.dv, b.inv_I * (b.L + b.dL), h);
  b.next = to_transform(next);
  b.q_next = next.q;
  ++b.changes;
}

// The gyro for the angular momentum L + dL. `mass` is the body's.
inline Vec3 calc_gyro(const Body& b, const BodyMass& mass, double h) {
  const Vec3 L = b.L + b.dL, w = b.inv_I * L;
  if (mass.moments == Vec3{} || L == Vec3{}) return {};
  const int substeps = count_turn_substeps(b.q, mass, L, h);
  const Vec3 turn = log_map(turn_freely(b.q, mass, L, h, substeps) * conjugate(b.q));
  // of all vectors of this rotation the one nearest to h w
  const double angle = norm(turn);
  const Vec3 axis = angle > 0 ? turn / angle : normalized(w);
  const double turns = std::round((h * dot(axis, w) - angle) / (2 * kPi));
  return ((angle + 2 * kPi * turns) / h) * axis - w;
}

// Puts the body to a place; w follows from L.
inline void place(Body& b, const Vec3& x, const Quat& q) {
  b.x = x;
  b.q = q;
  if (b.infinite) return;
  b.inv_I = world_inverse_inertia(to_matrix(q), b.inv_I_B);
  b.w = b.inv_I * b.L;
}

}  // namespace tenon::faithful
