#include "tenon/engine/mechanism/block_lu.h"

#include <algorithm>
#include <utility>

#include "tenon/engine/mechanism/small_blocks.h"

namespace tenon {
namespace {

using namespace blocks;

// A pivot is trusted down to this fraction of the block's largest diagonal number as assembled:
// below, it is round-off of a redundant row.
constexpr double kSmallestPivot = 1e-13;

struct Store {
  const BlockPattern& p;
  const uint8_t* size;  // rows in use, of each column
  double *diagonal, *lower, *upper;
};

template <size_t M>
TENON_INLINE double smallest_pivot(const double* D, size_t m) {
  const size_t n = M == 0 ? m : M;
  double largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(D[i * n + i]));
  return std::max(kSmallestPivot * largest, 1e-300);
}

// Returns how many pivots were too small.
template <size_t M>
TENON_INLINE int invert_pivot(double* D, size_t m) {
  const double smallest = smallest_pivot<M>(D, m);
  return M == 0 ? invert_any(D, m, smallest) : invert<M>(D, m, smallest);
}

template <size_t M>
TENON_INLINE void transpose_square(double* A) {
  for (size_t i = 0; i < M; ++i) {
    for (size_t j = 0; j < i; ++j) std::swap(A[i * M + j], A[j * M + i]);
  }
}

// Right-looking: when column c is done, its products are taken from all blocks to its right.
template <size_t M>
TENON_INLINE int factor_general_columns(const Store& s) {
  const BlockPattern& p = s.p;
  int replaced = 0;
  double scaled[kMax * kMax + 1];
  for (size_t c = 0; c < p.size.size(); ++c) {
    const size_t mc = M == 0 ? s.size[c] : M;
    double* D = s.diagonal + p.diagonal[c];
    replaced += invert_pivot<M>(D, mc);
    const uint32_t* target = p.target.data() + p.target_first[c];
    const uint32_t begin = p.first[c], end = p.first[c + 1];
    for (uint32_t a = begin; a < end; ++a) {
      const size_t ma = M == 0 ? s.size[p.row[a]] : M;
      // L = A D^-1
      double* L = s.lower + p.offset[a];
      product<M>(scaled, L, D, ma, mc);
      for (size_t i = 0; i < ma * mc; ++i) L[i] = scaled[i];
      const double* Ua = s.upper + p.offset[a];
      for (uint32_t b = begin; b < a; ++b, ++target) {
        const size_t mb = M == 0 ? s.size[p.row[b]] : M;
        subtract_product<M>(s.lower + *target, scaled, s.upper + p.offset[b], ma, mc, mb);
        subtract_product<M>(s.upper + *target, s.lower + p.offset[b], Ua, mb, mc, ma);
      }
      subtract_product<M>(s.diagonal + p.diagonal[p.row[a]], scaled, Ua, ma, mc, ma);
    }
    if constexpr (M == 3) {  // as solves want them
      for (uint32_t a = begin; a < end; ++a) {
        transpose_square<M>(s.lower + p.offset[a]);
        transpose_square<M>(s.upper + p.offset[a]);
      }
    }
  }
  return replaced;
}

// Half of the products; blocks above the diagonal stand in `transposed` while they are needed.
template <size_t M>
TENON_INLINE int factor_symmetric_columns(const Store& s, double* scaled, double* transposed) {
  const BlockPattern& p = s.p;
  int replaced = 0;
  for (size_t c = 0; c < p.size.size(); ++c) {
    const size_t mc = M == 0 ? s.size[c] : M;
    double* D = s.diagonal + p.diagonal[c];
    replaced += invert_pivot<M>(D, mc);
    const uint32_t* target = p.target.data() + p.target_first[c];
    const uint32_t begin = p.first[c], end = p.first[c + 1];
    for (uint32_t a = begin; a < end; ++a) {
      const size_t ma = M == 0 ? s.size[p.row[a]] : M;
      double* L = s.lower + p.offset[a];
      double* U = transposed + (a - begin) * kMax * kMax;
      transpose_block<M>(U, L, ma, mc);
      product<M>(scaled, L, D, ma, mc);
      for (size_t i = 0; i < ma * mc; ++i) L[i] = scaled[i];
      if constexpr (M == 3) transpose_block<M>(s.upper + p.offset[a], L, M, M);  // for solves
      for (uint32_t b = begin; b < a; ++b, ++target) {
        const size_t mb = M == 0 ? s.size[p.row[b]] : M;
        subtract_product<M>(s.lower + *target, scaled, transposed + (b - begin) * kMax * kMax, ma,
                            mc, mb);
      }
      subtract_product<M>(s.diagonal + p.diagonal[p.row[a]], scaled, U, ma, mc, ma);
    }
  }
  return replaced;
}

template <size_t M, bool kSymmetric>
TENON_INLINE void solve_columns(const Store& s, double* x) {
  const BlockPattern& p = s.p;
  const double *diagonal = s.diagonal, *lower = s.lower, *upper = s.upper;
  const size_t n = p.size.size();
  for (size_t c = 0; c < n; ++c) {
    const size_t mc = M == 0 ? s.size[c] : M;
    for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
      const uint32_t r = p.row[a];
      subtract_mul<M>(x + p.vector[r], lower + p.offset[a], x + p.vector[c], M == 0 ? s.size[r] : M,
                      mc);
    }
  }
  for (size_t c = n; c-- > 0;) {
    const size_t mc = M == 0 ? s.size[c] : M;
    double* xc = x + p.vector[c];
    const double* D = diagonal + p.diagonal[c];
    double y[kMax];
    if constexpr (kSymmetric) {  // x = D^-1 x - L^T x
      square_mul<M>(y, D, xc, mc);
      for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
        const uint32_t r = p.row[a];
        subtract_transpose_mul<M>(y, lower + p.offset[a], x + p.vector[r], M == 0 ? s.size[r] : M,
                                  mc);
      }
    } else {  // x = D^-1 (x - U x)
      for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
        const uint32_t r = p.row[a];
        subtract_mul<M>(xc, upper + p.offset[a], x + p.vector[r], mc, M == 0 ? s.size[r] : M);
      }
      square_mul<M>(y, D, xc, mc);
    }
    for (size_t i = 0; i < mc; ++i) xc[i] = y[i];
  }
}

