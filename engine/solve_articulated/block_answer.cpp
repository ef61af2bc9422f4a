#include "tenon/engine/solve_articulated/block_answer.h"

#include "tenon/engine/base/assert.h"
#include "tenon/engine/mechanism/small_blocks.h"

namespace tenon {
namespace {

using namespace blocks;

// to (n numbers) -= sum over k of factor[k] times row k of `rows`, of K.
template <size_t K>
TENON_INLINE void subtract_rows(double* to, const double* factor, const double* rows, size_t width,
                                size_t n) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    Four sum;
    load(to + i, sum);
    for (size_t k = 0; k < K; ++k) {
      Four row;
      load(rows + k * width + i, row);
      sum -= factor[k] * row;
    }
    std::memcpy(to + i, &sum, sizeof(Four));
  }
  for (; i < n; ++i) {
    double sum = to[i];
    for (size_t k = 0; k < K; ++k) sum -= factor[k] * rows[k * width + i];
    to[i] = sum;
  }
}

using Panel = BlockAnswer::Panel;

// to -= L from, L (to.rows x K); `from` begins at column `shift` of `to`.
template <size_t K>
TENON_INLINE void subtract_panel(const Panel& to, size_t shift, const double* L,
                                 const Panel& from) {
  for (size_t i = 0; i < to.rows; ++i) {
    subtract_rows<K>(to.data + i * to.width + shift, L + i * K, from.data, from.width, from.width);
  }
}

// to = factor (K numbers) times Z
template <size_t K>
TENON_INLINE void combine_rows(double* to, const double* factor, const Panel& Z) {
  for (size_t i = 0; i < Z.width; ++i) {
    double sum = factor[0] * Z.data[i];
    for (size_t k = 1; k < K; ++k) sum += factor[k] * Z.data[k * Z.width + i];
    to[i] = sum;
  }
}

// What a column does to those above it.
template <size_t K>
TENON_INLINE void solve_column(const BlockLu& lu, uint32_t c, const Panel* panels) {
  const BlockPattern& p = lu.pattern();
  const Panel& Z = panels[c];
  for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
    const Panel& above = panels[p.row[a]];
    subtract_panel<K>(above, 6 * (Z.begin - above.begin), lu.lower(a), Z);
  }
  const double* D = lu.inverse(c);
  for (size_t i = 0; i < K; ++i) combine_rows<K>(Z.scaled + i * Z.width, D + i * K, Z);
}

TENON_INLINE void solve_panels(const BlockLu& lu, const Panel* panels) {
  const auto columns = static_cast<uint32_t>(lu.pattern().size.size());
  for (uint32_t c = 0; c < columns; ++c) {
    if (panels[c].width == 0) continue;
    with_size(panels[c].rows,
              [&](auto size) TENON_INLINE_LAMBDA { solve_column<size()>(lu, c, panels); });
  }
}

// Six rows, from column 6 Z.begin on: to -= Z(i)^T D^-1 Z, Z(i) the columns of the body at a place.
// In fours, so that up to two numbers behind are written that mean nothing.
template <size_t K>
TENON_INLINE void subtract_square(double* to, size_t stride, const Panel& Z, uint32_t place) {
  const size_t first = 6 * (place - Z.begin), n = first + 6;
  to += 6 * Z.begin;
  for (size_t i = 0; i < 6; i += 3, to += 3 * stride) {
    double factor[3 * K];  // of its own, so that it may stay in registers
    for (size_t l = 0; l < K; ++l) std::copy_n(Z.data + l * Z.width + first + i, 3, factor + 3 * l);
    double *to1 = to + stride, *to2 = to1 + stride;
    for (size_t k = 0; k < n; k += 4) {
      Four sum0, sum1, sum2, row;
      load(to + k, sum0);
      load(to1 + k, sum1);
      load(to2 + k, sum2);
      for (size_t l = 0; l < K; ++l) {
        load(Z.scaled + l * Z.width + k, row);
        sum0 -= factor[3 * l] * row;
        sum1 -= factor[3 * l + 1] * row;
        sum2 -= factor[3 * l + 2] * row;
      }
      std::memcpy(to + k, &sum0, sizeof(Four));
      std::memcpy(to1 + k, &sum1, sizeof(Four));
      std::memcpy(to2 + k, &sum2, sizeof(Four));
    }
  }
}

