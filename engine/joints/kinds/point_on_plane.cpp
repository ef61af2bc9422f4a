// A point that stays on a plane with the normal x.
//   x_P . d = 0
// Free: y, z, rx (twist), ry, rz (tilt of the x axis); a cone about x by swing_max.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_point_on_plane() {
  KindRows rows;
  hold_slide(rows, JointAxis::kX);
  set_free(rows, {JointAxis::kY, JointAxis::kZ, JointAxis::kRx, JointAxis::kRy, JointAxis::kRz});
  return rows;
}

}  // namespace tenon::detail
