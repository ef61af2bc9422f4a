#include "tenon/engine/joints/compile.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/joints/detail/point_mass.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/detail/turns.h"
#include "tenon/engine/joints/kinds/gear.h"
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon {
namespace {

Status check_found(const JointDef& def, const CompileContext& context) {
  const bool world = !def.parent.valid();
  const JointBody &p = context.parent, &c = context.child;
  if (!world && !p.found) {
    return Error{.message = "the parent body of the joint does not exist (any more)"};
  }
  if (!c.found) return Error{.message = "the child body of the joint does not exist (any more)"};
  if (!world && p.slot == c.slot) {
    return Error{.message = "a joint cannot join a body to itself"};
  }
  if (!c.dynamic && (world || !p.dynamic)) {
    return Error{.message = "neither body of the joint is moved by forces",
                 .accepted = "at least one dynamic body"};
  }
  return Ok{};
}

JointPair make_pair(const JointDef& def, const CompileContext& context) {
  JointPair pair;
  pair.rP_B = def.X_BP.p;
  if (def.parent.valid()) {
    pair.parent = context.parent.slot;
    pair.rP_B -= context.parent.com_B;
  }
  pair.child = context.child.slot;
  pair.rC_B = def.X_BC.p - context.child.com_B;
  pair.AP_B = to_matrix(normalized(def.X_BP.q));
  pair.AC_B = to_matrix(normalized(def.X_BC.q));
  return pair;
}

// How far apart the two origins are now.
double calc_distance(const JointDef& def, const CompileContext& context) {
  const Vec3 p_WP = def.parent.valid() ? (context.parent.X_WB * def.X_BP).p : def.X_BP.p;
  return norm((context.child.X_WB * def.X_BC).p - p_WP);
}

// The cone: swing <= swing_max as c = cos(swing) / sin(swing_max) >= cot(swing_max). Near the edge
// dc = -d(swing), so that c is in radians there.
RowSpec make_cone(double swing_max, JointAxisDef& law) {
  law.min = cos(swing_max) / sin(swing_max);
  return {.form = RowForm::kDot, .i = 0, .j = 0, .axis = kSwingAxis, .scale = 1 / sin(swing_max)};
}

Status add_row(JointModel& model, const RowSpec& row) {
  if (model.row_count >= kMaxRows) {
    return Error{
        .message = std::string("a ") + name(model.kind) +
                   " joint with a cone and actions along all its freedoms has too many",
        .accepted = "at most " + std::to_string(kMaxRows) +
                    " held directions, freedoms acted on and cones together, as with limits "
                    "of ry and rz in place of the cone"};
  }
  model.rows[model.row_count++] = row;
  return Ok{};
}

}  // namespace

Result<JointModel> compile_joint(const JointDef& def, const CompileContext& context) {
  if (Status s = check_joint(def); !s) return s.error();
  if (def.kind == JointKind::kGear) return detail::compile_gear(def, context);
  if (Status s = check_found(def, context); !s) return s.error();

  // what the kind holds
  const double distance = def.kind == JointKind::kDistance ? calc_distance(def, context) : 0;
  const detail::KindRows held = detail::make_kind(def, distance);
  if (def.kind == JointKind::kDistance && held.held_count > 0 && !(held.held[0].value > 0)) {
    return Error{.message = "a rod between two points at the same place has no length",
                 .value = detail::number_text(distance) + " m",
                 .accepted = "a positive length, or points apart"};
  }
  JointModel model;
  model.kind = def.kind;
  model.has_point = held.has_point;
  model.free_axes = held.free_axes;
  model.row_count = held.has_point ? 3 : 0;
  model.pairs[0] = make_pair(def, context);
  model.black_box = def.kind == JointKind::kBlackBox ? def.black_box : nullptr;
  std::copy(def.axes.begin(), def.axes.end(), model.axes.begin());
  for (uint8_t k = 0; k < held.held_count; ++k) {
    if (Status s = add_row(model, held.held[k]); !s) return s.error();
  }

  // what acts along its freedoms
  for (int k = 0; k < kJointAxisCount; ++k) {
    if (!def.axes[static_cast<size_t>(k)].has_law()) continue;
    const RowSpec row = coordinate_form(model, static_cast<JointAxis>(k));
    if (Status s = add_row(model, row); !s) return s.error();
  }
  if (def.swing_max < kInfinity) {
    const RowSpec row = make_cone(def.swing_max, model.axes[kSwingAxis]);
    if (Status s = add_row(model, row); !s) return s.error();
  }
  if (Status s = detail::fit_to_point_masses(def, context, model); !s) return s.error();
  return model;
}

JointState make_joint_state(const JointModel& model, const PairFrames& x, const PairFrames& x2) {
  JointState state;
  RowWrench unused, unused2;
  for (int k = 0; k < model.row_count; ++k) {
    const auto at = static_cast<size_t>(k);
    const RowSpec& row = model.rows[at];
    if (!model.scalar_row(k)) {
      state.coordinate[at] = x.d[k];
    } else if (row.form != RowForm::kBlackBox) {
      const PairFrames& second = model.pair_count > 1 ? x2 : x;
      const double c = eval_row(row, x, second, unused, unused2);
      const bool turns = row.axis < kJointAxisCount && is_unwrapped(row.form);
      const JointAxisDef& law = model.axes[turns ? row.axis : 0];
      state.coordinate[at] = turns ? detail::on_best_turn(c, law.min, law.max) : c;
    }
  }
  if (model.kind == JointKind::kGear) {
    const RowSpec& row = model.rows[0];
    state.coordinate[kGearFirst] = eval_form(row.form, row.i, row.j, x, unused);
    state.coordinate[kGearSecond] = eval_form(row.second_form, row.second_i, 0, x2, unused);
    state.coordinate[kGearValue] = row.value;
  }
  for (size_t i = 0; i < state.angle.size(); ++i) {
    const auto axis = static_cast<JointAxis>(i + 3);
    if (!counts_turns(model, axis)) continue;
    const RowSpec form = coordinate_form(model, axis);
    const JointAxisDef& law = model.axes[i + 3];
    const double c = eval_form(form.form, form.i, form.j, x, unused);
    state.angle[i] = detail::on_best_turn(c, law.min, law.max);
  }
  return state;
}

void set_turns(const JointModel& model, const std::array<double, 3>& near, JointState& state) {
  for (size_t i = 0; i < near.size(); ++i) {
    if (!counts_turns(model, static_cast<JointAxis>(i + 3))) continue;
    const JointAxisDef& law = model.axes[i + 3];
    state.angle[i] = detail::on_best_turn(unwrap(state.angle[i], near[i]), law.min, law.max);
    for (size_t k = 0; k < model.row_count; ++k) {
      if (model.rows[k].axis == i + 3) state.coordinate[k] = state.angle[i];
    }
  }
}

}  // namespace tenon
