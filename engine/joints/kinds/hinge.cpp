// Hinge about x [Weinstein2006, sec. IV-A, fig. 9].
//   d = 0,  y_P . x_C = 0,  z_P . x_C = 0
// Free: rx, which counts full turns.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_hinge() {
  KindRows rows;
  rows.has_point = true;
  hold_axis(rows);
  set_free(rows, {JointAxis::kRx});
  return rows;
}

}  // namespace tenon::detail
