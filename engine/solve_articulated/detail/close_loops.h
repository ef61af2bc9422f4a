// Closing the joints of a mechanism by moving its bodies as little as possible.
#pragma once

#include "tenon/engine/solve_articulated/detail/held_rows.h"

namespace tenon::mobility {

struct Closed {
  Configuration at;
  std::vector<HeldRow> rows;  // there
  double residual = 0;        // root of the sum of squares of all c
};

// Goes to a minimum of the sum of squared joint errors near `from`; zero where the joints can be
// closed. Always returns finite numbers, at worst `from` itself.
Closed close_loops(HeldRows& held, const Configuration& from);

}  // namespace tenon::mobility
