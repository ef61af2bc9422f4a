// Each of the six axes locked or free.
//   all of x, y, z locked                d = 0; otherwise P_i . d = 0 for each that is
//   rotations locked:  all               as a rigid joint
//                      two               a hinge about the third: P_k . C_i = 0 for the other k
//                      rx                twist = 0
//                      ry / rz           z_P . x_C = 0 / y_P . x_C = 0: the x axis stays in a plane
// Free: the others. Where ry or rz is locked, the other one is an angle about its own axis that
// counts full turns (coordinate_form); otherwise both are tilts.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

namespace {

void hold_rotations(KindRows& rows, bool rx, bool ry, bool rz) {
  const int count = int(rx) + int(ry) + int(rz);
  if (count == 3) {
    hold_rotation(rows);
  } else if (count == 2) {
    const int axis = !rx ? 0 : (!ry ? 1 : 2);
    for (int k = 0; k < 3; ++k)
      if (k != axis) hold_dot(rows, k, axis);
  } else if (rx) {
    hold_row(rows, {.form = RowForm::kTwist});
  } else if (ry) {
    hold_dot(rows, 2, 0);
  } else if (rz) {
    hold_dot(rows, 1, 0);
  }
}

}  // namespace

KindRows make_six_axis(const JointDef& def) {
  KindRows rows;
  const auto& locked = def.locked;
  rows.has_point = locked[0] && locked[1] && locked[2];
  for (int k = 0; k < kJointAxisCount; ++k) {
    const auto axis = static_cast<JointAxis>(k);
    if (!locked[static_cast<size_t>(k)]) {
      set_free(rows, {axis});
    } else if (k < 3 && !rows.has_point) {
      hold_slide(rows, axis);
    }
  }
  hold_rotations(rows, locked[3], locked[4], locked[5]);
  return rows;
}

}  // namespace tenon::detail
