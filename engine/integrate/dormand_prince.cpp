#include "tenon/engine/integrate/dormand_prince.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace dp54 {

const double c[kStages] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
const double a[kStages][kStages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
const double b[kStages] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
const double bh[kStages] = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                            187.0 / 2100,   1.0 / 40};

// Copies with misprints go round, of the tableau as of these; a test compares both with rational
// numbers that have been checked against the order conditions.
void calc_dense_weights(double s, std::array<double, kStages>& w) {
  const double s2 = s * s;
  w[0] = s *
         (11282082432.0 +
          s * (-32272833064.0 + s * (34969693132.0 + s * (-13107642775.0 + s * 157015080.0)))) /
         11282082432.0;
  w[1] = 0;
  w[2] = 100 * s2 * (1323431896.0 + s * (-2074956840.0 + s * (914128567.0 - s * 15701508.0))) /
         32700410799.0;
  w[3] = -25 * s2 * (889289856.0 + s * (-2460397220.0 + s * (1518414297.0 - s * 94209048.0))) /
         5641041216.0;
  w[4] = 2187 * s2 * (259006536.0 + s * (-687873124.0 + s * (451824525.0 - s * 52338360.0))) /
         199316789632.0;
  w[5] = -11 * s2 * (361440756.0 + s * (-946554244.0 + s * (661884105.0 - s * 106151040.0))) /
         2467955532.0;
  w[6] = s2 * (1 - s) * (44764047.0 + s * (-82437520.0 + s * 8293050.0)) / 29380423.0;
}

void calc_dense_rates(double s, std::array<double, kStages>& r) {
  r[0] = (11282082432.0 +
          s * (2 * -32272833064.0 +
               s * (3 * 34969693132.0 + s * (4 * -13107642775.0 + s * 5 * 157015080.0)))) /
         11282082432.0;
  r[1] = 0;
  r[2] = 100 * s *
         (2 * 1323431896.0 + s * (3 * -2074956840.0 + s * (4 * 914128567.0 - s * 5 * 15701508.0))) /
         32700410799.0;
  r[3] = -25 * s *
         (2 * 889289856.0 + s * (3 * -2460397220.0 + s * (4 * 1518414297.0 - s * 5 * 94209048.0))) /
         5641041216.0;
  r[4] = 2187 * s *
         (2 * 259006536.0 + s * (3 * -687873124.0 + s * (4 * 451824525.0 - s * 5 * 52338360.0))) /
         199316789632.0;
  r[5] = -11 * s *
         (2 * 361440756.0 + s * (3 * -946554244.0 + s * (4 * 661884105.0 - s * 5 * 106151040.0))) /
         2467955532.0;
  // s^2 (1 - s) (p + q s + r s^2) = p s^2 + (q - p) s^3 + (r - q) s^4 - r s^5
  const double p = 44764047.0, q = -82437520.0, t = 8293050.0;
  r[6] = s * (2 * p + s * (3 * (q - p) + s * (4 * (t - q) - s * 5 * t))) / 29380423.0;
}

}  // namespace dp54

namespace {

constexpr double kSafety = 0.9, kMostChange = 5;

// y + h sum w_i k_i over the first `count` stages
void combine(const DenseStep& step, const double* w, int count, double h, std::span<double> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (int s = 0; s < count; ++s) sum += w[s] * step.k[static_cast<size_t>(s)][i];
    out[i] = step.y[i] + h * sum;
  }
}

bool all_finite(std::span<const double> x) {
  for (const double v : x) {
    if (!std::isfinite(v)) return false;
  }
  return true;
}

}  // namespace

