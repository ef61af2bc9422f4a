// Joints of any kind as rows of Newton's method; see docs/theory/joints.md, sections 3 to 5. Shared
// by general_begin.cpp, general_rows.cpp, general_system.cpp, general_velocity.cpp and
// general_impact.cpp.
#pragma once

#include <algorithm>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {

// Gradient rows of one body of a joint: six numbers (force, torque about its mass centre) a row.
struct EntryRows {
  std::array<double, 36> G{}, F{};    // at the end, over the step
  std::array<double, 36> Y{};         // M^-1 F^T: a column for each row of the matrix
  std::array<double, 36> used{};      // G of the rows of the matrix
  std::array<double, 36> factored{};  // F as it stands in the factored matrix
};

constexpr uint8_t kNotUsed = 0xff;

struct GeneralJoint {
  const JointModel* model = nullptr;
  uint32_t first_entry = 0;
  uint8_t rows = 0, entries = 0;
  uint8_t used = 0;                // rows of the matrix
  std::array<uint8_t, 6> place{};  // of each row in the matrix of a Newton step, or kNotUsed
  std::array<uint32_t, 4> body{};
  std::array<PairFrames, 2> f0, f1, fm;
  // Of rows 0 to 2, where the joint holds a point: levers from both bodies to where their impulses
  // act over the step, at the iterate and in the factored matrix. At the end of the step they are
  // those of f1. Rows of entries are made of them when a matrix is.
  std::array<Vec3, 2> lever, factored_lever;
  std::array<double, 6> c0{}, c1{}, p{}, eps{};
  std::array<double, 6> mu{};                         // impulses of the velocity stage, N s
  std::array<double, 6> first0{}, second0{};          // parts of c0: form and second form
  std::array<double, 6> first1{}, second1{};          // and of c1
  std::array<double, 6> rate0{};                      // of c, at the begin of the step
  std::array<double, 6> first_rate{}, second_rate{};  // angle_rate of the forms
  std::array<LawRow, 6> row{};                        // a c + b lambda = g
  std::array<AxisLaw, 6> law{};
  std::array<double, 6> stiffening{};  // of springs and dampers: how little the step resolves them
  std::array<double, 6> damping{}, friction{};  // of laws, in this step; see resist_turning()
  std::array<double, 6> soft{};  // of rows of the velocity stage: rate per impulse that they allow
  std::array<uint8_t, 6> part{};
  std::array<bool, 6> angular{};
  std::array<uint8_t, 6> flips{};             // changes of part in this step
  std::array<uint8_t, 2> axes_P{}, axes_C{};  // bit i: axis i of the pair's frames is needed
  uint8_t parallel = 0;                       // bit i: axes i of both frames are held so
  std::array<bool, 6> idle{};                 // limits that are not met, where nothing else acts
  std::array<bool, 6> far{};                  // idle, and not met at the iterate either
  // at the begin of the step: rad of an angle per rad of turning (infinite where that is not
  // asked), rad to the nearest limit
  std::array<double, 6> slope{}, room{};
  std::array<bool, 6> empty{};  // rows that the velocity stage does not see
  uint32_t box = 0;             // of a black box: its place among GeneralRows::boxes_
  double size = 1;
};

// What a black box has beside its rows; everything is found anew in every step. Wrenches are in P's
// axes.
struct BlackBoxWork {
  BlackBoxBasis basis;
  BlackBoxFrame at_begin, at_end;     // at the begin of the step, at the iterate
  std::array<double, 6> wrench{};     // impulse of the last step, N s and N m s, in P's axes
  std::array<RowWrench, 6> G{}, F{};  // gradients near the end, over the step
  Pose G_at, F_for;                   // where G is taken; the end of the step that F is for
  double bend = 0, half_turn = 0;     // change of gradients: by distance, from middle to end
  bool world_point = false;           // the first three rows hold a point, and are in world axes
};

constexpr double kSteep = 2;          // rad of an angle per rad of turning: near the fold
constexpr double kSlowTravel = 1e-7;  // of size, rad: no motion over a step

