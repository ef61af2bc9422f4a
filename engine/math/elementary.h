// Elementary functions with the same bits on every compiler, processor and in WebAssembly.
// libm differs between platforms (glibc against musl), so a recording made natively would not
// replay in the browser. These use only + - * / and sqrt, which IEEE 754 rounds exactly.
// Accuracy: within 1 ulp of the true value for every argument (tests/unit/math measures it).
#pragma once

#include <limits>

namespace tenon {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Radians. Any finite x, however large; NaN for inf and NaN.
double sin(double x);
double cos(double x);
double tan(double x);
// atan2(y, x) in [-pi, pi], with the IEEE conventions for signed zeros.
double atan2(double y, double x);
double atan(double x);
// Clamped to [-1, 1] first, so that round-off above 1 does not become NaN.
double asin(double x);
double acos(double x);
double exp(double x);  // rounds to denormals and 0 below -708; +inf above 709.78
double log(double x);  // NaN below 0, -inf at 0
// Special values as in IEEE 754-2019, sec. 9.2.1: pow(x, 0) = pow(1, y) = 1 also for NaN; NaN for a
// negative base and an exponent that is not an integer.
double pow(double base, double exponent);

}  // namespace tenon
