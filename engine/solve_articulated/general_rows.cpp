// Joints of any kind as rows of Newton's method; see docs/theory/joints.md, sections 3 to 5.
#include <algorithm>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {
namespace {

// Gradient rows of one body of a joint: six numbers (force, torque about its mass centre) a row.
struct EntryRows {
  std::array<double, 36> G{}, F{};  // at the end, over the step
  std::array<double, 36> Y{};       // M^-1 F^T: a column for each row
};

struct GeneralJoint {
  const JointModel* model = nullptr;
  uint32_t first_entry = 0;
  uint8_t rows = 0, entries = 0;
  std::array<uint32_t, 4> body{};
  std::array<PairFrames, 2> f0, f1, fm;
  std::array<double, 6> c0{}, c1{}, p{}, p_last{}, dp{}, eps{};
  std::array<double, 6> first0{}, second0{};          // parts of c0: form and second form
  std::array<double, 6> first1{}, second1{};          // and of c1
  std::array<double, 6> rate_change{};                // wanted by the velocity stage
  std::array<double, 6> first_rate{}, second_rate{};  // angle_rate of the forms
  std::array<LawRow, 6> row{};                        // a c + b lambda = g
  std::array<AxisLaw, 6> law{};
  std::array<uint8_t, 6> part{};
  std::array<bool, 6> angular{};
  std::array<uint8_t, 2> axes_P{}, axes_C{};  // bit i: axis i of the pair's frames is needed
  BlackBoxBasis basis;
  double size = 1;
};

// Solved for c1 where it takes part: a is one or zero.
LawRow law_row(const AxisLaw& law, int part) {
  const LawRow row = law.row(part);
  return row.a == 0 ? row : LawRow{1, row.b / row.a, row.g / row.a};
}

// Frames at the iterate and their means with those at the begin; only the axes that rows need.
void move_frames(const PairFrames& from, const BodyWork& P, const BodyWork& C, uint8_t axes_P,
                 uint8_t axes_C, PairFrames& to, PairFrames& mean) {
  to.rP = P.S * from.rP;
  to.rC = C.S * from.rC;
  to.d = (C.x0 + C.dx + to.rC) - (P.x0 + P.dx + to.rP);
  mean.rP = 0.5 * (from.rP + to.rP);
  mean.rC = 0.5 * (from.rC + to.rC);
  mean.d = 0.5 * (from.d + to.d);
  for (size_t i = 0; i < 3; ++i) {
    if (axes_P >> i & 1) {
      to.P[i] = P.S * from.P[i];
      mean.P[i] = 0.5 * (from.P[i] + to.P[i]);
    }
    if (axes_C >> i & 1) {
      to.C[i] = C.S * from.C[i];
      mean.C[i] = 0.5 * (from.C[i] + to.C[i]);
    }
  }
}

// Which axes the forms of a joint look at.
void find_axes(const JointModel& model, std::array<uint8_t, 2>& P, std::array<uint8_t, 2>& C) {
  P = C = {};
  if (model.kind == JointKind::kBlackBox) P[0] = C[0] = 7;
  const auto add = [&](RowForm form, int i, int j, size_t pair) {
    if (form == RowForm::kSlide) {
      P[pair] |= static_cast<uint8_t>(1 << i);
    } else if (form == RowForm::kDot) {
      P[pair] |= static_cast<uint8_t>(1 << i);
      C[pair] |= static_cast<uint8_t>(1 << j);
    } else if (form != RowForm::kDistance) {
      P[pair] = C[pair] = 7;
    }
  };
  for (size_t k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    add(row.form, row.i, row.j, 0);
    if (row.ratio != 0) add(row.second_form, row.second_i, 0, model.pair_count == 2 ? 1 : 0);
  }
}

void set_row(double* row, const Vec3& linear, const Vec3& angular) {
  row[0] = linear.x;
  row[1] = linear.y;
  row[2] = linear.z;
  row[3] = angular.x;
  row[4] = angular.y;
  row[5] = angular.z;
}
void add_row(double* row, const Vec3& linear, const Vec3& angular) {
  row[0] += linear.x;
  row[1] += linear.y;
  row[2] += linear.z;
  row[3] += angular.x;
  row[4] += angular.y;
  row[5] += angular.z;
}
void set_column(double* Y, size_t k, const Vec3& linear, const Vec3& angular) {
  for (int l = 0; l < 3; ++l) {
    Y[6 * static_cast<size_t>(l) + k] = linear[l];
    Y[6 * static_cast<size_t>(l + 3) + k] = angular[l];
  }
}
Vec3 linear_of_column(const double* Y, size_t k) { return {Y[k], Y[6 + k], Y[12 + k]}; }
Vec3 angular_of_column(const double* Y, size_t k) { return {Y[18 + k], Y[24 + k], Y[30 + k]}; }
Vec3 linear_of(const double* row) { return {row[0], row[1], row[2]}; }
Vec3 angular_of(const double* row) { return {row[3], row[4], row[5]}; }

// The wrench of a row on both bodies of a pair, added to their rows k.
void add_wrench(double* parent, double* child, const PairFrames& x, const RowWrench& w) {
  add_row(child, w.f, cross(x.rC, w.f) + w.t);
  add_row(parent, -w.f, -(cross(x.rP + x.d, w.f) + w.t));
}

// A turn by phi has the Cayley vector 2 tan(phi/2), and the velocities of the step belong to that.
// Rows on angles prescribe rates in the same measure: phi / (2 tan(phi/2)) per unit of velocity.
// Taken with true rates, a gear or a driven wheel would lose energy to the projection at every step
// of a fast turn.
double angle_rate(double increment, double cayley_increment) {
  if (!(std::fabs(cayley_increment) > 1e-3)) return 1;
  return std::clamp(increment / cayley_increment, 0.3, 1.1);
}

// Makes the gradient of a step exact for forms that are not bilinear: f . delta + t . phi is the
// increment of c [Gonzalez1996, sec. 2], in the space of relative motions so that momentum stays.
void correct_gradient(RowWrench& w, double increment, const Vec3& delta, const Vec3& phi,
                      RowForm form, double size) {
  const double wl = is_unwrapped(form) || form == RowForm::kTilt ? 0 : 1 / (size * size);
  const double wa = form == RowForm::kDistance ? 0 : 1;
  const double length2 = wl * norm2(delta) + wa * norm2(phi);
  if (!(length2 > 1e-16)) return;
  const double factor = (increment - dot(w.f, delta) - dot(w.t, phi)) / length2;
  w.f += (factor * wl) * delta;
  w.t += (factor * wa) * phi;
}

Pose relative_pose(const PairFrames& x) {
  Mat3 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = dot(x.P[size_t(i)], x.C[size_t(j)]);
  }
  return {{dot(x.P[0], x.d), dot(x.P[1], x.d), dot(x.P[2], x.d)}, to_quat(R)};
}
Pose mean_pose(const Pose& a, const Pose& b) {
  const double s = dot(a.q, b.q) < 0 ? -1 : 1;
  return {0.5 * (a.p + b.p), normalized(Quat{a.q.w + s * b.q.w, a.q.x + s * b.q.x,
                                             a.q.y + s * b.q.y, a.q.z + s * b.q.z})};
}
Vec3 to_world(const PairFrames& x, const Vec3& v) {
  return v.x * x.P[0] + v.y * x.P[1] + v.z * x.P[2];
}

