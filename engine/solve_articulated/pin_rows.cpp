// Mechanisms of joints that hold a point and up to three products of axes, with nothing along their
// freedoms: chains, nets, linkages of hinges. The same equations as general_rows.cpp with
// everything that is zero or one left out, several times faster.
#include <algorithm>

#include "tenon/engine/solve_articulated/detail/pin_joint.h"

namespace tenon::direct {
namespace {

template <int D>
class PinRows final : public Rows {
  using Joint = PinJoint<D>;
  using End = PinEnd<D>;
  using Response = PinResponse<D>;

 public:
  explicit PinRows(const Mechanism& mechanism)
      : m_(mechanism),
        joints_(mechanism.joints.size()),
        places_(joints_.size()),
        ends_(joints_.size()),
        response_(2 * joints_.size()) {
    for (size_t k = 0; k < joints_.size(); ++k) {
      joints_[k].P = mechanism.joints[k].body[0];
      joints_[k].C = mechanism.joints[k].body[1];
      joints_[k].dots = mechanism.joints[k].rows - 3u;
    }
  }

  void begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints, double h,
             Levers levers) override;
  double begin_error() const override;
  double begin_rate_error(std::span<const BodyWork> bodies) const override;
  void add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const override;
  double evaluate(std::span<BodyWork> bodies) override;
  void settle(std::span<BodyWork> bodies) override;
  bool is_turned_over() const override;
  double gap() const override { return gap_; }
  double held_gap() const override { return gap_; }
  double load_J() const override;
  void add_stiffness(std::span<BodyWork> bodies) const override;
  void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) override;
  void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu, std::span<double> x) override;
  void add_step(std::span<BodyWork> bodies, const BlockLu& lu, std::span<const double> x) override;
  void move(double part, const BlockLu& lu, std::span<const double> x) override;
  int update_laws(bool) override { return 0; }
  void project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
               double compliance, Projection which, Account& account) override;
  void factor_end(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                  double compliance) override;
  void project_motion(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                      std::span<Motion> motion) override;
  void read_impulses(const BlockLu& lu,
                     std::span<std::array<double, kMaxRows>> impulses) const override;
  void close_errors(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double compliance, std::span<Motion> motion) override;
  void keep_openings(const BlockLu& lu) override;
  void answer_openings(std::span<const BodyWork> work, BlockLu& lu, double part,
                       std::span<Motion> motion) override;
  double limit_excess() override { return 0; }
  std::span<const BoundedRow> bounded_rows() const override { return {}; }
  Motion row_answer(size_t joint, size_t e, size_t k) const override {
    const End& j = ends_[joint];
    const double s = e == 0 ? -1 : 1;
    const uint32_t b = e == 0 ? j.P : j.C;
    if constexpr (D != 0) {
      if (k >= 3) return {{}, s * (inv_I1_[b] * j.t[k - 3])};
    }
    Vec3 axis;
    axis[static_cast<int>(k)] = s;
    return {inv_m1_[b] * axis, inv_I1_[b] * cross(e == 0 ? j.rP : j.rC, axis)};
  }
  void finish(std::span<const BodyWork> bodies, Account& account) override;
  void add_impulses(bool smooth) override;

 private:
  const Mechanism& m_;
  std::vector<Joint> joints_;
  std::vector<PinPlace<D>> places_;
  std::vector<End> ends_;
  std::vector<Response> response_;  // of parent and child of each joint
  std::span<const StepJoint> step_joints_;
  std::vector<Mat3> R1_, inv_I1_;  // where bodies end; the inverse is zero for what does not turn
  std::vector<double> inv_m1_;     // zero for what does not move
  // The matrix holds the factors for ends_, inv_I1_, inv_m1_ and this compliance: whoever asks for
  // the same again, at the end of a step and at the begin of the next one, gets the same bits.
  bool factored_ = false;
  double factored_compliance_ = 0;
  std::vector<double> x_, openings_;
  double h_ = 0, gap_ = 0;
  bool at_end_ = false;  // impulses act at the end of the step

  static size_t dots_of(const auto& j) { return D == kMixed ? j.dots : static_cast<size_t>(D); }
  void respond(const Mat3& inv_NP, const Mat3& inv_NC, const Vec3& rP, const Vec3& rC, size_t k,
               bool at_end);
  void add_product(double* block, double s, double inv_m, const Joint& row, bool row_is_child,
                   size_t column, bool column_is_child) const;
  bool place_bodies(std::span<const StepBody> bodies, std::span<const BodyWork> work);
  bool place_ends(std::span<const StepBody> bodies);
  void assemble_velocity(BlockLu& lu, double compliance);
  void factor_velocity(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                       BlockLu& lu, double compliance);
  void add_answer(BlockLu& lu, std::span<Motion> motion);
};

