// The same steps as Boost.Odeint's runge_kutta_dopri5, an implementation that shares nothing with
// ours but the paper.
#include <gtest/gtest.h>

#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

#include "tenon/engine/integrate/dormand_prince.h"

namespace tenon {
namespace {

using State = std::array<double, 3>;

// The Lorenz system: nothing in it is linear, and errors grow.
void lorenz(std::span<const double> y, std::span<double> dy) {
  dy[0] = 10 * (y[1] - y[0]);
  dy[1] = y[0] * (28 - y[2]) - y[1];
  dy[2] = y[0] * y[1] - 8.0 / 3 * y[2];
}

TEST(DormandPrince, StepsAsBoostOdeintDoes) {
  boost::numeric::odeint::runge_kutta_dopri5<State> odeint;
  const auto theirs = [](const State& y, State& dy, double) { lorenz(y, dy); };
  const OdeFunction ours = [](double, std::span<const double> y, std::span<double> dy) {
    lorenz(y, dy);
  };
  State x{1, 1, 20};
  DenseStep step;
  step.y = {1, 1, 20};
  step.k[0].resize(3);
  step.h = 0.01;
  std::vector<double> y(3), error(3);
  for (int i = 0; i < 100; ++i) {
    State next, their_error;
    odeint.do_step(theirs, x, i * step.h, next, step.h, their_error);
    x = next;
    ours(step.t, step.y, step.k[0]);
    take_step(ours, step, y, error);
    for (size_t k = 0; k < 3; ++k) {
      // round-off of numbers up to 40, and its growth over a second of the Lorenz system
      EXPECT_NEAR(y[k], x[k], 1e-12) << i;
      EXPECT_NEAR(error[k], their_error[k], 1e-12) << i;
    }
    step.t += step.h;
    step.y = y;
  }
}

}  // namespace
}  // namespace tenon
