// The embedded Runge-Kutta method RK5(4)7FM of Dormand and Prince, for any system y' = f(t, y):
// step control, first-same-as-last, dense output of degree 5, events located by it.
//
// It knows numbers and nothing else, so it is of use without the rest of the engine:
//
//   OdeRun run;
//   run.begin(0, y0);
//   while (run.t < 10) advance(run, f, 10, {.accuracy = 1e-9, .h_max = 0.1});
//
// Why not a library. Boost.Odeint has the same tableau (a test compares both, step by step, to
// round-off) and SUNDIALS has it among others. Neither gives what the method `force` builds on: the
// interpolation polynomial of degree 5 of [DormandPrince1986] (Odeint's is the quartic of Hairer's
// code), steps that end at a located event and begin again after an impulse, the whole state of
// a run as bytes, steps at the least length that are taken and counted, and the same bits on
// every platform (Odeint's step control calls std::pow). What is left to take over is forty
// numbers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/base/result.h"

namespace tenon {

// Coefficients [DormandPrince1980, table 2]: nodes c, stages a, weights b of order 5 and bh of
// order 4. The last stage is the result: a[6] = b.
namespace dp54 {
inline constexpr int kStages = 7;
extern const double c[kStages];
extern const double a[kStages][kStages - 1];
extern const double b[kStages];
extern const double bh[kStages];
// Weights of the stages at t + s h [DormandPrince1986]: b_i(s) of degree 5, b_i(1) = b_i. Order 4,
// with a continuous derivative across steps.
void calc_dense_weights(double s, std::array<double, kStages>& weight);
// Their derivatives by s.
void calc_dense_rates(double s, std::array<double, kStages>& rate);
}  // namespace dp54

// Writes y' for a time and a state. Numbers that are not finite make the step shorter.
using OdeFunction = std::function<void(double t, std::span<const double> y, std::span<double> dy)>;
// The size of an error `e` of a step that ends at y. Default: the largest |e_i|.
using OdeNorm = std::function<double(std::span<const double> y, std::span<const double> e)>;

struct StepControl {
  double accuracy = 1e-6;  // eps > 0: what the norm of the error of a step may be
  double h_min = 1e-9;     // s, > 0: a step of this length is taken whatever its error
  double h_max = 0.1;      // s, >= h_min
};
// Error that names the number and what would do.
Status check(const StepControl& control);

// The step after one of length h with the error delta [Keller1993, sec. 4]:
//   h_new = 0.9 h (eps / delta)^(1/5),  at most five times longer or shorter,
// within [h_min, h_max]. An error that is not finite counts as a very large one.
double calc_next_step(double h, double delta, const StepControl& control);

// One step, whole: what it takes to know y at any time in it.
struct DenseStep {
  double t = 0, h = 0;
  std::vector<double> y;                             // at t
  std::array<std::vector<double>, dp54::kStages> k;  // stages
  bool empty() const { return y.empty(); }
  // y(t + s h), s in [0, 1]; its derivative by t.
  void eval(double s, std::span<double> out) const;
  void eval_rate(double s, std::span<double> out) const;
};

// Stages 2 to 7 of a step, result and error estimate y5 - y4. k[0] = f(t, y) is given.
void take_step(const OdeFunction& f, DenseStep& step, std::span<double> y_end,
               std::span<double> error);

enum class OdeStatus : uint8_t {
  kAccepted,
  kAtMinimum,  // taken with the length h_min although its error is larger than asked for
  kFailed,     // not finite even then: nothing has changed
};

struct OdeReport {
  OdeStatus status = OdeStatus::kAccepted;
  uint32_t rejected = 0, evaluations = 0;
  double error = 0;  // of the step taken, in the norm
};

// A run: plain data, all of it state. Two runs that are equal go on equally.
struct OdeRun {
  double t = 0;
  double h_next = 0;      // what the next step tries first; 0: found from f
  std::vector<double> y;  // at t
  std::vector<double> k;  // f(t, y); empty where it is not known
  DenseStep last;         // empty before the first step

  // Starts anew: at the begin, after an impulse or an edit. The last step stays readable.
  void begin(double t0, std::span<const double> y0, double h = 0);
  // Puts the end of the last step back to s of its length: an event. 0 < s <= 1.
  void cut(double s);
};

// One accepted step, not beyond t_stop > run.t; it ends there exactly where it would come near.
// The first step is found as in [Hairer1993, sec. II.4].
OdeReport advance(OdeRun& run, const OdeFunction& f, double t_stop, const StepControl& control,
                  const OdeNorm& norm = nullptr);

// An event: g(t, y) goes from positive to zero or below.
using EventFunction = std::function<double(double t, std::span<const double> y)>;
struct EventBracket {
  double before = 0, after = 0;  // s with g > 0 and g <= 0, at most `resolution` apart
};
// The first in [s_begin, s_end] of a step, seen at `samples` + 1 equidistant places; nullopt where
// g is positive at all of them, or not at s_begin. g is called on the interpolated state: about
// samples + 10 times. resolution > 0: of s.
std::optional<EventBracket> find_event(const DenseStep& step, const EventFunction& g,
                                       double s_begin = 0, double s_end = 1, int samples = 4,
                                       double resolution = 1e-12);

}  // namespace tenon