// A row whose rate the velocity stage prescribes for as long as its impulse mu stays between
// bounds: a limit, a motor, friction, the edge of a black box.
struct RateRow {
  enum class Set : uint8_t { kHolds, kLow, kHigh };  // mu is found, is `low`, is `high`
  uint32_t joint = 0;
  uint8_t row = 0;
  Set set = Set::kHolds;
  bool limit = false;      // of a law: passive, and bounces
  double rate = 0;         // wanted, before restitution
  double approach = 0;     // of a limit: the rate at which it was hit
  double restitution = 0;  // of a limit
  double low = 0, high = 0;
  double work_J = 0;           // of a limit: done by it in the smooth step
  double impulse = 0;          // of the smooth step, for scale
  double slow = 0;             // a rate that is none
  double before = 0, now = 0;  // rate at the begin of the stage, with the impulses so far
  double mu = 0;               // impulse
  double scale = 0;            // of few laws: rate per impulse, without joints
  double soft = 0;             // of dampers: what it allows of `rate`, per impulse
  std::array<double, 24> G{};  // of up to four bodies
};

// Solved for c1 where it takes part: a is one or zero.
inline LawRow law_row(const AxisLaw& law, int part) {
  const LawRow row = law.row(part);
  return row.a == 0 ? row : LawRow{1, row.b / row.a, row.g / row.a};
}

inline void set_row(double* row, const Vec3& linear, const Vec3& angular) {
  row[0] = linear.x;
  row[1] = linear.y;
  row[2] = linear.z;
  row[3] = angular.x;
  row[4] = angular.y;
  row[5] = angular.z;
}
inline void add_row(double* row, const Vec3& linear, const Vec3& angular) {
  row[0] += linear.x;
  row[1] += linear.y;
  row[2] += linear.z;
  row[3] += angular.x;
  row[4] += angular.y;
  row[5] += angular.z;
}
inline void set_column(double* Y, size_t k, const Vec3& linear, const Vec3& angular) {
  for (int l = 0; l < 3; ++l) {
    Y[6 * static_cast<size_t>(l) + k] = linear[l];
    Y[6 * static_cast<size_t>(l + 3) + k] = angular[l];
  }
}
inline Vec3 linear_of_column(const double* Y, size_t k) { return {Y[k], Y[6 + k], Y[12 + k]}; }
inline Vec3 angular_of_column(const double* Y, size_t k) {
  return {Y[18 + k], Y[24 + k], Y[30 + k]};
}
inline Vec3 linear_of(const double* row) { return {row[0], row[1], row[2]}; }
inline Vec3 angular_of(const double* row) { return {row[3], row[4], row[5]}; }

// Rows 0 to 2 of a joint that holds a point, of the parent (s = -1) or the child (s = 1): s times
// the unit forces at the lever r, row k = s (e_k, r x e_k). Only the six couples that are not zero
// are ever looked at below; what goes on is the same as with general rows, bit by bit.
inline void set_point_rows(double* rows, double s, const Vec3& r) {
  const Vec3 t = s * r;
  const double values[18] = {s, 0, 0, 0, t.z, -t.y, 0, s, 0, -t.z, 0, t.x, 0, 0, s, t.y, -t.x, 0};
  std::copy_n(values, 18, rows);
}
// Sum of the rows' wrenches times p, added to (l, a).
inline void add_point_wrench(double s, const Vec3& r, const double* p, Vec3& l, Vec3& a) {
  const Vec3 t = s * r;
  l += Vec3{s * p[0], s * p[1], s * p[2]};
  a.x = (a.x - t.z * p[1]) + t.y * p[2];
  a.y = (a.y + t.z * p[0]) - t.x * p[2];
  a.z = (a.z - t.y * p[0]) + t.x * p[1];
}
// M^-1 times the rows, as columns.
inline void set_point_columns(double* Y, const double* rows, double inv_mass, const Mat3& inv_I) {
  for (size_t k = 0; k < 3; ++k) {
    for (size_t l = 0; l < 3; ++l) Y[6 * l + k] = k == l ? inv_mass * rows[7 * k] : 0;
  }
  const Vec3* r[3] = {&inv_I.r0, &inv_I.r1, &inv_I.r2};
  for (size_t l = 0; l < 3; ++l) {
    double* to = Y + 6 * (l + 3);
    to[0] = r[l]->y * rows[4] + r[l]->z * rows[5];
    to[1] = r[l]->x * rows[9] + r[l]->z * rows[11];
    to[2] = r[l]->x * rows[15] + r[l]->y * rows[16];
  }
}
// The rows times a motion.
inline Vec3 point_rates(double s, const Vec3& r, const Vec3& v, const Vec3& w) {
  const Vec3 t = s * r;
  return {s * v.x + (t.z * w.y - t.y * w.z), s * v.y + (t.x * w.z - t.z * w.x),
          s * v.z + (t.y * w.x - t.x * w.y)};
}
// -1 for the parent, 1 for the child.
inline double side_of(size_t entry) { return entry == 0 ? -1 : 1; }

