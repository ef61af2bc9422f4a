#include "tenon/render/plot/thin_out.h"

#include <algorithm>
#include <cmath>

namespace tenon::plot {
namespace {

// The points of one column that are kept.
struct Column {
  size_t first = 0, last = 0, least = 0, greatest = 0;
};

void append(std::vector<Point>& line, const Column& column, std::span<const double> times,
            std::span<const double> values) {
  size_t kept[] = {column.first, column.least, column.greatest, column.last};
  std::sort(std::begin(kept), std::end(kept));
  const auto* const end = std::unique(std::begin(kept), std::end(kept));
  for (const size_t* i = std::begin(kept); i != end; ++i) line.push_back({times[*i], values[*i]});
}

}  // namespace

std::vector<std::vector<Point>> thin_out(std::span<const double> times,
                                         std::span<const double> values, double from, double to,
                                         size_t columns) {
  std::vector<std::vector<Point>> lines;
  const double per_second = to > from ? static_cast<double>(columns) / (to - from) : 0;
  bool open = false;  // whether a column of a line is being filled
  Column column;
  double present = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    const double place = std::floor((times[i] - from) * per_second);
    if (open && (!std::isfinite(values[i]) || place != present)) {
      append(lines.back(), column, times, values);
      if (!std::isfinite(values[i])) open = false;
    } else if (open) {
      column.last = i;
      if (values[i] < values[column.least]) column.least = i;
      if (values[i] > values[column.greatest]) column.greatest = i;
      continue;
    }
    if (!std::isfinite(values[i])) continue;
    if (!open) lines.emplace_back();
    open = true;
    present = place;
    column = {i, i, i, i};
  }
  if (open) append(lines.back(), column, times, values);
  return lines;
}

}  // namespace tenon::plot
