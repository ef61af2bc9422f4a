// Products and inverses of blocks of 1 to 6 rows, row-major. M = 0: sizes are known at run time
// only; otherwise all three are M and the loops unroll.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

// The loops below are compiled twice, for plain and for AVX2 machines; the same operations in the
// same order, so the same bits.
#define TENON_INLINE [[gnu::always_inline]] inline
// Lambdas are functions of their own: only inlined are they compiled like the function around them.
#define TENON_INLINE_LAMBDA __attribute__((always_inline))

namespace tenon::blocks {

inline constexpr size_t kMax = 6;

// f(size) with a size of 1 to kMax that is known at run time as a constant, size(): loops over it
// unroll.
template <typename F>
TENON_INLINE void with_size(size_t n, const F& f) {
  switch (n) {
    case 1:
      return f(std::integral_constant<size_t, 1>{});
    case 2:
      return f(std::integral_constant<size_t, 2>{});
    case 3:
      return f(std::integral_constant<size_t, 3>{});
    case 4:
      return f(std::integral_constant<size_t, 4>{});
    case 5:
      return f(std::integral_constant<size_t, 5>{});
    case 6:
      return f(std::integral_constant<size_t, 6>{});
    default:
      return;
  }
}

// Four doubles at once. A block of three rows of three is read as three overlapping fours, so
// stores of blocks have one double to spare at their end.
using Four = double __attribute__((vector_size(32)));
TENON_INLINE void load(const double* from, Four& v) { std::memcpy(&v, from, sizeof(Four)); }
TENON_INLINE void store_rows(double* to, const Four& r0, const Four& r1, const Four& r2) {
  std::memcpy(to, &r0, sizeof(Four));
  std::memcpy(to + 3, &r1, sizeof(Four));
  std::memcpy(to + 6, &r2, 3 * sizeof(double));
}

// C (m x n) -= A (m x k) B (k x n)
template <size_t M>
TENON_INLINE void subtract_product(double* C, const double* A, const double* B, size_t m, size_t k,
                                   size_t n) {
  const size_t rows = M == 0 ? m : M, inner = M == 0 ? k : M, columns = M == 0 ? n : M;
  for (size_t i = 0; i < rows; ++i) {
    double sum[M == 0 ? kMax : M];
    for (size_t j = 0; j < columns; ++j) sum[j] = C[i * columns + j];
    for (size_t l = 0; l < inner; ++l) {
      const double a = A[i * inner + l];
      for (size_t j = 0; j < columns; ++j) sum[j] -= a * B[l * columns + j];
    }
    for (size_t j = 0; j < columns; ++j) C[i * columns + j] = sum[j];
  }
}

// The same with sizes known at run time only: one loop for each width.
template <size_t N>
TENON_INLINE void subtract_product_of_width(double* C, const double* A, const double* B, size_t m,
                                            size_t k) {
  for (size_t i = 0; i < m; ++i) {
    double sum[N];
    for (size_t j = 0; j < N; ++j) sum[j] = C[i * N + j];
    for (size_t l = 0; l < k; ++l) {
      const double a = A[i * k + l];
      for (size_t j = 0; j < N; ++j) sum[j] -= a * B[l * N + j];
    }
    for (size_t j = 0; j < N; ++j) C[i * N + j] = sum[j];
  }
}
template <>
TENON_INLINE void subtract_product<0>(double* C, const double* A, const double* B, size_t m,
                                      size_t k, size_t n) {
  with_size(
      n, [&](auto size) TENON_INLINE_LAMBDA { subtract_product_of_width<size()>(C, A, B, m, k); });
}

template <>
TENON_INLINE void subtract_product<3>(double* C, const double* A, const double* B, size_t, size_t,
                                      size_t) {
  Four b0, b1, b2, c0, c1, c2;
  load(B, b0);
  load(B + 3, b1);
  load(B + 6, b2);
  load(C, c0);
  load(C + 3, c1);
  load(C + 6, c2);
  c0 = ((c0 - A[0] * b0) - A[1] * b1) - A[2] * b2;
  c1 = ((c1 - A[3] * b0) - A[4] * b1) - A[5] * b2;
  c2 = ((c2 - A[6] * b0) - A[7] * b1) - A[8] * b2;
  store_rows(C, c0, c1, c2);
}

// Rows of five are a four and a single.
template <>
TENON_INLINE void subtract_product<5>(double* C, const double* A, const double* B, size_t, size_t,
                                      size_t) {
  Four b[5];
  for (size_t l = 0; l < 5; ++l) load(B + 5 * l, b[l]);
  for (size_t i = 0; i < 5; ++i) {
    const double* a = A + 5 * i;
    double* c = C + 5 * i;
    Four row;
    load(c, row);
    double last = c[4];
    for (size_t l = 0; l < 5; ++l) {
      row -= a[l] * b[l];
      last -= a[l] * B[5 * l + 4];
    }
    std::memcpy(c, &row, sizeof(Four));
    c[4] = last;
  }
}

// B (k x n) = A^T, A (n x k)
template <size_t M>
TENON_INLINE void transpose_block(double* B, const double* A, size_t n, size_t k) {
  const size_t rows = M == 0 ? n : M, columns = M == 0 ? k : M;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) B[j * rows + i] = A[i * columns + j];
  }
}

