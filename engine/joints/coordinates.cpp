#include "tenon/engine/joints/coordinates.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

RowSpec deviation_form(JointAxis axis) {
  const auto k = static_cast<uint8_t>(axis);
  if (k < 3) return {.form = RowForm::kSlide, .i = k};
  if (axis == JointAxis::kRx) return {.form = RowForm::kTwist};
  return {.form = RowForm::kTilt, .i = static_cast<uint8_t>(k - 3)};
}

bool is_length(RowForm form) { return form == RowForm::kSlide || form == RowForm::kDistance; }

// The angle by which held rotations are wrong, from the dot rows P_i . C_j = 0 of one joint: three
// hold the rotation, two the axis j, one a right angle.
double calc_dot_angle(const JointModel& model, const PairFrames& x) {
  int count = 0;
  const RowSpec* last = nullptr;
  for (int k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[static_cast<size_t>(k)];
    if (row.form != RowForm::kDot || row.axis != kHeldRow) continue;
    ++count;
    last = &row;
  }
  if (count == 0) return 0;
  if (count == 3) return norm(log_map(calc_relative_pose(x).q));
  const size_t j = last->j;
  if (count == 1) return std::fabs(asin(dot(x.P[last->i], x.C[j])));
  return atan2(norm(cross(x.P[j], x.C[j])), dot(x.P[j], x.C[j]));
}

// A held row that is not a dot: its c, with angles on the turn that has been counted.
double calc_held_row(const JointModel& model, size_t k, const JointState& state,
                     const PairFrames& x, const PairFrames& x2) {
  const RowSpec& row = model.rows[k];
  RowWrench unused;
  double first = eval_form(row.form, row.i, row.j, x, unused);
  if (row.ratio == 0) {
    const double c = row.scale * first - row.value;
    return is_unwrapped(row.form) ? wrap(c) : c;
  }
  double second = eval_form(row.second_form, row.second_i, 0, x2, unused);
  if (model.kind == JointKind::kGear) {
    if (is_unwrapped(row.form)) first = unwrap(first, state.coordinate[kGearFirst]);
    if (is_unwrapped(row.second_form)) second = unwrap(second, state.coordinate[kGearSecond]);
  } else if (is_unwrapped(row.second_form)) {
    // a screw's position tells its turn
    second = unwrap(second, (row.value - row.scale * first) / row.ratio);
  }
  return row.scale * first + row.ratio * second - row.value;
}

double beyond(const JointAxisDef& law, double c) {
  return std::max(0.0, std::max(law.min - c, c - law.max));
}

// How far a coordinate is beyond its limits; the cone's as a true angle.
void add_limit(const JointModel& model, const RowSpec& row, double coordinate, const PairFrames& x,
               JointDeviation& error) {
  const JointAxisDef& law = model.axes[row.axis];
  RowWrench unused;
  double c = eval_form(row.form, row.i, row.j, x, unused);
  if (row.axis == kSwingAxis) {
    const double swing = atan2(norm(cross(x.P[0], x.C[0])), dot(x.P[0], x.C[0]));
    error.limit_rad = std::max(error.limit_rad, swing - atan2(1, law.min));
    return;
  }
  if (is_unwrapped(row.form)) c = unwrap(c, coordinate);
  double& worst = is_length(row.form) ? error.limit_m : error.limit_rad;
  worst = std::max(worst, beyond(law, c));
}

}  // namespace

JointCoordinates calc_coordinates(const JointModel& model, const PairFrames& x,
                                  const AxisValues& reference) {
  JointCoordinates result;
  for (int k = 0; k < kJointAxisCount; ++k) {
    const auto axis = static_cast<JointAxis>(k);
    const auto at = static_cast<size_t>(k);
    const RowSpec form = model.is_free(axis) ? coordinate_form(model, axis) : deviation_form(axis);
    const double c = eval_form(form.form, form.i, form.j, x, result.gradient[at]);
    result.value[at] = is_unwrapped(form.form) ? unwrap(c, reference[at]) : c;
  }
  return result;
}

double calc_rate(const RowWrench& w, const PairFrames& x, const Vec3& vP, const Vec3& wP,
                 const Vec3& vC, const Vec3& wC) {
  return dot(w.f, vC + cross(wC, x.rC) - vP - cross(wP, x.rP + x.d)) + dot(w.t, wC - wP);
}

Pose calc_relative_pose(const PairFrames& x) {
  Mat3 R;
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    p[i] = dot(x.P[static_cast<size_t>(i)], x.d);
    for (int j = 0; j < 3; ++j)
      R(i, j) = dot(x.P[static_cast<size_t>(i)], x.C[static_cast<size_t>(j)]);
  }
  return {p, to_quat(R)};
}

JointDeviation calc_deviation(const JointModel& model, const JointState& state, const PairFrames& x,
                              const PairFrames& x2) {
  JointDeviation error;
  if (model.kind == JointKind::kBlackBox) {
    if (!model.black_box) return error;
    const FrameDistance d = calc_distance(*model.black_box, calc_relative_pose(x));
    return {d.gap_m, d.angle_rad, 0, 0};
  }
  double gap2 = model.has_point ? norm2(x.d) : 0;
  double angle = calc_dot_angle(model, x);
  for (int k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const auto at = static_cast<size_t>(k);
    const RowSpec& row = model.rows[at];
    if (row.axis != kHeldRow) {
      add_limit(model, row, state.coordinate[at], x, error);
    } else if (row.form != RowForm::kDot) {
      const PairFrames& second = model.pair_count > 1 ? x2 : x;
      const double c = calc_held_row(model, at, state, x, second);
      if (is_length(row.form)) {
        gap2 += c * c;
      } else {
        angle = std::max(angle, std::fabs(c));
      }
    }
  }
  error.gap_m = std::sqrt(gap2);
  error.angle_rad = angle;
  return error;
}

}  // namespace tenon
