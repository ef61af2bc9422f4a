// Forces with bounds: contacts that push and never pull, limits, friction, motors.
//
//   minimise 1/2 x . (A + soft) x - b . x,  low <= x <= high,   A = J M^-1 J^T                 (1)
// by conjugate gradients on the unknowns between their bounds, gradient projection where a bound is
// met, and a look at those at their bounds that want to leave [Dostal2009, sec. 5.8, MPRGP].
// Without bounds it is the method of conjugate gradients. Rows are scaled to a diagonal of one
// first.
#pragma once

#include "tenon/engine/solve_displacement/krylov.h"

namespace tenon::displacement {

class Bounded {
 public:
  struct Problem {
    std::span<const double> b;          // by row
    std::span<const double> low, high;  // by row, low <= high
    std::span<const double> soft;       // by row, >= 0; empty: none
  };
  // x: by row; where to begin, and the answer. Rows that the operator does not use keep theirs.
  KrylovResult solve(const Operator& op, const Problem& problem, const KrylovLimits& limits,
                     std::span<double> x);

 private:
  std::vector<double> scale_;  // x = scale * y
  std::vector<double> low_, high_, b_, soft_;
  std::vector<double> y_, g_, p_, ap_, phi_, beta_, force_;
  std::vector<Six> wrench_, motion_;

  void multiply(const Operator& op, std::span<const double> v, std::vector<double>& out);
  void prepare(const Operator& op, const Problem& problem, std::span<const double> x);
  double estimate_norm(const Operator& op);
  void split_gradient();
};

}  // namespace tenon::displacement
