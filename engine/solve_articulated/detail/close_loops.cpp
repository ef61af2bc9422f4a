// Levenberg and Marquardt's method on c(q) = 0, in the form of least displacement:
//   dq = -J^T (J J^T + mu)^-1 c                                                          (1)
// It needs no full rank: with mu falling faster than |c|, it converges fast to some solution where
// solutions form a manifold [YamashitaFukushima2001], and slowly but surely to singular ones.
#include "tenon/engine/solve_articulated/detail/close_loops.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace tenon::mobility {
namespace {

constexpr int kClosingIterations = 120;
constexpr double kClosingTurn = 0.8;   // rad per iteration: farther, the tangent says nothing
constexpr double kLoopClosed = 1e-13;  // of a length or rad: round-off
constexpr double kSmallestMu = 1e-13;  // rows that say a thing twice make J J^T singular
constexpr double kLargestMu = 1e8;

using Matrix = Eigen::SparseMatrix<double>;

double norm_of(const std::vector<HeldRow>& rows) {
  double sum = 0;
  for (const HeldRow& row : rows) sum += row.c * row.c;
  return std::sqrt(sum);
}

Matrix make_jacobian(const HeldRows& held, const std::vector<HeldRow>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t e = 0; e < rows[r].entries; ++e) {
      const uint32_t b = rows[r].body[e];
      if (b >= held.mechanism().moving) continue;
      const uint32_t first = held.column(b), count = held.column(b + 1) - first;
      for (uint32_t k = 0; k < count; ++k)
        entries.emplace_back(static_cast<int>(r), static_cast<int>(first + k),
                             rows[r].gradient[e][k]);
    }
  }
  Matrix J(static_cast<int>(rows.size()), static_cast<int>(held.coordinates()));
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

// Shortens a step that turns a body too far at once.
void limit(const HeldRows& held, Eigen::VectorXd& step) {
  double turn = 0;
  for (uint32_t b = 0; b < held.mechanism().moving; ++b) {
    const int first = static_cast<int>(held.column(b));
    if (held.column(b + 1) - held.column(b) == 6)
      turn = std::max(turn, step.segment<3>(first + 3).norm());
  }
  if (turn > kClosingTurn) step *= kClosingTurn / turn;
}

}  // namespace

Closed close_loops(HeldRows& held, const Configuration& from) {
  Closed best{from, held.eval(from), 0};
  best.residual = norm_of(best.rows);
  double mu = 1e-4;
  for (int i = 0; i < kClosingIterations && best.residual > kLoopClosed; ++i) {
    const Matrix J = make_jacobian(held, best.rows);
    Eigen::VectorXd c(J.rows());
    for (int r = 0; r < c.size(); ++r) c[r] = best.rows[static_cast<size_t>(r)].c;
    // a minimum that is not zero
    if ((J.transpose() * c).norm() < 1e-10 * best.residual) break;
    Matrix A = J * J.transpose();
    for (int r = 0; r < A.rows(); ++r) A.coeffRef(r, r) += mu;
    const Eigen::SimplicialLDLT<Matrix> factor(A);
    bool better = false;
    if (factor.info() == Eigen::Success) {
      Eigen::VectorXd step = -(J.transpose() * factor.solve(c));
      limit(held, step);
      if (step.allFinite()) {
        HeldRows trial_rows = held;
        Closed trial{held.moved(best.at, {step.data(), static_cast<size_t>(step.size())}), {}, 0};
        trial.rows = trial_rows.eval(trial.at);
        trial.residual = norm_of(trial.rows);
        better = trial.residual < best.residual;
        if (better) {
          held = std::move(trial_rows);
          best = std::move(trial);
        }
      }
    }
    mu = better ? std::max(kSmallestMu, 0.05 * mu) : 20 * mu;
    if (mu > kLargestMu) break;
  }
  return best;
}

}  // namespace tenon::mobility
