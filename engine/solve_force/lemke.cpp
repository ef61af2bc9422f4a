#include "tenon/engine/solve_force/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/dense_lu.h"

namespace tenon {

const char* name(LcpStatus status) {
  switch (status) {
    case LcpStatus::kSolved:
      return "solved";
    case LcpStatus::kRay:
      return "ray";
    case LcpStatus::kGaveUp:
      return "gave_up";
    case LcpStatus::kNotFinite:
      return "not_finite";
  }
  return "?";
}

namespace {

// The tableau without the columns of basic variables:
//   basic_i + sum_j T_ij other_j = rhs_i                                                      (2)
// Variables: w_1 .. w_n are 0 .. n-1, z_1 .. z_n are n .. 2n-1, the artificial z_0 is 2n.
// It begins with basic = w, other = (z, z_0), T = (-M, -1), rhs = q.
class LemkeTableau {
 public:
  LemkeTableau(std::span<const double> M, std::span<const double> q, std::span<const double> scale,
               const LcpSettings& settings)
      : n_(q.size()),
        M_(n_ * n_),
        q_(q.begin(), q.end()),
        cover_(n_),
        columns_(n_ + 1),
        zero_(settings.zero),
        t_(n_ * columns_),
        rhs_(n_),
        basic_(n_),
        other_(columns_),
        place_(2 * n_ + 1) {
    Rng rng(1);
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; j < n_; ++j) {
        M_[i * n_ + j] = scale[i] * M[i * n_ + j] * scale[j];
        at(i, j) = -M_[i * n_ + j];
      }
      cover_[i] = 1 + settings.spread * rng.uniform();
      at(i, n_) = -cover_[i];
      rhs_[i] = q[i];
      basic_[i] = i;
      other_[i] = n_ + i;
      place_[i] = i;
      place_[n_ + i] = i;
    }
    other_[n_] = 2 * n_;
    place_[2 * n_] = n_;
  }

  LcpStatus run(int max_pivots, int& pivots);
  double value(size_t z) const {
    const size_t row = place_[n_ + z];
    return is_basic(n_ + z) ? rhs_[row] : 0;
  }

 private:
  double& at(size_t i, size_t j) { return t_[i * columns_ + j]; }
  double at(size_t i, size_t j) const { return t_[i * columns_ + j]; }
  bool is_basic(size_t variable) const {
    return place_[variable] < n_ && basic_[place_[variable]] == variable;
  }
  // coefficient of w_k in row i
  double slack(size_t i, size_t k) const {
    if (is_basic(k)) return place_[k] == i ? 1 : 0;
    return at(i, place_[k]);
  }
  bool is_less(size_t a, size_t b, size_t column) const;
  size_t leaving_row(size_t column) const;
  void exchange(size_t row, size_t column);
  void add_column(size_t variable, double factor, std::span<double> to, size_t stride) const;
  bool refresh();

  size_t n_;
  std::vector<double> M_, q_, cover_;  // of the problem, balanced; minus the artificial column
  size_t columns_;
  double zero_;
  std::vector<double> t_, rhs_;
  // which variable belongs to a row, to a column; and where a variable is: its row or its column
  std::vector<size_t> basic_, other_, place_;
};

constexpr int kPivotsTrusted = 30;  // until the tableau is made anew
constexpr double kTie = 1e-12;      // of ratios about one: round-off of a few dozen pivots

// Whether (rhs, coefficients of w) of row a over its entry in the column come before those of row
// b in the order of dictionaries. No two rows are equal: those coefficients are a basis' inverse.
bool LemkeTableau::is_less(size_t a, size_t b, size_t column) const {
  const double pa = at(a, column), pb = at(b, column);
  const auto order = [&](double x, double y) {
    const double u = x / pa, v = y / pb;
    if (std::fabs(u - v) <= kTie * (1 + std::fabs(u) + std::fabs(v))) return 0;
    return u < v ? -1 : 1;
  };
  int sign = order(rhs_[a], rhs_[b]);
  if (sign != 0) return sign < 0;
  // of equals, the artificial variable goes: that is the end
  if (basic_[a] == 2 * n_ || basic_[b] == 2 * n_) return basic_[a] == 2 * n_;
  for (size_t k = 0; k < n_; ++k) {
    sign = order(slack(a, k), slack(b, k));
    if (sign != 0) return sign < 0;
  }
  return false;
}

