#include "tenon/engine/solve_displacement/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/coordinates.h"
#include "tenon/engine/joints/nearest.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon::displacement {
namespace {

bool is_length(RowForm form) { return form == RowForm::kSlide || form == RowForm::kDistance; }

// Joints that hold axes of translation and rotation, each on its own.
bool holds_axes(const JointModel& model) {
  switch (model.kind) {
    case JointKind::kDistance:
    case JointKind::kScrew:
    case JointKind::kGear:
    case JointKind::kBlackBox:
      return false;
    default:
      return true;
  }
}

// Freedoms with equal limits are held and stay so.
JointModel without_limits(JointModel model) {
  for (JointAxisDef& axis : model.axes) {
    if (axis.min == axis.max) continue;
    axis.min = -kInfinity;
    axis.max = kInfinity;
  }
  return model;
}

// Adds the wrench w of a pair (RowWrench in joint_model.h), times a factor, to the entries of a row
// that is being made: parent, child.
void add_pair(RowSet& out, std::span<const uint32_t> body, const PairFrames& x, const RowWrench& w,
              double factor) {
  const Vec3 f = factor * w.f, t = factor * w.t;
  out.entries.push_back({body[0], -f, -(cross(x.rP + x.d, f) + t)});
  out.entries.push_back({body[1], f, cross(x.rC, f) + t});
}

// Closes the row whose entries have been added since `first`.
Row& add_row(RowSet& out, size_t first, uint32_t owner, RowKind kind, double b) {
  Row row;
  row.first = static_cast<uint32_t>(first);
  row.count = static_cast<uint32_t>(out.entries.size() - first);
  row.owner = owner;
  row.kind = kind;
  row.b = b;
  out.rows.push_back(row);
  return out.rows.back();
}

Vec3 to_world(const PairFrames& x, const Vec3& v_P) {
  return v_P.x * x.P[0] + v_P.y * x.P[1] + v_P.z * x.P[2];
}

constexpr double kFar = 10;  // times all bodies laid end to end: a target beyond it is far

}  // namespace

void RowMaker::reset(std::span<const Body> bodies, std::span<const Joint> joints,
                     std::span<const Want> wants, bool limits, bool laws) {
  bodies_ = bodies;
  joints_ = joints;
  wants_ = wants;
  limits_ = limits;
  laws_ = laws;
  bare_.clear();
  turns_.assign(joints.size(), {});
  reach_ = 0;
  for (const Body& body : bodies) reach_ += kFar * body.size;
  for (size_t j = 0; j < joints.size(); ++j) {
    bare_.push_back(without_limits(*joints[j].model));
    if (joints[j].state != nullptr) turns_[j] = joints[j].state->coordinate;
  }
}

void RowMaker::make(const Configuration& at, double want_scale, RowSet& out) {
  out.clear();
  for (uint32_t j = 0; j < joints_.size(); ++j) add_joint(j, at, out);
  for (uint32_t w = 0; w < wants_.size(); ++w) add_want(w, at, want_scale, out);
}

void RowMaker::add_joint(uint32_t index, const Configuration& at, RowSet& out) {
  const Joint& joint = joints_[index];
  const JointModel& model = *joint.model;
  const auto frames = [&](size_t pair) {
    const Pose &P = at[joint.body[2 * pair]], &C = at[joint.body[2 * pair + 1]];
    return make_frames(model.pairs[pair], P.p, to_matrix(P.q), C.p, to_matrix(C.q));
  };
  const PairFrames x = frames(0);
  const PairFrames x2 = model.pair_count == 2 ? frames(1) : x;
  if (model.kind == JointKind::kBlackBox) return add_black_box(index, x, out);
  const bool axes = holds_axes(model);
  if (axes) add_frames(index, x, out);
  for (int k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& spec = model.rows[static_cast<size_t>(k)];
    const bool held =
        spec.axis == kHeldRow || model.axes[spec.axis].min == model.axes[spec.axis].max;
    if (axes && held) continue;
    add_scalar(index, static_cast<size_t>(k), x, x2, out);
  }
}