// C (m x k) = A (m x k) B (k x k)
template <size_t M>
TENON_INLINE void product(double* C, const double* A, const double* B, size_t m, size_t k) {
  const size_t rows = M == 0 ? m : M, inner = M == 0 ? k : M;
  for (size_t i = 0; i < rows; ++i) {
    double sum[M == 0 ? kMax : M] = {};
    for (size_t l = 0; l < inner; ++l) {
      const double a = A[i * inner + l];
      for (size_t j = 0; j < inner; ++j) sum[j] += a * B[l * inner + j];
    }
    for (size_t j = 0; j < inner; ++j) C[i * inner + j] = sum[j];
  }
}

template <size_t K>
TENON_INLINE void product_of_width(double* C, const double* A, const double* B, size_t m) {
  for (size_t i = 0; i < m; ++i) {
    double sum[K] = {};
    for (size_t l = 0; l < K; ++l) {
      for (size_t j = 0; j < K; ++j) sum[j] += A[i * K + l] * B[l * K + j];
    }
    for (size_t j = 0; j < K; ++j) C[i * K + j] = sum[j];
  }
}
template <>
TENON_INLINE void product<0>(double* C, const double* A, const double* B, size_t m, size_t k) {
  with_size(k, [&](auto size) TENON_INLINE_LAMBDA { product_of_width<size()>(C, A, B, m); });
}

template <>
TENON_INLINE void product<5>(double* C, const double* A, const double* B, size_t, size_t) {
  Four b[5];
  for (size_t l = 0; l < 5; ++l) load(B + 5 * l, b[l]);
  for (size_t i = 0; i < 5; ++i) {
    const double* a = A + 5 * i;
    Four row = {0, 0, 0, 0};
    double last = 0;
    for (size_t l = 0; l < 5; ++l) {
      row += a[l] * b[l];
      last += a[l] * B[5 * l + 4];
    }
    std::memcpy(C + 5 * i, &row, sizeof(Four));
    C[5 * i + 4] = last;
  }
}

// y (m) -= A (m x k) x (k)
template <size_t M>
TENON_INLINE void subtract_mul(double* y, const double* A, const double* x, size_t m, size_t k) {
  const size_t rows = M == 0 ? m : M, inner = M == 0 ? k : M;
  for (size_t i = 0; i < rows; ++i) {
    double sum = y[i];
    for (size_t l = 0; l < inner; ++l) sum -= A[i * inner + l] * x[l];
    y[i] = sum;
  }
}
// y (k) -= A^T x, A (m x k)
template <size_t M>
TENON_INLINE void subtract_transpose_mul(double* y, const double* A, const double* x, size_t m,
                                         size_t k) {
  const size_t rows = M == 0 ? m : M, inner = M == 0 ? k : M;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t l = 0; l < inner; ++l) y[l] -= A[i * inner + l] * x[i];
  }
}

// y (m) = A (m x m) x (m)
template <size_t M>
TENON_INLINE void square_mul(double* y, const double* A, const double* x, size_t m) {
  const size_t n = M == 0 ? m : M;
  for (size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (size_t l = 0; l < n; ++l) sum += A[i * n + l] * x[l];
    y[i] = sum;
  }
}

