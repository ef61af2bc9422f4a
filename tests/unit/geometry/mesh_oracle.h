// Signed distance the slow way: over all triangles, with the sign of the winding number.
#pragma once

#include <algorithm>
#include <limits>

#include "tenon/engine/math/elementary.h"
#include "test_meshes.h"

namespace tenon::test {

inline double segment_distance(const Vec3& a, const Vec3& b, const Vec3& q) {
  const Vec3 e = b - a;
  const double t = std::clamp(dot(q - a, e) / std::max(norm2(e), 1e-300), 0.0, 1.0);
  return norm(q - a - t * e);
}

// The foot on the plane where it lies within all edges, else the nearest edge.
inline double triangle_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& q) {
  const Vec3 n = normalized(cross(b - a, c - a));
  const double h = dot(q - a, n);
  const Vec3 foot = q - h * n;
  const auto within = [&](const Vec3& p, const Vec3& r) {
    return dot(cross(r - p, foot - p), n) >= 0;
  };
  if (within(a, b) && within(b, c) && within(c, a)) return std::fabs(h);
  return std::min(
      {segment_distance(a, b, q), segment_distance(b, c, q), segment_distance(c, a, q)});
}

// Solid angle of a triangle seen from the origin [VanOosterom1983].
inline double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double x = norm(a), y = norm(b), z = norm(c);
  return 2 * atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}

inline double slow_distance(const Triangles& m, const Vec3& q) {
  double least = std::numeric_limits<double>::infinity(), angle = 0;
  for (const MeshTriangle& t : m.t) {
    const Vec3 &a = m.v[t[0]], &b = m.v[t[1]], &c = m.v[t[2]];
    least = std::min(least, triangle_distance(a, b, c, q));
    angle += solid_angle(a - q, b - q, c - q);
  }
  return angle > kTau ? -least : least;  // a whole turn is 2 tau
}

}  // namespace tenon::test