Status check(const StepControl& s) {
  if (!(s.accuracy > 0) || !std::isfinite(s.accuracy)) {
    return Error{.message = "the accuracy must be positive",
                 .value = std::to_string(s.accuracy),
                 .accepted = "a number > 0, such as 1e-6"};
  }
  if (!(s.h_min > 0) || !std::isfinite(s.h_min)) {
    return Error{.message = "the least step must be positive",
                 .value = std::to_string(s.h_min),
                 .accepted = "seconds > 0, such as 1e-6"};
  }
  if (!(s.h_max >= s.h_min) || !std::isfinite(s.h_max)) {
    return Error{
        .message = "the longest step is shorter than the least one",
        .value = "h_max " + std::to_string(s.h_max) + " s, h_min " + std::to_string(s.h_min) + " s",
        .accepted = "h_min <= h_max"};
  }
  return Ok{};
}

double calc_next_step(double h, double delta, const StepControl& control) {
  double factor = 1 / kMostChange;
  if (std::isfinite(delta)) {
    factor = delta > 0 ? kSafety * pow(control.accuracy / delta, 0.2) : kMostChange;
  }
  factor = std::clamp(factor, 1 / kMostChange, kMostChange);
  return std::clamp(factor * h, control.h_min, control.h_max);
}

void DenseStep::eval(double s, std::span<double> out) const {
  std::array<double, dp54::kStages> w;
  dp54::calc_dense_weights(s, w);
  combine(*this, w.data(), dp54::kStages, h, out);
}

void DenseStep::eval_rate(double s, std::span<double> out) const {
  std::array<double, dp54::kStages> w;
  dp54::calc_dense_rates(s, w);
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (size_t j = 0; j < dp54::kStages; ++j) sum += w[j] * k[j][i];
    out[i] = sum;
  }
}

void take_step(const OdeFunction& f, DenseStep& step, std::span<double> y_end,
               std::span<double> error) {
  for (int s = 1; s < dp54::kStages; ++s) {
    combine(step, dp54::a[s], s, step.h, y_end);
    step.k[static_cast<size_t>(s)].resize(step.y.size());
    f(step.t + dp54::c[s] * step.h, y_end, step.k[static_cast<size_t>(s)]);
  }
  // the last stage is the result; its error by the weights of order 4
  for (size_t i = 0; i < error.size(); ++i) {
    double sum = 0;
    for (size_t s = 0; s < dp54::kStages; ++s) sum += (dp54::b[s] - dp54::bh[s]) * step.k[s][i];
    error[i] = step.h * sum;
  }
}

void OdeRun::begin(double t0, std::span<const double> y0, double h) {
  t = t0;
  y.assign(y0.begin(), y0.end());
  k.clear();
  h_next = h;
}

void OdeRun::cut(double s) {
  if (last.empty() || s >= 1) return;
  last.eval(s, y);
  t = last.t + s * last.h;
  k.clear();
}

namespace {

double measure(const OdeNorm& norm, std::span<const double> y, std::span<const double> e) {
  if (!all_finite(y) || !all_finite(e)) return kNaN;
  if (norm) return norm(y, e);
  double largest = 0;
  for (const double v : e) largest = std::max(largest, std::fabs(v));
  return largest;
}

// [Hairer1993, sec. II.4]: an Euler step tells how fast f changes.
//   h0 = 0.01 / |f0|;  h1 = (eps / max(|f0|, |f1 - f0| / h0))^(1/5);  h = min(100 h0, h1)
double find_first_step(const OdeRun& run, const OdeFunction& f, double t_stop,
                       const StepControl& control, const OdeNorm& norm) {
  const double f0 = measure(norm, run.y, run.k);
  if (!std::isfinite(f0)) return control.h_min;
  const double h0 = std::min({f0 > 1e-10 ? 0.01 / f0 : 1e-4, control.h_max, t_stop - run.t});
  std::vector<double> y(run.y.size()), change(run.y.size());
  for (size_t i = 0; i < y.size(); ++i) y[i] = run.y[i] + h0 * run.k[i];
  f(run.t + h0, y, change);
  for (size_t i = 0; i < y.size(); ++i) change[i] -= run.k[i];
  const double curvature = measure(norm, run.y, change) / h0;
  if (!std::isfinite(curvature)) return control.h_min;
  const double steep = std::max(f0, curvature);
  const double h1 = steep > 1e-15 ? pow(control.accuracy / steep, 0.2) : 100 * h0;
  return std::clamp(std::min(100 * h0, h1), control.h_min, control.h_max);
}

}  // namespace

