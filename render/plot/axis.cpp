#include "tenon/render/plot/axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tenon/render/plot/drawing.h"

namespace tenon::plot {
namespace {

// Rounded to nearest, unlike a product of tens.
double power_of_ten(int exponent) {
  const std::string text = "1e" + std::to_string(exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int floor_log10(double value) {
  int e = static_cast<int>(std::floor(std::log10(value)));
  // the logarithm may err by an ulp at a power of ten
  if (power_of_ten(e + 1) <= value) ++e;
  if (power_of_ten(e) > value) --e;
  return e;
}

// A step of 1, 2 or 5 times 10^exponent.
struct Step {
  int digit = 1, exponent = 0;
  double value() const {
    return exponent >= 0 ? digit * power_of_ten(exponent) : digit / power_of_ten(-exponent);
  }
};
Step nice_step(double range, int wanted) {
  const double raw = range / std::max(wanted - 1, 1);
  Step step{1, floor_log10(raw)};
  for (const int digit : {1, 2, 5}) {
    step.digit = digit;
    if (step.value() >= raw * (1 - 1e-9)) return step;
  }
  return {1, step.exponent + 1};
}

struct Prefix {
  int exponent;
  const char* text;
};
constexpr Prefix kPrefixes[] = {{-15, "f"}, {-12, "p"}, {-9, "n"}, {-6, "µ"},
                                {-3, "m"},  {3, "k"},   {6, "M"},  {9, "G"}};

// The power of ten, a multiple of three, that is taken out of the labels.
int choose_exponent(double largest) {
  if (!(largest > 0)) return 0;
  const int e = floor_log10(largest);
  if (e >= -2 && e <= 3) return 0;
  return 3 * static_cast<int>(std::floor(e / 3.0));
}

std::string scaled_unit(const std::string& unit, int exponent) {
  if (exponent == 0) return unit;
  const bool simple = !unit.empty() && unit.substr(0, 2) != "kg" && unit != "ms";
  for (const Prefix& prefix : kPrefixes)
    if (simple && prefix.exponent == exponent) return prefix.text + unit;
  return "10" + superscript(exponent) + (unit.empty() ? "" : " " + unit);
}

void add_linear_ticks(Axis& axis, const Step& step, const std::string& unit) {
  const int exponent = choose_exponent(std::max(std::fabs(axis.lo), std::fabs(axis.hi)));
  axis.unit = scaled_unit(unit, exponent);
  const double size = step.value(), slack = 1e-6 * size;
  const int decimals = std::clamp(exponent - step.exponent, 0, 15);
  const double unscale = power_of_ten(std::abs(exponent));
  for (double k = std::ceil((axis.lo - slack) / size); k * size <= axis.hi + slack; ++k) {
    const double shown = exponent > 0 ? k * size / unscale : k * size * unscale;
    axis.ticks.push_back({k * size, decimal(shown, decimals)});
    if (axis.ticks.size() > 100) break;  // steps lost in the digits of huge values
  }
}

void add_decades(Axis& axis, const std::string& unit) {
  const int first = floor_log10(axis.lo), last = floor_log10(axis.hi * (1 + 1e-9));
  const int every = std::max(1, (last - first + 4) / 5);
  for (int e = first; e <= last; ++e) {
    if (power_of_ten(e) < axis.lo * (1 - 1e-9)) continue;
    axis.ticks.push_back(
        {power_of_ten(e), (e - first) % every == 0 ? "10" + superscript(e) : std::string()});
  }
  axis.unit = unit;
}

struct Range {
  double lo = 1e308, hi = -1e308;  // of finite values
  double least_positive = 1e308;
  bool negative = false;
};
Range range_of(std::span<const Series> series) {
  Range range;
  for (const Series& s : series) {
    for (const double v : s.values) {
      if (!std::isfinite(v) || std::fabs(v) > 1e300) continue;
      range.lo = std::min(range.lo, v);
      range.hi = std::max(range.hi, v);
      if (v > 1e-300) range.least_positive = std::min(range.least_positive, v);
      range.negative = range.negative || v < 0;
    }
  }
  return range;
}

}  // namespace

std::string superscript(int number) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

double Axis::share(double value) const {
  if (scale == Scale::kLinear) return (value - lo) / (hi - lo);
  if (!(value > 0)) return std::nan("");
  return (std::log10(value) - std::log10(lo)) / (std::log10(hi) - std::log10(lo));
}

Axis make_axis(double lo, double hi, const std::string& unit, int wanted) {
  const double size = std::max({std::fabs(lo), std::fabs(hi), 1e-290});
  if (!(hi - lo > 1e-12 * size)) {
    lo -= 0.1 * size;
    hi += 0.1 * size;
  }
  Axis axis{Scale::kLinear, lo, hi, {}, {}};
  add_linear_ticks(axis, nice_step(hi - lo, wanted), unit);
  return axis;
}

Axis fit_axis(std::span<const Series> series, const std::string& unit, bool errors, int wanted) {
  Range range = range_of(series);
  if (!(range.lo <= range.hi)) range.lo = 0, range.hi = 1;
  if (errors && !range.negative && range.hi > 1e3 * range.least_positive) {
    Axis axis{Scale::kLogarithmic,
              power_of_ten(floor_log10(range.least_positive)),
              power_of_ten(floor_log10(range.hi) + 1),
              {},
              {}};
    // what is smaller than any measure says nothing
    axis.lo = std::max(axis.lo, axis.hi / power_of_ten(18));
    add_decades(axis, unit);
    return axis;
  }
  // errors and counts are seen from zero, and nothing hangs on a range of round-off
  if (range.lo > 0 && range.lo < 0.5 * range.hi) range.lo = 0;
  if (range.hi < 0 && range.hi > 0.5 * range.lo) range.hi = 0;
  const double size = std::max(std::fabs(range.lo), std::fabs(range.hi));
  if (range.hi - range.lo <= 1e-9 * size) {
    range.lo = std::min(range.lo - 0.1 * size, 0.9 * range.lo);
    range.hi = std::max(range.hi + 0.1 * size, 1.1 * range.hi);
  }
  if (size == 0) range.lo = 0, range.hi = 1;
  // ends at ticks
  const Step step = nice_step(range.hi - range.lo, wanted);
  const double h = step.value();
  Axis axis{Scale::kLinear,
            std::floor(range.lo / h + 1e-6) * h,
            std::ceil(range.hi / h - 1e-6) * h,
            {},
            {}};
  if (!(axis.hi > axis.lo)) return make_axis(range.lo, range.hi, unit, wanted);
  add_linear_ticks(axis, step, unit);
  return axis;
}

}  // namespace tenon::plot
