// Prismatic joint in two directions [Weinstein2006, sec. IV-A]: a table with two slides.
//   z_P . d = 0,  all rotations held
// Free: x, y.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_slider2() {
  KindRows rows;
  hold_slide(rows, JointAxis::kZ);
  hold_rotation(rows);
  set_free(rows, {JointAxis::kX, JointAxis::kY});
  return rows;
}

}  // namespace tenon::detail
