// Dense systems of up to six unknowns that may be singular: a direction without a pivot gets no
// impulse, so redundant joints cost accuracy in nothing but their own share of the load.
#pragma once

#include <array>
#include <cmath>

namespace tenon::sweep {

using Vec6 = std::array<double, 6>;
using Mat6 = std::array<Vec6, 6>;

// Pivots below this part of the largest (LU) or of their own diagonal (Cholesky) count as zero.
inline constexpr double kSingular = 1e-11;

// Solves A x = b of size n by Gaussian elimination with complete pivoting; A and b are used up.
// False if something is not finite.
inline bool solve_general(size_t n, Mat6& A, Vec6& b, Vec6& x) {
  std::array<size_t, 6> column{0, 1, 2, 3, 4, 5};
  x = {};
  double largest = 0;
  size_t rank = 0;
  for (; rank < n; ++rank) {
    size_t r = rank, c = rank;
    for (size_t i = rank; i < n; ++i) {
      for (size_t j = rank; j < n; ++j) {
        if (std::fabs(A[i][j]) > std::fabs(A[r][c])) r = i, c = j;
      }
    }
    const double pivot = std::fabs(A[r][c]);
    if (rank == 0) largest = pivot;
    if (!(pivot > kSingular * largest)) break;
    std::swap(A[rank], A[r]);
    std::swap(b[rank], b[r]);
    for (size_t i = 0; i < n; ++i) std::swap(A[i][rank], A[i][c]);
    std::swap(column[rank], column[c]);
    for (size_t i = rank + 1; i < n; ++i) {
      const double m = A[i][rank] / A[rank][rank];
      for (size_t j = rank + 1; j < n; ++j) A[i][j] -= m * A[rank][j];
      b[i] -= m * b[rank];
    }
  }
  for (size_t i = rank; i-- > 0;) {
    double sum = b[i];
    for (size_t j = i + 1; j < rank; ++j) sum -= A[i][j] * x[column[j]];
    x[column[i]] = sum / A[i][i];
  }
  for (size_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return false;
  }
  return true;
}

// L with A = L L^T in the lower part of A; rows without a pivot become zero.
inline void factor_cholesky(size_t n, Mat6& A) {
  for (size_t j = 0; j < n; ++j) {
    const double diagonal = A[j][j];
    double d = diagonal;
    for (size_t k = 0; k < j; ++k) d -= A[j][k] * A[j][k];
    const bool dependent = !(d > kSingular * diagonal);
    A[j][j] = dependent ? 0 : std::sqrt(d);
    for (size_t i = j + 1; i < n; ++i) {
      double sum = A[i][j];
      for (size_t k = 0; k < j; ++k) sum -= A[i][k] * A[j][k];
      A[i][j] = dependent ? 0 : sum / A[j][j];
    }
  }
}
// x = A^-1 b with A as factor_cholesky left it; dependent unknowns are zero.
inline Vec6 solve_cholesky(size_t n, const Mat6& L, const Vec6& b) {
  Vec6 x{};
  for (size_t i = 0; i < n; ++i) {
    if (L[i][i] == 0) continue;
    double sum = b[i];
    for (size_t k = 0; k < i; ++k) sum -= L[i][k] * x[k];
    x[i] = sum / L[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    if (L[i][i] == 0) {
      x[i] = 0;
      continue;
    }
    double sum = x[i];
    for (size_t k = i + 1; k < n; ++k) sum -= L[k][i] * x[k];
    x[i] = sum / L[i][i];
  }
  return x;
}

}  // namespace tenon::sweep