size_t LemkeTableau::leaving_row(size_t column) const {
  size_t best = n_;
  for (size_t i = 0; i < n_; ++i) {
    if (!(at(i, column) > zero_)) continue;
    if (best == n_ || is_less(i, best, column)) best = i;
  }
  return best;
}

void LemkeTableau::exchange(size_t row, size_t column) {
  const double inverse = 1 / at(row, column);
  double* from = &t_[row * columns_];
  for (size_t j = 0; j < columns_; ++j) from[j] *= inverse;
  from[column] = inverse;
  rhs_[row] *= inverse;
  for (size_t i = 0; i < n_; ++i) {
    if (i == row) continue;
    double* to = &t_[i * columns_];
    const double f = to[column];
    if (f == 0) continue;
    to[column] = 0;
    for (size_t j = 0; j < columns_; ++j) to[j] -= f * from[j];
    rhs_[i] -= f * rhs_[row];
    // what should be zero and is not would break ties at random
    if (std::fabs(rhs_[i]) < kTie * (std::fabs(f * rhs_[row]))) rhs_[i] = 0;
  }
  std::swap(basic_[row], other_[column]);
  place_[basic_[row]] = row;
  place_[other_[column]] = column;
}

// A column of (1, -M, -1), as it was before any pivot.
void LemkeTableau::add_column(size_t variable, double factor, std::span<double> to,
                              size_t stride) const {
  if (variable < n_) {
    to[variable * stride] += factor;
    return;
  }
  for (size_t i = 0; i < n_; ++i) {
    to[i * stride] -= factor * (variable == 2 * n_ ? cover_[i] : M_[i * n_ + variable - n_]);
  }
}

// The tableau anew from the problem and the basis: without the round-off of the pivots before.
bool LemkeTableau::refresh() {
  std::vector<double> B(n_ * n_, 0), x(n_);
  for (size_t j = 0; j < n_; ++j) add_column(basic_[j], 1, std::span(B).subspan(j), n_);
  DenseLu lu;
  if (!lu.factor(B, n_)) return false;
  for (size_t j = 0; j < columns_; ++j) {
    std::fill(x.begin(), x.end(), 0.0);
    add_column(other_[j], 1, x, 1);
    lu.solve(x);
    for (size_t i = 0; i < n_; ++i) at(i, j) = x[i];
  }
  rhs_ = q_;
  lu.solve(rhs_);
  return true;
}

LcpStatus LemkeTableau::run(int max_pivots, int& pivots) {
  // the artificial variable enters, in the row with the least q; of equals in the last one, whose
  // row of the unit matrix comes first in the order of dictionaries
  if (n_ == 0) return LcpStatus::kSolved;
  size_t row = 0;
  for (size_t i = 1; i < n_; ++i) {
    if (rhs_[i] * cover_[row] <= rhs_[row] * cover_[i]) row = i;
  }
  if (rhs_[row] >= 0) return LcpStatus::kSolved;
  size_t column = n_;
  for (pivots = 0; pivots < max_pivots;) {
    const size_t leaving = basic_[row];
    exchange(row, column);
    ++pivots;
    if (leaving == 2 * n_) return LcpStatus::kSolved;
    if (pivots % kPivotsTrusted == 0 && !refresh()) return LcpStatus::kGaveUp;
    // the complement of what has left enters next
    column = place_[leaving < n_ ? leaving + n_ : leaving - n_];
    row = leaving_row(column);
    if (row == n_) return LcpStatus::kRay;
  }
  return LcpStatus::kGaveUp;
}