// The displacement to the nearest allowed frame, along the axes held there.
void RowMaker::add_frames(uint32_t index, const PairFrames& x, RowSet& out) const {
  const Joint& joint = joints_[index];
  const JointModel& bare = bare_[index];
  const Pose X = calc_relative_pose(x);
  const Pose Y = nearest_allowed(bare, X);
  const HeldAxes held = held_axes(bare, Y);
  const Vec3 shift = Y.p - X.p;
  for (size_t k = 0; k < static_cast<size_t>(held.linear_count); ++k) {
    const size_t first = out.entries.size();
    add_pair(out, joint.body, x, {to_world(x, held.linear[k]), {}}, joint.weight);
    Row& row =
        add_row(out, first, index, RowKind::kHeld, joint.weight * dot(held.linear[k], shift));
    row.unit = joint.weight;
  }
  if (held.angular_count == 0) return;
  const Vec3 turn = log_map(Y.q * conjugate(X.q));
  for (size_t k = 0; k < static_cast<size_t>(held.angular_count); ++k) {
    const size_t first = out.entries.size();
    const double unit = joint.weight * joint.size;
    add_pair(out, joint.body, x, {{}, to_world(x, held.angular[k])}, unit);
    Row& row = add_row(out, first, index, RowKind::kHeld, unit * dot(held.angular[k], turn));
    row.unit = unit;
    row.angular = true;
  }
}

// Rods, screws, gears; limits of any joint.
void RowMaker::add_scalar(uint32_t index, size_t k, const PairFrames& x, const PairFrames& x2,
                          RowSet& out) {
  const Joint& joint = joints_[index];
  const JointModel& model = *joint.model;
  const RowSpec& spec = model.rows[k];
  RowWrench w, w2;
  double first = eval_form(spec.form, spec.i, spec.j, x, w), second = 0;
  if (spec.ratio != 0) second = eval_form(spec.second_form, spec.second_i, 0, x2, w2);
  // the turn on which the row changes least since the last look; a gear's angles each on its own
  std::array<double, kMaxRows>& last = turns_[index];
  const double before = last[k] + spec.value;
  if (model.kind == JointKind::kGear) {
    if (is_unwrapped(spec.form)) first = unwrap(first, last[kGearFirst]);
    if (is_unwrapped(spec.second_form)) second = unwrap(second, last[kGearSecond]);
    last[kGearFirst] = first;
    last[kGearSecond] = second;
  } else if (is_unwrapped(spec.form)) {
    first = unwrap(first, (before - spec.ratio * second) / spec.scale);
  } else if (spec.ratio != 0 && is_unwrapped(spec.second_form)) {
    second = unwrap(second, (before - spec.scale * first) / spec.ratio);
  }
  const double c = spec.scale * first + spec.ratio * second - spec.value;
  last[k] = c;
  const bool angular = !is_length(spec.form);
  const double unit = joint.weight * (angular ? joint.size : 1);
  const auto add = [&](RowKind kind, double b) -> Row& {
    const size_t entry = out.entries.size();
    add_pair(out, joint.body, x, w, spec.scale * unit);
    if (spec.ratio != 0) {
      const std::span<const uint32_t> body = joint.body;
      add_pair(out, model.pair_count == 2 ? body.subspan(2) : body, x2, w2, spec.ratio * unit);
    }
    Row& row = add_row(out, entry, index, kind, unit * b);
    row.unit = unit;
    row.angular = angular;
    row.part = static_cast<uint8_t>(k);
    row.c = c;
    row.count2 = count_per_turning2(spec, x);
    return row;
  };
  if (spec.axis == kHeldRow) {
    add(RowKind::kHeld, -c);
    return;
  }
  const JointAxisDef& axis = model.axes[spec.axis];
  if (axis.min == axis.max) {
    add(RowKind::kHeld, axis.min - c);
  } else if (limits_ && (axis.min > -kInfinity || axis.max < kInfinity)) {
    // the nearer one
    const bool lower =
        axis.max == kInfinity || (axis.min > -kInfinity && c - axis.min < axis.max - c);
    Row& row = add(RowKind::kLimit, (lower ? axis.min : axis.max) - c);
    (lower ? row.low : row.high) = 0;
  }
  if (!laws_) return;
  if (axis.stiffness > 0 || axis.damping > 0) add(RowKind::kLaw, 0).law = LawKind::kSpring;
  if (axis.motor.kind != Motor::Kind::kNone) add(RowKind::kLaw, 0).law = LawKind::kMotor;
  if (axis.friction > 0) add(RowKind::kLaw, 0).law = LawKind::kFriction;
}

