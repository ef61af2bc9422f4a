// Mass properties of what a surface of triangles encloses.
#pragma once

#include <span>

#include "tenon/engine/geometry/mass_properties.h"

namespace tenon::detail {

inline Mat3 symmetrised(const Mat3& m) { return 0.5 * (m + transpose(m)); }

// Signed volume integrals of tetrahedra (o, a, b, c) over triangles (a, b, c), with a, b, c
// measured from o and d = a . (b x c), s = a + b + c [Tonon2004; Blow2004]:
//   integral of 1      = d / 6                                             (1)
//   integral of x      = d / 24 s                                          (2)
//   integral of x x^T  = d / 120 (a a^T + b b^T + c c^T + s s^T)           (3)
// The inertia is trace(C) 1 - C with C from (3). Any o is right in exact arithmetic; an o inside
// keeps all terms of one sign on a convex solid, so that nothing cancels. The second moments are
// therefore taken in a second pass with o = centre of mass, and no parallel-axis term remains.
class TriangleIntegral {
 public:
  explicit TriangleIntegral(const Vec3& o) : o_(o) {}
  void add(const Vec3& pa, const Vec3& pb, const Vec3& pc) {
    const Vec3 a = pa - o_, b = pb - o_, c = pc - o_, s = a + b + c;
    const double d = six_volume(pa, pb, pc);
    six_volumes_ += d;
    first_ += d * s;
    second_ = second_ + d * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
  }
  double volume() const { return six_volumes_ / 6; }
  // Precondition: volume() != 0.
  Vec3 centroid() const { return o_ + first_ / (4 * six_volumes_); }
  Mat3 inertia(double density) const {
    const Mat3 C = (density / 120) * second_;
    const double t = trace(C);
    return symmetrised(Mat3::diagonal({t, t, t}) - C);
  }

 private:
  // d = (p - o) . (u x v) with u, v the two shorter edges and p their common corner. On a needle
  // a . (b x c) is the small difference of long vectors: with length 1 and thickness e it loses
  // 1 / e^2 of its digits, this form 1 / e, which is what the coordinates have lost already.
  double six_volume(const Vec3& a, const Vec3& b, const Vec3& c) const {
    const double ab = norm2(b - a), bc = norm2(c - b), ca = norm2(a - c);
    if (ab >= bc && ab >= ca) return dot(c - o_, cross(a - c, b - c));
    if (bc >= ca) return dot(a - o_, cross(b - a, c - a));
    return dot(b - o_, cross(c - b, a - b));
  }

  Vec3 o_;
  double six_volumes_ = 0;
  Vec3 first_;
  Mat3 second_{};
};

inline Vec3 mean(std::span<const Vec3> points) {
  // a mean of differences: no overflow, and no loss far from the origin
  Vec3 sum;
  for (const Vec3& p : points) sum += p - points[0];
  return points[0] + sum / static_cast<double>(points.size());
}

// `for_each_triangle(f)` calls f(a, b, c) once per triangle.
template <class ForEachTriangle>
MassProperties integrate(const Vec3& inside, double density, ForEachTriangle for_each_triangle) {
  TriangleIntegral rough(inside);
  for_each_triangle([&](const Vec3& a, const Vec3& b, const Vec3& c) { rough.add(a, b, c); });
  if (rough.volume() == 0) return {};
  TriangleIntegral fine(rough.centroid());
  for_each_triangle([&](const Vec3& a, const Vec3& b, const Vec3& c) { fine.add(a, b, c); });
  return {density * fine.volume(), fine.centroid(), fine.inertia(density)};
}

}  // namespace tenon::detail
