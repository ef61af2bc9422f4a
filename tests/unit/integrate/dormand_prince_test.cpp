// RK5(4)7FM against rational coefficients and values of one step that were computed and checked
// against the order conditions outside the project (tests/reference/dp54_*.json).
#include "tenon/engine/integrate/dormand_prince.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

nlohmann::json load(const std::string& name) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  return nlohmann::json::parse(file);
}

// "35/384"
double rational(const nlohmann::json& text) {
  const std::string s = text;
  const size_t bar = s.find('/');
  if (bar == std::string::npos) return std::stod(s);
  return static_cast<double>(std::stold(s.substr(0, bar)) / std::stold(s.substr(bar + 1)));
}

void oscillate(double, std::span<const double> y, std::span<double> dy) {
  dy[0] = y[1];
  dy[1] = -y[0];
}
void swing(double, std::span<const double> y, std::span<double> dy) {
  dy[0] = y[1];
  dy[1] = -sin(y[0]);
}

// A step from y with its first stage.
DenseStep make_step(const OdeFunction& f, double t, std::vector<double> y, double h) {
  DenseStep step;
  step.t = t;
  step.h = h;
  step.y = std::move(y);
  step.k[0].resize(step.y.size());
  f(t, step.y, step.k[0]);
  return step;
}

TEST(DormandPrince, HasThePublishedCoefficients) {
  const nlohmann::json reference = load("dp54_coefficients.json");
  const auto near = [](double value, const nlohmann::json& text) {
    const double exact = rational(text);
    EXPECT_NEAR(value, exact, 4e-16 * std::fabs(exact)) << text;  // two roundings
  };
  for (size_t i = 0; i < dp54::kStages; ++i) {
    near(dp54::c[i], reference["c"][i]);
    near(dp54::b[i], reference["b"][i]);
    near(dp54::bh[i], reference["bhat"][i]);
    for (size_t j = 0; j < reference["a"][i].size(); ++j) near(dp54::a[i][j], reference["a"][i][j]);
  }
}

TEST(DormandPrince, InterpolatesWithThePublishedPolynomials) {
  const nlohmann::json beta = load("dp54_coefficients.json")["dense_beta_degree5"]["beta"];
  for (const double s : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
    std::array<double, dp54::kStages> weight, rate;
    dp54::calc_dense_weights(s, weight);
    dp54::calc_dense_rates(s, rate);
    for (size_t i = 0; i < dp54::kStages; ++i) {
      long double w = 0, r = 0;
      for (size_t j = 5; j-- > 0;) {
        w = w * s + rational(beta[j][i]);
        r = r * s + static_cast<long double>(j + 1) * rational(beta[j][i]);
      }
      // the terms of a sum are up to 10
      EXPECT_NEAR(weight[i], static_cast<double>(w * s), 1e-14) << s << " " << i;
      EXPECT_NEAR(rate[i], static_cast<double>(r), 1e-13) << s << " " << i;
    }
  }
}

TEST(DormandPrince, TakesTheReferenceStep) {
  const nlohmann::json reference = load("dp54_tests.json")["one_step"];
  DenseStep step = make_step(oscillate, 0, {1, 0}, 0.5);
  std::vector<double> y(2), error(2), dense(2);
  take_step(oscillate, step, y, error);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(y[i], reference["x5"][i], 1e-14);
    EXPECT_NEAR(y[i] - error[i], reference["x4"][i], 1e-14);
  }
  for (const auto& [s, name] :
       {std::pair{0.25, "dense_s0.25"}, {0.5, "dense_s0.5"}, {0.75, "dense_s0.75"}, {1.0, "x5"}}) {
    step.eval(s, dense);
    for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(dense[i], reference[name][i], 1e-14) << name;
  }
}

// Largest error at the end, and between steps, of equal steps over 10 s of a pendulum.
struct FixedRun {
  double end = 0, dense = 0;
};
FixedRun run_pendulum(double h, double exact_end) {
  std::vector<double> y{2, 0}, next(2), error(2), between(2), fine(2), unused(2);
  FixedRun run;
  const int n = static_cast<int>(std::lround(10 / h));
  for (int i = 0; i < n; ++i) {
    DenseStep step = make_step(swing, i * h, y, h);
    take_step(swing, step, next, error);
    y = next;
  }
  run.end = std::fabs(y[0] - exact_end);
  // one step of a well-known solution: the interpolation against shorter steps
  DenseStep step = make_step(swing, 0, {1, 1}, h);
  take_step(swing, step, next, error);
  for (const double s : {0.2, 0.4, 0.6, 0.8}) {
    step.eval(s, between);
    fine = {1, 1};
    for (int i = 0; i < 64; ++i) {
      DenseStep part = make_step(swing, 0, fine, s * h / 64);
      take_step(swing, part, next, error);
      fine = next;
    }
    run.dense = std::max(run.dense, std::fabs(between[0] - fine[0]));
  }
  return run;
}

