// A gear, or rack and pinion: couples a coordinate of one joint with one of another.
//   first + ratio * second = its value at creation
// Meshing wheels of radii a (first) and b (second) on hinges of the same sense turn against each
// other: ratio = b / a. A rack that moves along +x when the pinion of radius r turns by +rx:
// first = the slider's x, second = the hinge's rx, ratio = -r.
// Free: nothing of its own; the two joints stay as they are.
#include "tenon/engine/joints/kinds/gear.h"

#include <string>

namespace tenon::detail {
namespace {

Status check_side(const char* which, const CoupledJoint& joint, JointAxis axis) {
  std::string place = "gear: its ";
  place += which;
  place += " joint";
  if (!joint.model) {
    return Error{.message = place + " does not exist (any more)",
                 .accepted = "a joint that was made before"};
  }
  const JointModel& m = *joint.model;
  if (m.kind == JointKind::kGear) {
    return Error{.message = place + " is a gear itself, which has no coordinate",
                 .accepted = "hinges, sliders and other joints with a freedom"};
  }
  if (!m.is_free(axis)) {
    return Error{.message = place + ", a " + name(m.kind) + ", has no such freedom",
                 .value = name(axis),
                 .accepted = list_axes(m.free_axes)};
  }
  return Ok{};
}

}  // namespace

Result<JointModel> compile_gear(const JointDef& def, const CompileContext& context) {
  const CoupledJoint &a = context.first, &b = context.second;
  if (Status s = check_side("first", a, def.first_axis); !s) return s.error();
  if (Status s = check_side("second", b, def.second_axis); !s) return s.error();
  if (!a.dynamic && !b.dynamic) {
    return Error{.message = "gear: none of the bodies of its two joints is moved by forces",
                 .accepted = "joints with at least one dynamic body"};
  }
  JointModel model;
  model.kind = JointKind::kGear;
  model.pair_count = 2;
  model.pairs = {a.model->pairs[0], b.model->pairs[0]};
  RowSpec row = coordinate_form(*a.model, def.first_axis);
  const RowSpec other = coordinate_form(*b.model, def.second_axis);
  row.axis = kHeldRow;
  row.ratio = def.ratio;
  row.second_form = other.form;
  row.second_i = other.i;
  RowWrench unused, unused2;
  row.value = eval_row(row, a.frames, b.frames, unused, unused2);
  model.rows[0] = row;
  model.row_count = 1;
  return model;
}

}  // namespace tenon::detail
