#include "tenon/engine/solve_articulated/detail/sweep_residual.h"

#include <algorithm>

namespace tenon::sweep {
namespace {

bool belongs(const SweepRow& row, JointPart part) {
  if (part == JointPart::kBoth) return true;
  // a screw's mixed row is solved with the orientation
  return (row.t == Vec3{}) == (part == JointPart::kLinear);
}

// The row with this id, or the fallback where it does not hold.
const SweepRow& find_row(const SweepRows& rows, const SweepRow& fallback) {
  for (size_t k = 0; k < static_cast<size_t>(rows.count); ++k) {
    if (rows.row[k].id == fallback.id) return rows.row[k];
  }
  return fallback;
}

}  // namespace

Turn make_turn(const Vec3& V) {
  const double t2 = norm2(V), t = std::sqrt(t2);
  if (t < 1e-3) {
    return {V, exp_map(V), 1 - t2 / 6 * (1 - t2 / 20), 0.5 - t2 / 24 * (1 - t2 / 30),
            1.0 / 6 - t2 / 120 * (1 - t2 / 42)};
  }
  const double c = cos(0.5 * t), s = sin(0.5 * t);
  const double sinc = 2 * s * c / t, k = s / t;
  return {V, Quat{c, k * V.x, k * V.y, k * V.z}, sinc, 2 * k * k, (1 - sinc) / t2};
}

JointEquations::JointEquations(const SweepWork& work, const SweepJoint& joint, double h)
    : parent_(work.bodies[joint.parent]),
      child_(work.bodies[joint.child]),
      joint_(joint),
      pair_(joint.model->pairs[0]),
      project_(work.project),
      h_(h) {
  // infinite bodies have no say in the length scale: they may be as large as the world
  length_ = std::sqrt(std::max(parent_.size2, child_.size2));
  if (!(length_ > 0)) length_ = 1;
}

double JointEquations::round_off() const {
  const Vec3 far = cwise_max(cwise_abs(parent_.x), cwise_abs(child_.x));
  return 1e-15 * (max_component(far) + length_);
}

JointResidual JointEquations::evaluate(const Impulse6& z) const {
  JointResidual r;
  Vec3 xP = parent_.x_end, xC = child_.x_end;
  Quat qP = parent_.q_end, qC = child_.q_end;
  if (!parent_.infinite) {
    r.parent_turn = make_turn(h_ * (parent_.w + parent_.gyro) + parent_.inv_I * moment(parent_, z));
    qP = r.parent_turn.q * parent_.q;
    xP = parent_.x + h_ * parent_.v + parent_.inv_mass * z.l;
  }
  if (!child_.infinite) {
    r.child_turn = make_turn(h_ * (child_.w + child_.gyro) - child_.inv_I * moment(child_, z));
    qC = r.child_turn.q * child_.q;
    xC = child_.x + h_ * child_.v - child_.inv_mass * z.l;
  }
  r.rC = rotate(qC, pair_.rC_B);
  r.q_WP = qP * joint_.q_BP;
  const Vec3 d = (xC - xP) + (r.rC - rotate(qP, pair_.rP_B));
  r.X_PC = {rotate(conjugate(r.q_WP), d), conjugate(r.q_WP) * (qC * joint_.q_BC)};
  const Pose target = project_.nearest(*joint_.model, joint_.state, r.X_PC);
  r.target = target.p;
  // (3), turned to the world
  const Quat E = target.q * conjugate(r.X_PC.q);
  const double sign = E.w < 0 ? -1 : 1;
  r.s0 = sign * E.w;
  r.e = rotate(r.q_WP, sign * E.vec());
  r.f_l = rotate(r.q_WP, target.p - r.X_PC.p);
  r.rP = (xC - xP) + r.rC + r.f_l;
  const double linear = part_ == JointPart::kAngular ? 0 : norm2(r.f_l);
  const double angular = part_ == JointPart::kLinear ? 0 : norm2(r.e);
  r.norm = std::sqrt(linear + length_ * length_ * angular);
  return r;
}

JointResidual JointEquations::begin(JointPart part) {
  part_ = part;
  row_count_ = 0;
  const JointResidual r = evaluate({});
  if (!(r.norm < kInfinity)) return r;
  // the middle of the anchors at time n; the parent's carries the target's offset
  const Quat q_WP = parent_.q * joint_.q_BP;
  const Vec3 aP = parent_.x + rotate(parent_.q, pair_.rP_B) + rotate(q_WP, r.target);
  const Vec3 aC = child_.x + rotate(child_.q, pair_.rC_B);
  s_ = 0.5 * (aP + aC);
  update_rows(r);
  return r;
}

void JointEquations::update_rows(const JointResidual& at) {
  const SweepRows held = project_.held(*joint_.model, joint_.state, at.X_PC);
  X_rows_ = at.X_PC;
  for (size_t i = 0; i < static_cast<size_t>(held.count); ++i) {
    const SweepRow& row = held.row[i];
    if (!belongs(row, part_)) continue;
    size_t k = 0;
    while (k < row_count_ && rows_[k].id != row.id) ++k;
    if (k == rows_.size()) continue;
    rows_[k] = row;
    if (k < row_count_) continue;
    // impulses act along the direction held at time n; of a limit not reached there, as predicted
    const Quat q_WP = parent_.q * joint_.q_BP;
    const SweepRow& begin = find_row(joint_.held, row);
    columns_[row_count_++] = {rotate(q_WP, begin.f), length_ * rotate(q_WP, begin.t)};
  }
}

bool JointEquations::newton_direction(const JointResidual& at, Impulse6& d) {
  if (!(at.X_PC == X_rows_)) update_rows(at);
  const double inv_mass = parent_.inv_mass + child_.inv_mass;
  const Quat q_PW = conjugate(at.q_WP);
  // B^T (f_l, 2 f_a) in P's axes
  const auto project_row = [&](size_t k, const Vec3& f, const Vec3& t) {
    return dot(rows_[k].f, f) + length_ * dot(rows_[k].t, t);
  };
  Mat6 A;
  Vec6 g, y;
  const Vec3 f_P = rotate(q_PW, at.f_l), e_P = rotate(q_PW, 2.0 * at.e);
  for (size_t k = 0; k < row_count_; ++k) {
    g[k] = -project_row(k, f_P, e_P);
    // (4) and (5)
    const Impulse6& z = columns_[k];
    const Vec3 dP = at.parent_turn.left_jacobian(parent_.inv_I * moment(parent_, z));
    const Vec3 dC = -at.child_turn.left_jacobian(child_.inv_I * moment(child_, z));
    const Vec3 df = inv_mass * z.l + cross(dP, at.rP - at.f_l) - cross(dC, at.rC);
    const Vec3 da = at.s0 * (dP - dC) + cross(at.e, dP - dC);
    const Vec3 df_P = rotate(q_PW, df), da_P = rotate(q_PW, da);
    for (size_t i = 0; i < row_count_; ++i) A[i][k] = project_row(i, df_P, da_P);
  }
  if (!solve_general(row_count_, A, g, y)) return false;
  d = {};
  for (size_t k = 0; k < row_count_; ++k) d = d + y[k] * columns_[k];
  return true;
}

double JointEquations::turn(const Impulse6& z) const {
  return std::sqrt(
      std::max(norm2(parent_.inv_I * moment(parent_, z)), norm2(child_.inv_I * moment(child_, z))));
}

double JointEquations::energy_product(const Impulse6& a, const Impulse6& b) const {
  double sum = (parent_.inv_mass + child_.inv_mass) * dot(a.l, b.l);
  if (!parent_.infinite) sum += dot(moment(parent_, a), parent_.inv_I * moment(parent_, b));
  if (!child_.infinite) sum += dot(moment(child_, a), child_.inv_I * moment(child_, b));
  return sum;
}

}  // namespace tenon::sweep
