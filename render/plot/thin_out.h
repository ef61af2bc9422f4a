// Long series in few points, without losing a spike.
#pragma once

#include <span>
#include <vector>

#include "tenon/render/plot/drawing.h"

namespace tenon::plot {

// Cuts the span from..to into `columns` equal parts and keeps of each the first, the least, the
// greatest and the last point, in order of time; so lines drawn through what is left cover the same
// pixels, and no extreme is lost. A run of points ends where a value is not finite: each run is a
// line of its own. Precondition: equally many times and values, times ascending.
std::vector<std::vector<Point>> thin_out(std::span<const double> times,
                                         std::span<const double> values, double from, double to,
                                         size_t columns);

}  // namespace tenon::plot