template <int D>
void PinRows<D>::begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
                       double h, Levers levers) {
  h_ = h;
  at_end_ = levers == Levers::kEnd;
  step_joints_ = joints;
  for (size_t k = 0; k < joints_.size(); ++k) {
    Joint& j = joints_[k];
    const JointModel& model = *joints[k].model;
    const JointPair& pair = model.pairs[0];
    const BodyWork &P = bodies[j.P], &C = bodies[j.C];
    PinPlace<D>& place = places_[k];
    place.rP = pair.rP_B;
    place.rC = pair.rC_B;
    j.r0P = P.R0 * place.rP;
    j.r0C = C.R0 * place.rC;
    j.d0 = C.x0 + j.r0C - P.x0 - j.r0P;
    const std::array<double, kMaxRows>& lambda = joints[k].state->lambda;
    j.p = h * Vec3{lambda[0], lambda[1], lambda[2]};
    j.inv_size = 1 / joints[k].size;
    j.eps = {-1, -1, -1};
    for (size_t i = 0; i < dots_of(j); ++i) {
      const RowSpec& spec = model.rows[3 + i];
      place.P[i] = pair.AP_B.column(spec.i);
      place.C[i] = pair.AC_B.column(spec.j);
      j.dot[i].P0 = P.R0 * place.P[i];
      j.dot[i].C0 = C.R0 * place.C[i];
      j.dot[i].p = h * lambda[3 + i];
    }
  }
}

template <int D>
double PinRows<D>::begin_error() const {
  double worst = 0;
  for (const Joint& j : joints_) {
    worst = std::max(worst, norm2(j.d0) * (j.inv_size * j.inv_size));
    for (size_t i = 0; i < dots_of(j); ++i) {
      const double c0 = dot(j.dot[i].P0, j.dot[i].C0);
      worst = std::max(worst, c0 * c0);
    }
  }
  return std::sqrt(worst);
}

template <int D>
double PinRows<D>::begin_rate_error(std::span<const BodyWork> bodies) const {
  double worst = 0;
  for (const Joint& j : joints_) {
    const BodyWork &P = bodies[j.P], &C = bodies[j.C];
    const Vec3 u = (C.v0 + cross(C.w0, j.r0C)) - (P.v0 + cross(P.w0, j.r0P));
    worst = std::max(worst, norm2(u) * (j.inv_size * j.inv_size));
    for (size_t i = 0; i < dots_of(j); ++i) {
      const double rate = dot(cross(j.dot[i].C0, j.dot[i].P0), C.w0 - P.w0);
      worst = std::max(worst, rate * rate);
    }
  }
  return h_ * std::sqrt(worst);
}

template <int D>
void PinRows<D>::add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const {
  const auto add = [](const BodyWork& w, const Vec3& r, const Vec3& force, double& sum) {
    if (!w.turns) return;
    sum += dot(force, r) * trace(w.inv_I0) - dot(force, w.inv_I0 * r);
  };
  for (const Joint& j : joints_) {
    const Vec3 force = (1 / h_) * j.p;
    add(bodies[j.P], j.r0P, -force, stiffness[j.P]);
    add(bodies[j.C], j.r0C, force, stiffness[j.C]);
  }
}