// Factors that make the entries of a matrix about one. Any positive diagonal D leaves solutions of
//   D w = (D M D)(z / D) + D q                                                                (3)
// in place.
std::vector<double> balance(std::span<const double> M, size_t n) {
  std::vector<double> scale(n, 1);
  for (size_t i = 0; i < n; ++i) {
    double size = std::fabs(M[i * n + i]);
    if (!(size > 0)) continue;
    scale[i] = 1 / std::sqrt(size);
  }
  // rows without a diagonal: by what they do to the others
  for (size_t i = 0; i < n; ++i) {
    if (std::fabs(M[i * n + i]) > 0) continue;
    double size = 0;
    for (size_t j = 0; j < n; ++j) {
      size =
          std::max({size, std::fabs(M[i * n + j]) * scale[j], std::fabs(M[j * n + i]) * scale[j]});
    }
    if (size > 0) scale[i] = 1 / size;
  }
  return scale;
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

constexpr double kNoSolution = 1e-6;  // residual: what is worse has been spoilt by round-off
constexpr double kGoodEnough = 1e-9;  // residual that z of a linear solve may have

}  // namespace

double lcp_residual(std::span<const double> M, std::span<const double> q,
                    std::span<const double> z) {
  const size_t n = q.size();
  double largest = 0, worst = 0;
  for (const double x : z) largest = std::max(largest, std::fabs(x));
  for (size_t i = 0; i < n; ++i) {
    double w = q[i], size = std::fabs(q[i]);
    for (size_t j = 0; j < n; ++j) {
      w += M[i * n + j] * z[j];
      size += std::fabs(M[i * n + j] * z[j]);
    }
    if (!std::isfinite(w)) return std::numeric_limits<double>::infinity();
    const double dw = size > 0 ? w / size : 0, dz = largest > 0 ? z[i] / largest : 0;
    worst = std::max({worst, -dw, -dz, std::min(dw, dz)});
  }
  return worst;
}

bool solve_lcp_on(std::span<const double> M, std::span<const double> q,
                  std::span<const uint8_t> marked, std::vector<double>& z) {
  const size_t n = q.size();
  std::vector<size_t> in;
  for (size_t i = 0; i < n; ++i) {
    if (marked[i] != 0) in.push_back(i);
  }
  z.assign(n, 0);
  if (!in.empty()) {
    const size_t m = in.size();
    std::vector<double> A(m * m), x(m);
    for (size_t i = 0; i < m; ++i) {
      for (size_t j = 0; j < m; ++j) A[i * m + j] = M[in[i] * n + in[j]];
      x[i] = -q[in[i]];
    }
    DenseLu lu;
    if (!lu.factor(A, m)) return false;
    lu.solve(x);
    for (size_t i = 0; i < m; ++i) z[in[i]] = x[i];
  }
  if (!(lcp_residual(M, q, z) <= kGoodEnough)) return false;
  for (double& x : z) x = std::max(x, 0.0);
  return true;
}

LcpResult solve_lcp(std::span<const double> M, std::span<const double> q, std::vector<double>& z,
                    const LcpSettings& settings) {
  const size_t n = q.size();
  LcpResult result;
  z.assign(n, 0);
  if (!all_finite(M) || !all_finite(q)) {
    result.status = LcpStatus::kNotFinite;
    return result;
  }
  const std::vector<double> scale = balance(M, n);
  std::vector<double> scaled(n);
  double size = 0;
  for (size_t i = 0; i < n; ++i) {
    scaled[i] = scale[i] * q[i];
    size = std::max(size, std::fabs(scaled[i]));
  }
  if (!(size > 0)) return result;
  for (double& x : scaled) x /= size;

  LemkeTableau tableau(M, scaled, scale, settings);
  const int most = settings.max_pivots > 0 ? settings.max_pivots : 50 * (static_cast<int>(n) + 1);
  result.status = tableau.run(most, result.pivots);
  if (result.status != LcpStatus::kSolved) return result;
  std::vector<uint8_t> positive(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const double x = tableau.value(i);
    z[i] = std::max(0.0, x) * scale[i] * size;
    positive[i] = x > 0 ? 1 : 0;
  }
  result.residual = lcp_residual(M, q, z);
  // the same answer without the round-off of all the pivots
  std::vector<double> polished;
  if (result.residual > 1e-14 && solve_lcp_on(M, q, positive, polished)) {
    const double residual = lcp_residual(M, q, polished);
    if (residual < result.residual) {
      z = std::move(polished);
      result.residual = residual;
    }
  }
  if (!(result.residual <= kNoSolution)) {
    result.status = LcpStatus::kGaveUp;
    z.assign(n, 0);
  }
  return result;
}

}  // namespace tenon
