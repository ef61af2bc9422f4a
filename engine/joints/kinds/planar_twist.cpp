// A magnet on a wall [Weinstein2006, sec. IV-A, fig. 1]: x is the normal of the wall.
//   x_P . d = 0,  y_P . x_C = 0,  z_P . x_C = 0
// Free: y, z, rx.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_planar_twist() {
  KindRows rows;
  hold_slide(rows, JointAxis::kX);
  hold_axis(rows);
  set_free(rows, {JointAxis::kY, JointAxis::kZ, JointAxis::kRx});
  return rows;
}

}  // namespace tenon::detail