TENON_INLINE void subtract_path(const BlockLu& lu, const Panel* panels, uint32_t c, uint32_t place,
                                double* to, size_t stride) {
  const BlockPattern& p = lu.pattern();
  for (;; c = p.row[p.first[c]]) {
    with_size(panels[c].rows, [&](auto size) TENON_INLINE_LAMBDA {
      subtract_square<size()>(to, stride, panels[c], place);
    });
    if (p.first[c] == p.first[c + 1]) return;
  }
}

// A column of the few-columns variant.
template <size_t K>
TENON_INLINE void answer_column(const BlockLu& lu, uint32_t c, uint8_t* touched, double* X,
                                const Panel& Z, double* answer) {
  const BlockPattern& p = lu.pattern();
  const size_t n = Z.width;
  for (uint32_t a = p.first[c]; a < p.first[c + 1]; ++a) {
    const uint32_t r = p.row[a];
    touched[r] = 1;
    const Panel above{X + p.vector[r] * n, nullptr, lu.rows_of(p.node[r]), n, 0};
    subtract_panel<K>(above, 0, lu.lower(a), Z);
  }
  const double* D = lu.inverse(c);
  for (size_t i = 0; i < K; ++i) combine_rows<K>(Z.scaled + i * n, D + i * K, Z);
  for (size_t i = 0; i < n; ++i) {
    double factor[K];
    for (size_t k = 0; k < K; ++k) factor[k] = Z.data[k * n + i];
    subtract_rows<K>(answer + i * n, factor, Z.scaled, n, i + 1);
  }
}

TENON_INLINE void answer_columns(const BlockLu& lu, uint8_t* touched, double* X, size_t n,
                                 double* scaled, double* answer) {
  const BlockPattern& p = lu.pattern();
  for (uint32_t c = 0; c < p.size.size(); ++c) {
    if (touched[c] == 0) continue;
    const Panel Z{X + p.vector[c] * n, scaled, lu.rows_of(p.node[c]), n, 0};
    with_size(Z.rows, [&](auto size) TENON_INLINE_LAMBDA {
      answer_column<size()>(lu, c, touched, X, Z, answer);
    });
  }
}

TENON_INLINE void add_three_rows(double* to, const double* factor, const double* rows, size_t n) {
  const double minus[3] = {-factor[0], -factor[1], -factor[2]};
  subtract_rows<3>(to, minus, rows, n, n);
}

void add_three_plain(double* to, const double* factor, const double* rows, size_t n) {
  add_three_rows(to, factor, rows, n);
}
void answer_columns_plain(const BlockLu& lu, uint8_t* touched, double* X, size_t n, double* scaled,
                          double* answer) {
  answer_columns(lu, touched, X, n, scaled, answer);
}
void solve_panels_plain(const BlockLu& lu, const Panel* panels) { solve_panels(lu, panels); }
void subtract_path_plain(const BlockLu& lu, const Panel* panels, uint32_t c, uint32_t place,
                         double* to, size_t stride) {
  subtract_path(lu, panels, c, place, to, stride);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] void answer_columns_avx2(const BlockLu& lu, uint8_t* touched, double* X,
                                                 size_t n, double* scaled, double* answer) {
  answer_columns(lu, touched, X, n, scaled, answer);
}
[[gnu::target("avx2")]] void solve_panels_avx2(const BlockLu& lu, const Panel* panels) {
  solve_panels(lu, panels);
}
[[gnu::target("avx2")]] void subtract_path_avx2(const BlockLu& lu, const Panel* panels, uint32_t c,
                                                uint32_t place, double* to, size_t stride) {
  subtract_path(lu, panels, c, place, to, stride);
}
[[gnu::target("avx2")]] void add_three_avx2(double* to, const double* factor, const double* rows,
                                            size_t n) {
  add_three_rows(to, factor, rows, n);
}
bool runs_avx2() { return __builtin_cpu_supports("avx2") != 0; }
#else
constexpr auto add_three_avx2 = add_three_plain;
constexpr auto answer_columns_avx2 = answer_columns_plain;
constexpr auto solve_panels_avx2 = solve_panels_plain;
constexpr auto subtract_path_avx2 = subtract_path_plain;
bool runs_avx2() { return false; }
#endif

