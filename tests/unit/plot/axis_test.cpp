// Axes and the thinning of long series.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tenon/engine/base/rng.h"
#include "tenon/render/plot/axis.h"
#include "tenon/render/plot/thin_out.h"

namespace tenon::plot {
namespace {

Series make_series(std::vector<double> values) {
  std::vector<double> times;
  for (size_t i = 0; i < values.size(); ++i) times.push_back(0.01 * static_cast<double>(i));
  return {"s", std::make_shared<std::vector<double>>(times), std::move(values)};
}

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> all;
  for (const Tick& tick : axis.ticks) all.push_back(tick.label);
  return all;
}

TEST(Axis, TicksStandAtRoundNumbers) {
  EXPECT_EQ(labels(make_axis(0, 4, "s", 9)),
            (std::vector<std::string>{"0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4"}));
  EXPECT_EQ(labels(make_axis(0.13, 0.71, "s", 4)), (std::vector<std::string>{"0.2", "0.4", "0.6"}));
}

TEST(Axis, SmallAndLargeNumbersGetAPrefix) {
  const Axis small = fit_axis(std::vector{make_series({0, 3e-7, 8e-7})}, "m", false, 5);
  EXPECT_EQ(small.unit, "nm");
  EXPECT_EQ(labels(small), (std::vector<std::string>{"0", "200", "400", "600", "800"}));
  const Axis large = fit_axis(std::vector{make_series({0, 9.4e4})}, "J", false, 6);
  EXPECT_EQ(large.unit, "kJ");
  EXPECT_EQ(large.ticks.back().label, "100");
  // "kkg" is no unit
  EXPECT_EQ(fit_axis(std::vector{make_series({0, 2e6})}, "kg m/s", false, 5).unit, "10⁶ kg m/s");
}

TEST(Axis, EveryValueIsWithinTheRangeWhateverTheSize) {
  Rng rng(3);
  for (int round = 0; round < 2000; ++round) {
    const double size = std::pow(10.0, rng.uniform(-280, 280));
    const double offset = rng.below(3) == 0 ? 0 : rng.uniform(-1, 1) * size * 1e3;
    std::vector<double> values;
    for (int i = 0; i < 5; ++i) values.push_back(offset + rng.uniform(-size, size));
    const Axis axis = fit_axis(std::vector{make_series(values)}, "m", round % 2 == 0, 6);
    ASSERT_LT(axis.lo, axis.hi);
    ASSERT_GE(axis.ticks.size(), 2u) << size << " " << offset;
    ASSERT_LE(axis.ticks.size(), 20u);
    // a millionth of the range is a hundredth of a pixel
    for (const double v : values) {
      ASSERT_GE(axis.share(v), -1e-6);
      ASSERT_LE(axis.share(v), 1 + 1e-6);
    }
  }
}

TEST(Axis, ConstantEmptyAndBadSeriesHaveAnAxis) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const std::vector<double>& values :
       std::vector<std::vector<double>>{{}, {0, 0}, {5, 5}, {-5, -5}, {nan}, {inf, -inf, 1, 2}}) {
    const Axis axis = fit_axis(std::vector{make_series(values)}, "m", true, 6);
    EXPECT_LT(axis.lo, axis.hi);
    EXPECT_TRUE(std::isfinite(axis.lo) && std::isfinite(axis.hi));
    EXPECT_GE(axis.ticks.size(), 2u);
  }
}

TEST(Axis, ErrorsOfManyDecadesAreLogarithmicAndZeroIsNotShown) {
  const Axis axis = fit_axis(std::vector{make_series({0, 1e-12, 3e-7})}, "m", true, 6);
  EXPECT_EQ(axis.scale, Scale::kLogarithmic);
  EXPECT_NEAR(axis.share(1e-12), 0, 1e-12);
  EXPECT_TRUE(std::isnan(axis.share(0)));
  EXPECT_EQ(axis.ticks.front().label, "10⁻¹²");
  // energies may be negative: never logarithmic
  EXPECT_EQ(fit_axis(std::vector{make_series({-1e-9, 1})}, "m", true, 6).scale, Scale::kLinear);
}

TEST(ThinOut, KeepsEveryExtremeOfEveryColumn) {
  Rng rng(11);
  std::vector<double> times, values;
  for (int i = 0; i < 50'000; ++i) {
    times.push_back(1e-3 * i);
    values.push_back(rng.uniform(-1, 1));
  }
  values[33'333] = 100;  // one spike of a step
  const size_t columns = 200;
  const auto lines = thin_out(times, values, times.front(), times.back(), columns);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0].size(), 4 * (columns + 1));
  const double width = (times.back() - times.front()) / static_cast<double>(columns);
  std::vector<double> least(columns + 1, 1e9), greatest(columns + 1, -1e9),
      kept_least = least, kept_greatest = greatest;
  for (size_t i = 0; i < times.size(); ++i) {
    const auto c = static_cast<size_t>(std::floor((times[i] - times[0]) / width + 1e-12));
    least[c] = std::min(least[c], values[i]);
    greatest[c] = std::max(greatest[c], values[i]);
  }
  double before = -1;
  for (const Point& p : lines[0]) {
    const auto c = static_cast<size_t>(std::floor((p.x - times[0]) / width + 1e-12));
    kept_least[c] = std::min(kept_least[c], p.y);
    kept_greatest[c] = std::max(kept_greatest[c], p.y);
    EXPECT_GT(p.x, before);
    before = p.x;
  }
  EXPECT_EQ(least, kept_least);
  EXPECT_EQ(greatest, kept_greatest);
  EXPECT_EQ(lines[0].front().x, times.front());
  EXPECT_EQ(lines[0].back().x, times.back());
}

TEST(ThinOut, LinesEndWhereThereIsNoNumber) {
  const std::vector<double> times{0, 1, 2, 3, 4, 5};
  const std::vector<double> values{1, 2, std::nan(""), 4, std::nan(""), 6};
  const auto lines = thin_out(times, values, 0, 5, 100);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].size(), 2u);
  EXPECT_EQ(lines[2][0].y, 6);
  EXPECT_TRUE(thin_out({}, {}, 0, 1, 10).empty());
}

}  // namespace
}  // namespace tenon::plot