// The same on blocks of three rows of three, four numbers at once: B = A^T is stored, and a block
// is summed up before it is taken off, so that the next one need not wait for three subtractions.
//   y (3) -= A x;  what stands behind y stays
TENON_INLINE void subtract_columns(double* y, const double* B, const Four* x) {
  Four c0, c1, c2;
  load(B, c0);
  load(B + 3, c1);
  load(B + 6, c2);
  const Four sum = (c0 * x[0] + c1 * x[1]) + c2 * x[2];
  y[0] -= sum[0];
  y[1] -= sum[1];
  y[2] -= sum[2];
}
//   y -= A x, the fourth number of y means nothing
TENON_INLINE void subtract_columns(Four& y, const double* B, const double* x) {
  Four c0, c1, c2;
  load(B, c0);
  load(B + 3, c1);
  load(B + 6, c2);
  y -= (c0 * x[0] + c1 * x[1]) + c2 * x[2];
}

// These three with sizes known at run time only: one loop for each width.
template <size_t K>
TENON_INLINE void subtract_mul_of_width(double* y, const double* A, const double* x, size_t m) {
  for (size_t i = 0; i < m; ++i) {
    double sum = y[i];
    for (size_t l = 0; l < K; ++l) sum -= A[i * K + l] * x[l];
    y[i] = sum;
  }
}
template <>
TENON_INLINE void subtract_mul<0>(double* y, const double* A, const double* x, size_t m, size_t k) {
  with_size(k, [&](auto size) TENON_INLINE_LAMBDA { subtract_mul_of_width<size()>(y, A, x, m); });
}
template <size_t K>
TENON_INLINE void subtract_transpose_mul_of_width(double* y, const double* A, const double* x,
                                                  size_t m) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t l = 0; l < K; ++l) y[l] -= A[i * K + l] * x[i];
  }
}
template <>
TENON_INLINE void subtract_transpose_mul<0>(double* y, const double* A, const double* x, size_t m,
                                            size_t k) {
  with_size(k, [&](auto size)
                   TENON_INLINE_LAMBDA { subtract_transpose_mul_of_width<size()>(y, A, x, m); });
}
template <>
TENON_INLINE void square_mul<0>(double* y, const double* A, const double* x, size_t m) {
  with_size(m, [&](auto size) TENON_INLINE_LAMBDA { square_mul<size()>(y, A, x, m); });
}

// Replaces the m x m block by its inverse: Gauss-Jordan with full pivoting. A pivot below
// `smallest` is replaced by it. Returns the number of such pivots.
template <size_t M>
TENON_INLINE int invert(double* A, size_t m, double smallest) {
  const size_t n = M == 0 ? m : M;
  int replaced = 0;
  size_t row_of[kMax] = {}, column_of[kMax] = {};
  bool used_row[kMax] = {}, used_column[kMax] = {};
  for (size_t step = 0; step < n; ++step) {
    // largest entry of what is left
    size_t r = 0, c = 0;
    double largest = -1;
    for (size_t i = 0; i < n; ++i) {
      if (used_row[i]) continue;
      for (size_t j = 0; j < n; ++j) {
        if (used_column[j]) continue;
        const double a = std::fabs(A[i * n + j]);
        if (a > largest) {
          largest = a;
          r = i;
          c = j;
        }
      }
    }
    if (largest < 0) {  // only NaN is left: take any, the caller sees the result
      for (size_t i = 0; i < n; ++i) {
        if (!used_row[i]) r = i;
        if (!used_column[i]) c = i;
      }
    }
    used_row[r] = used_column[c] = true;
    row_of[step] = r;
    column_of[step] = c;
    double pivot = A[r * n + c];
    if (!(std::fabs(pivot) >= smallest)) {
      pivot = pivot < 0 ? -smallest : smallest;
      ++replaced;
    }
    const double inverse = 1 / pivot;
    A[r * n + c] = 1;
    for (size_t j = 0; j < n; ++j) A[r * n + j] *= inverse;
    for (size_t i = 0; i < n; ++i) {
      if (i == r) continue;
      const double factor = A[i * n + c];
      A[i * n + c] = 0;
      for (size_t j = 0; j < n; ++j) A[i * n + j] -= factor * A[r * n + j];
    }
  }
  // undo: row r of the work belongs to column c of the matrix, see Press et al., sec. 2.1
  double B[kMax * kMax];
  for (size_t s = 0; s < n; ++s) {
    for (size_t t = 0; t < n; ++t)
      B[column_of[s] * n + row_of[t]] = A[row_of[s] * n + column_of[t]];
  }
  for (size_t i = 0; i < n * n; ++i) A[i] = B[i];
  return replaced;
}