template <int D>
double PinRows<D>::evaluate(std::span<BodyWork> bodies) {
  double worst = 0, gap2 = 0;
  for (Joint& j : joints_) {
    BodyWork &P = bodies[j.P], &C = bodies[j.C];
    j.r1P = P.S * j.r0P;
    j.r1C = C.S * j.r0C;
    j.d1 = (C.x1 + j.r1C) - (P.x1 + j.r1P);
    const bool compliant = j.eps.x >= 0;
    const Vec3 end = compliant ? cwise_mul(j.eps, j.p) : Vec3{};  // minus the gap at the solution
    const Vec3 half_gap = at_end_ ? -0.5 * end : 0.25 * (j.d0 - end);
    j.rmP = (at_end_ ? j.r1P : 0.5 * (j.r0P + j.r1P)) + half_gap;
    j.rmC = (at_end_ ? j.r1C : 0.5 * (j.r0C + j.r1C)) - half_gap;
    const Vec3 error = j.d1 + end;
    double worst2 = norm2(error) * (j.inv_size * j.inv_size);
    gap2 = std::max(gap2, norm2(j.d1) * (j.inv_size * j.inv_size));
    Vec3 couple;  // on the child
    double angle2 = 0;
    for (size_t i = 0; i < dots_of(j); ++i) {
      DotRow& r = j.dot[i];
      r.P1 = P.S * r.P0;
      r.C1 = C.S * r.C0;
      r.Pm = at_end_ ? r.P1 : 0.5 * (r.P0 + r.P1);
      r.Cm = at_end_ ? r.C1 : 0.5 * (r.C0 + r.C1);
      r.t1 = cross(r.C1, r.P1);
      r.tm = cross(r.Cm, r.Pm);
      r.c1 = dot(r.P1, r.C1);
      const double e = compliant ? r.c1 + r.eps * r.p : r.c1;
      angle2 += e * e;
      gap2 = std::max(gap2, r.c1 * r.c1);
      couple += r.p * r.tm;
    }
    worst2 = std::max(worst2, angle2);
    worst = worst2 < kInfinity ? std::max(worst, worst2) : kInfinity;
    P.gl += j.p;
    P.ga += cross(j.rmP, j.p) + couple;
    C.gl -= j.p;
    C.ga -= cross(j.rmC, j.p) + couple;
  }
  gap_ = std::sqrt(gap2);
  return std::sqrt(worst);
}

template <int D>
void PinRows<D>::settle(std::span<BodyWork> bodies) {
  for (Joint& j : joints_) {
    const Vec3 half_gap = at_end_ ? 0.5 * j.d1 : 0.25 * (j.d0 + j.d1);
    const Vec3 rmP = (at_end_ ? j.r1P : 0.5 * (j.r0P + j.r1P)) + half_gap;
    const Vec3 rmC = (at_end_ ? j.r1C : 0.5 * (j.r0C + j.r1C)) - half_gap;
    bodies[j.P].ga += cross(rmP - j.rmP, j.p);
    bodies[j.C].ga -= cross(rmC - j.rmC, j.p);
    j.rmP = rmP;
    j.rmC = rmC;
  }
}

// Hinges hold y_P . x_C = z_P . x_C = 0, and what is rigid z_P . y_C = 0 as well: x_C is along y_P
// x z_P then, or against it, and y_C along or against y_P.
template <int D>
bool PinRows<D>::is_turned_over() const {
  if constexpr (D == 0) return false;
  const auto flips = [](double begin, double end) { return begin > 0 && end < 0; };
  return std::any_of(joints_.begin(), joints_.end(), [&](const Joint& j) {
    const size_t dots = dots_of(j);
    if (dots < 2 || !(j.dot[0].C0 == j.dot[1].C0)) return false;
    const DotRow &y = j.dot[0], &z = j.dot[1];
    if (flips(dot(cross(y.P0, z.P0), y.C0), dot(cross(y.P1, z.P1), y.C1))) return true;
    if (dots < 3 || !(j.dot[2].P0 == z.P0)) return false;
    return flips(dot(y.P0, j.dot[2].C0), dot(y.P1, j.dot[2].C1));
  });
}