// Blocks of three rows of three: L^T and U^T are stored, in place of U where both are the same.
template <bool kSymmetric>
TENON_INLINE void solve_columns_of_three(const Store& s, double* x) {
  const BlockPattern& p = s.p;
  const double* columns = kSymmetric ? s.upper : s.lower;
  const size_t n = p.size.size();
  for (size_t c = 0; c < n; ++c) {
    const double* xc = x + 3 * c;
    const Four factor[3] = {Four{} + xc[0], Four{} + xc[1], Four{} + xc[2]};
    for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
      subtract_columns(x + size_t{3} * p.row[a], columns + size_t{9} * a, factor);
    }
  }
  for (size_t c = n; c-- > 0;) {
    double* xc = x + 3 * c;
    const double* D = s.diagonal + 9 * c;
    // x = D^-1 x - L^T x, or D^-1 (x - U x)
    Four y{xc[0], xc[1], xc[2], 0};
    if constexpr (kSymmetric) {
      double Dx[3];
      square_mul<3>(Dx, D, xc, 3);
      y = Four{Dx[0], Dx[1], Dx[2], 0};
    }
    const double* rows = kSymmetric ? s.lower : s.upper;
    for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
      subtract_columns(y, rows + size_t{9} * a, x + size_t{3} * p.row[a]);
    }
    for (size_t i = 0; i < 3; ++i) xc[i] = y[i];
    if constexpr (!kSymmetric) {
      double Dx[3];
      square_mul<3>(Dx, D, xc, 3);
      for (size_t i = 0; i < 3; ++i) xc[i] = Dx[i];
    }
  }
}