// The wrench of a row on both bodies of a pair, as their rows k.
inline void set_wrench(double* parent, double* child, const PairFrames& x, const RowWrench& w) {
  set_row(child, w.f, cross(x.rC, w.f) + w.t);
  set_row(parent, -w.f, -(cross(x.rP + x.d, w.f) + w.t));
}
// The same, added to them.
inline void add_wrench(double* parent, double* child, const PairFrames& x, const RowWrench& w) {
  add_row(child, w.f, cross(x.rC, w.f) + w.t);
  add_row(parent, -w.f, -(cross(x.rP + x.d, w.f) + w.t));
}

inline Pose relative_pose(const PairFrames& x) {
  Mat3 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = dot(x.P[size_t(i)], x.C[size_t(j)]);
  }
  return {{dot(x.P[0], x.d), dot(x.P[1], x.d), dot(x.P[2], x.d)}, to_quat(R)};
}
inline Vec3 to_world(const PairFrames& x, const Vec3& v) {
  return v.x * x.P[0] + v.y * x.P[1] + v.z * x.P[2];
}

// What row k leaves for the next step.
inline void store_coordinate(const GeneralJoint& j, size_t k, JointState& state) {
  state.coordinate[k] = j.c1[k];
  const bool law = j.model->scalar_row(static_cast<int>(k)) && j.model->rows[k].axis != kHeldRow;
  const bool upper = law && j.law[k].limit_side(j.part[k]) > 0;
  state.segment[k] = static_cast<uint8_t>(j.part[k] + (upper ? kUpperLimitPart : 0));
  if (j.model->kind == JointKind::kGear) {
    state.coordinate[kGearFirst] = j.first1[k];
    state.coordinate[kGearSecond] = j.second1[k];
  }
}

// An impulse on the end state of a body, or on the account if the body does not move by itself.
inline void push_end(StepBody& body, const BodyWork& w, const Vec3& f, const Vec3& t,
                     Account& account) {
  BodyState& s = body.end;
  if (w.moves) {
    s.v_WC += body.mass->inv_mass * f;
    if (w.turns) s.L_W += t;
  } else {
    account.impulse -= f;
    account.angular_impulse -= cross(s.x_WC, f) + t;
    account.work_J -= dot(f, s.v_WC) + dot(t, s.w_WB);
  }
}

