// Cardan joint: the cross has one axis along x_P and the other along y_C.
//   d = 0,  x_P . y_C = 0
// Free: rx, the angle about x_P, and ry, the angle about y_C; both count full turns. With both
// shafts along the third axes the turning of one against the other is uneven: tan b = tan a
// cos(bend).
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_universal() {
  KindRows rows;
  rows.has_point = true;
  hold_dot(rows, 0, 1);
  set_free(rows, {JointAxis::kRx, JointAxis::kRy});
  return rows;
}

}  // namespace tenon::detail