// The size of all columns, 0 if they differ.
TENON_INLINE uint8_t uniform_size(const Store& s) {
  return std::equal(s.p.size.begin(), s.p.size.end(), s.size) ? s.p.uniform : 0;
}

TENON_INLINE int factor(const Store& s, bool symmetric, double* scaled, double* transposed) {
  switch (uniform_size(s)) {
    case 3:
      return symmetric ? factor_symmetric_columns<3>(s, scaled, transposed)
                       : factor_general_columns<3>(s);
    case 5:
      return symmetric ? factor_symmetric_columns<5>(s, scaled, transposed)
                       : factor_general_columns<5>(s);
    default:
      return symmetric ? factor_symmetric_columns<0>(s, scaled, transposed)
                       : factor_general_columns<0>(s);
  }
}

// No lambdas here: they would not be compiled for AVX2.
TENON_INLINE void solve_three(const Store& s, bool symmetric, double* x) {
  symmetric ? solve_columns_of_three<true>(s, x) : solve_columns_of_three<false>(s, x);
}

template <size_t M>
TENON_INLINE void solve_sized(const Store& s, bool symmetric, double* x) {
  symmetric ? solve_columns<M, true>(s, x) : solve_columns<M, false>(s, x);
}

TENON_INLINE void solve(const Store& s, bool symmetric, double* x) {
  switch (uniform_size(s)) {
    case 3:
      return solve_three(s, symmetric, x);
    case 5:
      return solve_sized<5>(s, symmetric, x);
    default:
      return solve_sized<0>(s, symmetric, x);
  }
}

int factor_plain(const Store& s, bool symmetric, double* scaled, double* transposed) {
  return factor(s, symmetric, scaled, transposed);
}
void solve_plain(const Store& s, bool symmetric, double* x) { solve(s, symmetric, x); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] int factor_avx2(const Store& s, bool symmetric, double* scaled,
                                        double* transposed) {
  return factor(s, symmetric, scaled, transposed);
}
[[gnu::target("avx2")]] void solve_avx2(const Store& s, bool symmetric, double* x) {
  solve(s, symmetric, x);
}
bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }
#else
constexpr auto factor_avx2 = factor_plain;
constexpr auto solve_avx2 = solve_plain;
bool has_avx2() { return false; }
#endif

}  // namespace

void BlockLu::reset(const BlockPattern& pattern) {
  pattern_ = &pattern;
  size_ = pattern.size;
  // one to spare: see small_blocks.h
  diagonal_.assign(pattern.diagonal_store + 1, 0);
  lower_.assign(pattern.store + 1, 0);
  upper_.assign(pattern.store + 1, 0);
  size_t largest = 0;
  for (size_t c = 0; c < pattern.size.size(); ++c) {
    largest = std::max<size_t>(largest, pattern.first[c + 1] - pattern.first[c]);
  }
  transposed_.assign(largest * kMax * kMax + 1, 0);
}

void BlockLu::clear() {
  clear_symmetric();
  std::fill(upper_.begin(), upper_.end(), 0.0);
}

void BlockLu::clear_symmetric() {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(lower_.begin(), lower_.end(), 0.0);
}

int BlockLu::run_factor(bool symmetric) {
  const Store s{*pattern_, size_.data(), diagonal_.data(), lower_.data(), upper_.data()};
  double scaled[kMax * kMax + 1] = {};
  return has_avx2() ? factor_avx2(s, symmetric, scaled, transposed_.data())
                    : factor_plain(s, symmetric, scaled, transposed_.data());
}
void BlockLu::run_solve(bool symmetric, std::span<double> x) {
  const Store s{*pattern_, size_.data(), diagonal_.data(), lower_.data(), upper_.data()};
  has_avx2() ? solve_avx2(s, symmetric, x.data()) : solve_plain(s, symmetric, x.data());
}

}  // namespace tenon
