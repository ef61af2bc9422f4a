// A ball that slides in a tube along x.
//   y_P . d = 0,  z_P . d = 0
// Free: x, rx (twist), ry, rz (tilt of the x axis); a cone about x by swing_max.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_ball_in_tube() {
  KindRows rows;
  hold_slide(rows, JointAxis::kY);
  hold_slide(rows, JointAxis::kZ);
  set_free(rows, {JointAxis::kX, JointAxis::kRx, JointAxis::kRy, JointAxis::kRz});
  return rows;
}

}  // namespace tenon::detail