class GeneralRows : public Rows {  // rattle_rows.cpp goes on from here
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
    // the joints of each body
    body_first_.assign(mechanism.body_slots.size() + 1, 0);
    for (const GeneralJoint& j : joints_) {
      for (size_t e = 0; e < j.entries; ++e) ++body_first_[j.body[e] + 1];
    }
    for (size_t b = 1; b < body_first_.size(); ++b) body_first_[b] += body_first_[b - 1];
    body_entries_.resize(entries);
    std::vector<uint32_t> next(body_first_.begin(), body_first_.end() - 1);
    for (uint32_t i = 0; i < joints_.size(); ++i) {
      for (uint8_t e = 0; e < joints_[i].entries; ++e) {
        body_entries_[next[joints_[i].body[e]]++] = {i, e};
      }
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
  double limit_growth() override;
  void rest(std::span<BodyWork> bodies) override;
  double gap() const override { return gap_of(false); }
  double held_gap() const override { return gap_of(true); }
  double load_J() const override;
  void add_stiffness(std::span<BodyWork> bodies) const override;
  void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) override;
  void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu, std::span<double> x) override;
  void add_step(std::span<BodyWork> bodies, const BlockLu& lu, std::span<const double> x) override;
  void move(double part, const BlockLu& lu, std::span<const double> x) override;
  int update_laws(bool early) override;
  void project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
               double compliance, Projection which, Account& account) override;
  void factor_end(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                  double compliance) override;
  void project_motion(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                      std::span<Motion> motion) override;
  void read_impulses(const BlockLu& lu,
                     std::span<std::array<double, kMaxRows>> impulses) const override;
  void keep_openings(const BlockLu& lu) override;
  void answer_openings(std::span<const BodyWork> work, BlockLu& lu, double part,
                       std::span<Motion> motion) override;
  void close_errors(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double compliance, std::span<Motion> motion) override;
  double limit_excess() override;
  std::span<const BoundedRow> bounded_rows() const override { return bounded_; }
  Motion row_answer(size_t joint, size_t e, size_t k) const override {
    const double* Y = entry(joints_[joint], e).Y.data();
    return {linear_of_column(Y, k), angular_of_column(Y, k)};
  }
  void finish(std::span<const BodyWork> bodies, Account& account) override;
  void add_impulses(bool smooth) override;
  void set_adaptive(bool adaptive) override { may_stiffen_ = adaptive; }

 protected:
  const Mechanism& m_;
  std::vector<GeneralJoint> joints_;
  std::vector<EntryRows> entries_;
  std::vector<BlackBoxWork> boxes_;
  std::span<const StepJoint> step_joints_;
  std::span<const BodyWork> bodies_;  // as given to begin()
  std::vector<Mat3> inv_I1_;
  // of the velocity stage
  std::vector<RateRow> rate_rows_;
  std::vector<Motion> motion_;  // of all bodies
  std::vector<BoundedRow> bounded_;
  std::vector<double> total_;  // impulses on laws, so far
  std::vector<double> x_, openings_;
  std::vector<std::array<double, 6>> scale_;  // of each joint's rows: rate per impulse of its own
  // of the velocity stage with few laws, see general_few_laws.cpp
  bool few_laws_ = false;
  bool held_matrix_ = false;  // the factored matrix has held rows and nothing else
  std::vector<double> R_, W_, W_factor_;
  std::vector<uint8_t> law_columns_;  // of the matrix: where R is not zero
  std::vector<Motion> law_motion_;
  std::vector<std::array<Motion, 4>> law_answer_;  // of each law's bodies
  double h_ = 0;
  // How much of p acts before the velocity stage. Less than one: the stage has the rest to do as
  // well, and what held rows take there is no error.
  double smooth_part_ = 1;
  // Near the fold of an angle that counts turns.
  static bool is_steep(const GeneralJoint& j, size_t k) {
    const RowSpec& spec = j.model->rows[k];
    return spec.ratio == 0 && is_unwrapped(spec.form) && j.slope[k] > kSteep;
  }
  bool may_stiffen_ = true;  // springs and dampers that the step does not resolve are damped
  bool may_idle_ = true;     // evaluate() leaves out limits that are not met
  bool idle_known_ = false;  // c1 of all of these is that of the iterate
  bool at_end_ = false;      // impulses act at the end of the step
  bool fresh_ = true;        // nothing has been evaluated since begin()
  bool impact_ = false;      // a limit is, or was just, hit

  struct BodyEntry {
    uint32_t joint;
    uint8_t entry;
  };
  std::vector<uint32_t> body_first_;  // of each body: its entries among body_entries_
  std::vector<BodyEntry> body_entries_;
  std::span<const BodyEntry> entries_of(uint32_t b) const {
    return {body_entries_.data() + body_first_[b], body_entries_.data() + body_first_[b + 1]};
  }

  EntryRows& entry(const GeneralJoint& j, size_t e) { return entries_[j.first_entry + e]; }
  const EntryRows& entry(const GeneralJoint& j, size_t e) const {
    return entries_[j.first_entry + e];
  }
  void begin_laws(GeneralJoint& j, const JointState& state, std::span<const BodyWork> bodies,
                  const double* agreed);
  void set_law_row(GeneralJoint& j, size_t k) const;
  double free_answer(const GeneralJoint& j, const RowWrench& w) const;
  void begin_at_strong_jump(GeneralJoint& j, size_t k, const RowWrench& w);
  double calc_stiffening(const GeneralJoint& j, const JointAxisDef& law, const RowWrench& w) const;
  void look_at_idle();
  void look_at_near_idle();
  void eval_idle(GeneralJoint& j, size_t k) const;
  bool stays_idle(const GeneralJoint& j, size_t k, double turn) const;
  void find_axes(GeneralJoint& j);
  void complete_frames(GeneralJoint& j) const;
  void find_gradients(GeneralJoint& j, std::span<const BodyWork> bodies);
  void eval_dot_row(GeneralJoint& j, size_t k);
  void eval_scalar_row(GeneralJoint& j, size_t k, std::span<const BodyWork> bodies);
  double error2_of(const GeneralJoint& j) const;  // squared
  double gap_of(bool held_only) const;
  double work_of(const GeneralJoint& j, size_t k, std::span<const BodyWork> bodies) const;
  void add_momentum(const GeneralJoint& j, std::span<BodyWork> bodies) const;
  void add_joint_stiffness(const GeneralJoint& j, std::span<BodyWork> bodies) const;
  // block += G M^-1 F^T of two joints' entries; G at the end or as used in the matrix.
  void add_product(double* block, const double* G, size_t rows, const double* Y, size_t columns,
                   bool point) const;
  void add_used(double* block, const GeneralJoint& a, size_t ea, const GeneralJoint& b,
                size_t eb) const {
    add_product(block, entry(a, ea).used.data(), a.used, entry(b, eb).Y.data(), b.used,
                a.model->has_point);
  }
  void add_end(double* block, const GeneralJoint& a, size_t ea, const GeneralJoint& b,
               size_t eb) const {
    add_product(block, entry(a, ea).G.data(), a.used, entry(b, eb).Y.data(), b.used,
                a.model->has_point);
  }
  void choose_rows(BlockLu& lu);
  void set_point_gradients(GeneralJoint& j);
  void add_hub_blocks(std::span<const BodyWork> bodies, BlockLu& lu) const;
  // velocity stage: held rows (general_velocity.cpp), then laws (general_impact.cpp)
  void end_gradients(uint32_t joint, std::span<const StepBody> bodies);
  void add_end_row(GeneralJoint& j, size_t k);
  void factor_velocity(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                       BlockLu& lu, double compliance);
  void add_velocity_hubs(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                         BlockLu& lu) const;
  void begin_motion(std::span<const StepBody> bodies);
  void make_velocity_rhs(const BlockLu& lu, std::span<const Motion> motion);
  void add_answer(std::span<const BodyWork> work, BlockLu& lu, std::span<Motion> motion);
  void add_bounded(uint32_t joint, size_t k);
  void add_spring(uint32_t joint, size_t k, int segment, double free, BoundedRow row);
  void apply_impulses(std::span<StepBody> bodies, std::span<const BodyWork> work, const BlockLu& lu,
                      std::span<const double> x, Account& account);
  RateRow& take_rate_row(uint32_t joint, size_t k);
  double rate_of(const RateRow& r) const;
  void add_law_row(uint32_t joint, size_t k);
  void add_edge_row(uint32_t joint, size_t k);
  void show_rate_rows(bool all);
  double& place_of(const RateRow& r, const BlockLu& lu, std::vector<double>& x) const;
  void add_motion(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                  const BlockLu& lu, double part);
  double solve_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double compliance);
  double solve_bounce(BlockLu& lu, bool whole);
  double add_bounce(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double available_J);
  int update_sets(double bounce, bool one_only);
  void refactor_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                     double compliance);
  // general_few_laws.cpp
  void prepare_few_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                        BlockLu& lu, double compliance);
  void set_few_laws();
  void solve_few_laws(std::span<double> x);
  void find_few_rates();
  void gather_few_laws(BlockLu& lu);
  void project_laws(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double compliance, double lost_J, Account& account);

  // general_close.cpp
  double find_excess(bool since_begin);
  void find_limits_to_close(std::span<const Motion> motion);
  void close_limits(std::span<const StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                    double compliance, std::span<Motion> motion);
  void add_held(std::span<const BodyWork> work, const BlockLu& lu, std::span<const double> x,
                std::span<Motion> motion) const;

  // general_black_box.cpp
  void look_at_begin(GeneralJoint& j, const JointState& state);
  double begin_error_of(const BlackBoxWork& box) const;
  void begin_black_box(GeneralJoint& j);
  void find_gradients_near(GeneralJoint& j, const Pose& X);
  void update_gradients(GeneralJoint& j);
  void eval_black_box_rows(GeneralJoint& j, std::span<const BodyWork> bodies);
  void end_black_box(uint32_t joint);
  std::array<double, 6> wrench_of(const GeneralJoint& j, std::array<double, 6> p) const;
  int update_edges(GeneralJoint& j);
};

}  // namespace tenon::direct