constexpr uint32_t kRoot = 0xffffffffu;

}  // namespace

void subtract_answer(const BlockLu& lu, std::span<uint8_t> touched, double* X, size_t n,
                     double* answer) {
  double scaled[kMax * kMostAnswers];
  TENON_ASSERT(n <= kMostAnswers);
  runs_avx2() ? answer_columns_avx2(lu, touched.data(), X, n, scaled, answer)
              : answer_columns_plain(lu, touched.data(), X, n, scaled, answer);
}

void add_three(double* to, const double* factor, const double* rows, size_t n) {
  runs_avx2() ? add_three_avx2(to, factor, rows, n) : add_three_plain(to, factor, rows, n);
}

void BlockAnswer::reset(const BlockLu& lu, std::span<const uint32_t> first_node) {
  lu_ = &lu;
  const BlockPattern& p = lu.pattern();
  const auto columns = static_cast<uint32_t>(p.size.size());
  const auto parent = [&](uint32_t c) {
    return p.first[c] < p.first[c + 1] ? p.row[p.first[c]] : kRoot;
  };
  // how many bodies begin at each column, and how many reach it
  own_.assign(columns, 0);
  for (const uint32_t node : first_node) ++own_[p.column[node]];
  panels_.resize(columns);
  for (uint32_t c = 0; c < columns; ++c) panels_[c].width = own_[c];
  for (uint32_t c = 0; c < columns; ++c) {
    if (parent(c) != kRoot) panels_[parent(c)].width += panels_[c].width;
  }
  // their places, from the roots down: own ones first, then one branch after the other
  next_.resize(columns);
  uint32_t next_root = 0;
  size_t store = 0;
  for (uint32_t c = columns; c-- > 0;) {
    Panel& Z = panels_[c];
    uint32_t& next = parent(c) == kRoot ? next_root : next_[parent(c)];
    Z.begin = next;
    next += static_cast<uint32_t>(Z.width);
    next_[c] = Z.begin + own_[c];
    own_[c] = Z.begin;
    Z.rows = lu.rows_of(p.node[c]);
    Z.width *= 6;
    store += Z.rows * Z.width;
  }
  place_.resize(first_node.size());
  body_.resize(first_node.size());
  column_.resize(first_node.size());
  for (uint32_t b = 0; b < first_node.size(); ++b) {
    const uint32_t c = p.column[first_node[b]];
    place_[b] = own_[c]++;
    body_[place_[b]] = b;
    column_[place_[b]] = c;
  }
  store_ = std::make_unique_for_overwrite<double[]>(2 * store + 2);  // two: see subtract_square
  std::fill_n(store_.get(), store, 0.0);
  double* data = store_.get();
  for (Panel& Z : panels_) {
    Z.data = data;
    Z.scaled = data + store;
    data += Z.rows * Z.width;
  }
}

void BlockAnswer::solve() {
  runs_avx2() ? solve_panels_avx2(*lu_, panels_.data()) : solve_panels_plain(*lu_, panels_.data());
}

void BlockAnswer::subtract(uint32_t place, double* rows, size_t stride) const {
  const uint32_t c = column_[place];
  runs_avx2() ? subtract_path_avx2(*lu_, panels_.data(), c, place, rows, stride)
              : subtract_path_plain(*lu_, panels_.data(), c, place, rows, stride);
}

}  // namespace tenon
