#include "tenon/engine/solve_articulated/block_lu.h"

#include <algorithm>

#include "tenon/engine/solve_articulated/detail/small_blocks.h"

namespace tenon {
namespace {

using namespace blocks;

// A pivot is trusted down to this fraction of the block's largest diagonal number as assembled:
// below, it is round-off of a redundant row.
constexpr double kSmallestPivot = 1e-13;

struct Store {
  const BlockPattern& p;
  double *diagonal, *lower, *upper;
};

template <size_t M>
double smallest_pivot(const double* D, size_t m) {
  const size_t n = M == 0 ? m : M;
  double largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(D[i * n + i]));
  return std::max(kSmallestPivot * largest, 1e-300);
}

// Right-looking: when column c is done, its products are taken from all blocks to its right.
template <size_t M>
int factor_general_columns(const Store& s) {
  const BlockPattern& p = s.p;
  int replaced = 0;
  double scaled[kMax * kMax];
  for (size_t c = 0; c < p.size.size(); ++c) {
    const size_t mc = M == 0 ? p.size[c] : M;
    double* D = s.diagonal + p.diagonal[c];
    replaced += invert<M>(D, mc, smallest_pivot<M>(D, mc));
    const uint32_t* target = p.target.data() + p.target_first[c];
    const uint32_t begin = p.first[c], end = p.first[c + 1];
    for (uint32_t a = begin; a < end; ++a) {
      const size_t ma = M == 0 ? p.size[p.row[a]] : M;
      // L = A D^-1
      double* L = s.lower + p.offset[a];
      product<M>(scaled, L, D, ma, mc);
      for (size_t i = 0; i < ma * mc; ++i) L[i] = scaled[i];
      const double* Ua = s.upper + p.offset[a];
      for (uint32_t b = begin; b < a; ++b, ++target) {
        const size_t mb = M == 0 ? p.size[p.row[b]] : M;
        subtract_product<M>(s.lower + *target, scaled, s.upper + p.offset[b], ma, mc, mb);
        subtract_product<M>(s.upper + *target, s.lower + p.offset[b], Ua, mb, mc, ma);
      }
      subtract_product<M>(s.diagonal + p.diagonal[p.row[a]], scaled, Ua, ma, mc, ma);
    }
  }
  return replaced;
}

template <size_t M>
int factor_symmetric_columns(const Store& s, std::vector<double>& scratch) {
  const BlockPattern& p = s.p;
  int replaced = 0;
  for (size_t c = 0; c < p.size.size(); ++c) {
    const size_t mc = M == 0 ? p.size[c] : M;
    double* D = s.diagonal + p.diagonal[c];
    replaced += invert<M>(D, mc, smallest_pivot<M>(D, mc));
    const uint32_t* target = p.target.data() + p.target_first[c];
    const uint32_t begin = p.first[c], end = p.first[c + 1];
    scratch.resize((end - begin) * kMax * kMax);
    for (uint32_t a = begin; a < end; ++a) {
      const size_t ma = M == 0 ? p.size[p.row[a]] : M;
      double* scaled = scratch.data() + (a - begin) * kMax * kMax;
      product<M>(scaled, s.lower + p.offset[a], D, ma, mc);
      for (uint32_t b = begin; b < a; ++b, ++target) {
        const size_t mb = M == 0 ? p.size[p.row[b]] : M;
        subtract_product_transposed<M>(s.lower + *target, scaled, s.lower + p.offset[b], ma, mc,
                                       mb);
      }
      subtract_product_transposed<M>(s.diagonal + p.diagonal[p.row[a]], scaled,
                                     s.lower + p.offset[a], ma, mc, ma);
    }
    for (uint32_t a = begin; a < end; ++a) {
      const size_t count = (M == 0 ? p.size[p.row[a]] : M) * mc;
      const double* scaled = scratch.data() + (a - begin) * kMax * kMax;
      std::copy(scaled, scaled + count, s.lower + p.offset[a]);
    }
  }
  return replaced;
}

template <size_t M, bool kSymmetric>
void solve_columns(const BlockPattern& p, const double* diagonal, const double* lower,
                   const double* upper, double* x) {
  const size_t n = p.size.size();
  for (size_t c = 0; c < n; ++c) {
    const size_t mc = M == 0 ? p.size[c] : M;
    for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
      const uint32_t r = p.row[a];
      subtract_mul<M>(x + p.vector[r], lower + p.offset[a], x + p.vector[c], M == 0 ? p.size[r] : M,
                      mc);
    }
  }
  for (size_t c = n; c-- > 0;) {
    const size_t mc = M == 0 ? p.size[c] : M;
    double* xc = x + p.vector[c];
    const double* D = diagonal + p.diagonal[c];
    double y[kMax] = {};
    if constexpr (kSymmetric) {  // x = D^-1 x - L^T x
      for (size_t i = 0; i < mc; ++i) {
        for (size_t l = 0; l < mc; ++l) y[i] += D[i * mc + l] * xc[l];
      }
      for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
        const uint32_t r = p.row[a];
        subtract_transpose_mul<M>(y, lower + p.offset[a], x + p.vector[r], M == 0 ? p.size[r] : M,
                                  mc);
      }
    } else {  // x = D^-1 (x - U x)
      for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
        const uint32_t r = p.row[a];
        subtract_mul<M>(xc, upper + p.offset[a], x + p.vector[r], mc, M == 0 ? p.size[r] : M);
      }
      for (size_t i = 0; i < mc; ++i) {
        for (size_t l = 0; l < mc; ++l) y[i] += D[i * mc + l] * xc[l];
      }
    }
    for (size_t i = 0; i < mc; ++i) xc[i] = y[i];
  }
}

template <bool kSymmetric>
void solve(const BlockPattern& p, const double* diagonal, const double* lower, const double* upper,
           double* x) {
  switch (p.uniform) {
    case 3:
      return solve_columns<3, kSymmetric>(p, diagonal, lower, upper, x);
    case 5:
      return solve_columns<5, kSymmetric>(p, diagonal, lower, upper, x);
    default:
      return solve_columns<0, kSymmetric>(p, diagonal, lower, upper, x);
  }
}

}  // namespace

void BlockLu::reset(const BlockPattern& pattern) {
  pattern_ = &pattern;
  diagonal_.assign(pattern.diagonal_store, 0);
  lower_.assign(pattern.store, 0);
  upper_.assign(pattern.store, 0);
}

void BlockLu::clear() {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
}

int BlockLu::factor_general() {
  const Store s{*pattern_, diagonal_.data(), lower_.data(), upper_.data()};
  switch (pattern_->uniform) {
    case 3:
      return factor_general_columns<3>(s);
    case 5:
      return factor_general_columns<5>(s);
    default:
      return factor_general_columns<0>(s);
  }
}

int BlockLu::factor_symmetric() {
  const Store s{*pattern_, diagonal_.data(), lower_.data(), upper_.data()};
  switch (pattern_->uniform) {
    case 3:
      return factor_symmetric_columns<3>(s, scratch_);
    case 5:
      return factor_symmetric_columns<5>(s, scratch_);
    default:
      return factor_symmetric_columns<0>(s, scratch_);
  }
}

void BlockLu::solve_general(std::span<double> x) const {
  solve<false>(*pattern_, diagonal_.data(), lower_.data(), upper_.data(), x.data());
}
void BlockLu::solve_symmetric(std::span<double> x) const {
  solve<true>(*pattern_, diagonal_.data(), lower_.data(), upper_.data(), x.data());
}

}  // namespace tenon