template <int D>
double PinRows<D>::load_J() const {
  double sum = 0;
  for (const Joint& j : joints_) {
    sum += norm(j.p) / j.inv_size;
    for (size_t i = 0; i < dots_of(j); ++i) sum += std::fabs(j.dot[i].p);
  }
  return sum / h_;
}

template <int D>
void PinRows<D>::add_stiffness(std::span<BodyWork> bodies) const {
  // [F][r] for a force F on the body, half of it where levers are means
  const double part = at_end_ ? 1 : 0.5;
  for (const Joint& j : joints_) {
    BodyWork &P = bodies[j.P], &C = bodies[j.C];
    add_skew_product(P.N, part, j.p, j.r1P);
    add_skew_product(C.N, -part, j.p, j.r1C);
    for (size_t i = 0; i < dots_of(j); ++i) {
      const DotRow& r = j.dot[i];
      add_skew_product(C.N, -part * r.p, r.Pm, r.C1);
      add_skew_product(P.N, -part * r.p, r.Cm, r.P1);
    }
  }
}

// inv_N F^T on both bodies of joint k; levers and couples over the step, or at its end.
template <int D>
void PinRows<D>::respond(const Mat3& inv_NP, const Mat3& inv_NC, const Vec3& rP, const Vec3& rC,
                         size_t k, bool at_end) {
  Response &P = response_[2 * k], &C = response_[2 * k + 1];
  P.Z = mul_skew(inv_NP, rP);
  C.Z = mul_skew(inv_NC, rC);
  for (size_t i = 0; i < dots_of(joints_[k]); ++i) {
    const Vec3& t = at_end ? joints_[k].dot[i].t1 : joints_[k].dot[i].tm;
    P.z[i] = inv_NP * t;
    C.z[i] = inv_NC * t;
  }
}

// block += s G M^-1 F^T of two joints (or one) at a body, where s is +1 if both are its child or
// both its parent. With G = (E, -[r1]; 0, t1^T), F^T = (E, 0; [rm], tm):
//   inv_m E - [r1] inv_N [rm]    -r1 x (inv_N tm)
//   t1^T inv_N [rm]              t1 . inv_N tm
template <int D>
void PinRows<D>::add_product(double* block, double s, double inv_m, const Joint& row,
                             bool row_is_child, size_t column, bool column_is_child) const {
  const Response& response = response_[2 * column + (column_is_child ? 1 : 0)];
  const Vec3& r1 = row_is_child ? row.r1C : row.r1P;
  const size_t rows = dots_of(row), columns = dots_of(joints_[column]), width = 3 + columns;
  const Mat3 M = skew_mul(r1, response.Z);
  add_to(block, s, Vec3{inv_m - M.r0.x, -M.r0.y, -M.r0.z});
  add_to(block + width, s, Vec3{-M.r1.x, inv_m - M.r1.y, -M.r1.z});
  add_to(block + 2 * width, s, Vec3{-M.r2.x, -M.r2.y, inv_m - M.r2.z});
  for (size_t l = 0; l < columns; ++l) {
    const Vec3 z = s * cross(response.z[l], r1);
    block[3 + l] += z.x;
    block[width + 3 + l] += z.y;
    block[2 * width + 3 + l] += z.z;
  }
  for (size_t k = 0; k < rows; ++k) {
    double* to = block + (3 + k) * width;
    const Vec3& t1 = row.dot[k].t1;
    add_to(to, s, row_mul(t1, response.Z));
    for (size_t l = 0; l < columns; ++l) to[3 + l] += s * dot(t1, response.z[l]);
  }
}

