// Joints as engine/joints compiles them, in the form that the sweep works with.
#include <algorithm>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/nearest.h"
#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon {
namespace {

void add_row(SweepRows& held, const Vec3& f, const Vec3& t, int sense, int id) {
  if (held.count < static_cast<int>(held.row.size())) {
    held.row[static_cast<size_t>(held.count++)] = {f, t, sense, id};
  }
}

// A relative frame as a pair of frames: the wrenches of rows are then in the axes of P.
PairFrames frames_of(const Pose& X) {
  return make_frames({}, {}, Mat3::identity(), X.p, to_matrix(X.q));
}

// c of a scalar row with its turns counted from the value before, and its gradient. The rows of
// screws couple two forms, of which one at most is an angle.
double eval_unwrapped(const RowSpec& spec, double before, const PairFrames& x, RowWrench& w) {
  RowWrench w2;
  double first = eval_form(spec.form, spec.i, spec.j, x, w), second = 0;
  const bool coupled = spec.ratio != 0;
  if (coupled) second = eval_form(spec.second_form, spec.second_i, 0, x, w2);
  if (is_unwrapped(spec.form)) {
    first = unwrap(first, (before + spec.value - spec.ratio * second) / spec.scale);
  } else if (coupled && is_unwrapped(spec.second_form)) {
    second = unwrap(second, (before + spec.value - spec.scale * first) / spec.ratio);
  }
  w = {spec.scale * w.f + spec.ratio * w2.f, spec.scale * w.t + spec.ratio * w2.t};
  return spec.scale * first + spec.ratio * second - spec.value;
}

// Limits hold where they are passed, and then one way; equal ones hold always.
void add_limit(SweepRows& held, const JointAxisDef& axis, double c, const RowWrench& w, int id) {
  if (axis.min == axis.max) return add_row(held, w.f, w.t, 0, id);
  if (c < axis.min) add_row(held, w.f, w.t, 1, id);
  if (c > axis.max) add_row(held, w.f, w.t, -1, id);
}

void add_black_box(SweepRows& held, const JointModel& joint, const Pose& X_PC) {
  const JointPair& pair = joint.pairs[0];
  const double size2 = std::max(norm2(pair.rP_B), norm2(pair.rC_B));
  const double size = size2 > 0 ? std::sqrt(size2) : 1;
  const BlackBoxBasis basis = find_basis(*joint.black_box, X_PC, size);
  for (int k = 0; k < basis.count && basis.finite; ++k) {
    const double* b = basis.b[k];
    // vectors of one-sided rows point outward
    add_row(held, {b[0], b[1], b[2]}, size * Vec3{b[3], b[4], b[5]}, basis.one_sided[k] ? -1 : 0,
            k);
  }
}

}  // namespace

Pose project_joint(const JointModel& joint, const JointState& state, const Pose& X_PC) {
  return nearest_allowed(joint, X_PC, &state);
}

SweepRows find_sweep_rows(const JointModel& joint, const JointState& state, const Pose& X_PC) {
  SweepRows held;
  if (joint.black_box != nullptr) {
    add_black_box(held, joint, X_PC);
    return held;
  }
  const PairFrames x = frames_of(X_PC);
  for (int i = 0; i < joint.row_count; ++i) {
    const size_t k = static_cast<size_t>(i);
    if (!joint.scalar_row(i)) {
      add_row(held, x.P[k], {}, 0, i);
      continue;
    }
    const RowSpec& spec = joint.rows[k];
    if (spec.form == RowForm::kBlackBox) continue;
    RowWrench w;
    const double c = eval_unwrapped(spec, state.coordinate[k], x, w);
    if (spec.axis == kHeldRow) {
      add_row(held, w.f, w.t, 0, i);
    } else {
      add_limit(held, joint.axes[spec.axis], c, w, i);
    }
  }
  return held;
}

void store_coordinates(const SweepWork& work, size_t index, JointState& state) {
  const JointModel& joint = *work.joints[index].model;
  const PairFrames x = frames_of(calc_relative_frame(work, index));
  for (int i = 0; i < joint.row_count; ++i) {
    const size_t k = static_cast<size_t>(i);
    if (!joint.scalar_row(i) || joint.rows[k].form == RowForm::kBlackBox) continue;
    RowWrench unused;
    const double c = eval_unwrapped(joint.rows[k], state.coordinate[k], x, unused);
    if (std::isfinite(c)) state.coordinate[k] = c;
  }
}

}  // namespace tenon
