#include "tenon/engine/integrate/free_motion.h"

#include <algorithm>

namespace tenon {
namespace {

// Free rotation: R' = [w] R with w = I_W^-1 L and L constant in the world.
//
// The obvious step exp(h w_n) R_n of [Weinstein2006, eq. 1] is first order and gains energy in
// tumbling. Runge-Kutta methods on the rotation
// group are accurate for round bodies, but explode for needles: a tilt by d changes the axial spin
// by |L| d / I_1. We split the Hamiltonian instead [Dullweber1997]. In principal axes, with moments
// I1 <= I2 <= I3 and L = (L1, L2, L3) there,
//   T = |L|^2/(2 I2) + a1 L1^2/2 + a3 L3^2/2,   a1 = 1/I1 - 1/I2 >= 0,  a3 = 1/I3 - 1/I2 <= 0  (1)
// and each term alone turns the body by an exact exponential:
//   the first  by h L/I2 about the world's L; it commutes with the others and is done once,
//   the second by h a1 L1 about the body's axis 1, the third by h a3 L3 about axis 3.          (2)
// The last two are composed symmetrically, S2(h) = A1(h/2) A3(h) A1(h/2), and to fourth order by
// [Suzuki1990]: S4(h) = S2(p h)^2 S2((1 - 4p) h) S2(p h)^2, p = 1/(4 - 4^(1/3)).              (3)
// A body of revolution has a1 = 0 or a3 = 0: then (2) is the exact solution at any step. L is a
// constant of every factor, so it is conserved exactly.
constexpr double kSuzuki = 0.41449077179437573714;

// Length of a substep. The error of (3) contains both turn rates of (2): r_max of the faster and
// r_min of the slower one, each bounded over the whole motion, and is about (h r_max)^4 h r_min.
// Equal rates get kMaxTurn radians per substep; the slower one vanishing, a substep may be long.
constexpr double kMaxTurn = 0.125;
constexpr int kMaxSubsteps = 4096;

struct Split {
  Vec3 a;  // a1, 0, a3 of (1)
  Vec3 moments;
};

// The body in principal axes: orientation and angular momentum.
struct Spin {
  Quat q_WP;
  Vec3 L_P;
};

// A turn of the body about its own axis (0 or 2) by `angle`; L_P turns the other way.
void turn_about_axis(Spin& s, int axis, double angle) {
  const double c = cos(0.5 * angle), k = sin(0.5 * angle);
  const Quat turn = axis == 0 ? Quat{c, k, 0, 0} : Quat{c, 0, 0, k};
  s.q_WP = s.q_WP * turn;
  s.L_P = rotate(conjugate(turn), s.L_P);
}

void strang(Spin& s, const Split& split, double h) {
  turn_about_axis(s, 0, 0.5 * h * split.a.x * s.L_P.x);
  turn_about_axis(s, 2, h * split.a.z * s.L_P.z);
  turn_about_axis(s, 0, 0.5 * h * split.a.x * s.L_P.x);
}

void suzuki(Spin& s, const Split& split, double h) {
  strang(s, split, kSuzuki * h);
  strang(s, split, kSuzuki * h);
  strang(s, split, (1 - 4 * kSuzuki) * h);
  strang(s, split, kSuzuki * h);
  strang(s, split, kSuzuki * h);
}

int count_substeps(const Split& split, const Vec3& L_P, double h) {
  const double L2 = norm2(L_P);
  const Vec3& I = split.moments;
  const double twice_T = L_P.x * L_P.x / I.x + L_P.y * L_P.y / I.y + L_P.z * L_P.z / I.z;
  // |L1| <= |L| and <= sqrt(2 T I1) at all times, likewise L3
  const double r1 = split.a.x * std::sqrt(std::min(L2, twice_T * I.x));
  const double r3 = -split.a.z * std::sqrt(std::min(L2, twice_T * I.z));
  const double r_max = std::max(r1, r3), r_min = std::min(r1, r3);
  if (!(h * r_min > 1e-12)) return 1;  // one factor does nothing: exact
  const double turn = kMaxTurn * pow(r_max / r_min, 0.2);
  const double wanted = std::min(h * r_max / turn, static_cast<double>(kMaxSubsteps - 1));
  return 1 + static_cast<int>(wanted);
}

// What error is left changes T = L.w/2 a little. Turning the body by a small theta changes it by
//   dT = theta . (w x L),  so  theta = -(T+ - T) g/|g|^2, g = w x L,  puts it back.           (4)
// Where g vanishes the body spins about a principal axis, and nothing needs putting back.
Quat restore_energy(const Quat& q_WB, const Mat3& inv_I_B, const Vec3& L, double twice_T) {
  const Vec3 w = angular_velocity(q_WB, inv_I_B, L);
  const Vec3 g = cross(w, L);
  const double g2 = norm2(g), missing = dot(L, w) - twice_T;
  if (!(g2 > 1e-20 * norm2(w) * norm2(L))) return q_WB;
  const Vec3 theta = (-0.5 * missing / g2) * g;
  // only the last digits: (4) must neither hide a wrong rotation nor make one
  if (!(norm2(theta) < 1e-10)) return q_WB;
  const Quat restored = normalized(exp_map(theta) * q_WB);
  const double left = dot(L, angular_velocity(restored, inv_I_B, L)) - twice_T;
  return std::fabs(left) < std::fabs(missing) ? restored : q_WB;
}

Quat turn_freely(const Quat& q_WB, const BodyMass& body, const Vec3& L, double h) {
  if (body.moments == Vec3{} || L == Vec3{}) return q_WB;
  const Vec3& I = body.moments;
  const Split split{{1 / I.x - 1 / I.y, 0, 1 / I.z - 1 / I.y}, I};
  Spin s{q_WB * body.q_BP, {}};
  s.L_P = rotate(conjugate(s.q_WP), L);
  const double twice_T = dot(L, angular_velocity(q_WB, body.inv_I_B, L));
  const int substeps = count_substeps(split, s.L_P, h);
  for (int i = 0; i < substeps; ++i) suzuki(s, split, h / substeps);
  const Quat about_L = exp_map((h / I.y) * L);
  const Quat turned = normalized(about_L * s.q_WP * conjugate(body.q_BP));
  return restore_energy(turned, body.inv_I_B, L, twice_T);
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
  next.q_WB = turn_freely(s.q_WB, body, L_half, h);
  next.L_W = L_half + (0.5 * h) * wrench.torque;
  next.w_WB = angular_velocity(next.q_WB, body.inv_I_B, next.L_W);
  return next;
}

// Each half kick changes the energy L.w/2 at a fixed orientation, so its work is exact.
double work_of_torque(const BodyState& before, const BodyState& after, const BodyMass& body,
                      const Vec3& torque, double h) {
  const auto twice_T = [&](const Quat& q, const Vec3& L) {
    return dot(L, angular_velocity(q, body.inv_I_B, L));
  };
  const Vec3 L_half = before.L_W + (0.5 * h) * torque;
  const double first = twice_T(before.q_WB, L_half) - twice_T(before.q_WB, before.L_W);
  const double second = twice_T(after.q_WB, after.L_W) - twice_T(after.q_WB, L_half);
  return 0.5 * (first + second);
}

}  // namespace tenon