template <int D>
void PinRows<D>::assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) {
  factored_ = false;
  lu.clear();
  for (size_t k = 0; k < joints_.size(); ++k) {
    Joint& j = joints_[k];
    const BodyWork &P = bodies[j.P], &C = bodies[j.C];
    j.rfP = j.rmP;
    j.rfC = j.rmC;
    for (size_t i = 0; i < dots_of(j); ++i) j.dot[i].tf = j.dot[i].tm;
    respond(P.inv_N, C.inv_N, j.rmP, j.rmC, k, false);
    double* diagonal = lu.diagonal(static_cast<uint32_t>(k));
    add_product(diagonal, 1, P.inv_ml, j, false, k, false);
    add_product(diagonal, 1, C.inv_ml, j, true, k, true);
    // once per step: a compliance that changed would do work
    const bool first = j.eps.x < 0;
    const size_t step = 4 + dots_of(j);  // along the diagonal
    for (int i = 0; i < 3; ++i) {
      double& a = diagonal[step * static_cast<size_t>(i)];
      if (first) j.eps[i] = compliance * std::fabs(a);
      a += j.eps[i];
    }
    for (size_t i = 0; i < dots_of(j); ++i) {
      double& a = diagonal[step * (3 + i)];
      if (first) j.dot[i].eps = compliance * std::fabs(a);
      a += j.dot[i].eps;
    }
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    for (uint32_t i = m_.coupling_first[b]; i < m_.coupling_first[b + 1]; ++i) {
      const Coupling& c = m_.couplings[i];
      const double s = c.row_entry == c.column_entry ? 1 : -1, inv_m = bodies[b].inv_ml;
      const bool row_is_child = c.row_entry != 0, column_is_child = c.column_entry != 0;
      add_product(lu.lower(c.block), s, inv_m, joints_[c.row_joint], row_is_child, c.column_joint,
                  column_is_child);
      add_product(lu.upper(c.block), s, inv_m, joints_[c.column_joint], column_is_child,
                  c.row_joint, row_is_child);
    }
  }
}

template <int D>
void PinRows<D>::make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu,
                          std::span<double> x) {
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    const BodyWork &P = bodies[j.P], &C = bodies[j.C];
    double* rhs = &x[lu.offset_of(static_cast<uint32_t>(k))];
    save(rhs,
         (C.ul + cross(C.ua, j.r1C)) - (P.ul + cross(P.ua, j.r1P)) - j.d1 - cwise_mul(j.eps, j.p));
    for (size_t i = 0; i < dots_of(j); ++i) {
      const DotRow& r = j.dot[i];
      rhs[3 + i] = dot(r.t1, C.ua - P.ua) - r.c1 - r.eps * r.p;
    }
  }
}

template <int D>
void PinRows<D>::add_step(std::span<BodyWork> bodies, const BlockLu& lu,
                          std::span<const double> x) {
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    const double* step = &x[lu.offset_of(static_cast<uint32_t>(k))];
    const Vec3 dp = load(step);
    Vec3 couple;
    for (size_t i = 0; i < dots_of(j); ++i) couple += step[3 + i] * j.dot[i].tf;
    BodyWork &P = bodies[j.P], &C = bodies[j.C];
    P.jl -= dp;
    P.ja -= cross(j.rfP, dp) + couple;
    C.jl += dp;
    C.ja += cross(j.rfC, dp) + couple;
  }
}

template <int D>
void PinRows<D>::move(double part, const BlockLu& lu, std::span<const double> x) {
  for (size_t k = 0; k < joints_.size(); ++k) {
    Joint& j = joints_[k];
    const double* step = &x[lu.offset_of(static_cast<uint32_t>(k))];
    j.p += part * load(step);
    for (size_t i = 0; i < dots_of(j); ++i) j.dot[i].p += part * step[3 + i];
  }
}

