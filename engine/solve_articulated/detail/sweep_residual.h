// The equations of one joint at the end of a step, as functions of its impulse.
//
// Notation: P, C joint frames on parent and child; h step; z = (z_l, z_a) = h times the impulse on
// the parent, applied at s, the middle of the two anchors at time n; h_i = s - x_i;
// V_i rotation vector of body i over the step; X = X_PC predicted relative frame; (t, Q) its
// projection to an allowed one. Source: [Weinstein2006, eq. 2 - 6 and appendix], in compact form:
//   V_p = h w_p + I_p^-1 (h_p x z_l + z_a),  V_c = h w_c - I_c^-1 (h_c x z_l + z_a)             (1)
//   x_p' = x_p + h v_p + z_l / m_p,          x_c' = x_c + h v_c - z_l / m_c                     (2)
//   f_l = t - p(X),   f_a = vector part of Q q(X)^-1, its scalar part s0 >= 0                   (3)
// (3) in the axes of P at time n+1. Departure: the paper takes the difference of the four
// quaternion components and normal equations; three components say the same.
//
// The unknowns and equations are the held directions B only: z = B(n) y, g(y) = B^T f. The free
// coordinates are projected anew in every evaluation, so they neither get impulses nor appear in f.
// Derivatives, with d_i = Jl(V_i) I_i^-1 (h_i x z_l + z_a), + for p, - for c, the turn of body i,
// and Jl the left Jacobian of the rotation group [Sola2018, eq. 145]:
//   df_l = (1/m_p + 1/m_c) z_l + d_p x r_p' - d_c x r_c' - d_p x f_l                            (4)
//   2 df_a = s0 (d_p - d_c) + e x (d_p - d_c),  e = f_a                                         (5)
// r_i' levers at time n+1, of the parent to the target. The target's own motion along free
// directions is orthogonal to B, so Newton converges quadratically without it.
#pragma once

#include "tenon/engine/solve_articulated/detail/sweep_linear.h"
#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon::sweep {

struct Impulse6 {
  Vec3 l, a;
};
inline Impulse6 operator+(const Impulse6& x, const Impulse6& y) { return {x.l + y.l, x.a + y.a}; }
inline Impulse6 operator*(double s, const Impulse6& x) { return {s * x.l, s * x.a}; }

// A rotation over a step with what its derivative needs:
//   Jl(V) x = sinc x + c V (V . x) + b V x x,  b = (1 - cos t)/t^2,  c = (1 - sinc)/t^2, t = |V|
struct Turn {
  Vec3 V;
  Quat q;
  double sinc = 1, b = 0.5, c = 1.0 / 6;

  Vec3 left_jacobian(const Vec3& x) const {
    return sinc * x + (c * dot(V, x)) * V + b * cross(V, x);
  }
};
Turn make_turn(const Vec3& V);

// Which part of (3) a solve is about.
enum class JointPart : uint8_t { kBoth, kLinear, kAngular };

// Everything at one value of z.
struct JointResidual {
  Turn parent_turn, child_turn;
  Quat q_WP;    // frame P at n+1
  Vec3 rP, rC;  // r_p', r_c'
  Vec3 f_l, e;  // world axes
  double s0 = 1;
  Pose X_PC;        // predicted
  Vec3 target;      // t, P's axes
  double norm = 0;  // m, of the parts solved for
};

class JointEquations {
 public:
  JointEquations(const SweepWork& work, const SweepJoint& joint, double h);

  // Chooses the rows to solve for by the prediction at z = 0, which it returns.
  JointResidual begin(JointPart part);
  JointResidual evaluate(const Impulse6& z) const;
  // Newton's direction; false if it is not finite.
  bool newton_direction(const JointResidual& at, Impulse6& d);
  // a . G b with G the inverse effective mass at s: h^2 times twice a kinetic energy.
  double energy_product(const Impulse6& a, const Impulse6& b) const;
  // rad, by which the impulse turns the one body or the other, at most.
  double turn(const Impulse6& z) const;

  size_t row_count() const { return row_count_; }
  double length() const { return length_; }  // m, of the bodies
  double round_off() const;                  // m, what coordinates can resolve
  const Vec3& application_point() const { return s_; }

 private:
  Vec3 moment(const SweepBody& body, const Impulse6& z) const {
    return cross(s_ - body.x, z.l) + z.a;
  }

  const SweepBody& parent_;
  const SweepBody& child_;
  const SweepJoint& joint_;
  const JointPair& pair_;
  JointProjection project_;
  double h_;
  double length_ = 0;
  Vec3 s_;
  JointPart part_ = JointPart::kBoth;
  // Unknowns. A limit takes part from the moment on at which an iterate passes it, and stays.
  void update_rows(const JointResidual& at);
  size_t row_count_ = 0;
  Pose X_rows_;                        // where they were found
  std::array<SweepRow, 6> rows_{};     // B, P's axes
  std::array<Impulse6, 6> columns_{};  // B(n), world axes, torques times length
};

}  // namespace tenon::sweep
