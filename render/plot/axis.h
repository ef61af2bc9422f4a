// Axes: which range to show, where ticks stand, what they are called.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenon/render/plot/figure.h"

namespace tenon::plot {

struct Tick {
  double value = 0;
  std::string label;  // empty for those between labelled ones
};

struct Axis {
  Scale scale = Scale::kLinear;
  double lo = 0, hi = 1;    // lo < hi; > 0 where logarithmic
  std::vector<Tick> ticks;  // within the range, ascending
  std::string unit;         // as the labels are to be read: "mm", "10³ kg m/s"; may be empty

  // 0 at lo, 1 at hi; not a number for what cannot be shown (zero on a logarithmic axis).
  double share(double value) const;
};

// Ticks at multiples of 1, 2 or 5 times a power of ten, `wanted` of them or a few less, 2 ... 20;
// the range is exactly lo ... hi. Equal ends are spread a little.
Axis make_axis(double lo, double hi, const std::string& unit, int wanted);

// The axis for some values: a linear one whose ends are ticks, or a logarithmic one where `errors`
// holds, all values that are not zero are positive and span more than three decades.
Axis fit_axis(std::span<const Series> series, const std::string& unit, bool errors, int wanted);

// "⁻¹²"
std::string superscript(int number);

}  // namespace tenon::plot
