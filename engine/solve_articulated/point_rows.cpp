// Mechanisms of ball joints: chains, nets, ragdolls without limits. The same equations as
// general_rows.cpp with everything that is zero or one left out, about three times faster.
#include <algorithm>

#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {
namespace {

struct PointJoint {
  uint32_t P, C;       // local bodies
  Vec3 rP_B, rC_B;     // anchors in body axes
  Vec3 r0P, r0C, d0;   // begin of the step, world axes; d = C's anchor minus P's
  Vec3 r1P, r1C, d1;   // iterate
  Vec3 rmP, rmC;       // mean levers to the common point of application
  Vec3 p, p_last, dp;  // impulse on the child, N s
  Mat3 ZP, ZC;         // inv_N [rm]
  Vec3 eps;            // compliance of each row
  double inv_size;
};

// [r] M, [r] = cross-product matrix.
Mat3 skew_mul(const Vec3& r, const Mat3& M) {
  return {r.y * M.r2 - r.z * M.r1, r.z * M.r0 - r.x * M.r2, r.x * M.r1 - r.y * M.r0};
}
// M [r]
Mat3 mul_skew(const Mat3& M, const Vec3& r) {
  return {cross(M.r0, r), cross(M.r1, r), cross(M.r2, r)};
}
void add_block(double* block, double s, double identity, const Mat3& M) {
  block[0] += s * (identity - M.r0.x);
  block[1] -= s * M.r0.y;
  block[2] -= s * M.r0.z;
  block[3] -= s * M.r1.x;
  block[4] += s * (identity - M.r1.y);
  block[5] -= s * M.r1.z;
  block[6] -= s * M.r2.x;
  block[7] -= s * M.r2.y;
  block[8] += s * (identity - M.r2.z);
}
Vec3 load(const double* v) { return {v[0], v[1], v[2]}; }
void save(double* v, const Vec3& a) {
  v[0] = a.x;
  v[1] = a.y;
  v[2] = a.z;
}

class PointRows final : public Rows {
 public:
  explicit PointRows(const Mechanism& mechanism) : m_(mechanism), joints_(mechanism.joints.size()) {
    for (size_t k = 0; k < joints_.size(); ++k) {
      joints_[k].P = mechanism.joints[k].body[0];
      joints_[k].C = mechanism.joints[k].body[1];
    }
  }

  void begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
             double h) override {
    h_ = h;
    step_joints_ = joints;
    for (size_t k = 0; k < joints_.size(); ++k) {
      PointJoint& j = joints_[k];
      const JointPair& pair = joints[k].model->pairs[0];
      const BodyWork &P = bodies[j.P], &C = bodies[j.C];
      j.r0P = P.R0 * pair.rP_B;
      j.r0C = C.R0 * pair.rC_B;
      j.d0 = C.x0 + j.r0C - P.x0 - j.r0P;
      const std::array<double, kMaxRows>& lambda = joints[k].state->lambda;
      j.p = h * Vec3{lambda[0], lambda[1], lambda[2]};
      j.inv_size = 1 / joints[k].size;
      j.eps = {-1, -1, -1};
    }
  }

  double begin_error() const override {
    double worst = 0;
    for (const PointJoint& j : joints_) {
      worst = std::max(worst, norm2(j.d0) * (j.inv_size * j.inv_size));
    }
    return std::sqrt(worst);
  }

  void add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const override {
    for (const PointJoint& j : joints_) {
      const Vec3 force = (1 / h_) * j.p;
      add_tension_of(bodies[j.P], j.r0P, -force, stiffness[j.P]);
      add_tension_of(bodies[j.C], j.r0C, force, stiffness[j.C]);
    }
  }

  double evaluate(std::span<BodyWork> bodies, bool with_stiffness) override {
    double worst = 0;
    for (PointJoint& j : joints_) {
      BodyWork &P = bodies[j.P], &C = bodies[j.C];
      j.r1P = P.S * j.r0P;
      j.r1C = C.S * j.r0C;
      j.d1 = (C.x0 + C.dx + j.r1C) - (P.x0 + P.dx + j.r1P);
      const Vec3 half_gap = 0.25 * (j.d0 + j.d1);
      j.rmP = 0.5 * (j.r0P + j.r1P) + half_gap;
      j.rmC = 0.5 * (j.r0C + j.r1C) - half_gap;
      const Vec3 error = j.eps.x < 0 ? j.d1 : j.d1 + cwise_mul(j.eps, j.p);
      worst = std::max(worst, norm2(error) * (j.inv_size * j.inv_size));
      if (!(worst < kInfinity)) worst = kInfinity;
      P.gl += j.p;
      P.ga += cross(j.rmP, j.p);
      C.gl -= j.p;
      C.ga -= cross(j.rmC, j.p);
      if (with_stiffness) {  // half of [F][r] for a force F on the body
        add_skew_product(P.N, 0.5, j.p, j.r1P);
        add_skew_product(C.N, -0.5, j.p, j.r1C);
      }
    }
    return std::sqrt(worst);
  }