// 3 x 3 by cofactors where the block is far from singular.
template <>
inline int invert<3>(double* A, size_t, double smallest) {
  const double c00 = A[4] * A[8] - A[5] * A[7], c01 = A[5] * A[6] - A[3] * A[8],
               c02 = A[3] * A[7] - A[4] * A[6];
  const double det = A[0] * c00 + A[1] * c01 + A[2] * c02;
  const double scale = (std::fabs(A[0]) + std::fabs(A[1]) + std::fabs(A[2])) *
                       (std::fabs(A[3]) + std::fabs(A[4]) + std::fabs(A[5])) *
                       (std::fabs(A[6]) + std::fabs(A[7]) + std::fabs(A[8]));
  if (!(std::fabs(det) > 1e-5 * scale) || !(std::fabs(A[8]) > smallest)) {
    return invert<0>(A, 3, smallest);
  }
  const double s = 1 / det;
  const double r[9] = {s * c00, s * (A[2] * A[7] - A[1] * A[8]), s * (A[1] * A[5] - A[2] * A[4]),
                       s * c01, s * (A[0] * A[8] - A[2] * A[6]), s * (A[2] * A[3] - A[0] * A[5]),
                       s * c02, s * (A[1] * A[6] - A[0] * A[7]), s * (A[0] * A[4] - A[1] * A[3])};
  for (size_t i = 0; i < 9; ++i) A[i] = r[i];
  return 0;
}

// 5 x 5 by its 3 x 3 and 2 x 2 blocks, where both are far from singular: a hinge's point and axis.
//   [P Q; R S]^-1 = [P' + P'Q T R P', -P'Q T; -T R P', T],  P' = P^-1, T = (S - R P' Q)^-1
template <>
inline int invert<5>(double* A, size_t, double smallest) {
  double P[9], X[6], Y[6], T[4];
  double scale = 1;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) P[3 * i + j] = A[5 * i + j];
    scale *= std::fabs(P[3 * i]) + std::fabs(P[3 * i + 1]) + std::fabs(P[3 * i + 2]);
  }
  const double c0 = P[4] * P[8] - P[5] * P[7], c1 = P[5] * P[6] - P[3] * P[8],
               c2 = P[3] * P[7] - P[4] * P[6];
  if (!(std::fabs(P[0] * c0 + P[1] * c1 + P[2] * c2) > 1e-5 * scale)) {
    return invert<0>(A, 5, smallest);
  }
  invert<3>(P, 3, 0);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      X[2 * i + j] = P[3 * i] * A[3 + j] + P[3 * i + 1] * A[8 + j] + P[3 * i + 2] * A[13 + j];
      Y[3 * j + i] = A[15 + 5 * j] * P[i] + A[16 + 5 * j] * P[3 + i] + A[17 + 5 * j] * P[6 + i];
    }
  }
  for (size_t i = 0; i < 2; ++i) {
    const double* R = A + 15 + 5 * i;
    for (size_t j = 0; j < 2; ++j) {
      T[2 * i + j] = R[3 + j] - (R[0] * X[j] + R[1] * X[2 + j] + R[2] * X[4 + j]);
    }
  }
  const double det = T[0] * T[3] - T[1] * T[2];
  const double scale2 = (std::fabs(T[0]) + std::fabs(T[1])) * (std::fabs(T[2]) + std::fabs(T[3]));
  // and no smaller than what the block has lost to cancellation
  const double lost = 1e-6 * std::max(std::fabs(A[18]), std::fabs(A[24]));
  if (!(std::fabs(det) > 1e-5 * scale2) || !(std::fabs(T[0]) > smallest) ||
      !(std::fabs(det) > lost * lost)) {
    return invert<0>(A, 5, smallest);
  }
  const double s = 1 / det;
  const double I[4] = {s * T[3], -s * T[1], -s * T[2], s * T[0]};
  for (size_t i = 0; i < 3; ++i) {
    const double x0 = X[2 * i] * I[0] + X[2 * i + 1] * I[2],
                 x1 = X[2 * i] * I[1] + X[2 * i + 1] * I[3];
    for (size_t j = 0; j < 3; ++j) A[5 * i + j] = P[3 * i + j] + (x0 * Y[j] + x1 * Y[3 + j]);
    A[5 * i + 3] = -x0;
    A[5 * i + 4] = -x1;
  }
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      A[15 + 5 * i + j] = -(I[2 * i] * Y[j] + I[2 * i + 1] * Y[3 + j]);
    }
    A[18 + 5 * i] = I[2 * i];
    A[19 + 5 * i] = I[2 * i + 1];
  }
  return 0;
}