class GeneralRows final : public Rows {
 public:
  explicit GeneralRows(const Mechanism& mechanism)
      : m_(mechanism), joints_(mechanism.joints.size()) {
    uint32_t entries = 0;
    for (size_t k = 0; k < joints_.size(); ++k) {
      GeneralJoint& j = joints_[k];
      j.rows = mechanism.joints[k].rows;
      j.entries = mechanism.joints[k].entry_count;
      j.body = mechanism.joints[k].body;
      j.first_entry = entries;
      entries += j.entries;
    }
    entries_.resize(entries);
  }

  void begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
             double h) override;
  void add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const override;
  double evaluate(std::span<BodyWork> bodies, bool with_stiffness) override;
  void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) override;
  void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu, std::span<double> x) override;
  void add_step(std::span<BodyWork> bodies, const BlockLu& lu, std::span<const double> x) override;
  void move(double factor) override {
    for (GeneralJoint& j : joints_) {
      for (size_t k = 0; k < j.rows; ++k) j.p[k] = j.p_last[k] + factor * j.dp[k];
    }
  }
  int update_laws() override;
  void project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
               double compliance, Account& account) override;
  void finish(std::span<const BodyWork> bodies, Account& account) override;

 private:
  const Mechanism& m_;
  std::vector<GeneralJoint> joints_;
  std::vector<EntryRows> entries_;
  std::span<const StepJoint> step_joints_;
  std::vector<Mat3> inv_I1_;
  std::vector<double> x_;
  double h_ = 0;
  bool fresh_ = true;  // nothing has been evaluated since begin()

  EntryRows& entry(const GeneralJoint& j, size_t e) { return entries_[j.first_entry + e]; }
  const EntryRows& entry(const GeneralJoint& j, size_t e) const {
    return entries_[j.first_entry + e];
  }
  void begin_laws(GeneralJoint& j, const JointState& state, std::span<const BodyWork> bodies);
  void begin_black_box(GeneralJoint& j);
  void find_gradients(GeneralJoint& j, std::span<const BodyWork> bodies);
  void eval_scalar_row(GeneralJoint& j, size_t k, std::span<const BodyWork> bodies);
  void eval_black_box_rows(GeneralJoint& j, std::span<const BodyWork> bodies);
  double error_of(const GeneralJoint& j) const;
  void add_momentum(const GeneralJoint& j, std::span<BodyWork> bodies) const;
  void add_stiffness(const GeneralJoint& j, std::span<BodyWork> bodies) const;
  void add_product(double* block, const GeneralJoint& a, size_t ea, const GeneralJoint& b,
                   size_t eb) const;
  void add_hub_blocks(std::span<const BodyWork> bodies, BlockLu& lu) const;
  void end_gradients(GeneralJoint& j, std::span<const StepBody> bodies);
  void assemble_velocity(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                         BlockLu& lu, double compliance);
};

// --- begin of the step -------------------------------------------------------------------------

