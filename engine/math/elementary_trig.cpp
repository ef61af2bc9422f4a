// sin, cos and tan: reduction to |r| <= pi/4, then the minimax polynomials of [Fdlibm1993]. The
// second half of r enters as a first-order correction.
#include <cmath>
#include <limits>

#include "tenon/engine/math/detail/reduce_half_pi.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

using detail::DoubleDouble;
using detail::high_word;

// sin(r.hi + r.lo) ~ x + S1 x^3 + ... + S6 x^13 + lo (1 - x^2 / 2)   [Fdlibm1993, k_sin.c]
// Error of the polynomial below 2^-58 of the result.
double sin_kernel(const DoubleDouble& r) {
  constexpr double S1 = -1.66666666666666324348e-01, S2 = 8.33333333332248946124e-03,
                   S3 = -1.98412698298579493134e-04, S4 = 2.75573137070700676789e-06,
                   S5 = -2.50507602534068634195e-08, S6 = 1.58969099521155010221e-10;
  const double x = r.hi, z = x * x, v = z * x;
  const double p = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return x - ((z * (0.5 * r.lo - v * p) - r.lo) - v * S1);
}

// cos(r.hi + r.lo) ~ 1 - x^2/2 + C1 x^4 + ... + C6 x^14 - x lo   [Fdlibm1993, k_cos.c]
// 1 - x^2/2 is rounded; its error is recovered exactly and added back with the small terms.
double cos_kernel(const DoubleDouble& r) {
  constexpr double C1 = 4.16666666666666019037e-02, C2 = -1.38888888888741095749e-03,
                   C3 = 2.48015872894767294178e-05, C4 = -2.75573143513906633035e-07,
                   C5 = 2.08757232129817482790e-09, C6 = -1.13596475577881948265e-11;
  const double x = r.hi, z = x * x;
  const double p = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * p - x * r.lo));
}

// tan of the reduced argument, or -1/tan in odd quadrants   [Fdlibm1993, k_tan.c]
// Above 0.6744 the identity tan(x) = (1 - tan(d)) / (1 + tan(d)), d = pi/4 - x, keeps the last bit.
double tan_kernel(DoubleDouble r, bool odd_quadrant) {
  constexpr double T[] = {
      3.33333333333334091986e-01, 1.33333333333201242699e-01, 5.39682539762260521377e-02,
      2.18694882948595424599e-02, 8.86323982359930005737e-03, 3.59207910759131235356e-03,
      1.45620945432529025516e-03, 5.88041240820264096874e-04, 2.46463134818469906812e-04,
      7.81794442939557092300e-05, 7.14072491382608190305e-05, -1.85586374855275456654e-05,
      2.59073051863633712884e-05};
  constexpr double kQuarterPi = 0x1.921fb54442d18p-1, kQuarterPiLow = 0x1.1a62633145c07p-55;
  double x = r.hi, y = r.lo;
  const bool near_quarter = std::fabs(x) >= 0.6744;
  const double sign = x < 0 ? -1.0 : 1.0;
  if (near_quarter) {
    x = (kQuarterPi - sign * x) + (kQuarterPiLow - sign * y);
    y = 0;
  }
  const double z = x * x, w = z * z, cube = z * x;
  const double odd = T[1] + w * (T[3] + w * (T[5] + w * (T[7] + w * (T[9] + w * T[11]))));
  const double even = z * (T[2] + w * (T[4] + w * (T[6] + w * (T[8] + w * (T[10] + w * T[12])))));
  const double tail = y + z * (cube * (odd + even) + y) + cube * T[0];
  const double t = x + tail;
  if (near_quarter) {
    const double s = odd_quadrant ? -1.0 : 1.0;
    return sign * (s - 2.0 * (x + (tail - t * t / (t + s))));
  }
  if (!odd_quadrant) return t;
  // -1 / (x + tail) with one correction: the quotient alone would be off by up to 2 ulp
  const double t_high = high_word(t), t_low = tail - (t_high - x);
  const double q = -1.0 / t, q_high = high_word(q);
  return q_high + q * ((1.0 + q_high * t_high) + q_high * t_low);
}

}  // namespace

double sin(double x) {
  if (!std::isfinite(x)) return kNaN;
  if (std::fabs(x) < 0x1p-27) return x;  // also keeps the sign of zero
  const detail::Reduced r = detail::reduce_half_pi(x);
  const double value = r.quadrant & 1 ? cos_kernel(r.rest) : sin_kernel(r.rest);
  return r.quadrant & 2 ? -value : value;
}

double cos(double x) {
  if (!std::isfinite(x)) return kNaN;
  const detail::Reduced r = detail::reduce_half_pi(x);
  const double value = r.quadrant & 1 ? sin_kernel(r.rest) : cos_kernel(r.rest);
  return r.quadrant == 1 || r.quadrant == 2 ? -value : value;
}

double tan(double x) {
  if (!std::isfinite(x)) return kNaN;
  if (std::fabs(x) < 0x1p-28) return x;
  const detail::Reduced r = detail::reduce_half_pi(x);
  return tan_kernel(r.rest, (r.quadrant & 1) != 0);
}

}  // namespace tenon