// Bodies where they end. Returns whether they are where they were when this was called last.
template <int D>
bool PinRows<D>::place_bodies(std::span<const StepBody> bodies, std::span<const BodyWork> work) {
  bool same = inv_I1_.size() == bodies.size();
  R1_.resize(bodies.size());
  inv_I1_.resize(bodies.size());
  inv_m1_.resize(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    R1_[b] = to_matrix(bodies[b].end.q_WB);
    const BodyMass* mass = work[b].moves ? bodies[b].mass : nullptr;
    const double inv_m = mass != nullptr ? mass->inv_mass : 0;
    const Mat3 inv_I =
        mass != nullptr && work[b].turns ? R1_[b] * mass->inv_I_B * transpose(R1_[b]) : Mat3{};
    same = same && inv_m == inv_m1_[b] && inv_I == inv_I1_[b];
    inv_m1_[b] = inv_m;
    inv_I1_[b] = inv_I;
  }
  return same;
}

// The same for joints.
template <int D>
bool PinRows<D>::place_ends(std::span<const StepBody> bodies) {
  bool same = true;
  for (size_t k = 0; k < ends_.size(); ++k) {
    const PinPlace<D>& place = places_[k];
    End end;
    end.P = joints_[k].P;
    end.C = joints_[k].C;
    end.dots = joints_[k].dots;
    end.rP = R1_[end.P] * place.rP;
    end.rC = R1_[end.C] * place.rC;
    // levers to the middle of what is left of the gap: one point for both bodies
    const Vec3 half_gap = 0.5 * (bodies[end.C].end.x_WC + end.rC - bodies[end.P].end.x_WC - end.rP);
    end.rP += half_gap;
    end.rC -= half_gap;
    for (size_t i = 0; i < dots_of(end); ++i) {
      end.t[i] = cross(R1_[end.C] * place.C[i], R1_[end.P] * place.P[i]);
    }
    same = same && end == ends_[k];
    ends_[k] = end;
  }
  return same;
}

template <int D>
void PinRows<D>::assemble_velocity(BlockLu& lu, double compliance) {
  lu.clear_symmetric();
  for (size_t k = 0; k < joints_.size(); ++k) {
    Joint& j = joints_[k];
    const End& end = ends_[k];
    j.r1P = end.rP;
    j.r1C = end.rC;
    for (size_t i = 0; i < dots_of(j); ++i) j.dot[i].t1 = end.t[i];
    respond(inv_I1_[j.P], inv_I1_[j.C], j.r1P, j.r1C, k, true);
    double* diagonal = lu.diagonal(static_cast<uint32_t>(k));
    add_product(diagonal, 1, inv_m1_[j.P], j, false, k, false);
    add_product(diagonal, 1, inv_m1_[j.C], j, true, k, true);
    const size_t width = 3 + dots_of(j);
    for (size_t i = 0; i < width; ++i) diagonal[i * (width + 1)] *= 1 + compliance;
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    for (uint32_t i = m_.coupling_first[b]; i < m_.coupling_first[b + 1]; ++i) {
      const Coupling& c = m_.couplings[i];
      add_product(lu.lower(c.block), c.row_entry == c.column_entry ? 1 : -1, inv_m1_[b],
                  joints_[c.row_joint], c.row_entry != 0, c.column_joint, c.column_entry != 0);
    }
  }
}

template <int D>
void PinRows<D>::factor_velocity(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                                 BlockLu& lu, double compliance) {
  const bool bodies_same = place_bodies(bodies, work), same = place_ends(bodies) && bodies_same;
  x_.resize(lu.rows());
  if (factored_ && same && compliance == factored_compliance_) return;
  assemble_velocity(lu, compliance);
  lu.factor_symmetric();
  factored_ = true;
  factored_compliance_ = compliance;
}

