// Linear systems of displacements by the conjugate-gradient family, with A = J M^-1 J^T applied and
// never formed [Faure1998, sec. 3.3, 3.4]. All stop at a precision, after a number of iterations or
// at a deadline, and leave the best they have.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/solve_displacement/rows.h"

namespace tenon::displacement {

struct KrylovLimits {
  int iterations = 50;       // at most
  double precision = 1e-12;  // of the right-hand side: residual at which to stop
  double (*clock)() = nullptr;
  double deadline = 0;  // s, of the clock; not read without one
};

struct KrylovResult {
  int iterations = 0;
  double residual = 0;  // root of the sum of squares, in the norm of the solver, at the end
  bool reached = false;
};

// Rows of one joint are coupled most strongly with each other: L L^T = (J M^-1 J^T) of its rows.
// Multiplying by L^-1 makes all joints alike, heavy or light (block Jacobi).
class JointScaling {
 public:
  void reset(const Operator& op);
  void apply(std::span<double> v) const;             // L^-1 v
  void apply_transposed(std::span<double> v) const;  // L^-T v

 private:
  struct Block {
    uint32_t row, size;
    uint32_t first;  // of factor_
  };
  std::vector<Block> blocks_;
  std::vector<double> factor_;
};

// Least squares: the step with the smallest |b - J step|, and of those the one with the least
// step . M step, as conjugate gradients approach it from zero (CGLS). Redundant and contradicting
// rows need no care; the residual falls in every iteration. `scaling` may be nullptr; with it the
// residual is measured as L^-1 (b - J step), which changes the answer for contradicting rows only.
class LeastSquares {
 public:
  KrylovResult solve(const Operator& op, const JointScaling* scaling, const KrylovLimits& limits,
                     std::span<Six> step);
  // |b - J step| after each iteration, from the begin on, of the last solve.
  std::span<const double> history() const { return history_; }

 private:
  std::vector<double> r_, q_, scaled_, history_;
  std::vector<Six> s_, z_, p_;
};

// The paper's: A force = b by biconjugate gradients, step = M^-1 J_at^T force. `across` may be the
// operator itself; where it is J at another configuration, A = J M^-1 J_across^T is not symmetric.
// For one and the same J this is the method of conjugate gradients at twice the cost.
class Biconjugate {
 public:
  KrylovResult solve(const Operator& op, const Operator& across, const KrylovLimits& limits,
                     std::span<double> force, std::span<Six> step);

 private:
  std::vector<double> r_, r2_, p_, p2_, a_, a2_;
  std::vector<Six> wrench_, motion_;
};

}  // namespace tenon::displacement