double form_rate(const PairFrames& x, const RowWrench& w, const BodyWork& P, const BodyWork& C) {
  return dot(w.f, C.v0 + cross(C.w0, x.rC) - P.v0 - cross(P.w0, x.rP + x.d)) +
         dot(w.t, C.w0 - P.w0);
}

void GeneralRows::begin_laws(GeneralJoint& j, const JointState& state,
                             std::span<const BodyWork> bodies) {
  const JointModel& model = *j.model;
  for (size_t k = 0; k < j.rows; ++k) {
    j.row[k] = {1, 0, 0};
    if (!model.scalar_row(static_cast<int>(k))) {
      j.c0[k] = j.f0[0].d[static_cast<int>(k)];
      j.angular[k] = false;
      continue;
    }
    const RowSpec& spec = model.rows[k];
    if (spec.form == RowForm::kBlackBox) continue;
    j.angular[k] = spec.form != RowForm::kSlide && spec.form != RowForm::kDistance;
    RowWrench w;
    double first = eval_form(spec.form, spec.i, spec.j, j.f0[0], w), second = 0;
    double rate = spec.scale * form_rate(j.f0[0], w, bodies[j.body[0]], bodies[j.body[1]]);
    const bool coupled = spec.ratio != 0;
    if (coupled) {
      const size_t pair = j.entries == 4 ? 1 : 0;
      second = eval_form(spec.second_form, spec.second_i, 0, j.f0[pair], w);
      rate += spec.ratio *
              form_rate(j.f0[pair], w, bodies[j.body[2 * pair]], bodies[j.body[2 * pair + 1]]);
    }
    // the turns that have been counted: of a coupled row those of its first form or, if that has
    // none, of its second
    if (model.kind == JointKind::kGear) {
      if (is_unwrapped(spec.form)) first = unwrap(first, state.coordinate[kGearFirst]);
      if (is_unwrapped(spec.second_form)) second = unwrap(second, state.coordinate[kGearSecond]);
    } else if (is_unwrapped(spec.form)) {
      first = unwrap(first, (state.coordinate[k] + spec.value - spec.ratio * second) / spec.scale);
    } else if (coupled && is_unwrapped(spec.second_form)) {
      second = unwrap(second, (state.coordinate[k] + spec.value - spec.scale * first) / spec.ratio);
    }
    j.first0[k] = first;
    j.second0[k] = second;
    j.c0[k] = spec.scale * first + spec.ratio * second - spec.value;
    if (spec.axis == kHeldRow) continue;
    j.law[k] = AxisLaw(model.axes[spec.axis], j.c0[k], rate, h_);
    j.part[k] = static_cast<uint8_t>(j.law[k].find(j.c0[k] + h_ * rate));
    j.row[k] = law_row(j.law[k], j.part[k]);
  }
}

void GeneralRows::begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
                        double h) {
  h_ = h;
  step_joints_ = joints;
  fresh_ = true;
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const JointState& state = *joints[i].state;
    j.model = joints[i].model;
    j.size = joints[i].size;
    find_axes(*j.model, j.axes_P, j.axes_C);
    for (size_t q = 0; 2 * q < j.entries; ++q) {
      const BodyWork &P = bodies[j.body[2 * q]], &C = bodies[j.body[2 * q + 1]];
      j.f0[q] = make_frames(j.model->pairs[q], P.x0, P.R0, C.x0, C.R0);
    }
    begin_laws(j, state, bodies);
    for (size_t k = 0; k < j.rows; ++k) {
      j.eps[k] = -1;
      j.p[k] = h * state.lambda[k];
    }
  }
}

void GeneralRows::add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const {
  for (const GeneralJoint& j : joints_) {
    Vec3 force;
    for (size_t k = 0; k < j.rows; ++k) {
      const double lambda = j.p[k] / h_;
      if (!j.model->scalar_row(static_cast<int>(k))) {
        force[static_cast<int>(k)] += lambda;
      } else if (j.model->rows[k].form == RowForm::kSlide) {
        force += lambda * j.f0[0].P[j.model->rows[k].i];
      } else if (j.model->rows[k].form == RowForm::kDistance) {
        force += lambda * normalized(j.f0[0].d, {});
      }
    }
    const BodyWork &P = bodies[j.body[0]], &C = bodies[j.body[1]];
    const Vec3 rP = j.f0[0].rP + j.f0[0].d, &rC = j.f0[0].rC;
    if (P.turns)
      stiffness[j.body[0]] -= dot(force, rP) * trace(P.inv_I0) - dot(force, P.inv_I0 * rP);
    if (C.turns)
      stiffness[j.body[1]] += dot(force, rC) * trace(C.inv_I0) - dot(force, C.inv_I0 * rC);
  }
}

// --- rows at the iterate -----------------------------------------------------------------------