// M (u - u*) = G^T mu, G u = 0, impulses at the common point of each joint.          (10)
template <int D>
void PinRows<D>::project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                         double compliance, Projection, Account& account) {
  factor_velocity(bodies, work, lu, compliance);
  for (size_t k = 0; k < ends_.size(); ++k) {
    const End& j = ends_[k];
    const BodyState &P = bodies[j.P].end, &C = bodies[j.C].end;
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(k))];
    save(rhs, (P.v_WC + cross(P.w_WB, j.rP)) - (C.v_WC + cross(C.w_WB, j.rC)));
    for (size_t i = 0; i < dots_of(j); ++i) rhs[3 + i] = dot(j.t[i], P.w_WB - C.w_WB);
  }
  lu.solve_symmetric(x_);
  const auto push = [&](uint32_t b, double s, const Vec3& r, const Vec3& mu, const Vec3& couple) {
    BodyState& state = bodies[b].end;
    const Vec3 angular = s * (cross(r, mu) + couple);
    if (work[b].moves) {
      state.v_WC += (s * bodies[b].mass->inv_mass) * mu;
      if (work[b].turns) state.L_W += angular;
      return;
    }
    // work and impulse of what moves the body
    account.impulse -= s * mu;
    account.angular_impulse -= s * cross(state.x_WC, mu) + angular;
    account.work_J -= s * dot(mu, state.v_WC) + dot(angular, state.w_WB);
  };
  for (size_t k = 0; k < joints_.size(); ++k) {
    Joint& j = joints_[k];
    const double* solution = &x_[lu.offset_of(static_cast<uint32_t>(k))];
    j.mu = load(solution);
    Vec3 couple;
    for (size_t i = 0; i < dots_of(j); ++i) {
      j.dot[i].mu = solution[3 + i];
      couple += j.dot[i].mu * ends_[k].t[i];
    }
    push(j.P, -1, ends_[k].rP, j.mu, couple);
    push(j.C, 1, ends_[k].rC, j.mu, couple);
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = inv_I1_[b] * s.L_W;
  }
}

template <int D>
void PinRows<D>::factor_end(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                            double compliance) {
  factor_velocity(bodies, work, lu, compliance);
}

template <int D>
void PinRows<D>::project_motion(std::span<const StepBody>, std::span<const BodyWork>, BlockLu& lu,
                                std::span<Motion> motion) {
  for (size_t k = 0; k < ends_.size(); ++k) {
    const End& j = ends_[k];
    const Motion &P = motion[j.P], &C = motion[j.C];
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(k))];
    save(rhs, (P.v + cross(P.w, j.rP)) - (C.v + cross(C.w, j.rC)));
    for (size_t i = 0; i < dots_of(j); ++i) rhs[3 + i] = dot(j.t[i], P.w - C.w);
  }
  add_answer(lu, motion);
}

template <int D>
void PinRows<D>::read_impulses(const BlockLu& lu,
                               std::span<std::array<double, kMaxRows>> impulses) const {
  for (size_t k = 0; k < ends_.size(); ++k) {
    impulses[k] = {};
    std::copy_n(&x_[lu.offset_of(static_cast<uint32_t>(k))], 3 + dots_of(ends_[k]),
                impulses[k].begin());
  }
}

template <int D>
void PinRows<D>::close_errors(std::span<const StepBody>, std::span<const BodyWork>, BlockLu& lu,
                              double, std::span<Motion> motion) {
  // to the nearest place: along the directions of the iterate, whatever the matrix holds
  factored_ = false;
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(k))];
    save(rhs, -j.d1);
    ends_[k].rP = j.r1P;
    ends_[k].rC = j.r1C;
    for (size_t i = 0; i < dots_of(j); ++i) {
      rhs[3 + i] = -j.dot[i].c1;
      ends_[k].t[i] = j.dot[i].t1;
    }
  }
  std::fill(motion.begin(), motion.end(), Motion{});
  add_answer(lu, motion);
}

template <int D>
void PinRows<D>::keep_openings(const BlockLu& lu) {
  openings_.assign(lu.rows(), 0);
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    double* to = &openings_[lu.offset_of(static_cast<uint32_t>(k))];
    save(to, j.d1 - j.d0);
    for (size_t i = 0; i < dots_of(j); ++i) {
      to[3 + i] = j.dot[i].c1 - dot(j.dot[i].P0, j.dot[i].C0);
    }
  }
}

