#include "tenon/engine/joints/nearest.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/detail/nearest_rotation.h"
#include "tenon/engine/joints/detail/turns.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

using detail::AngleLimit;

AngleLimit find_limit(const JointModel& model, JointAxis axis, const JointState* state) {
  const auto a = static_cast<uint8_t>(axis);
  AngleLimit limit{model.axes[a].min, model.axes[a].max, 0, false};
  for (int k = 0; k < model.row_count && state; ++k) {
    const RowSpec& row = model.rows[static_cast<size_t>(k)];
    if (!model.scalar_row(k) || row.axis != a || !is_unwrapped(row.form)) continue;
    limit.near = state->coordinate[static_cast<size_t>(k)];
    limit.unwrapped = true;
  }
  return limit;
}

// cos(swing_max), from the cone's row, whose lower limit is cot(swing_max).
double find_cos_swing(const JointModel& model) {
  const double cot = model.axes[kSwingAxis].min;
  return cot > -kInfinity ? cot / std::sqrt(1 + cot * cot) : -1;
}

Quat nearest_rotation(const JointModel& model, const Quat& q, const JointState* state) {
  const bool rx = model.is_free(JointAxis::kRx), ry = model.is_free(JointAxis::kRy);
  const bool rz = model.is_free(JointAxis::kRz);
  const AngleLimit x = find_limit(model, JointAxis::kRx, state);
  const AngleLimit y = find_limit(model, JointAxis::kRy, state);
  const AngleLimit z = find_limit(model, JointAxis::kRz, state);
  if (ry && rz) {
    detail::SwingLimits limits;
    limits.twist = rx ? x : AngleLimit{0, 0, 0, false};
    limits.ry_min = y.min;
    limits.ry_max = y.max;
    limits.rz_min = z.min;
    limits.rz_max = z.max;
    limits.cos_swing = find_cos_swing(model);
    return detail::nearest_swing_twist(q, limits);
  }
  // a universal joint turns about x of P and then y of C, a six-axis joint about y or z of P and
  // then x of C
  if (model.kind == JointKind::kUniversal) return detail::nearest_two_turns(q, 0, 1, x, y);
  if (rx && ry) return detail::nearest_two_turns(q, 1, 0, y, x);
  if (rx && rz) return detail::nearest_two_turns(q, 2, 0, z, x);
  if (rx) return detail::nearest_turn(q, 0, x);
  if (ry) return detail::nearest_turn(q, 1, y);
  if (rz) return detail::nearest_turn(q, 2, z);
  return {};
}

Vec3 nearest_translation(const JointModel& model, const Vec3& p) {
  Vec3 q;
  for (int k = 0; k < 3; ++k) {
    const JointAxisDef& law = model.axes[static_cast<size_t>(k)];
    if (model.is_free(static_cast<JointAxis>(k))) q[k] = std::clamp(p[k], law.min, law.max);
  }
  return q;
}

Pose nearest_at_distance(const JointModel& model, const Pose& X) {
  const bool rod = !model.is_free(JointAxis::kX);
  const JointAxisDef& law = model.axes[0];
  const double length = norm(X.p);
  const double allowed =
      rod ? model.rows[0].value : std::clamp(length, std::max(law.min, 0.0), law.max);
  if (allowed == length) return X;
  return {allowed * normalized(X.p), X.q};
}

// x = k rx, k = pitch / (2 pi): the nearest of these, metres and radians weighed alike, to (x, rx)
// is at rx' = (rx + k x) / (1 + k^2).
Pose nearest_on_screw(const JointModel& model, const Pose& X, const JointState* state) {
  double k = 0;
  for (int n = 0; n < model.row_count; ++n) {
    const RowSpec& row = model.rows[static_cast<size_t>(n)];
    if (row.axis == kHeldRow && row.form == RowForm::kSlide && row.i == 0) k = -row.ratio;
  }
  AngleLimit limit = find_limit(model, JointAxis::kRx, state);
  const JointAxisDef& along = model.axes[0];
  const double sign = X.q.w < 0 ? -1.0 : 1.0;
  double angle = 2 * atan2(sign * X.q.x, sign * X.q.w);
  if (k == 0) {
    angle = detail::clamp_angle(angle, limit);
  } else {
    // the position knows the turn
    angle = (unwrap(angle, X.p.x / k) + k * X.p.x) / (1 + k * k);
    angle = std::clamp(angle, limit.min, limit.max);
    const double end1 = along.min / k, end2 = along.max / k;
    angle = std::clamp(angle, std::min(end1, end2), std::max(end1, end2));
  }
  return {{k * angle, 0, 0}, twist_about(0, angle)};
}

// Adds v's part at right angles to the axes that are there.
void add_axis(std::array<Vec3, 3>& axes, int& count, Vec3 v) {
  const double full = norm(v);
  for (int k = 0; k < count; ++k) {
    const Vec3& a = axes[static_cast<size_t>(k)];
    v -= dot(a, v) * a;
  }
  // rows that depend on each other, and gradients that vanish, add nothing
  if (!(norm(v) > 1e-6 * full) || count == 3) return;
  axes[static_cast<size_t>(count++)] = normalized(v);
}

}  // namespace

Pose nearest_allowed(const JointModel& model, const Pose& X_PC, const JointState* state) {
  switch (model.kind) {
    case JointKind::kGear:
      return X_PC;
    case JointKind::kBlackBox:
      return model.black_box ? model.black_box->project(X_PC) : X_PC;
    case JointKind::kDistance:
      return nearest_at_distance(model, X_PC);
    case JointKind::kScrew:
      return nearest_on_screw(model, X_PC, state);
    default:
      return {nearest_translation(model, X_PC.p), nearest_rotation(model, X_PC.q, state)};
  }
}

HeldAxes held_axes(const JointModel& model, const Pose& X_PC) {
  HeldAxes held;
  const PairFrames x = make_frames({}, {}, Mat3::identity(), X_PC.p, to_matrix(X_PC.q));
  if (model.has_point) {
    held.linear = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    held.linear_count = 3;
  }
  for (int k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[static_cast<size_t>(k)];
    if (row.ratio != 0 || model.pair_count > 1 || row.form == RowForm::kBlackBox) continue;
    if (row.axis != kHeldRow && !(model.axes[row.axis].min == model.axes[row.axis].max)) continue;
    RowWrench w;
    eval_form(row.form, row.i, row.j, x, w);
    if (norm2(w.f) > 0) add_axis(held.linear, held.linear_count, w.f);
    if (norm2(w.t) > 0) add_axis(held.angular, held.angular_count, w.t);
  }
  return held;
}

}  // namespace tenon
