// Elementary functions with the same bits on every compiler, processor and in WebAssembly.
// libm differs between platforms (glibc against musl), so a recording made natively would not
// replay in the browser. These use only + - * / and sqrt, which IEEE 754 rounds exactly.
// Accuracy: within 1 ulp of the true value in the stated range (tests/unit/math).
#pragma once

namespace tenon {

inline constexpr double kPi = 3.14159265358979323846;

// Any finite x; accurate for |x| <= 1e9 (argument reduction in three parts). NaN for inf and NaN.
double sin(double x);
double cos(double x);
// atan2(y, x) in (-pi, pi], with the IEEE conventions for signed zeros.
double atan2(double y, double x);
double atan(double x);
// Clamped to [-1, 1] first, so that round-off above 1 does not become NaN.
double asin(double x);
double acos(double x);
double tan(double x);
double exp(double x);
double log(double x);  // NaN below 0, -inf at 0
double pow(double base, double exponent);

}  // namespace tenon
