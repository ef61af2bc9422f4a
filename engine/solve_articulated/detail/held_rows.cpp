#include "tenon/engine/solve_articulated/detail/held_rows.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/black_box.h"

namespace tenon::mobility {
namespace {

bool is_length(RowForm form) { return form == RowForm::kSlide || form == RowForm::kDistance; }

// A row that always holds, or a freedom without room.
bool is_held(const JointModel& model, const RowSpec& spec) {
  if (spec.axis == kHeldRow) return true;
  return model.axes[spec.axis].min == model.axes[spec.axis].max;
}

// What the wrench w of a pair does to its two bodies (joint_model.h), in units of `length`.
void add_gradient(HeldRow& row, size_t pair, const PairFrames& x, const RowWrench& w,
                  double length) {
  const Vec3 tP = cross(x.rP + x.d, w.f) + w.t, tC = cross(x.rC, w.f) + w.t;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<size_t>(i);
    row.gradient[2 * pair][k] -= length * w.f[i];
    row.gradient[2 * pair][k + 3] -= tP[i];
    row.gradient[2 * pair + 1][k] += length * w.f[i];
    row.gradient[2 * pair + 1][k + 3] += tC[i];
  }
}

void scale(HeldRow& row, double unit) {
  row.c *= unit;
  for (auto& entry : row.gradient)
    for (double& g : entry) g *= unit;
}

Pose relative_pose(const PairFrames& x) {
  Mat3 R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R(i, j) = dot(x.P[static_cast<size_t>(i)], x.C[static_cast<size_t>(j)]);
  return {{dot(x.P[0], x.d), dot(x.P[1], x.d), dot(x.P[2], x.d)}, to_quat(R)};
}

Vec3 to_world(const PairFrames& x, const Vec3& v) {
  return v.x * x.P[0] + v.y * x.P[1] + v.z * x.P[2];
}

}  // namespace

HeldRows::HeldRows(const Mechanism& mechanism, std::span<const MobilityBody> bodies,
                   std::span<const MobilityJoint> joints)
    : mechanism_(&mechanism), bodies_(bodies), joints_(joints), turns_(joints.size()) {
  // the middle one of the joints' sizes: neither the largest body nor the smallest rules the others
  std::vector<double> sizes;
  for (const MobilityJoint& j : joints) sizes.push_back(j.size);
  std::sort(sizes.begin(), sizes.end());
  if (!sizes.empty()) length_ = sizes[sizes.size() / 2];
  uint32_t next = 0;
  for (uint32_t b = 0; b < mechanism.moving; ++b) {
    column_.push_back(next);
    next += bodies[b].turns ? 6 : 3;
  }
  column_.push_back(next);
}

Configuration HeldRows::start() const {
  Configuration at;
  for (const MobilityBody& b : bodies_) {
    at.x_WC.push_back(b.x_WC);
    at.q_WB.push_back(b.q_WB);
  }
  return at;
}

Configuration HeldRows::moved(const Configuration& from, std::span<const double> step) const {
  Configuration to = from;
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    const double* s = &step[column_[b]];
    to.x_WC[b] += length_ * Vec3{s[0], s[1], s[2]};
    if (bodies_[b].turns) to.q_WB[b] = normalized(exp_map({s[3], s[4], s[5]}) * to.q_WB[b]);
  }
  return to;
}

PairFrames HeldRows::frames(uint32_t joint, size_t pair, const Configuration& at) const {
  const uint32_t p = mechanism_->joints[joint].body[2 * pair];
  const uint32_t c = mechanism_->joints[joint].body[2 * pair + 1];
  return make_frames(joints_[joint].model->pairs[pair], at.x_WC[p], to_matrix(at.q_WB[p]),
                     at.x_WC[c], to_matrix(at.q_WB[c]));
}