TEST(DormandPrince, IsOfOrderFive) {
  const nlohmann::json reference = load("dp54_tests.json")["pendulum_theta0_2_T10"];
  const double exact = reference["exact_theta(10)"];
  FixedRun last;
  for (const nlohmann::json& row : reference["fixed_step"]) {
    const double h = row["h"];
    const FixedRun run = run_pendulum(h, exact);
    const double expected = row["error"];
    EXPECT_NEAR(run.end, expected, 1e-3 * expected + 1e-13) << h;
    if (last.end > 0 && h < 0.06) {
      const double order = std::log2(last.end / run.end);
      const double local = std::log2(last.dense / run.dense);
      std::printf("[ figure   ] h = %g: order %.3f, of a step's interpolation %.3f\n", h, order,
                  local);
      EXPECT_GT(order, 4.95);
      EXPECT_LT(order, 5.25);
      EXPECT_GT(local, 4.9);  // a step's own error is of one order more than a run's
    }
    last = run;
  }
}

TEST(DormandPrince, InterpolatesWithAContinuousDerivative) {
  DenseStep step = make_step(swing, 0, {1, 1}, 0.3);
  std::vector<double> y(2), error(2), rate(2);
  take_step(swing, step, y, error);
  step.eval_rate(0, rate);
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(rate[i], step.k[0][i], 1e-14);
  step.eval_rate(1, rate);
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(rate[i], step.k[6][i], 1e-13);
}

TEST(StepControl, FollowsTheFormulaWithinItsBounds) {
  const StepControl control{.accuracy = 1e-6, .h_min = 1e-4, .h_max = 1};
  const double wanted = 0.9 * 0.01 * std::pow(1e-6 / 3e-7, 0.2);
  EXPECT_NEAR(calc_next_step(0.01, 3e-7, control), wanted, 1e-16);
  EXPECT_NEAR(calc_next_step(0.01, 3e-5, control), 0.9 * 0.01 * std::pow(1e-6 / 3e-5, 0.2), 1e-16);
  EXPECT_DOUBLE_EQ(calc_next_step(0.01, 0, control), 0.05);     // five times at most
  EXPECT_DOUBLE_EQ(calc_next_step(0.01, 1e9, control), 0.002);  // and as much shorter
  EXPECT_DOUBLE_EQ(calc_next_step(0.01, kNaN, control), 0.002);
  EXPECT_DOUBLE_EQ(calc_next_step(2e-4, 1e9, control), 1e-4);
  EXPECT_DOUBLE_EQ(calc_next_step(0.9, 0, control), 1);
}

TEST(StepControl, RefusesWhatCannotWork) {
  EXPECT_FALSE(check(StepControl{.accuracy = 0}).ok());
  EXPECT_FALSE(check(StepControl{.accuracy = kNaN}).ok());
  EXPECT_FALSE(check(StepControl{.h_min = 0}).ok());
  EXPECT_FALSE(check(StepControl{.h_min = 0.2, .h_max = 0.1}).ok());
  EXPECT_FALSE(check(StepControl{.h_max = kNaN}).ok());
  EXPECT_TRUE(check(StepControl{}).ok());
}

TEST(Advance, KeepsTheErrorAtItsAccuracy) {
  for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    OdeRun run;
    run.begin(0, std::vector<double>{1, 0});
    const StepControl control{.accuracy = accuracy, .h_min = 1e-9, .h_max = 10};
    int steps = 0;
    while (run.t < 20) {
      EXPECT_EQ(advance(run, oscillate, 20, control).status, OdeStatus::kAccepted);
      ++steps;
    }
    EXPECT_EQ(run.t, 20);
    const double error = std::hypot(run.y[0] - std::cos(20.0), run.y[1] + std::sin(20.0));
    std::printf("[ figure   ] accuracy %.0e: %4d steps, error after 20 s %.2e\n", accuracy, steps,
                error);
    EXPECT_LT(error, steps * accuracy);
  }
}

TEST(Advance, UsesTheLastStageOfAStepAsTheFirstOfTheNext) {
  int calls = 0;
  const OdeFunction f = [&](double t, std::span<const double> y, std::span<double> dy) {
    ++calls;
    oscillate(t, y, dy);
  };
  OdeRun run;
  run.begin(0, std::vector<double>{1, 0}, 0.01);
  const StepControl control{.accuracy = 1e-8};
  advance(run, f, 100, control);
  calls = 0;
  const OdeReport report = advance(run, f, 100, control);
  EXPECT_EQ(calls, 6 * (1 + static_cast<int>(report.rejected)));
}

