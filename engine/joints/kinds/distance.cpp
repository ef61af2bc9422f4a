// A rod between two points, or, with limits, a rope (max), a strut (min) or a spring and damper.
//   |d| = length                                   a rod: nothing acts along x
// Free: x, the distance, where something acts along it; everything else always.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_distance(const JointDef& def, double distance) {
  KindRows rows;
  if (def.axes[0].has_law()) {
    set_free(rows, {JointAxis::kX});
    return rows;
  }
  hold_row(rows, {.form = RowForm::kDistance, .value = def.length > 0 ? def.length : distance});
  return rows;
}

}  // namespace tenon::detail
