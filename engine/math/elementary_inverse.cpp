// atan, atan2, asin and acos.
#include <cmath>
#include <limits>

#include "tenon/engine/math/detail/double_double.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

using detail::biased_exponent;
using detail::DoubleDouble;
using detail::high_word;
using detail::power_of_two;

constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// atan(q.hi + q.lo) for q >= 0 as an unevaluated sum [Fdlibm1993, s_atan.c]:
//   atan(q) = atan(c) + atan(t),  t = (q - c) / (1 + c q),  c in {0, 1/2, 1, 3/2, infinity}  (1)
//   atan(t) = t - t (a0 t^2 + a1 t^4 + ...)                                                (2)
// Departure: the low half of q is kept, weighted by the derivative 1 / (1 + q^2), and the result
// stays in two parts, so that atan2 rounds once.
DoubleDouble atan_kernel(const DoubleDouble& q) {
  constexpr double A[] = {
      3.33333333333329318027e-01,  -1.99999999998764832476e-01, 1.42857142725034663711e-01,
      -1.11111104054623557880e-01, 9.09088713343650656196e-02,  -7.69187620504482999495e-02,
      6.66107313738753120669e-02,  -5.83357013379057348645e-02, 4.97687799461593236017e-02,
      -3.65315727442169155270e-02, 1.62858201153657823623e-02};
  const double x = q.hi;
  if (x >= 0x1p+66) return kHalfPi;
  DoubleDouble base{0, 0};  // atan(c)
  double t = x;
  if (x >= 2.4375) {
    base = kHalfPi;
    t = -1.0 / x;
  } else if (x >= 1.1875) {
    base = {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56};
    t = (x - 1.5) / (1.0 + 1.5 * x);
  } else if (x >= 0.6875) {
    base = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    t = (x - 1.0) / (x + 1.0);
  } else if (x >= 0.4375) {
    base = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
    t = (2.0 * x - 1.0) / (2.0 + x);
  }
  const double z = t * t, w = z * z;
  const double odd = z * (A[0] + w * (A[2] + w * (A[4] + w * (A[6] + w * (A[8] + w * A[10])))));
  const double even = w * (A[1] + w * (A[3] + w * (A[5] + w * (A[7] + w * A[9]))));
  const double correction = q.lo / (1.0 + x * x);
  if (base.hi == 0) return {x, correction - x * (odd + even)};
  return {base.hi, ((base.lo + correction) - t * (odd + even)) + t};
}

// y / x to 106 bits for finite y, x > 0 whose exponents differ by at most 60. Both are scaled by
// the same power of two first, so that the residual neither over- nor underflows.
DoubleDouble divide_scaled(double y, double x) {
  const int k = biased_exponent(x) - 1023;
  // 2^-k in two factors: it may leave the range of one double
  const double a = power_of_two(-(k / 2)), b = power_of_two(-(k - k / 2));
  return DoubleDouble{y * a * b, 0} / DoubleDouble{x * a * b, 0};
}

// Angle in [0, pi/2] of the point (x, y), both >= 0, finite, not both zero.
DoubleDouble quadrant_angle(double y, double x) {
  // denormals have no leading bit: lift them (exact), or both if only one is denormal
  if (biased_exponent(x) == 0 || biased_exponent(y) == 0) {
    if (biased_exponent(x) > 1100 || biased_exponent(y) > 1100) {
      return y < x ? DoubleDouble{y / x, 0} : kHalfPi;
    }
    x *= 0x1p+60;
    y *= 0x1p+60;
  }
  const int difference = biased_exponent(y) - biased_exponent(x);
  if (difference > 60) return kHalfPi;
  // atan(q) = q to the last bit here, and the quotient may itself be denormal
  if (difference < -60) return {y / x, 0};
  return atan_kernel(divide_scaled(y, x));
}

// (asin(x) - x) / x as a rational function of z = x^2, |x| <= 1/2   [Fdlibm1993, e_asin.c]
double asin_ratio(double z) {
  constexpr double p0 = 1.66666666666666657415e-01, p1 = -3.25565818622400915405e-01,
                   p2 = 2.01212532134862925881e-01, p3 = -4.00555345006794114027e-02,
                   p4 = 7.91534994289814532176e-04, p5 = 3.47933107596021167570e-05;
  constexpr double q1 = -2.40339491173441421878e+00, q2 = 2.02094576023350569471e+00,
                   q3 = -6.88283971605453293030e-01, q4 = 7.70381505559019352791e-02;
  const double p = z * (p0 + z * (p1 + z * (p2 + z * (p3 + z * (p4 + z * p5)))));
  return p / (1.0 + z * (q1 + z * (q2 + z * (q3 + z * q4))));
}

}  // namespace

double atan(double x) {
  if (std::isnan(x)) return x;
  const DoubleDouble a = atan_kernel({std::fabs(x), 0});
  return std::copysign(a.hi + a.lo, x);
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  double ay = std::fabs(y), ax = std::fabs(x);
  // infinities: only their direction counts
  if (std::isinf(ax) || std::isinf(ay)) {
    const double y_infinite = std::isinf(ay) ? 1.0 : 0.0;
    ax = std::isinf(ax) ? 1.0 : 0.0;
    ay = y_infinite;
  }
  DoubleDouble angle{0, 0};
  if (ay != 0) angle = ax == 0 ? kHalfPi : quadrant_angle(ay, ax);
  if (std::signbit(x)) {
    angle = DoubleDouble{2 * kHalfPi.hi, 2 * kHalfPi.lo} + DoubleDouble{-angle.hi, -angle.lo};
  }
  return std::copysign(angle.hi + angle.lo, y);
}

// |x| <= 1/2: asin(x) = x + x R(x^2). Above: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)), the root
// kept in two parts [Fdlibm1993, e_asin.c].
double asin(double x) {
  if (std::isnan(x)) return x;
  const double ax = std::fabs(x);
  if (ax >= 1) return std::copysign(kHalfPi.hi, x);
  if (ax < 0x1p-27) return x;
  if (ax < 0.5) return x + x * asin_ratio(x * x);
  const double z = 0.5 * (1.0 - ax), s = std::sqrt(z), ratio = asin_ratio(z);
  const double f = high_word(s), c = (z - f * f) / (s + f);
  constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
  const double p = 2.0 * s * ratio - (kHalfPi.lo - 2.0 * c);
  return std::copysign(kQuarterPi - (p - (kQuarterPi - 2.0 * f)), x);
}

double acos(double x) {
  if (std::isnan(x)) return x;
  if (x >= 1) return 0;
  if (x <= -1) return 2 * kHalfPi.hi;
  if (std::fabs(x) < 0.5) return kHalfPi.hi - (x - (kHalfPi.lo - x * asin_ratio(x * x)));
  const double z = 0.5 * (1.0 - std::fabs(x)), s = std::sqrt(z), ratio = asin_ratio(z);
  if (x < 0) return 2.0 * (kHalfPi.hi - (s + (ratio * s - kHalfPi.lo)));
  const double f = high_word(s), c = (z - f * f) / (s + f);
  return 2.0 * (f + (ratio * s + c));
}

}  // namespace tenon
