// Nothing moves [Weinstein2006, sec. IV-A, fig. 9].
//   d = 0,  y_P . x_C = 0,  z_P . x_C = 0,  y_P . z_C = 0
// Free: nothing.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_rigid() {
  KindRows rows;
  rows.has_point = true;
  hold_rotation(rows);
  return rows;
}

}  // namespace tenon::detail
