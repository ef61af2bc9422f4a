// A hinge whose axis runs along the bodies instead of across them [Weinstein2006, sec. IV-A, fig.
// 9]. Only how its author places the frames tells it from a hinge.
//   d = 0,  y_P . x_C = 0,  z_P . x_C = 0
// Free: rx, which counts full turns.
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon::detail {

KindRows make_twist() { return make_hinge(); }

}  // namespace tenon::detail
