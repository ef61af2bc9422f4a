#include "tenon/engine/solve_contact/accelerate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon {
namespace {

constexpr size_t kW = Anderson::kWindow;
constexpr double kFarthest = 1e4;  // pairs of sweeps ahead

// Solves the small normal equations A x = b in place (Cholesky); false where they are singular.
bool solve_small(std::array<std::array<double, kW>, kW>& A, std::array<double, kW>& b, size_t n) {
  for (size_t j = 0; j < n; ++j) {
    double d = A[j][j];
    for (size_t k = 0; k < j; ++k) d -= A[j][k] * A[j][k];
    if (!(d > 1e-12 * A[j][j])) return false;
    A[j][j] = std::sqrt(d);
    for (size_t i = j + 1; i < n; ++i) {
      double s = A[i][j];
      for (size_t k = 0; k < j; ++k) s -= A[i][k] * A[j][k];
      A[i][j] = s / A[j][j];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return true;
}

}  // namespace

void Anderson::reset(size_t size) {
  size_ = size;
  count_ = place_ = 0;
  last_f_.clear();
  last_g_.clear();
  f_.resize(size);
  df_.resize(size * kWindow);
  dg_.resize(size * kWindow);
}

double Anderson::measure(std::span<const double> z, std::span<const double> g,
                         std::span<const double> weights) {
  double norm2 = 0;
  for (size_t i = 0; i < size_; ++i) {
    f_[i] = g[i] - z[i];
    norm2 += weights[i] * f_[i] * f_[i];
  }
  return std::sqrt(norm2);
}

bool Anderson::next(std::span<double> g, std::span<const double> weights) {
  const bool first = last_f_.empty();
  if (!first) {
    double* df = &df_[place_ * size_];
    double* dg = &dg_[place_ * size_];
    for (size_t i = 0; i < size_; ++i) {
      df[i] = f_[i] - last_f_[i];
      dg[i] = g[i] - last_g_[i];
    }
    place_ = (place_ + 1) % kWindow;
    count_ = std::min(count_ + 1, kWindow);
  }
  last_f_.assign(f_.begin(), f_.end());
  last_g_.assign(g.begin(), g.end());
  if (first) return false;
  // min |f - sum gamma_j df_j|
  std::array<std::array<double, kW>, kW> A{};
  std::array<double, kW> gamma{};
  for (size_t a = 0; a < count_; ++a) {
    const double* fa = &df_[a * size_];
    for (size_t b = 0; b <= a; ++b) {
      const double* fb = &df_[b * size_];
      double sum = 0;
      for (size_t i = 0; i < size_; ++i) sum += weights[i] * fa[i] * fb[i];
      A[a][b] = sum;
    }
    for (size_t i = 0; i < size_; ++i) gamma[a] += weights[i] * fa[i] * f_[i];
    A[a][a] *= 1 + 1e-10;
  }
  // where impulses move from one patch to another at a constant rate, until the first has none
  // left, there is nothing to learn from differences, and nothing to go to
  const auto too_far = [](double x) { return !(std::fabs(x) < kFarthest); };
  if (!solve_small(A, gamma, count_) || std::any_of(gamma.begin(), gamma.end(), too_far)) {
    count_ = place_ = 0;
    return false;
  }
  for (size_t a = 0; a < count_; ++a) {
    const double* dg = &dg_[a * size_];
    for (size_t i = 0; i < size_; ++i) g[i] -= gamma[a] * dg[i];
  }
  return true;
}

}  // namespace tenon