void HeldRows::add_black_box(uint32_t joint, const PairFrames& x, std::vector<HeldRow>& out) {
  const BlackBox& box = *joints_[joint].model->black_box;
  const double size = joints_[joint].size;
  const Pose X = relative_pose(x);
  const BlackBoxBasis basis = find_basis(box, X, size);
  if (!basis.finite || basis.count == 0) return;
  double c[6] = {};
  RowWrench w[6];
  if (!eval_black_box(box, basis, X, size, c, w)) return;
  for (int k = 0; k < basis.count; ++k) {
    if (basis.one_sided[k]) continue;  // a limit
    HeldRow row;
    row.joint = joint;
    row.c = c[k];
    std::copy_n(mechanism_->joints[joint].body.begin(), 4, row.body.begin());
    add_gradient(row, 0, x, {to_world(x, w[k].f), to_world(x, w[k].t)}, length_);
    out.push_back(row);
  }
}

void HeldRows::add_joint(uint32_t joint, const Configuration& at, std::vector<HeldRow>& out) {
  const JointModel& model = *joints_[joint].model;
  const PairFrames x = frames(joint, 0, at);
  const PairFrames x2 = model.pair_count == 2 ? frames(joint, 1, at) : x;
  if (model.kind == JointKind::kBlackBox) return add_black_box(joint, x, out);
  HeldRow blank;
  blank.joint = joint;
  blank.entries = static_cast<uint8_t>(2 * model.pair_count);
  blank.body = mechanism_->joints[joint].body;
  for (int k = 0; k < model.row_count; ++k) {
    HeldRow row = blank;
    if (!model.scalar_row(k)) {
      Vec3 axis;
      axis[k] = 1;
      row.linear = true;
      row.c = x.d[k];
      add_gradient(row, 0, x, {axis, {}}, length_);
      scale(row, 1 / length_);
      out.push_back(row);
      continue;
    }
    const RowSpec& spec = model.rows[static_cast<size_t>(k)];
    if (!is_held(model, spec)) continue;
    RowWrench w, w2;
    double first = eval_form(spec.form, spec.i, spec.j, x, w), second = 0;
    if (spec.ratio != 0) second = eval_form(spec.second_form, spec.second_i, 0, x2, w2);
    // full turns since the last look
    Turns& turns = turns_[joint][static_cast<size_t>(k)];
    if (turns.known && is_unwrapped(spec.form)) first = unwrap(first, turns.first);
    if (turns.known && is_unwrapped(spec.second_form)) second = unwrap(second, turns.second);
    row.c = spec.scale * first + spec.ratio * second - spec.value;
    // ... and before it
    const bool counted = spec.ratio != 0 || spec.axis != kHeldRow;
    if (!turns.known && counted && joints_[joint].state != nullptr)
      turns.offset = joints_[joint].state->coordinate[static_cast<size_t>(k)] - row.c;
    turns = {first, second, turns.offset, true};
    row.c += turns.offset;
    if (spec.axis != kHeldRow) row.c -= model.axes[spec.axis].min;
    row.linear = is_length(spec.form);
    add_gradient(row, 0, x, {spec.scale * w.f, spec.scale * w.t}, length_);
    const size_t pair = model.pair_count == 2 ? 1 : 0;
    if (spec.ratio != 0)
      add_gradient(row, pair, x2, {spec.ratio * w2.f, spec.ratio * w2.t}, length_);
    if (row.linear) scale(row, 1 / length_);
    out.push_back(row);
  }
}

std::vector<HeldRow> HeldRows::eval(const Configuration& at) {
  std::vector<HeldRow> rows;
  for (uint32_t j = 0; j < joints_.size(); ++j) add_joint(j, at, rows);
  return rows;
}

std::vector<JointGap> HeldRows::gaps(std::span<const HeldRow> rows) const {
  std::vector<JointGap> gaps(joints_.size());
  for (uint32_t j = 0; j < joints_.size(); ++j) gaps[j].joint = mechanism_->joints[j].slot;
  for (const HeldRow& row : rows) {
    double& sum = row.linear ? gaps[row.joint].gap_m : gaps[row.joint].angle_rad;
    sum += row.c * row.c;
  }
  for (JointGap& gap : gaps) {
    gap.gap_m = length_ * std::sqrt(gap.gap_m);
    gap.angle_rad = std::sqrt(gap.angle_rad);
  }
  return gaps;
}

}  // namespace tenon::mobility
