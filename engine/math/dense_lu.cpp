#include "tenon/engine/math/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon {

bool DenseLu::factor(std::span<const double> A, size_t n) {
  n_ = n;
  lu_.assign(A.begin(), A.begin() + static_cast<std::ptrdiff_t>(n * n));
  row_.resize(n);
  std::iota(row_.begin(), row_.end(), size_t{0});
  std::vector<double> size(n, 0);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) size[i] = std::max(size[i], std::fabs(lu_[i * n + j]));
    if (!(size[i] > 0) || !std::isfinite(size[i])) return false;
  }
  constexpr double kVanished = 1e-15;  // of the row's largest number: a few units of round-off
  for (size_t k = 0; k < n; ++k) {
    // the pivot that is largest against its own row
    size_t best = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::fabs(lu_[i * n + k]) * size[best] > std::fabs(lu_[best * n + k]) * size[i]) best = i;
    }
    if (!(std::fabs(lu_[best * n + k]) > kVanished * size[best])) return false;
    if (best != k) {
      std::swap_ranges(lu_.begin() + static_cast<std::ptrdiff_t>(k * n),
                       lu_.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       lu_.begin() + static_cast<std::ptrdiff_t>(best * n));
      std::swap(row_[k], row_[best]);
      std::swap(size[k], size[best]);
    }
    const double inverse = 1 / lu_[k * n + k];
    for (size_t i = k + 1; i < n; ++i) {
      double& below = lu_[i * n + k];
      if (below == 0) continue;
      below *= inverse;
      const double l = below;
      const double* from = &lu_[k * n];
      double* to = &lu_[i * n];
      for (size_t j = k + 1; j < n; ++j) to[j] -= l * from[j];
    }
  }
  return true;
}

void DenseLu::solve(std::span<double> x) const {
  const size_t n = n_;
  std::vector<double> y(n);
  for (size_t i = 0; i < n; ++i) {
    double sum = x[row_[i]];
    for (size_t j = 0; j < i; ++j) sum -= lu_[i * n + j] * y[j];
    y[i] = sum;
  }
  for (size_t i = n; i-- > 0;) {
    double sum = y[i];
    for (size_t j = i + 1; j < n; ++j) sum -= lu_[i * n + j] * x[j];
    x[i] = sum / lu_[i * n + i];
  }
}

}  // namespace tenon
