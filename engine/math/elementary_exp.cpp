// exp, log and pow. The logarithm is computed to about 70 bits, so that log itself is rounded
// almost correctly and y log(x) is good enough for pow.
#include <cmath>
#include <limits>

#include "tenon/engine/math/detail/double_double.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

using detail::bits_of;
using detail::DoubleDouble;
using detail::power_of_two;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// ln 2 = high (33 bits: its multiples below 2^20 are exact) + low
constexpr double kLn2High = 0x1.62e42fefp-1, kLn2Low = 0x1.473de6af278edp-34;

// exp(x.hi + x.lo)   [Fdlibm1993, e_exp.c]
//   x = k ln 2 + r,  |r| <= ln(2)/2                                                        (1)
//   exp(r) = 1 + r + r c / (2 - c),  c = r - (P1 r^2 + ... + P5 r^10)                      (2)
// The result is scaled by 2^k in two steps where it becomes denormal, so that it rounds there.
double exp_kernel(const DoubleDouble& x) {
  constexpr double P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03,
                   P3 = 6.61375632143793436117e-05, P4 = -1.65339022054652515390e-06,
                   P5 = 4.13813679705723846039e-08;
  if (x.hi > 710) return kInfinity;
  if (x.hi < -746) return 0;
  constexpr double kRound = 0x1.8p+52;
  const double n = (x.hi * 0x1.71547652b82fep+0 + kRound) - kRound;
  const double hi = x.hi - n * kLn2High, lo = n * kLn2Low - x.lo, r = hi - lo;
  const double t = r * r;
  const double c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  const double y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
  const int k = static_cast<int>(n);
  if (k > 1023) return y * 0x1p+1023 * power_of_two(k - 1023);
  if (k < -1021) return y * power_of_two(k + 60) * 0x1p-60;
  return y * power_of_two(k);
}

// log(x) for finite x > 0, error below 2^-64 of the result unless it is 0.
//   x = 2^k m,  m in [sqrt(1/2), sqrt(2)),  s = (m - 1) / (m + 1),  z = s^2 <= 0.0295       (3)
//   log(x) = k ln 2 + 2 s + 2 s (z/3 + z^2 (1/5 + z/7 + z^2/9 + ...))                       (4)
// s, z and z/3 are kept in two parts; the bracket behind z^2 contributes less than 2^-12, so that
// plain doubles suffice for it. Source of (4): [Muller2016, sec. 3.3].
DoubleDouble calc_log(double x) {
  int k = 0;
  if (detail::biased_exponent(x) == 0) {
    x *= 0x1p+54;
    k = -54;
  }
  k += detail::biased_exponent(x) - 1023;
  double m = detail::from_bits((bits_of(x) & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (m >= 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++k;
  }
  const double f = m - 1.0;
  const DoubleDouble s = DoubleDouble{f, 0} / detail::two_sum(2.0, f);
  const DoubleDouble z = s * s;
  double tail = 1.0 / 29;
  for (int odd = 27; odd >= 5; odd -= 2) tail = tail * z.hi + 1.0 / odd;
  constexpr DoubleDouble kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  const DoubleDouble series = z * kThird + DoubleDouble{z.hi * z.hi * tail, 0};
  const DoubleDouble log_m = detail::fast_two_sum(1.0, series.hi);
  const DoubleDouble factor{2 * log_m.hi, 2 * (log_m.lo + series.lo)};
  const double n = k;
  return detail::two_sum(n * kLn2High, n * kLn2Low) + s * factor;
}

enum class Parity { kNotInteger, kOdd, kEven };

// Doubles of 2^53 and above are even integers.
Parity parity(double y) {
  const double a = std::fabs(y);
  if (a >= 0x1p+53) return Parity::kEven;
  const uint64_t whole = static_cast<uint64_t>(a);
  if (static_cast<double>(whole) != a) return Parity::kNotInteger;
  return whole & 1 ? Parity::kOdd : Parity::kEven;
}

// |base|^exponent for base not NaN, 0, 1 or infinite, and exponent finite, not 0.
double pow_positive(double base, double exponent) {
  const DoubleDouble l = calc_log(base);
  // beyond 2^64 even the base next to 1 over- or underflows; below 2^-64 the result rounds to 1
  if (std::fabs(exponent) > 0x1p+64) return (l.hi > 0) == (exponent > 0) ? kInfinity : 0.0;
  if (std::fabs(exponent) < 0x1p-64) return 1.0;
  return exp_kernel(DoubleDouble{exponent, 0} * l);
}

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return x;
  return exp_kernel({x, 0});
}

double log(double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return -kInfinity;
  if (std::isinf(x)) return x;
  return calc_log(x).hi;
}

// Special values as in IEEE 754-2019, sec. 9.2.1.
double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1.0;
  if (std::isnan(base) || std::isnan(exponent)) return kNaN;
  const double a = std::fabs(base);
  if (std::isinf(exponent)) {
    if (a == 1) return 1.0;
    return (a > 1) == (exponent > 0) ? kInfinity : 0.0;
  }
  const Parity kind = parity(exponent);
  const double sign = kind == Parity::kOdd && std::signbit(base) ? -1.0 : 1.0;
  if (a == 0 || std::isinf(a)) return sign * ((a == 0) == (exponent > 0) ? 0.0 : kInfinity);
  if (base < 0 && kind == Parity::kNotInteger) return kNaN;
  if (a == 1) return sign;
  return sign * pow_positive(a, exponent);
}

}  // namespace tenon
