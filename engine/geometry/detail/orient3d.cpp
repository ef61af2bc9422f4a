// Method: [Shewchuk1997]. A floating-point determinant with a bound on its error decides nearly
// always; else the determinant is summed exactly as an expansion, a sum of doubles that do not
// overlap, whose sign is that of its largest member. Departure: one exact stage instead of
// Shewchuk's four (the inexact filter is what costs, and it is the same).
#include "tenon/engine/geometry/detail/orient3d.h"

#include <array>
#include <cstddef>

namespace tenon::detail {
namespace {

struct Pair {
  double hi, lo;  // hi + lo exactly, |lo| <= ulp(hi) / 2
};

Pair two_sum(double a, double b) {
  const double s = a + b, bv = s - a, av = s - bv;
  return {s, (a - av) + (b - bv)};
}

Pair split(double a) {
  const double c = 134217729.0 * a;  // 2^27 + 1
  const double hi = c - (c - a);
  return {hi, a - hi};
}

// Dekker's product; no fma, which WebAssembly does not have.
Pair two_product(double a, double b) {
  const double p = a * b;
  const Pair x = split(a), y = split(b);
  return {p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// A growing exact sum. 6 products of 3 differences of 2 parts: 6 * 8 * 4 members at most.
class ExactSum {
 public:
  void add(double b) {
    size_t kept = 0;
    double q = b;
    for (size_t i = 0; i < count_; ++i) {
      const Pair s = two_sum(q, members_[i]);
      q = s.hi;
      if (s.lo != 0) members_[kept++] = s.lo;
    }
    if (q != 0) members_[kept++] = q;
    count_ = kept;
  }
  void add_product(double a, double b, double c) {
    if (a == 0 || b == 0 || c == 0) return;
    const Pair ab = two_product(a, b);
    const Pair high = two_product(ab.hi, c), low = two_product(ab.lo, c);
    add(low.lo);
    add(low.hi);
    add(high.lo);
    add(high.hi);
  }
  int sign() const { return count_ == 0 ? 0 : (members_[count_ - 1] > 0 ? 1 : -1); }

 private:
  std::array<double, 200> members_{};
  size_t count_ = 0;
};

struct ExactVec3 {
  std::array<Pair, 3> c;
};

ExactVec3 difference(const Vec3& a, const Vec3& b) {
  return {{two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)}};
}

void add_triple(ExactSum& sum, double sign, const Pair& a, const Pair& b, const Pair& c) {
  for (double x : {a.hi, a.lo}) {
    for (double y : {b.hi, b.lo}) {
      for (double z : {c.hi, c.lo}) sum.add_product(sign * x, y, z);
    }
  }
}

int exact_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ExactVec3 u = difference(b, a), v = difference(c, a), w = difference(d, a);
  ExactSum sum;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3, k = (i + 2) % 3;
    add_triple(sum, +1, u.c[i], v.c[j], w.c[k]);
    add_triple(sum, -1, u.c[i], v.c[k], w.c[j]);
  }
  return sum.sign();
}

}  // namespace

int orient3d_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y,
               yx = v.y * w.x;
  const double det = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
  const double permanent = (std::fabs(yz) + std::fabs(zy)) * std::fabs(u.x) +
                           (std::fabs(zx) + std::fabs(xz)) * std::fabs(u.y) +
                           (std::fabs(xy) + std::fabs(yx)) * std::fabs(u.z);
  // error bound A of [Shewchuk1997, sec. 4.3]: (7 + 56 u) u permanent with u = 2^-53
  const double bound = (7.0 + 56.0 * 0x1p-53) * 0x1p-53 * permanent;
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return exact_sign(a, b, c, d);
}

}  // namespace tenon::detail
