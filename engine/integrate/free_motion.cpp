#include "tenon/engine/integrate/free_motion.h"

#include "tenon/engine/bodies/free_rotation.h"

namespace tenon {

// What error the free rotation leaves changes T = L.w/2 a little. Turning the body by a small theta
// changes it by
//   dT = theta . (w x L),  so  theta = -(T+ - T) g/|g|^2, g = w x L,  puts it back.           (1)
// Where g vanishes the body spins about a principal axis, and nothing needs putting back.
Quat restore_spin_energy(const Quat& q_WB, const Mat3& inv_I_B, const Vec3& L, double twice_T) {
  const Vec3 w = angular_velocity(q_WB, inv_I_B, L);
  const Vec3 g = cross(w, L);
  const double g2 = norm2(g), missing = dot(L, w) - twice_T;
  if (!(g2 > 1e-20 * norm2(w) * norm2(L))) return q_WB;
  const Vec3 theta = (-0.5 * missing / g2) * g;
  // only the last digits: (1) must neither hide a wrong rotation nor make one
  if (!(norm2(theta) < 1e-10)) return q_WB;
  const Quat restored = normalized(exp_map(theta) * q_WB);
  const double left = dot(L, angular_velocity(restored, inv_I_B, L)) - twice_T;
  return std::fabs(left) < std::fabs(missing) ? restored : q_WB;
}

namespace {

Quat turn_with_energy(const Quat& q_WB, const BodyMass& body, const Vec3& L, double h) {
  if (body.moments == Vec3{} || L == Vec3{}) return q_WB;
  const double twice_T = dot(L, angular_velocity(q_WB, body.inv_I_B, L));
  const Quat turned = turn_freely(q_WB, body, L, h, count_turn_substeps(q_WB, body, L, h));
  return restore_spin_energy(turned, body.inv_I_B, L, twice_T);
}

}  // namespace

// Kick, turn, kick (Strang splitting): symmetric, hence second order with any torque.
//   L_n+1/2 = L_n + h/2 tau;  R_n+1 = free rotation of R_n with L_n+1/2;  L_n+1 = L_n+1/2 + h/2 tau
//   x_n+1 = x_n + h v_n + h^2/2 f/m;  v_n+1 = v_n + h f/m   (exact for constant f)
BodyState advance_free_body(const BodyState& s, const BodyMass& body, const Wrench& wrench,
                            double h) {
  BodyState next = s;
  const Vec3 a = body.inv_mass * wrench.force;
  next.x_WC = s.x_WC + h * (s.v_WC + (0.5 * h) * a);
  next.v_WC = s.v_WC + h * a;
  const Vec3 L_half = s.L_W + (0.5 * h) * wrench.torque;
  next.q_WB = turn_with_energy(s.q_WB, body, L_half, h);
  next.L_W = L_half + (0.5 * h) * wrench.torque;
  next.w_WB = angular_velocity(next.q_WB, body.inv_I_B, next.L_W);
  return next;
}

// Each half kick takes L straight from one value to the other at a fixed orientation, where the
// angular velocity is linear in L: a torque works with the mean of both ends. L at half of the step
// is the mean of those of its ends, whatever other torques act.
double work_of_torque(const BodyState& before, const BodyState& after, const BodyMass& body,
                      const Vec3& torque, double h) {
  const Vec3 L_half = 0.5 * (before.L_W + after.L_W);
  const auto mean = [&](const Quat& q, const Vec3& L) {
    return angular_velocity(q, body.inv_I_B, 0.5 * (L + L_half));
  };
  return (0.5 * h) * dot(torque, mean(before.q_WB, before.L_W) + mean(after.q_WB, after.L_W));
}

}  // namespace tenon