void GeneralRows::begin_black_box(GeneralJoint& j) {
  const Pose X = relative_pose(j.f1[0]);
  j.basis = find_basis(*j.model->black_box, X, j.size);
  std::array<double, 6> wrench{};
  for (size_t i = 0; i < 6; ++i) wrench[i] = j.p[i];
  for (size_t k = 0; k < j.rows; ++k) {
    const bool held = static_cast<int>(k) < j.basis.count;
    j.row[k] = held ? LawRow{1, 0, 0} : LawRow{0, 1, 0};
    j.angular[k] = true;  // measured relative to the size by the basis itself
    double p = 0;
    for (size_t i = 0; i < 6 && held; ++i) {
      p += j.basis.b[k][i] * (i < 3 ? wrench[i] * j.size : wrench[i]);
    }
    j.p[k] = p;
  }
  // errors at the begin of the step, for the increments
  std::array<RowWrench, 6> w;
  if (j.basis.count > 0) {
    eval_black_box(*j.model->black_box, j.basis, relative_pose(j.f0[0]), j.size, j.c0.data(),
                   w.data());
  }
}

void GeneralRows::eval_black_box_rows(GeneralJoint& j, std::span<const BodyWork> bodies) {
  const BlackBox& box = *j.model->black_box;
  const auto count = static_cast<size_t>(j.basis.count);
  if (count == 0) return;
  std::array<double, 6> c{};
  std::array<RowWrench, 6> w1, wm;
  const Pose X0 = relative_pose(j.f0[0]), X1 = relative_pose(j.f1[0]);
  eval_black_box(box, j.basis, X1, j.size, j.c1.data(), w1.data());
  eval_black_box(box, j.basis, mean_pose(X0, X1), j.size, c.data(), wm.data());
  const BodyWork &P = bodies[j.body[0]], &C = bodies[j.body[1]];
  const PairFrames& xm = j.fm[0];
  const Vec3 delta = C.dx + cross(C.th, xm.rC) - P.dx - cross(P.th, xm.rP + xm.d);
  const Vec3 phi = C.th - P.th;
  for (size_t k = 0; k < count; ++k) {
    add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], j.f1[0],
               {to_world(j.f1[0], w1[k].f), to_world(j.f1[0], w1[k].t)});
    RowWrench w{to_world(xm, wm[k].f), to_world(xm, wm[k].t)};
    correct_gradient(w, j.c1[k] - j.c0[k], delta, phi, RowForm::kBlackBox, j.size);
    add_wrench(&entry(j, 0).F[6 * k], &entry(j, 1).F[6 * k], xm, w);
  }
}

void GeneralRows::eval_scalar_row(GeneralJoint& j, size_t k, std::span<const BodyWork> bodies) {
  const RowSpec& spec = j.model->rows[k];
  const auto add_form = [&](RowForm form, int i, int jj, size_t pair, double factor, double before,
                            double& after, double& rate) {
    RowWrench w1, wm;
    double c = eval_form(form, i, jj, j.f1[pair], w1);
    if (is_unwrapped(form)) c = unwrap(c, before);
    after = c;
    rate = 1;
    eval_form(form, i, jj, j.fm[pair], wm);
    if (!is_bilinear(form)) {
      const BodyWork &P = bodies[j.body[2 * pair]], &C = bodies[j.body[2 * pair + 1]];
      const PairFrames& x = j.fm[pair];
      if (is_unwrapped(form)) rate = angle_rate(c - before, dot(w1.t, C.th - P.th));
      correct_gradient(wm, c - before, C.dx + cross(C.th, x.rC) - P.dx - cross(P.th, x.rP + x.d),
                       C.th - P.th, form, j.size);
    }
    EntryRows &P = entry(j, 2 * pair), &C = entry(j, 2 * pair + 1);
    add_wrench(&P.G[6 * k], &C.G[6 * k], j.f1[pair], {factor * w1.f, factor * w1.t});
    add_wrench(&P.F[6 * k], &C.F[6 * k], j.fm[pair], {factor * wm.f, factor * wm.t});
    return factor * c;
  };
  double c = add_form(spec.form, spec.i, spec.j, 0, spec.scale, j.first0[k], j.first1[k],
                      j.first_rate[k]) -
             spec.value;
  if (spec.ratio != 0) {
    c += add_form(spec.second_form, spec.second_i, 0, j.entries == 4 ? 1 : 0, spec.ratio,
                  j.second0[k], j.second1[k], j.second_rate[k]);
  }
  j.c1[k] = c;
}

void GeneralRows::find_gradients(GeneralJoint& j, std::span<const BodyWork> bodies) {
  for (size_t e = 0; e < j.entries; ++e) {
    std::fill_n(entry(j, e).G.begin(), 6u * j.rows, 0.0);
    std::fill_n(entry(j, e).F.begin(), 6u * j.rows, 0.0);
  }
  size_t k = 0;
  if (j.model->has_point) {
    const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
    const Vec3 half_gap = 0.5 * xm.d;  // levers to the middle of the gap: one point for both bodies
    const Vec3 rP = xm.rP + half_gap, rC = xm.rC - half_gap;
    for (; k < 3; ++k) {
      Vec3 axis;
      axis[static_cast<int>(k)] = 1;
      set_row(&entry(j, 0).G[6 * k], -axis, -cross(x1.rP, axis));
      set_row(&entry(j, 1).G[6 * k], axis, cross(x1.rC, axis));
      set_row(&entry(j, 0).F[6 * k], -axis, -cross(rP, axis));
      set_row(&entry(j, 1).F[6 * k], axis, cross(rC, axis));
      j.c1[k] = x1.d[static_cast<int>(k)];
    }
  }
  if (j.model->kind == JointKind::kBlackBox) {
    eval_black_box_rows(j, bodies);
    k = j.rows;
  }
  for (; k < j.rows; ++k) eval_scalar_row(j, k, bodies);
  // rows whose force is given take no part in the geometry
  for (k = 0; k < j.rows; ++k) {
    if (j.row[k].a != 0) continue;
    for (size_t e = 0; e < j.entries; ++e) std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
  }
}

