// Prismatic joint in all three directions [Weinstein2006, sec. IV-A]: the child keeps its
// direction.
//   all rotations held
// Free: x, y, z.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_slider3() {
  KindRows rows;
  hold_rotation(rows);
  set_free(rows, {JointAxis::kX, JointAxis::kY, JointAxis::kZ});
  return rows;
}

}  // namespace tenon::detail
