#include "tenon/engine/solve_contact/faithful/patch_solve.h"

#include <algorithm>
#include <vector>

namespace tenon::faithful {
namespace {

// One point at work.
// Notation: u velocity of B against A at the point; J impulse on B; K inverse effective mass:
//   K = (1/mA + 1/mB) 1 - [rA] IA^-1 [rA] - [rB] IB^-1 [rB],  du = K dJ                         (1)
struct Work {
  Mat3 K, inv_K;
  bool solvable = false;
};

Work prepare(const PatchBody& A, const PatchBody& B, const PatchPoint& p) {
  Work w;
  const double inv_mass = A.inv_mass + B.inv_mass;
  w.K = inv_mass * Mat3::identity() - skew(p.rA) * A.inv_I * skew(p.rA) -
        skew(p.rB) * B.inv_I * skew(p.rB);
  w.inv_K = inverse(w.K);
  w.solvable = inv_mass > 0 && is_finite(w.inv_K);
  return w;
}

Vec3 relative_velocity(const PatchBody& A, const PatchBody& B, const PatchPoint& p) {
  return B.v + cross(B.w, p.rB) - A.v - cross(A.w, p.rA);
}

// The impulse of a point that has J so far, given what all others do. u = velocity now,
// u0 = u - K J without the point's own impulse.
//   stick:  J' = K^-1 (bound n - u0), kept where |J'_T| <= mu J'.n                              (2)
//   slide:  J' = j d,  d = n + mu t,  j = (bound - u0.n) / (n.K d)                              (3)
//           t along J_T - u_T / k,  k = trace K / 3                                             (4)
// At J = 0, where a lone point stays, t is against the sliding velocity, as in the source. From
// there on friction of one point turns while others act; where it comes to rest it is against the
// velocity that is left. Where n.K d <= 0 friction would press the bodies together the more the
// larger it is (a jam): then it is left out.
Vec3 find_impulse(const PatchPoint& p, const Work& w, const Vec3& u, bool& sticks) {
  const Vec3 u0 = u - w.K * p.impulse;
  const double missing = p.bound - dot(u0, p.n);
  sticks = true;
  if (!(missing > 0)) return {};
  const Vec3 stick = w.inv_K * (p.bound * p.n - u0);
  const double normal = dot(stick, p.n);
  if (normal > 0 && norm(stick - normal * p.n) <= p.static_mu * normal) return stick;
  sticks = false;
  const auto tangential = [&](const Vec3& x) { return x - dot(x, p.n) * p.n; };
  const Vec3 t = normalized(tangential(p.impulse) - (3 / trace(w.K)) * tangential(u), {});
  const double nKn = dot(p.n, w.K * p.n);
  Vec3 d = p.n + p.sliding_mu * t;
  double nKd = dot(p.n, w.K * d);
  if (!(nKd > 1e-6 * nKn)) {
    d = p.n;
    nKd = nKn;
  }
  return (missing / nKd) * d;
}

void apply(PatchBody& A, PatchBody& B, const PatchPoint& p, const Vec3& J) {
  A.v -= A.inv_mass * J;
  A.w -= A.inv_I * cross(p.rA, J);
  B.v += B.inv_mass * J;
  B.w += B.inv_I * cross(p.rB, J);
}

}  // namespace

PatchImpulse solve_patch(const PatchBody& A, const PatchBody& B, std::span<PatchPoint> points,
                         double tolerance) {
  const int cycles = points.size() == 1 ? 1 : 100;
  PatchBody a = A, b = B;
  std::vector<Work> works;
  std::vector<Vec3> start;
  works.reserve(points.size());
  start.reserve(points.size());
  double scale = 0;
  for (PatchPoint& p : points) {
    works.push_back(prepare(A, B, p));
    start.push_back(p.impulse);
    p.sticks = true;
    scale = std::max(scale, norm(p.bound * p.n - relative_velocity(A, B, p)));
  }
  for (int cycle = 0; cycle < cycles; ++cycle) {
    double change = 0;
    for (size_t k = 0; k < points.size(); ++k) {
      PatchPoint& p = points[k];
      if (!works[k].solvable) continue;
      const Vec3 u = relative_velocity(a, b, p);
      // a point that neither acts nor has to
      if (p.impulse == Vec3{} && dot(u, p.n) >= p.bound) continue;
      const Vec3 J = find_impulse(p, works[k], u, p.sticks);
      if (!is_finite(J)) continue;
      const Vec3 dJ = J - p.impulse;
      apply(a, b, p, dJ);
      p.impulse = J;
      change = std::max(change, norm(works[k].K * dJ));
    }
    if (!(change > tolerance * scale)) break;
  }
  PatchImpulse sum;
  for (size_t k = 0; k < points.size(); ++k) {
    const PatchPoint& p = points[k];
    const Vec3 dJ = p.impulse - start[k];
    sum.sticks = sum.sticks && (p.sticks || p.impulse == Vec3{});
    if (!(norm2(dJ) > 1e-24 * norm2(p.impulse))) continue;  // round-off
    sum.any = true;
    sum.linear += dJ;
    sum.torque_A -= cross(p.rA, dJ);
    sum.torque_B += cross(p.rB, dJ);
    sum.normal += dot(dJ, p.n);
  }
  return sum;
}

// Scaled by s the impulse changes the kinetic energy by s b + s^2 a / 2.
double calc_energy_guard(const PatchBody& A, const PatchBody& B, const PatchImpulse& j) {
  const double a = (A.inv_mass + B.inv_mass) * norm2(j.linear) +
                   dot(j.torque_A, A.inv_I * j.torque_A) + dot(j.torque_B, B.inv_I * j.torque_B);
  const double b = dot(j.linear, B.v - A.v) + dot(j.torque_A, A.w) + dot(j.torque_B, B.w);
  if (!(0.5 * a + b > 0) || !(a > 0)) return 1;
  return b < 0 ? -2 * b / a : 0;
}

// With a couple t on B and an impulse j on B, the opposite on A:
//   du = K j + C t = 0,  dw = C^T j + S t,  C = -sum [r] I^-1,  S = sum I^-1                    (4)
//   hence j = -K^-1 C t and dw = (S - C^T K^-1 C) t                                             (5)
void add_rolling_friction(const PatchBody& A, const PatchBody& B, const RollingFriction& law,
                          PatchImpulse& impulse) {
  if (!(impulse.normal > 0) || (law.rolling == 0 && law.spinning == 0)) return;
  const Work w = prepare(A, B, {law.rA, law.rB, law.n});
  const Mat3 C = -1.0 * (skew(law.rA) * A.inv_I + skew(law.rB) * B.inv_I);
  const Mat3 response = inverse(A.inv_I + B.inv_I - transpose(C) * w.inv_K * C);
  if (!w.solvable || !is_finite(response)) return;
  // spins after the impulse so far
  const Vec3 wA = A.w + A.inv_I * impulse.torque_A, wB = B.w + B.inv_I * impulse.torque_B;
  const Vec3 spin = wB - wA;
  const Vec3 along = dot(spin, law.n) * law.n;
  const auto limited = [&](const Vec3& dw, double most) {
    const Vec3 t = response * dw;
    const double size = norm(t);
    return size > most ? (most / size) * t : t;
  };
  const Vec3 t = limited(-(spin - along), law.rolling * impulse.normal) +
                 limited(-along, law.spinning * impulse.normal);
  const Vec3 j = -(w.inv_K * (C * t));
  if (!is_finite(t) || !is_finite(j)) return;
  impulse.linear += j;
  impulse.torque_A -= cross(law.rA, j) + t;
  impulse.torque_B += cross(law.rB, j) + t;
}

}  // namespace tenon::faithful