  void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) override {
    lu.clear();
    for (size_t k = 0; k < joints_.size(); ++k) {
      PointJoint& j = joints_[k];
      const BodyWork &P = bodies[j.P], &C = bodies[j.C];
      double* D = lu.diagonal(static_cast<uint32_t>(k));
      j.ZP = mul_skew(P.inv_N, j.rmP);
      j.ZC = mul_skew(C.inv_N, j.rmC);
      add_block(D, 1, P.inv_ml, skew_mul(j.r1P, j.ZP));
      add_block(D, 1, C.inv_ml, skew_mul(j.r1C, j.ZC));
      if (j.eps.x < 0) {  // once per step: a compliance that changed would do work
        j.eps = compliance * Vec3{std::fabs(D[0]), std::fabs(D[4]), std::fabs(D[8])};
      }
      D[0] += j.eps.x;
      D[4] += j.eps.y;
      D[8] += j.eps.z;
    }
    for (uint32_t b = 0; b < m_.moving; ++b) {
      const BodyWork& w = bodies[b];
      for (uint32_t i = m_.coupling_first[b]; i < m_.coupling_first[b + 1]; ++i) {
        const Coupling& c = m_.couplings[i];
        const PointJoint &row = joints_[c.row_joint], &column = joints_[c.column_joint];
        const double s = c.row_entry == c.column_entry ? 1 : -1;
        const bool row_is_child = c.row_entry != 0, column_is_child = c.column_entry != 0;
        add_block(
            lu.lower(c.block), s, w.inv_ml,
            skew_mul(row_is_child ? row.r1C : row.r1P, column_is_child ? column.ZC : column.ZP));
        add_block(
            lu.upper(c.block), s, w.inv_ml,
            skew_mul(column_is_child ? column.r1C : column.r1P, row_is_child ? row.ZC : row.ZP));
      }
    }
  }

  void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu, std::span<double> x) override {
    for (size_t k = 0; k < joints_.size(); ++k) {
      const PointJoint& j = joints_[k];
      const BodyWork &P = bodies[j.P], &C = bodies[j.C];
      const Vec3 rhs =
          (C.ul + cross(C.ua, j.r1C)) - (P.ul + cross(P.ua, j.r1P)) - j.d1 - cwise_mul(j.eps, j.p);
      save(&x[lu.offset_of(static_cast<uint32_t>(k))], rhs);
    }
  }

  void add_step(std::span<BodyWork> bodies, const BlockLu& lu, std::span<const double> x) override {
    for (size_t k = 0; k < joints_.size(); ++k) {
      PointJoint& j = joints_[k];
      BodyWork &P = bodies[j.P], &C = bodies[j.C];
      j.dp = load(&x[lu.offset_of(static_cast<uint32_t>(k))]);
      j.p_last = j.p;
      P.du -= P.inv_ml * j.dp;
      P.dphi -= j.ZP * j.dp;
      C.du += C.inv_ml * j.dp;
      C.dphi += j.ZC * j.dp;
    }
  }

  void move(double factor) override {
    for (PointJoint& j : joints_) j.p = j.p_last + factor * j.dp;
  }

  int update_laws() override { return 0; }

  void project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
               double compliance, Account& account) override;
  void finish(std::span<const BodyWork> bodies, Account& account) override;

 private:
  const Mechanism& m_;
  std::vector<PointJoint> joints_;
  std::span<const StepJoint> step_joints_;
  std::vector<Mat3> inv_I1_;
  std::vector<double> x_;
  double h_ = 0;

  static void add_tension_of(const BodyWork& w, const Vec3& r, const Vec3& force, double& sum) {
    if (!w.moves || !w.turns) return;
    sum += dot(force, r) * trace(w.inv_I0) - dot(force, w.inv_I0 * r);
  }
};

