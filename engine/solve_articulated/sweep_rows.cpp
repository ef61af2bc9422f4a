// Joints as engine/joints compiles them, in the form that the sweep works with.
#include <algorithm>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/nearest.h"
#include "tenon/engine/solve_articulated/detail/sweep_linear.h"
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

namespace {

// Is the joint at a limit of this row, within a thousandth of the bodies' size or of a radian?
bool at_limit(const JointAxisDef& axis, double c, double slack, double& sense) {
  sense = axis.min == axis.max ? 0 : (c <= axis.min + slack ? 1 : -1);
  return c <= axis.min + slack || c >= axis.max - slack;
}

// Wrenches of the rows that may act, in the axes of P.
struct ActingRows {
  size_t count = 0;
  std::array<size_t, 6> row{};
  std::array<RowWrench, 6> wrench{};
  std::array<double, 6> sense{};
};

ActingRows find_acting_rows(const JointModel& joint, const JointState& state, const PairFrames& x,
                            const Quat& q_PW, double size) {
  ActingRows acting;
  for (int i = 0; i < joint.row_count; ++i) {
    const size_t k = static_cast<size_t>(i);
    RowWrench w;
    double sense = 0;
    if (!joint.scalar_row(i)) {  // along the axes of the world
      Vec3 axis;
      axis[i] = 1;
      w.f = rotate(q_PW, axis);
    } else {
      const RowSpec& spec = joint.rows[k];
      const double c = eval_unwrapped(spec, state.coordinate[k], x, w);
      const bool linear = spec.form == RowForm::kSlide || spec.form == RowForm::kDistance;
      const double slack = 1e-3 * (linear ? size : 1);
      if (spec.axis != kHeldRow && !at_limit(joint.axes[spec.axis], c, slack, sense)) continue;
    }
    acting.row[acting.count] = k;
    acting.sense[acting.count] = sense;
    acting.wrench[acting.count++] = w;
  }
  return acting;
}

}  // namespace

// Least squares: impulses were along the rows of several moments of the step, forces are told along
// those of its end.
void store_reaction(const SweepWork& work, size_t index, double h, JointState& state) {
  const SweepJoint& joint = work.joints[index];
  const SweepBody &p = work.bodies[joint.parent], &c = work.bodies[joint.child];
  const Quat q_PW = conjugate(p.q * joint.q_BP);
  const Vec3 force = rotate(q_PW, joint.impulse / h),
             torque = rotate(q_PW, joint.angular_impulse / h);
  state.lambda = {};
  if (joint.model->black_box != nullptr) {
    for (int i = 0; i < 3; ++i) {
      state.lambda[static_cast<size_t>(i)] = force[i];
      state.lambda[static_cast<size_t>(i) + 3] = torque[i];
    }
    return;
  }
  const double size = std::sqrt(std::max(p.size2, c.size2));
  const ActingRows acting = find_acting_rows(
      *joint.model, state, frames_of(calc_relative_frame(work, index)), q_PW, size);
  sweep::Mat6 A{};
  sweep::Vec6 b{};
  for (size_t k = 0; k < acting.count; ++k) {
    const RowWrench& w = acting.wrench[k];
    b[k] = dot(w.f, force) + dot(w.t, torque);
    for (size_t l = 0; l < acting.count; ++l) {
      A[k][l] = dot(w.f, acting.wrench[l].f) + dot(w.t, acting.wrench[l].t);
    }
  }
  sweep::factor_cholesky(acting.count, A);
  const sweep::Vec6 lambda = sweep::solve_cholesky(acting.count, A, b);
  for (size_t k = 0; k < acting.count; ++k) {
    const bool pulls = acting.sense[k] * lambda[k] < 0;
    if (std::isfinite(lambda[k]) && !pulls) state.lambda[acting.row[k]] = lambda[k];
  }
}

}  // namespace tenon