double GeneralRows::error_of(const GeneralJoint& j) const {
  double linear = 0, angular = 0;
  for (size_t k = 0; k < j.rows; ++k) {
    if (j.row[k].a == 0) continue;
    double e = j.c1[k] - j.row[k].g + j.row[k].b * j.p[k] / h_;
    if (j.eps[k] >= 0) e += j.eps[k] * j.p[k];
    (j.angular[k] ? angular : linear) += e * e;
  }
  return std::sqrt(std::max(linear / (j.size * j.size), angular));
}

void GeneralRows::add_momentum(const GeneralJoint& j, std::span<BodyWork> bodies) const {
  for (size_t e = 0; e < j.entries; ++e) {
    BodyWork& w = bodies[j.body[e]];
    if (!w.moves) continue;
    const EntryRows& rows = entry(j, e);
    for (size_t k = 0; k < j.rows; ++k) {
      w.gl -= j.p[k] * linear_of(&rows.F[6 * k]);
      if (w.turns) w.ga -= j.p[k] * angular_of(&rows.F[6 * k]);
    }
  }
}

// How the impulses' torques change with the end rotation of their own body. Terms between bodies,
// and those of angle rows, are left out: Newton's method then needs an iteration more at times.
void GeneralRows::add_stiffness(const GeneralJoint& j, std::span<BodyWork> bodies) const {
  BodyWork &P = bodies[j.body[0]], &C = bodies[j.body[1]];
  const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
  Vec3 force;
  for (size_t k = 0; k < j.rows; ++k) {
    if (!j.model->scalar_row(static_cast<int>(k))) {
      force[static_cast<int>(k)] += j.p[k];
      continue;
    }
    const RowSpec& spec = j.model->rows[k];
    if (spec.form == RowForm::kSlide) {
      force += (spec.scale * j.p[k]) * xm.P[spec.i];
    } else if (spec.form == RowForm::kDot) {
      const double p = -0.5 * spec.scale * j.p[k];
      add_skew_product(C.N, p, xm.P[spec.i], x1.C[spec.j]);
      add_skew_product(P.N, p, xm.C[spec.j], x1.P[spec.i]);
    } else if (spec.form == RowForm::kDistance) {
      force += j.p[k] * normalized(xm.d, {});
    }
  }
  add_skew_product(P.N, 0.5, force, x1.rP);
  add_skew_product(C.N, -0.5, force, x1.rC);
}

double GeneralRows::evaluate(std::span<BodyWork> bodies, bool with_stiffness) {
  double worst = 0;
  for (GeneralJoint& j : joints_) {
    for (size_t q = 0; 2 * q < j.entries; ++q) {
      move_frames(j.f0[q], bodies[j.body[2 * q]], bodies[j.body[2 * q + 1]], j.axes_P[q],
                  j.axes_C[q], j.f1[q], j.fm[q]);
    }
    if (fresh_ && j.model->kind == JointKind::kBlackBox) begin_black_box(j);
    find_gradients(j, bodies);
    const double error = error_of(j);
    worst = error < kInfinity ? std::max(worst, error) : kInfinity;
    add_momentum(j, bodies);
    if (with_stiffness) add_stiffness(j, bodies);
  }
  fresh_ = false;
  return worst;
}

int GeneralRows::update_laws() {
  int changes = 0;
  for (GeneralJoint& j : joints_) {
    if (j.model->kind == JointKind::kBlackBox) {
      // the edge of a region holds inwards only
      for (size_t k = 0; k < static_cast<size_t>(j.basis.count); ++k) {
        if (!j.basis.one_sided[k] || j.row[k].a == 0 || j.p[k] <= 0) continue;
        j.row[k] = {0, 1, 0};
        ++changes;
      }
      continue;
    }
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.model->scalar_row(static_cast<int>(k)) || j.model->rows[k].axis == kHeldRow) continue;
      const double slack = 1e-9 * (j.angular[k] ? 1 : j.size);
      const double lambda = j.p[k] / h_;
      const int part =
          j.law[k].next(j.part[k], j.c1[k], lambda, slack, 1e-9 * (1 + std::fabs(lambda)));
      if (part == j.part[k]) continue;
      j.part[k] = static_cast<uint8_t>(part);
      j.row[k] = law_row(j.law[k], part);
      ++changes;
    }
  }
  return changes;
}

// --- the linear system -------------------------------------------------------------------------