// M (u - u*) = G^T mu, G u = 0, impulses at the common point of each joint.          (10)
void PointRows::project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                        double compliance, Account& account) {
  calc_end_inertia(bodies, work, inv_I1_);
  lu.clear();
  x_.resize(lu.rows());
  for (size_t k = 0; k < joints_.size(); ++k) {
    PointJoint& j = joints_[k];
    const BodyState &P = bodies[j.P].end, &C = bodies[j.C].end;
    const double imP = work[j.P].moves ? bodies[j.P].mass->inv_mass : 0;
    const double imC = work[j.C].moves ? bodies[j.C].mass->inv_mass : 0;
    const Vec3 gap = C.x_WC + j.r1C - P.x_WC - j.r1P;
    j.rmP = j.r1P + 0.5 * gap;
    j.rmC = j.r1C - 0.5 * gap;
    j.ZP = mul_skew(inv_I1_[j.P], j.rmP);
    j.ZC = mul_skew(inv_I1_[j.C], j.rmC);
    double* D = lu.diagonal(static_cast<uint32_t>(k));
    add_block(D, 1, imP, skew_mul(j.rmP, j.ZP));
    add_block(D, 1, imC, skew_mul(j.rmC, j.ZC));
    for (int i = 0; i < 9; i += 4) D[i] += compliance * D[i];
    const Vec3 u = (C.v_WC + cross(C.w_WB, j.rmC)) - (P.v_WC + cross(P.w_WB, j.rmP));
    save(&x_[lu.offset_of(static_cast<uint32_t>(k))], -u);
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    const double im = bodies[b].mass->inv_mass;
    for (uint32_t i = m_.coupling_first[b]; i < m_.coupling_first[b + 1]; ++i) {
      const Coupling& c = m_.couplings[i];
      const PointJoint &row = joints_[c.row_joint], &column = joints_[c.column_joint];
      add_block(lu.lower(c.block), c.row_entry == c.column_entry ? 1 : -1, im,
                skew_mul(c.row_entry != 0 ? row.rmC : row.rmP,
                         c.column_entry != 0 ? column.ZC : column.ZP));
    }
  }
  lu.factor_symmetric();
  lu.solve_symmetric(x_);
  for (size_t k = 0; k < joints_.size(); ++k) {
    const PointJoint& j = joints_[k];
    const Vec3 mu = load(&x_[lu.offset_of(static_cast<uint32_t>(k))]);
    BodyState &P = bodies[j.P].end, &C = bodies[j.C].end;
    if (work[j.P].moves) {
      P.v_WC -= bodies[j.P].mass->inv_mass * mu;
      if (work[j.P].turns) P.L_W -= cross(j.rmP, mu);
    } else {  // work and impulse of what moves the parent
      account.impulse += mu;
      account.angular_impulse += cross(P.x_WC + j.rmP, mu);
      account.work_J += dot(mu, P.v_WC + cross(P.w_WB, j.rmP));
    }
    if (work[j.C].moves) {
      C.v_WC += bodies[j.C].mass->inv_mass * mu;
      if (work[j.C].turns) C.L_W += cross(j.rmC, mu);
    } else {
      account.impulse -= mu;
      account.angular_impulse -= cross(C.x_WC + j.rmC, mu);
      account.work_J -= dot(mu, C.v_WC + cross(C.w_WB, j.rmC));
    }
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = inv_I1_[b] * s.L_W;
  }
}

void PointRows::finish(std::span<const BodyWork> bodies, Account& account) {
  for (size_t k = 0; k < joints_.size(); ++k) {
    const PointJoint& j = joints_[k];
    const Vec3 lambda = (1 / h_) * j.p;
    JointState& state = *step_joints_[k].state;
    for (int i = 0; i < 3; ++i) {
      state.lambda[static_cast<size_t>(i)] = lambda[i];
      state.coordinate[static_cast<size_t>(i)] = j.d1[i];
    }
    const BodyWork &P = bodies[j.P], &C = bodies[j.C];
    if (!P.moves) {
      account.impulse += j.p;
      account.angular_impulse += cross(P.x0 + 0.5 * P.dx + j.rmP, j.p);
      account.work_J += dot(j.p, P.dx + cross(P.th, j.rmP)) / h_;
    }
    if (!C.moves) {
      account.impulse -= j.p;
      account.angular_impulse -= cross(C.x0 + 0.5 * C.dx + j.rmC, j.p);
      account.work_J -= dot(j.p, C.dx + cross(C.th, j.rmC)) / h_;
    }
  }
}

}  // namespace

std::unique_ptr<Rows> make_point_rows(const Mechanism& mechanism) {
  return std::make_unique<PointRows>(mechanism);
}

}  // namespace tenon::direct
