// Angles known up to full turns.
#pragma once

namespace tenon::detail {

// Of c + 2 pi n the value between min and max that is nearest to c, or the one that breaks these
// limits least. Precondition: min <= max; they may be infinite.
double on_best_turn(double c, double min, double max);

}  // namespace tenon::detail