// block += G Y, G (rows x 6), Y (6 x columns, six to a row). About half of G is zero.
template <size_t R, size_t C>
inline void add_gradient_product(double* block, const double* G, const double* Y, size_t r,
                                 size_t c) {
  const size_t rows = R == 0 ? r : R, columns = C == 0 ? c : C;
  for (size_t i = 0; i < rows; ++i) {
    double sum[C == 0 ? 6 : C];
    for (size_t k = 0; k < columns; ++k) sum[k] = block[i * columns + k];
    for (size_t l = 0; l < 6; ++l) {
      const double g = G[6 * i + l];
      if (g == 0) continue;
      for (size_t k = 0; k < columns; ++k) sum[k] += g * Y[6 * l + k];
    }
    for (size_t k = 0; k < columns; ++k) block[i * columns + k] = sum[k];
  }
}

// block += G(a) M^-1 F(b)^T
void GeneralRows::add_product(double* block, const GeneralJoint& a, size_t ea,
                              const GeneralJoint& b, size_t eb) const {
  const double *G = entry(a, ea).G.data(), *Y = entry(b, eb).Y.data();
  if (a.rows == 5 && b.rows == 5) return add_gradient_product<5, 5>(block, G, Y, 5, 5);
  add_gradient_product<0, 0>(block, G, Y, a.rows, b.rows);
}

// Rows and columns of hubs: their own momentum equations stand beside the joints.     (7)
void GeneralRows::add_hub_blocks(std::span<const BodyWork> bodies, BlockLu& lu) const {
  for (const uint32_t b : m_.hubs) {
    const BodyWork& w = bodies[b];
    double* D = lu.diagonal(m_.hub_node[b]);
    for (size_t i = 0; i < 3; ++i) {
      D[7 * i] = 1 / w.inv_ml;
      for (size_t k = 0; k < 3; ++k) {
        D[6 * (i + 3) + k + 3] =
            w.turns ? w.N(static_cast<int>(i), static_cast<int>(k)) : (i == k ? 1.0 : 0.0);
      }
    }
  }
  for (size_t i = 0; i < joints_.size() && !m_.hubs.empty(); ++i) {
    const GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      if (!bodies[j.body[e]].moves || m_.hub_node[j.body[e]] == kNoNode) continue;
      const BlockPattern::Place place =
          m_.pattern.find(static_cast<uint32_t>(i), m_.hub_node[j.body[e]]);
      double* joint_row = place.a_is_row ? lu.lower(place.block) : lu.upper(place.block);
      double* hub_row = place.a_is_row ? lu.upper(place.block) : lu.lower(place.block);
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        for (size_t l = 0; l < 6; ++l) {
          joint_row[6 * k + l] += rows.G[6 * k + l];
          hub_row[l * j.rows + k] -= rows.F[6 * k + l];
        }
      }
    }
  }
}

void GeneralRows::assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) {
  lu.clear();
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (!w.moves) continue;
      EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        set_column(rows.Y.data(), k, w.inv_ml * linear_of(&rows.F[6 * k]),
                   w.inv_N * angular_of(&rows.F[6 * k]));
      }
    }
    double* D = lu.diagonal(static_cast<uint32_t>(i));
    std::array<double, 6> scale{};  // the diagonal with hubs counted, for the compliance
    for (size_t e = 0; e < j.entries; ++e) {
      if (!bodies[j.body[e]].moves) continue;
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows && j.eps[k] < 0; ++k) {
        scale[k] += std::fabs(dot(linear_of(&rows.G[6 * k]), linear_of_column(rows.Y.data(), k)) +
                              dot(angular_of(&rows.G[6 * k]), angular_of_column(rows.Y.data(), k)));
      }
      if (m_.hub_node[j.body[e]] != kNoNode) continue;
      for (size_t e2 = 0; e2 < j.entries; ++e2) {
        if (j.body[e2] == j.body[e]) add_product(D, j, e, j, e2);
      }
    }
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.eps[k] < 0) j.eps[k] = compliance * scale[k];
      D[k * j.rows + k] += j.row[k].a == 0 ? 1 : j.eps[k] + j.row[k].b / h_;
    }
  }
  for (const Coupling& c : m_.couplings) {
    const GeneralJoint &row = joints_[c.row_joint], &column = joints_[c.column_joint];
    add_product(lu.lower(c.block), row, c.row_entry, column, c.column_entry);
    add_product(lu.upper(c.block), column, c.column_entry, row, c.row_entry);
  }
  add_hub_blocks(bodies, lu);
}

void GeneralRows::make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu,
                           std::span<double> x) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* rhs = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      const LawRow& row = j.row[k];
      if (row.a == 0) {
        rhs[k] = h_ * row.g / row.b - j.p[k];
        continue;
      }
      rhs[k] = row.g - j.c1[k] - (row.b / h_ + j.eps[k]) * j.p[k];
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (!w.moves || m_.hub_node[j.body[e]] != kNoNode) continue;
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        rhs[k] += dot(linear_of(&rows.G[6 * k]), w.ul) + dot(angular_of(&rows.G[6 * k]), w.ua);
      }
    }
  }
  for (const uint32_t b : m_.hubs) {
    set_row(&x[lu.offset_of(m_.hub_node[b])], -bodies[b].gl,
            bodies[b].turns ? -bodies[b].ga : Vec3{});
  }
}

