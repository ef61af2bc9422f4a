#include "tenon/engine/joints/detail/turns.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon::detail {

double on_best_turn(double c, double min, double max) {
  constexpr double kTurn = 2 * kPi;
  if (c >= min && c <= max) return c;
  // neighbours on both sides of the limit that c is beyond
  double above, below;
  if (c < min) {
    above = c + kTurn * std::ceil((min - c) / kTurn);
    below = above - kTurn;
    if (above <= max) return above;
  } else {
    below = c - kTurn * std::ceil((c - max) / kTurn);
    above = below + kTurn;
    if (below >= min) return below;
  }
  return above - max < min - below ? above : below;
}

}  // namespace tenon::detail
