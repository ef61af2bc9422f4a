// Ball and socket [Weinstein2006, sec. IV-A, fig. 9].
//   d = 0                                          three rows in world axes
// Free: rx (twist), ry, rz (tilt of the x axis); a cone about x by swing_max.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_point() {
  KindRows rows;
  rows.has_point = true;
  set_free(rows, {JointAxis::kRx, JointAxis::kRy, JointAxis::kRz});
  return rows;
}

}  // namespace tenon::detail
