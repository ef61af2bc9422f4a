// Distance from the true value in units of the last place.
#pragma once

#include <algorithm>
#include <cmath>

namespace tenon::testing {

// |value - truth| / ulp(truth); the ulp of a denormal is the smallest double. Infinite where one of
// them is NaN or infinite and the other is not. `truth` comes from the 64-bit mantissa of x87 long
// double, so that its own error is below 2^-10 ulp.
inline double ulp_error(double value, long double truth) {
  const double rounded = static_cast<double>(truth);
  if (std::isnan(value) && std::isnan(rounded)) return 0;
  if (value == rounded && std::isinf(value)) return 0;
  if (!std::isfinite(value) || !std::isfinite(rounded)) return HUGE_VAL;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 53, -1074));
  return static_cast<double>(std::fabs(static_cast<long double>(value) - truth) / ulp);
}

}  // namespace tenon::testing
