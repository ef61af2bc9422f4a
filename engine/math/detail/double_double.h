// Numbers kept as an unevaluated sum of two doubles: about 106 bits from plain + - * /.
// Used where one rounding too many would cost the last bit of an elementary function.
#pragma once

#include <bit>
#include <cstdint>

namespace tenon::detail {

struct DoubleDouble {
  double hi = 0, lo = 0;  // |lo| <= ulp(hi) / 2 after renormalising
};

inline uint64_t bits_of(double x) { return std::bit_cast<uint64_t>(x); }
inline double from_bits(uint64_t bits) { return std::bit_cast<double>(bits); }
// Biased exponent: 0 for zeros and denormals, 2047 for infinities and NaN.
inline int biased_exponent(double x) { return static_cast<int>(bits_of(x) >> 52 & 0x7ff); }
// 2^k for -1022 <= k <= 1023.
inline double power_of_two(int k) { return from_bits(static_cast<uint64_t>(k + 1023) << 52); }
// x with the lower half of its bits cleared: at most 21 significant bits stay.
inline double high_word(double x) { return from_bits(bits_of(x) & 0xffffffff00000000ull); }

// a + b exactly, any magnitudes [Knuth1997, sec. 4.2.2, theorem B].
inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double b_used = s - a;
  return {s, (a - (s - b_used)) + (b - b_used)};
}

// a + b exactly where |a| >= |b| or a = 0 [Dekker1971, sec. 3].
inline DoubleDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// a * b exactly [Dekker1971, sec. 5]: both factors are split into halves of 26 bits whose products
// are exact. Limits: |a|, |b| < 2^996 and |a b| > 2^-960, else the split over- or the tail
// underflows. (No fused multiply-add: it is not there on every target.)
inline DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double ca = kSplit * a, a1 = ca - (ca - a), a2 = a - a1;
  const double cb = kSplit * b, b1 = cb - (cb - b), b2 = b - b1;
  const double p = a * b;
  return {p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// One Newton correction of the rounded quotient: its residual is exact.
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double q = a.hi / b.hi;
  const DoubleDouble p = two_product(q, b.hi);
  const double residual = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
  return fast_two_sum(q, residual / b.hi);
}

}  // namespace tenon::detail