void GeneralRows::add_step(std::span<BodyWork> bodies, const BlockLu& lu,
                           std::span<const double> x) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const double* dp = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      j.dp[k] = dp[k];
      j.p_last[k] = j.p[k];
    }
    for (size_t e = 0; e < j.entries; ++e) {
      BodyWork& w = bodies[j.body[e]];
      if (!w.moves) continue;
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        w.du += dp[k] * linear_of_column(rows.Y.data(), k);
        w.dphi += dp[k] * angular_of_column(rows.Y.data(), k);
      }
    }
  }
  for (const uint32_t b : m_.hubs) {
    const double* dq = &x[lu.offset_of(m_.hub_node[b])];
    bodies[b].du = linear_of(dq);
    bodies[b].dphi = bodies[b].turns ? angular_of(dq) : Vec3{};
  }
}

// --- velocity stage ----------------------------------------------------------------------------

// Gradients at the end of the step with common points of application; rows that prescribe no rate
// are empty.
void GeneralRows::end_gradients(GeneralJoint& j, std::span<const StepBody> bodies) {
  for (size_t e = 0; e < j.entries; ++e) std::fill_n(entry(j, e).G.begin(), 6u * j.rows, 0.0);
  for (size_t q = 0; 2 * q < j.entries; ++q) {
    const BodyState &P = bodies[j.body[2 * q]].end, &C = bodies[j.body[2 * q + 1]].end;
    j.f1[q].d = C.x_WC + j.f1[q].rC - P.x_WC - j.f1[q].rP;
  }
  size_t k = 0;
  const PairFrames& x = j.f1[0];
  if (j.model->has_point) {
    for (; k < 3; ++k) {
      Vec3 axis;
      axis[static_cast<int>(k)] = 1;
      set_row(&entry(j, 0).G[6 * k], -axis, -cross(x.rP + 0.5 * x.d, axis));
      set_row(&entry(j, 1).G[6 * k], axis, cross(x.rC - 0.5 * x.d, axis));
    }
  }
  if (j.model->kind == JointKind::kBlackBox) {
    std::array<double, 6> c{};
    std::array<RowWrench, 6> w;
    if (j.basis.count > 0) {
      eval_black_box(*j.model->black_box, j.basis, relative_pose(x), j.size, c.data(), w.data());
    }
    for (k = 0; k < static_cast<size_t>(j.basis.count); ++k) {
      if (j.row[k].a == 0) continue;
      add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], x,
                 {to_world(x, w[k].f), to_world(x, w[k].t)});
    }
    return;
  }
  for (; k < j.rows; ++k) {
    const RowSpec& spec = j.model->rows[k];
    if (spec.axis != kHeldRow && !j.law[k].holds(j.part[k])) continue;
    RowWrench w;
    eval_form(spec.form, spec.i, spec.j, x, w);
    const double first = spec.scale * j.first_rate[k], second = spec.ratio * j.second_rate[k];
    add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], x, {first * w.f, first * w.t});
    if (spec.ratio == 0) continue;
    const size_t pair = j.entries == 4 ? 1 : 0;
    eval_form(spec.second_form, spec.second_i, 0, j.f1[pair], w);
    add_wrench(&entry(j, 2 * pair).G[6 * k], &entry(j, 2 * pair + 1).G[6 * k], j.f1[pair],
               {second * w.f, second * w.t});
  }
}

void GeneralRows::assemble_velocity(std::span<const StepBody> bodies,
                                    std::span<const BodyWork> work, BlockLu& lu,
                                    double compliance) {
  lu.clear();
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    double* D = lu.diagonal(static_cast<uint32_t>(i));
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    std::array<double, 6> scale{};
    for (size_t k = 0; k < j.rows; ++k) {
      const bool law = j.model->scalar_row(static_cast<int>(k)) &&
                       j.model->kind != JointKind::kBlackBox && j.model->rows[k].axis != kHeldRow;
      rhs[k] = law && j.law[k].holds(j.part[k]) ? j.law[k].end_rate(j.part[k]) : 0;
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      const BodyState& s = bodies[b].end;
      EntryRows& rows = entry(j, e);
      const double im = work[b].moves ? bodies[b].mass->inv_mass : 0;
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = linear_of(&rows.G[6 * k]), t = angular_of(&rows.G[6 * k]);
        rhs[k] -= dot(f, s.v_WC) + dot(t, s.w_WB);
        if (!work[b].moves) continue;
        const Vec3 yl = im * f, ya = inv_I1_[b] * t;
        set_column(rows.Y.data(), k, yl, ya);
        scale[k] += dot(f, yl) + dot(t, ya);
      }
    }
    for (size_t e = 0; e < j.entries; ++e) {
      if (!work[j.body[e]].moves || m_.hub_node[j.body[e]] != kNoNode) continue;
      for (size_t e2 = 0; e2 < j.entries; ++e2) {
        if (j.body[e2] == j.body[e]) add_product(D, j, e, j, e2);
      }
    }
    for (size_t k = 0; k < j.rows; ++k) {
      // an empty row stands for itself
      const bool empty = !(scale[k] > 0);
      D[k * j.rows + k] += empty ? 1 : compliance * scale[k];
      if (empty) rhs[k] = 0;
      j.rate_change[k] = rhs[k];
    }
  }
  for (const Coupling& c : m_.couplings) {
    add_product(lu.lower(c.block), joints_[c.row_joint], c.row_entry, joints_[c.column_joint],
                c.column_entry);
  }
}