void RowMaker::add_black_box(uint32_t index, const PairFrames& x, RowSet& out) const {
  const Joint& joint = joints_[index];
  const BlackBox& box = *joint.model->black_box;
  const Pose X = calc_relative_pose(x);
  const BlackBoxBasis basis = find_basis(box, X, joint.size);
  double c[6] = {};
  RowWrench w[6];
  if (!basis.finite || basis.count == 0) return;
  if (!eval_black_box(box, basis, X, joint.size, c, w)) return;
  // c has no unit: lengths are relative to the size
  const double unit = joint.weight * joint.size;
  for (int k = 0; k < basis.count; ++k) {
    const size_t first = out.entries.size();
    add_pair(out, joint.body, x, {to_world(x, w[k].f), to_world(x, w[k].t)}, unit);
    const RowKind kind = basis.one_sided[k] ? RowKind::kLimit : RowKind::kHeld;
    Row& row = add_row(out, first, index, kind, -unit * c[k]);
    row.unit = unit;
    row.angular = true;
    row.part = static_cast<uint8_t>(k);
    // its vector points outward: the force pushes against it
    if (basis.one_sided[k]) row.high = 0;
  }
}

void RowMaker::add_want(uint32_t index, const Configuration& at, double scale, RowSet& out) const {
  const Want& want = wants_[index];
  const Pose& X = at[want.body];
  const double size = bodies_[want.body].size;
  double weight = scale * want.weight;
  const auto add = [&](const Vec3& f, const Vec3& t, double b, bool angular) {
    const size_t first = out.entries.size();
    const double unit = weight * (angular ? size : 1);
    out.entries.push_back({want.body, unit * f, unit * t});
    Row& row = add_row(out, first, index, RowKind::kWant, unit * b);
    row.unit = unit;
    row.angular = angular;
  };
  const std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  if (want.kind == Want::Kind::kReach || want.kind == Want::Kind::kStay) {
    const bool reach = want.kind == Want::Kind::kReach;
    const Vec3 r = reach ? rotate(X.q, want.point_C) : Vec3{};
    const Vec3 way = (reach ? want.target_W : want.pose.p) - X.p - r;
    // far beyond reach a target pulls as from the edge of it (Huber's weights), so that it cannot
    // tear joints apart: the sum of squares grows like the distance from there on
    if (const double far = norm(way); far > reach_) weight *= std::sqrt(reach_ / far);
    for (int k = 0; k < 3; ++k) {
      add(axes[static_cast<size_t>(k)], cross(r, axes[static_cast<size_t>(k)]), way[k], false);
    }
  }
  if (want.kind == Want::Kind::kOrient || want.kind == Want::Kind::kStay) {
    const Vec3 turn = log_map(want.pose.q * conjugate(X.q));
    for (int k = 0; k < 3; ++k) add({}, axes[static_cast<size_t>(k)], turn[k], true);
  }
  if (want.kind == Want::Kind::kUpright) {
    // the turn about the direction itself stays free
    const Vec3 turn = log_map(shortest_arc(rotate(X.q, want.axis_B), want.direction_W));
    const Mat3 R = to_matrix(shortest_arc({1, 0, 0}, want.direction_W));
    for (int k = 1; k < 3; ++k) add({}, R.column(k), dot(R.column(k), turn), true);
  }
}

void RowMaker::measure(const RowSet& rows, std::span<Gap> gaps) const {
  std::fill(gaps.begin(), gaps.end(), Gap{});
  for (const Row& row : rows.rows) {
    if (row.kind != RowKind::kHeld && row.kind != RowKind::kLimit) continue;
    // limits that are kept
    if (row.kind == RowKind::kLimit && (row.low == 0 ? row.b <= 0 : row.b >= 0)) continue;
    double& sum = row.angular ? gaps[row.owner].angle_rad : gaps[row.owner].gap_m;
    sum += row.b * row.b / (row.unit * row.unit);
  }
  for (Gap& gap : gaps) gap = {std::sqrt(gap.gap_m), std::sqrt(gap.angle_rad)};
}

double RowMaker::worst(const RowSet& rows) const {
  std::vector<Gap> gaps(joints_.size());
  measure(rows, gaps);
  double most = 0;
  for (size_t j = 0; j < gaps.size(); ++j) {
    most = std::max({most, gaps[j].gap_m / joints_[j].size, gaps[j].angle_rad});
  }
  return most;
}

}  // namespace tenon::displacement
