#include "tenon/engine/integrate/free_motion.h"

#include <algorithm>

namespace tenon {
namespace {

// Free rotation: R' = [w(R)] R with w(R) = R I_B^-1 R^T L and L constant in the world.
//
// The obvious step exp(h w_n) R_n of [Weinstein2006, eq. 1] is first order and gains energy (30 %
// in one flip of the intermediate-axis theorem at 1/100 s). We integrate on the rotation group with
// the classical fourth-order tableau of [MuntheKaas1999], where k_i = h w(R_i) and [a, b] = a x b:
//   k1 = h w(R)                    k2 = h w(exp(k1/2) R)
//   k3 = h w(exp(k2/2 - [k1, k2]/8) R)            k4 = h w(exp(k3) R)                       (1)
//   R+ = exp( (k1 + 2 k2 + 2 k3 + k4)/6 - [k1, k4]/12 ) R                                   (2)
// in equal substeps that turn by at most kMaxTurn. L enters as a constant, so it is conserved
// exactly whatever (1) and (2) do.
//
// What error is left changes the rotational energy T = L.w/2 a little. Turning the body by a small
// theta changes it by  dT = theta . (w x L),                                                (3)
// so the turn  theta = -(T+ - T) g/|g|^2, g = w x L  puts the energy back.                  (4)
// Where g vanishes the body spins about a principal axis, and (1), (2) are exact.
constexpr double kMaxTurn = 0.125;  // rad; the error of (2) is then about 1e-9 of the turn
constexpr int kMaxSubsteps = 4096;  // 512 rad per step; beyond that accuracy is lost, not safety

Quat turn_substep(const Quat& q, const Mat3& inv_I_B, const Vec3& L, double h) {
  const auto k = [&](const Quat& at) { return h * angular_velocity(at, inv_I_B, L); };
  const Vec3 k1 = k(q);
  const Vec3 k2 = k(exp_map(0.5 * k1) * q);
  const Vec3 k3 = k(exp_map(0.5 * k2 - 0.125 * cross(k1, k2)) * q);
  const Vec3 k4 = k(exp_map(k3) * q);
  const Vec3 turn = (1.0 / 6) * (k1 + 2.0 * (k2 + k3) + k4) - (1.0 / 12) * cross(k1, k4);
  return normalized(exp_map(turn) * q);
}

Quat restore_energy(Quat q, const Mat3& inv_I_B, const Vec3& L, double twice_T) {
  // (4) is a Newton step; two of them reach round-off also after hundreds of substeps
  for (int i = 0; i < 2; ++i) {
    const Vec3 w = angular_velocity(q, inv_I_B, L);
    const Vec3 g = cross(w, L);
    const double g2 = norm2(g);
    // close to a principal axis (4) divides round-off by nothing: leave the last digits alone
    if (!(g2 > 1e-20 * norm2(w) * norm2(L))) return q;
    const Vec3 theta = (-0.5 * (dot(L, w) - twice_T) / g2) * g;
    q = normalized(exp_map(theta) * q);
  }
  return q;
}

Quat turn_freely(const Quat& q0, const Mat3& inv_I_B, const Vec3& L, double h) {
  const Vec3 w0 = angular_velocity(q0, inv_I_B, L);
  const double turn = h * norm(w0);
  if (!(turn > 0)) return q0;
  // spheres, cubes and spins about a principal axis: one exponential is exact
  if (norm2(cross(w0, L)) <= 1e-30 * norm2(w0) * norm2(L)) return normalized(exp_map(h * w0) * q0);
  const double wanted = std::min(turn / kMaxTurn, static_cast<double>(kMaxSubsteps - 1));
  const int substeps = 1 + static_cast<int>(wanted);
  Quat q = q0;
  for (int i = 0; i < substeps; ++i) q = turn_substep(q, inv_I_B, L, h / substeps);
  return restore_energy(q, inv_I_B, L, dot(L, w0));
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
  next.q_WB = turn_freely(s.q_WB, body.inv_I_B, L_half, h);
  next.L_W = L_half + (0.5 * h) * wrench.torque;
  next.w_WB = angular_velocity(next.q_WB, body.inv_I_B, next.L_W);
  return next;
}

}  // namespace tenon