OdeReport advance(OdeRun& run, const OdeFunction& f, double t_stop, const StepControl& control,
                  const OdeNorm& norm) {
  TENON_ASSERT(t_stop > run.t);
  OdeReport report;
  if (run.k.size() != run.y.size()) {
    run.k.resize(run.y.size());
    f(run.t, run.y, run.k);
    ++report.evaluations;
  }
  if (!(run.h_next > 0)) {
    run.h_next = find_first_step(run, f, t_stop, control, norm);
    ++report.evaluations;
  }
  DenseStep step;
  step.t = run.t;
  step.y = run.y;
  step.k[0] = run.k;
  std::vector<double> y_end(run.y.size()), error(run.y.size());
  double h = std::clamp(run.h_next, control.h_min, control.h_max);
  for (bool again = false;; again = true) {
    // a rest that is hardly longer than the step is taken with it, one of up to two is halved
    const double left = t_stop - run.t;
    const bool ends = h * 1.01 >= left;
    step.h = ends ? left : (2 * h > left ? 0.5 * left : h);
    take_step(f, step, y_end, error);
    report.evaluations += dp54::kStages - 1;
    report.error = measure(norm, y_end, error);
    const bool fine = report.error <= control.accuracy;  // false where not finite
    if (!fine && step.h > control.h_min * (1 + 1e-12)) {
      ++report.rejected;
      h = calc_next_step(step.h, report.error, control);
      continue;
    }
    if (!std::isfinite(report.error) || !all_finite(step.k.back())) {
      report.status = OdeStatus::kFailed;
      return report;
    }
    if (!fine) report.status = OdeStatus::kAtMinimum;
    // what t_stop cut short says little about the next step; no growth right after a rejection
    const double next = calc_next_step(step.h, report.error, control);
    run.h_next = step.h < h ? std::max(next, h) : next;
    if (again) run.h_next = std::min(run.h_next, h);
    run.t = ends ? t_stop : run.t + step.h;
    std::swap(run.y, y_end);
    run.k = step.k.back();
    run.last = std::move(step);
    return report;
  }
}

std::optional<EventBracket> find_event(const DenseStep& step, const EventFunction& g,
                                       double s_begin, double s_end, int samples,
                                       double resolution) {
  std::vector<double> y(step.y.size());
  const auto value = [&](double s) {
    step.eval(s, y);
    return g(step.t + s * step.h, y);
  };
  double low = s_begin, g_low = value(low), high = low, g_high = g_low;
  if (!(g_low > 0)) return std::nullopt;
  for (int i = 1; i <= samples && g_high > 0; ++i) {
    low = high;
    g_low = g_high;
    high = i == samples ? s_end : s_begin + (s_end - s_begin) * i / samples;
    g_high = value(high);
  }
  if (g_high > 0) return std::nullopt;
  // false position with halved weights (Illinois); bisection where that is slow
  int side = 0;
  for (int i = 0; high - low > resolution && i < 200; ++i) {
    double s = low + (high - low) * (g_low / (g_low - g_high));
    if (i % 4 == 3 || !(s > low && s < high)) s = 0.5 * (low + high);
    if (!(s > low && s < high)) break;
    // a place next to the bracket's end closes it from the other side
    s = std::clamp(s, low + 0.25 * std::min(resolution, high - low),
                   high - 0.25 * std::min(resolution, high - low));
    const double v = value(s);
    if (v > 0) {
      low = s;
      g_low = v;
      if (side == 1) g_high *= 0.5;
      side = 1;
    } else {
      high = s;
      g_high = v;
      if (side == -1) g_low *= 0.5;
      side = -1;
    }
  }
  return EventBracket{low, high};
}

}  // namespace tenon
