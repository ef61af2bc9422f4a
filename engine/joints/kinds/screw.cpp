// A nut on a bolt along x.
//   cylindrical, and   x - pitch rx / (2 pi) = 0
// Free: x or rx, which are one freedom: an action along it is said on one of them.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_screw(const JointDef& def) {
  KindRows rows = make_cylindrical();
  hold_row(rows, {.form = RowForm::kSlide,
                  .i = 0,
                  .ratio = -def.pitch / (2 * kPi),
                  .second_form = RowForm::kTwist});
  return rows;
}

}  // namespace tenon::detail
