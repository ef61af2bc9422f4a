// Whatever a user's function allows [Weinstein2006, sec. IV-A]. Its rows are the directions that
// the function does not follow, found anew at every frame (engine/joints/black_box.h). Free: what
// is left, without coordinates of its own.
#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_black_box(const JointDef& def) {
  KindRows rows;
  // a count that is not known may change from step to step: there is room for all six
  const int count = def.black_box && def.black_box->held() > 0 ? def.black_box->held() : kMaxRows;
  for (int k = 0; k < count && k < kMaxRows; ++k)
    hold_row(rows, {.form = RowForm::kBlackBox, .i = static_cast<uint8_t>(k)});
  return rows;
}

}  // namespace tenon::detail