TEST(Advance, TakesStepsOfTheLeastLengthAndSaysSo) {
  // a jump: no step is short enough
  const OdeFunction f = [](double t, std::span<const double>, std::span<double> dy) {
    dy[0] = t < 0.5 ? 0 : 1e6;
  };
  OdeRun run;
  run.begin(0, std::vector<double>{0});
  const StepControl control{.accuracy = 1e-9, .h_min = 1e-6, .h_max = 0.1};
  int steps = 0, at_minimum = 0;
  while (run.t < 1 && steps < 10000) {
    at_minimum += advance(run, f, 1, control).status == OdeStatus::kAtMinimum;
    ++steps;
  }
  EXPECT_EQ(run.t, 1);
  EXPECT_GE(at_minimum, 1);
  EXPECT_NEAR(run.y[0], 0.5e6, 10);
}

TEST(Advance, FailsWithoutAChangeWhereNothingIsFinite) {
  const OdeFunction f = [](double t, std::span<const double> y, std::span<double> dy) {
    dy[0] = t > 0.25 ? kNaN : y[0];
  };
  OdeRun run;
  run.begin(0, std::vector<double>{1});
  const StepControl control{.accuracy = 1e-9, .h_min = 1e-6, .h_max = 0.1};
  OdeReport report;
  for (int i = 0; i < 10000 && report.status != OdeStatus::kFailed; ++i) {
    report = advance(run, f, 1, control);
  }
  EXPECT_EQ(report.status, OdeStatus::kFailed);
  EXPECT_LE(run.t, 0.25);
  EXPECT_TRUE(std::isfinite(run.y[0]));
}

TEST(Advance, DoesNotStumbleAfterAStop) {
  // t_stop cuts a step to almost nothing; the next one has its old length
  OdeRun run;
  run.begin(0, std::vector<double>{1, 0});
  const StepControl control{.accuracy = 1e-8, .h_min = 1e-9, .h_max = 1};
  while (run.t < 1) advance(run, oscillate, 1, control);
  const double usual = run.h_next;
  advance(run, oscillate, 1 + 1e-7, control);
  EXPECT_GE(run.h_next, usual);
}

TEST(Events, AreLocatedOnTheInterpolatedState) {
  // y = 1 - t^2 / 2 by y'' = -1: zero at sqrt 2, exactly, since the method is exact for quadratics
  const OdeFunction f = [](double, std::span<const double> y, std::span<double> dy) {
    dy[0] = y[1];
    dy[1] = -1;
  };
  DenseStep step = make_step(f, 0, {1, 0}, 2);
  std::vector<double> y(2), error(2);
  take_step(f, step, y, error);
  int calls = 0;
  const auto height = [&](double, std::span<const double> at) {
    ++calls;
    return at[0];
  };
  const std::optional<EventBracket> event = find_event(step, height);
  ASSERT_TRUE(event);
  EXPECT_NEAR(2 * event->before, std::sqrt(2.0), 1e-11);
  EXPECT_NEAR(2 * event->after, std::sqrt(2.0), 1e-11);
  EXPECT_LE(event->after - event->before, 1e-12);
  EXPECT_LT(calls, 30);
  step.eval(event->before, y);
  EXPECT_GT(y[0], 0);
  step.eval(event->after, y);
  EXPECT_LE(y[0], 0);
}

TEST(Events, ThatComeAndGoWithinAStepAreSeen) {
  DenseStep step = make_step(oscillate, 0, {1, 0}, 1);
  std::vector<double> y(2), error(2);
  take_step(oscillate, step, y, error);
  const auto dip = [](double t, std::span<const double>) { return std::fabs(t - 0.5) - 0.2; };
  const std::optional<EventBracket> event = find_event(step, dip);
  ASSERT_TRUE(event);
  EXPECT_NEAR(event->after, 0.3, 1e-11);
  EXPECT_FALSE(find_event(step, [](double, std::span<const double>) { return 1.0; }));
  EXPECT_FALSE(find_event(step, [](double, std::span<const double>) { return -1.0; }));
}

TEST(Events, EndAStepFromWhichTheRunGoesOn) {
  // a ball that bounces elastically from 1 m: impacts at sqrt 2 (1 + 2 k) / sqrt g
  const double g = 9.81;
  const OdeFunction fall = [&](double, std::span<const double> y, std::span<double> dy) {
    dy[0] = y[1];
    dy[1] = -g;
  };
  const auto height = [](double, std::span<const double> y) { return y[0]; };
  OdeRun run;
  run.begin(0, std::vector<double>{1, 0});
  const StepControl control{.accuracy = 1e-9, .h_min = 1e-6, .h_max = 0.2};
  int bounces = 0;
  while (bounces < 5 && run.t < 10) {
    const OdeReport report = advance(run, fall, 10, control);
    ASSERT_EQ(report.status, OdeStatus::kAccepted);
    const std::optional<EventBracket> hit = find_event(run.last, height);
    if (!hit) continue;
    run.cut(hit->before);
    EXPECT_NEAR(run.t, std::sqrt(2 / g) * (1 + 2 * bounces), 1e-9);
    std::vector<double> y = run.y;
    y[1] = -y[1];
    run.begin(run.t, y, run.h_next);
    ++bounces;
  }
  EXPECT_EQ(bounces, 5);
}

}  // namespace
}  // namespace tenon