// M = 3 + K rows by their 3 x 3 and K x K blocks, as invert<5>.
template <size_t K>
inline int invert_split(double* A, double smallest) {
  constexpr size_t N = 3 + K;
  double P[9], S[K * K], X[3 * K], Y[K * 3];
  double scale = 1, lost = 0;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) P[3 * i + j] = A[N * i + j];
    scale *= std::fabs(P[3 * i]) + std::fabs(P[3 * i + 1]) + std::fabs(P[3 * i + 2]);
  }
  const double c0 = P[4] * P[8] - P[5] * P[7], c1 = P[5] * P[6] - P[3] * P[8],
               c2 = P[3] * P[7] - P[4] * P[6];
  if (!(std::fabs(P[0] * c0 + P[1] * c1 + P[2] * c2) > 1e-5 * scale)) {
    return invert<0>(A, N, smallest);
  }
  invert<3>(P, 3, 0);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < K; ++j) {
      X[K * i + j] = 0;
      Y[3 * j + i] = 0;
      for (size_t l = 0; l < 3; ++l) {
        X[K * i + j] += P[3 * i + l] * A[N * l + 3 + j];
        Y[3 * j + i] += A[N * (3 + j) + l] * P[3 * l + i];
      }
    }
  }
  for (size_t i = 0; i < K; ++i) {
    for (size_t j = 0; j < K; ++j) {
      double t = A[N * (3 + i) + 3 + j];
      for (size_t l = 0; l < 3; ++l) t -= A[N * (3 + i) + l] * X[K * l + j];
      S[K * i + j] = t;
    }
    lost = std::max(lost, 1e-6 * std::fabs(A[(N + 1) * (3 + i)]));
  }
  // no pivot smaller than what the block has lost to cancellation
  if constexpr (K == 1) {
    if (!(std::fabs(S[0]) > lost) || !(std::fabs(S[0]) > smallest)) {
      return invert<0>(A, N, smallest);
    }
    S[0] = 1 / S[0];
  } else {
    const double largest = std::max(lost, smallest);
    double B[K * K];
    std::copy_n(S, K * K, B);
    if (invert<0>(B, K, largest) != 0) return invert<0>(A, N, smallest);
    std::copy_n(B, K * K, S);
  }
  for (size_t i = 0; i < 3; ++i) {
    double x[K] = {};
    for (size_t j = 0; j < K; ++j) {
      for (size_t l = 0; l < K; ++l) x[j] += X[K * i + l] * S[K * l + j];
    }
    for (size_t j = 0; j < 3; ++j) {
      double a = P[3 * i + j];
      for (size_t l = 0; l < K; ++l) a += x[l] * Y[3 * l + j];
      A[N * i + j] = a;
    }
    for (size_t j = 0; j < K; ++j) A[N * i + 3 + j] = -x[j];
  }
  for (size_t i = 0; i < K; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      double a = 0;
      for (size_t l = 0; l < K; ++l) a -= S[K * i + l] * Y[3 * l + j];
      A[N * (3 + i) + j] = a;
    }
    for (size_t j = 0; j < K; ++j) A[N * (3 + i) + 3 + j] = S[K * i + j];
  }
  return 0;
}

// Of a size known at run time.
TENON_INLINE int invert_any(double* A, size_t m, double smallest) {
  switch (m) {
    case 3:
      return invert<3>(A, 3, smallest);
    case 4:
      return invert_split<1>(A, smallest);
    case 5:
      return invert<5>(A, 5, smallest);
    case 6:
      return invert_split<3>(A, smallest);
    default:
      return invert<0>(A, m, smallest);
  }
}

}  // namespace tenon::blocks
