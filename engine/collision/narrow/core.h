// A shape as core + radius: what GJK, EPA and the axis tests work on.
//
// A sphere is a point with a radius, a capsule a segment with a radius; the other shapes are their
// own core with radius 0. Since support functions add under Minkowski sums, the signed distance of
// two shapes is that of their cores minus both radii, apart and overlapping alike, and the normal
// is the same. Point, segment and box are one kind: a box with zero extents along missing axes.
//
// Frame: every core of a pair lives in frame P, which is parallel to the world with its origin at
// shape A's origin, so that a pair far from the world origin loses no digits.
//
// Notation used by all files of the separation query, with n a unit vector "from A to B":
//   E     = { b - a : a in A, b in B }        the Minkowski difference, as seen from the origin
//   s(n)  = min over E of n . w               signed separation along n             (1)
//   d     = max over unit n of s(n)           signed distance, both regimes         (2)
// Any n gives a lower bound s(n) <= d: a candidate can be poor but never wrong.
// Source: [vandenBergen2003, sec. 4.3] for E and its support mapping; (2) is the dual form of both
// the distance and the penetration depth [Cameron1986].
#pragma once

#include "tenon/engine/geometry/shape.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::narrow {

struct Core {
  enum class Kind { kBox, kCylinder, kHull };
  Kind kind = Kind::kBox;
  Vec3 p;        // origin of the shape frame, in P
  Mat3 R;        // shape frame to P
  Vec3 axis[3];  // columns of R
  Vec3 half;     // box: half extents; cylinder: (radius, half height, radius)
  double radius = 0;
  double size = 0;   // largest distance of a surface point from the middle, radius included
  double width = 0;  // smallest extent, but at least a thousandth of `size` (plates, disks)
  Vec3 middle;       // in P
  const HullGeometry* hull = nullptr;
};

// Planes have no core.
Core make_core(const Shape& shape, const Transform& X_PS);

// A point of the core that is farthest along `direction` (not necessarily of unit length), in P.
inline Vec3 support(const Core& core, const Vec3& direction) {
  const double x = dot(direction, core.axis[0]);
  const double y = dot(direction, core.axis[1]);
  const double z = dot(direction, core.axis[2]);
  if (core.kind == Core::Kind::kBox) {
    return core.p + (x < 0 ? -core.half.x : core.half.x) * core.axis[0] +
           (y < 0 ? -core.half.y : core.half.y) * core.axis[1] +
           (z < 0 ? -core.half.z : core.half.z) * core.axis[2];
  }
  if (core.kind == Core::Kind::kCylinder) {
    const double radial2 = x * x + z * z;
    const Vec3 cap = core.p + (y < 0 ? -core.half.y : core.half.y) * core.axis[1];
    if (!(radial2 > 0)) return cap;
    const double scale = core.half.x / std::sqrt(radial2);
    return cap + (scale * x) * core.axis[0] + (scale * z) * core.axis[2];
  }
  return core.p + core.R * core.hull->vertices[find_support_vertex(*core.hull, {x, y, z}, 0)];
}

struct CorePair {
  Core A, B;
  double small;  // the smaller width: what tolerances refer to
  double large;  // the larger size: what round-off refers to
};

struct Support {
  Vec3 a, b, w;  // w = b - a
};
// The point of E that is nearest along n: (1) is dot(n, w).
inline Support support(const CorePair& pair, const Vec3& n) {
  Support result;
  result.a = support(pair.A, n);
  result.b = support(pair.B, -n);
  result.w = result.b - result.a;
  return result;
}
inline double separation_along(const CorePair& pair, const Vec3& n) {
  return dot(n, support(pair, n).w);
}

// Unit vector perpendicular to the unit vectors e and f; false where they are parallel. For nearly
// parallel ones the cross product alone is off by round-off / sin(angle), so that a long edge would
// no longer lie flat in the plane it spans; projecting the error out along e and f mends that.
inline bool find_perpendicular(const Vec3& e, const Vec3& f, Vec3& n) {
  const Vec3 c = cross(e, f);
  const double length2 = norm2(c);
  if (length2 < 1e-24) return false;
  n = c / std::sqrt(length2);
  if (length2 > 1e-4) return true;
  n -= dot(n, e) * e;
  n -= dot(n, f) * f;
  n = normalized(n);
  return true;
}

// The best direction so far; (2) by trying.
struct Best {
  Vec3 n{0, 1, 0};
  double s = -1e300;
  bool offer(const Vec3& direction, double separation) {
    if (!(separation > s)) return false;
    n = direction;
    s = separation;
    return true;
  }
};
inline bool try_direction(const CorePair& pair, const Vec3& n, Best& best) {
  return best.offer(n, separation_along(pair, n));
}

// Core separation before the radii are taken off.
struct CoreSeparation {
  Vec3 n;
  double s;
  Vec3 a, b;  // witness points on the cores, in P
};

}  // namespace tenon::narrow
