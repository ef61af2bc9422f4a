// The nearest point q of an ellipsoid to p has p - q along the normal, q_i = h_i^2 p_i / (t +
// h_i^2), with t the largest root of
//   F(t) = sum (h_i p_i / (t + h_i^2))^2 - 1 = 0,   t > -h_min^2                             (1)
// F falls monotonously there and is convex: Newton's method from the left end of a bracket cannot
// overshoot; bisection makes it safe where F is steep [Eberly2013].
// With m_i = q_i / h_i^2 the normal, p = q + t m and m . dq = 0 give, A_i = 1 / (1 + t / h_i^2),
//   dq = A (dp - m dt),   dt = (m . A dp) / (m . A m)                                        (2)
// Limits: where p lies in the plane across the shortest axis and deep inside, (1) has no root, and
// q leaves that plane: t = -h_min^2 and the missing component fills up the ellipsoid's equation.
#include "tenon/engine/joints/detail/ellipse.h"

namespace tenon::detail {
namespace {

// F and its derivative, in units that make the shortest half axis 1: t = h_min^2 s.
struct Slope {
  double value, rise;
};
Slope eval(const Vec3& h2, const Vec3& hp, double s) {
  Slope f{-1, 0};
  for (int i = 0; i < 3; ++i) {
    if (hp[i] == 0) continue;
    const double d = s + h2[i], x = hp[i] / d;
    f.value += x * x;
    f.rise -= 2 * x * x / d;
  }
  return f;
}

}  // namespace

Vec3 nearest_on_ellipsoid(const Vec3& half, const Vec3& p) {
  // scale: shortest axis in use 1
  int shortest = -1;
  for (int i = 0; i < 3; ++i)
    if (half[i] > 0 && (shortest < 0 || half[i] < half[shortest])) shortest = i;
  const double unit = half[shortest];
  const Vec3 h = half / unit, y = p / unit;
  const Vec3 h2 = cwise_mul(h, h), hp = cwise_mul(h, y);

  // bracket: F >= 0 at the left end (or there is no root), F <= 0 at the right one
  double low = -1 + std::fabs(hp[shortest]), high = -1 + norm(hp);
  // the plane across the shortest axis: a root exists only if F > 0 just right of -1
  if (hp[shortest] == 0 && eval(h2, hp, -1).value <= 0) {
    Vec3 q;
    double rest = 1;
    for (int i = 0; i < 3; ++i) {
      if (i == shortest || h[i] == 0) continue;
      // an axis as short as the shortest leaves its direction open too: p is at its middle plane
      const double d = h2[i] - 1;
      q[i] = d > 0 ? h2[i] * y[i] / d : 0;
      rest -= q[i] * q[i] / h2[i];
    }
    q[shortest] = std::sqrt(rest > 0 ? rest : 0);
    return unit * q;
  }
  // on the surface s is 0
  double s = low < 0 && high > 0 ? 0 : low;
  for (int n = 0; n < 100; ++n) {
    const Slope f = eval(h2, hp, s);
    (f.value > 0 ? low : high) = s;
    double next = f.rise < 0 ? s - f.value / f.rise : low;
    // the pole at -1 sets the scale; a step of half the digits leads to all of them
    const bool inside = next > low && next < high;
    const bool last = inside && std::fabs(next - s) < 1e-8 * (s + 1);
    if (!inside) next = 0.5 * (low + high);
    if (next == s || next == low || next == high) break;
    s = next;
    if (last) break;
  }
  Vec3 q;
  for (int i = 0; i < 3; ++i)
    if (h[i] > 0) q[i] = h2[i] * y[i] / (s + h2[i]);
  return unit * q;
}

Mat3 nearest_on_ellipsoid_derivative(const Vec3& half, const Vec3& p, const Vec3& q) {
  Vec3 m, A;
  for (int i = 0; i < 3; ++i) m[i] = half[i] > 0 ? q[i] / (half[i] * half[i]) : 0;
  const double t = dot(p - q, m) / norm2(m);
  for (int i = 0; i < 3; ++i) A[i] = half[i] > 0 ? 1 / (1 + t / (half[i] * half[i])) : 0;
  const Vec3 Am = cwise_mul(A, m);
  return Mat3::diagonal(A) - (1 / dot(m, Am)) * outer(Am, Am);  // (2)
}

}  // namespace tenon::detail