// M (u - u*) = G^T mu, G u = rates wanted.                                            (10)
void GeneralRows::project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                          double compliance, Account& account) {
  inv_I1_.assign(bodies.size(), Mat3{});
  for (uint32_t b = 0; b < m_.moving; ++b) {
    if (!work[b].turns) continue;
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    inv_I1_[b] = R * bodies[b].mass->inv_I_B * transpose(R);
  }
  x_.assign(lu.rows(), 0);
  for (GeneralJoint& j : joints_) end_gradients(j, bodies);
  assemble_velocity(bodies, work, lu, compliance);
  // hubs: quasi-definite, [A G; G^T -M]
  for (const uint32_t b : m_.hubs) {
    double* D = lu.diagonal(m_.hub_node[b]);
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    const Mat3 I = R * bodies[b].mass->I_B * transpose(R);
    for (size_t i = 0; i < 3; ++i) {
      D[7 * i] = -bodies[b].mass->mass;
      for (size_t k = 0; k < 3; ++k) {
        D[6 * (i + 3) + k + 3] =
            work[b].turns ? -I(static_cast<int>(i), static_cast<int>(k)) : (i == k ? -1.0 : 0.0);
      }
    }
  }
  for (size_t i = 0; i < joints_.size() && !m_.hubs.empty(); ++i) {
    const GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      if (!work[j.body[e]].moves || m_.hub_node[j.body[e]] == kNoNode) continue;
      const BlockPattern::Place place =
          m_.pattern.find(static_cast<uint32_t>(i), m_.hub_node[j.body[e]]);
      double* block = lu.lower(place.block);
      for (size_t k = 0; k < j.rows; ++k) {
        for (size_t l = 0; l < 6; ++l) {
          block[place.a_is_row ? 6 * k + l : l * j.rows + k] += entry(j, e).G[6 * k + l];
        }
      }
    }
  }
  lu.factor_symmetric();
  lu.solve_symmetric(x_);
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const double* mu = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      BodyState& s = bodies[b].end;
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = mu[k] * linear_of(&entry(j, e).G[6 * k]);
        const Vec3 t = mu[k] * angular_of(&entry(j, e).G[6 * k]);
        if (work[b].moves) {
          s.v_WC += bodies[b].mass->inv_mass * f;
          if (work[b].turns) s.L_W += t;
        } else {
          account.impulse -= f;
          account.angular_impulse -= cross(s.x_WC, f) + t;
          account.work_J -= dot(f, s.v_WC) + dot(t, s.w_WB);
        }
      }
    }
    // motors that correct their speed and limits that stop do work: impulse times mean rate
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.model->scalar_row(static_cast<int>(k)) || j.model->kind == JointKind::kBlackBox ||
          j.model->rows[k].axis == kHeldRow || !j.law[k].holds(j.part[k])) {
        continue;
      }
      account.work_J += mu[k] * (j.law[k].end_rate(j.part[k]) - 0.5 * j.rate_change[k]);
    }
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = inv_I1_[b] * s.L_W;
  }
}

// --- end of the step ---------------------------------------------------------------------------

void GeneralRows::finish(std::span<const BodyWork> bodies, Account& account) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    JointState& state = *step_joints_[i].state;
    if (j.model->kind == JointKind::kBlackBox) {
      state.lambda = {};
      for (size_t k = 0; k < static_cast<size_t>(j.basis.count); ++k) {
        for (size_t l = 0; l < 6; ++l) {
          state.lambda[l] += j.p[k] / h_ * j.basis.b[k][l] / (l < 3 ? j.size : 1);
        }
      }
    }
    for (size_t k = 0; k < j.rows; ++k) {
      state.coordinate[k] = j.c1[k];
      state.segment[k] = j.part[k];
      if (j.model->kind == JointKind::kGear) {
        state.coordinate[kGearFirst] = j.first1[k];
        state.coordinate[kGearSecond] = j.second1[k];
      }
      if (j.model->kind == JointKind::kBlackBox) continue;
      state.lambda[k] = j.p[k] / h_;
      if (j.model->scalar_row(static_cast<int>(k)) && j.model->rows[k].axis != kHeldRow) {
        account.work_J += state.lambda[k] * (j.c1[k] - j.c0[k]);
      }
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (w.moves) continue;
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = j.p[k] * linear_of(&entry(j, e).F[6 * k]);
        const Vec3 t = j.p[k] * angular_of(&entry(j, e).F[6 * k]);
        account.impulse -= f;
        account.angular_impulse -= cross(w.x0 + 0.5 * w.dx, f) + t;
        account.work_J -= (dot(f, w.dx) + dot(t, w.th)) / h_;
      }
    }
  }
}

}  // namespace

std::unique_ptr<Rows> make_general_rows(const Mechanism& mechanism) {
  return std::make_unique<GeneralRows>(mechanism);
}

}  // namespace tenon::direct
