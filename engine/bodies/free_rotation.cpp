#include "tenon/engine/bodies/free_rotation.h"

#include <algorithm>

#include "tenon/engine/math/elementary.h"

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
  if (angle == 0) return;
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

Split make_split(const BodyMass& body) {
  const Vec3& I = body.moments;
  return {{1 / I.x - 1 / I.y, 0, 1 / I.z - 1 / I.y}, I};
}

Spin make_spin(const Quat& q_WB, const BodyMass& body, const Vec3& L) {
  Spin s{q_WB * body.q_BP, {}};
  s.L_P = rotate(conjugate(s.q_WP), L);
  return s;
}

}  // namespace

Quat turn_freely(const Quat& q_WB, const BodyMass& body, const Vec3& L, double h, int substeps) {
  if (body.moments == Vec3{} || L == Vec3{}) return q_WB;
  const Split split = make_split(body);
  Spin s = make_spin(q_WB, body, L);
  if (substeps == kExactTurn) strang(s, split, h);
  for (int i = 0; i < substeps; ++i) suzuki(s, split, h / substeps);
  const Quat about_L = exp_map((h / body.moments.y) * L);
  return normalized(about_L * s.q_WP * conjugate(body.q_BP));
}

bool turns_exactly(const BodyMass& body) {
  const Vec3& I = body.moments;
  return I.y - I.x <= 1e-14 * I.y || I.z - I.y <= 1e-14 * I.z;
}

int count_turn_substeps(const Quat& q_WB, const BodyMass& body, const Vec3& L, double h) {
  if (body.moments == Vec3{} || L == Vec3{}) return 1;
  return count_substeps(make_split(body), make_spin(q_WB, body, L).L_P, h);
}

}  // namespace tenon