template <int D>
void PinRows<D>::answer_openings(std::span<const BodyWork>, BlockLu& lu, double part,
                                 std::span<Motion> motion) {
  x_.resize(lu.rows());
  for (size_t i = 0; i < x_.size(); ++i) x_[i] = -part * openings_[i];
  std::fill(motion.begin(), motion.end(), Motion{});
  add_answer(lu, motion);
}

// Solves for the impulses and adds what they do to the motion of moving bodies.
template <int D>
void PinRows<D>::add_answer(BlockLu& lu, std::span<Motion> motion) {
  lu.solve_symmetric(x_);
  const auto push = [&](uint32_t b, double s, const Vec3& r, const Vec3& mu, const Vec3& couple) {
    motion[b].v += (s * inv_m1_[b]) * mu;
    motion[b].w += s * (inv_I1_[b] * (cross(r, mu) + couple));
  };
  for (size_t k = 0; k < ends_.size(); ++k) {
    const End& j = ends_[k];
    const double* solution = &x_[lu.offset_of(static_cast<uint32_t>(k))];
    Vec3 couple;
    for (size_t i = 0; i < dots_of(j); ++i) couple += solution[3 + i] * j.t[i];
    push(j.P, -1, j.rP, load(solution), couple);
    push(j.C, 1, j.rC, load(solution), couple);
  }
}

template <int D>
void PinRows<D>::finish(std::span<const BodyWork> bodies, Account& account) {
  const double inv_h = 1 / h_;
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    JointState& state = *step_joints_[k].state;
    if (norm2(j.d0) * (j.inv_size * j.inv_size) > kMadeOpen * kMadeOpen) {
      account.work_J += inv_h * dot(j.p, j.d1 - j.d0);
    }
    save(state.lambda.data(), inv_h * j.p);
    save(state.coordinate.data(), j.d1);
    Vec3 couple;
    for (size_t i = 0; i < dots_of(j); ++i) {
      const double c0 = dot(j.dot[i].P0, j.dot[i].C0);
      if (std::fabs(c0) > kMadeOpen) account.work_J += inv_h * j.dot[i].p * (j.dot[i].c1 - c0);
      state.lambda[3 + i] = inv_h * j.dot[i].p;
      state.coordinate[3 + i] = j.dot[i].c1;
      couple += j.dot[i].p * j.dot[i].tm;
    }
    const auto add_outside = [&](const BodyWork& w, double s, const Vec3& r) {
      if (w.moves) return;
      const Vec3 angular = cross(r, j.p) + couple;
      account.impulse += s * j.p;
      account.angular_impulse += s * (cross(w.x0 + 0.5 * w.dx, j.p) + angular);
      account.work_J += s * inv_h * (dot(j.p, w.dx) + dot(angular, w.th));
    };
    add_outside(bodies[j.P], 1, j.rmP);
    add_outside(bodies[j.C], -1, j.rmC);
  }
}

template <int D>
void PinRows<D>::add_impulses(bool smooth) {
  const double s = smooth ? 1 : 0;
  for (size_t k = 0; k < joints_.size(); ++k) {
    const Joint& j = joints_[k];
    JointState& state = *step_joints_[k].state;
    add_to(state.force.data(), 1, s * j.p + j.mu);
    for (size_t i = 0; i < dots_of(j); ++i) state.force[3 + i] += s * j.dot[i].p + j.dot[i].mu;
  }
}

}  // namespace

std::unique_ptr<Rows> make_pin_rows(const Mechanism& mechanism) {
  switch (mechanism.pattern.uniform) {
    case 3:
      return std::make_unique<PinRows<0>>(mechanism);
    case 5:
      return std::make_unique<PinRows<2>>(mechanism);
    default:
      return std::make_unique<PinRows<kMixed>>(mechanism);
  }
}

}  // namespace tenon::direct
