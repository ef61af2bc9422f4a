// A shaft in a sleeve along x.
//   y_P . d = 0,  z_P . d = 0,  y_P . x_C = 0,  z_P . x_C = 0
// Free: x, rx (full turns), independent of each other.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_cylindrical() {
  KindRows rows;
  hold_slide(rows, JointAxis::kY);
  hold_slide(rows, JointAxis::kZ);
  hold_axis(rows);
  set_free(rows, {JointAxis::kX, JointAxis::kRx});
  return rows;
}

}  // namespace tenon::detail
