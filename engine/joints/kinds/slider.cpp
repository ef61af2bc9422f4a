// Prismatic joint along x [Weinstein2006, sec. IV-A].
//   y_P . d = 0,  z_P . d = 0,  all rotations held
// Free: x.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_slider() {
  KindRows rows;
  hold_slide(rows, JointAxis::kY);
  hold_slide(rows, JointAxis::kZ);
  hold_rotation(rows);
  set_free(rows, {JointAxis::kX});
  return rows;
}

}  // namespace tenon::detail
