// Argument reduction for the trigonometric functions.
#pragma once

#include "tenon/engine/math/detail/double_double.h"

namespace tenon::detail {

struct Reduced {
  int quadrant = 0;   // in 0..3: x = remainder + quadrant * pi/2 (mod 2 pi)
  DoubleDouble rest;  // |rest| <= pi/4 (1 + 2^-20), error below 2^-70 of itself
};

// Any finite x, also 1e308.
Reduced reduce_half_pi(double x);

}  // namespace tenon::detail
