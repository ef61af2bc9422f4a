#include "tenon/engine/collision/narrow/witness.h"

#include <algorithm>
#include <vector>

#include "tenon/engine/collision/narrow/gjk.h"

namespace tenon::narrow {
namespace {

// What of a core is extreme along a direction: a point, segment, polygon (loop) or disk.
struct Feature {
  bool disk = false;
  double radius = 0;       // of the disk
  Vec3 axis;               // of the disk
  std::vector<Vec3> loop;  // 1, 2 or more points; the disk's centre
};

// Flatness: a point that is within this of the extreme plane counts as on it. Wide enough to catch
// an edge whose direction went through a cross product of nearly parallel edges, small against
// the promised accuracy.
double flatness(const CorePair& pair) { return 1e-8 * pair.small + 1e-15 * pair.large; }

Feature box_feature(const Core& core, const Vec3& n, double flat) {
  Feature feature;
  Vec3 corner = core.p;
  Vec3 free[3];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const double along = dot(n, core.axis[i]);
    if (core.half[i] == 0) continue;
    if (2 * std::fabs(along) * core.half[i] > flat || count == 2) {
      corner += (along < 0 ? -core.half[i] : core.half[i]) * core.axis[i];
    } else {
      free[count++] = core.half[i] * core.axis[i];
    }
  }
  if (count == 0) {
    feature.loop = {corner};
  } else if (count == 1) {
    feature.loop = {corner - free[0], corner + free[0]};
  } else {
    feature.loop = {corner - free[0] - free[1], corner + free[0] - free[1],
                    corner + free[0] + free[1], corner - free[0] + free[1]};
  }
  return feature;
}

Feature cylinder_feature(const Core& core, const Vec3& n, double flat) {
  Feature feature;
  const double along = dot(n, core.axis[1]);
  const Vec3 radial = n - along * core.axis[1];
  const double radial_norm = norm(radial);
  const Vec3 up = core.half.y * core.axis[1];
  const Vec3 cap = along < 0 ? core.p - up : core.p + up;
  if (2 * radial_norm * core.half.x <= flat) {
    feature.disk = true;
    feature.radius = core.half.x;
    feature.axis = core.axis[1];
    feature.loop = {cap};
    return feature;
  }
  const Vec3 out = (core.half.x / radial_norm) * radial;
  if (2 * std::fabs(along) * core.half.y <= flat && core.half.y > 0) {
    feature.loop = {core.p + out - up, core.p + out + up};
  } else {
    feature.loop = {cap + out};
  }
  return feature;
}

Feature hull_feature(const Core& core, const Vec3& n, double flat) {
  Feature feature;
  const HullGeometry& hull = *core.hull;
  const Vec3 n_S = transpose_mul(core.R, n);
  const double top = dot(n_S, hull.vertices[find_support_vertex(hull, n_S, 0)]);
  for (const Vec3& vertex : hull.vertices)
    if (dot(n_S, vertex) >= top - flat) feature.loop.push_back(core.p + core.R * vertex);
  if (feature.loop.size() < 3) return feature;
  const HullGeometry::Face* face = &hull.faces[0];
  for (const HullGeometry::Face& other : hull.faces)
    if (dot(other.normal, n_S) > dot(face->normal, n_S)) face = &other;
  feature.loop.clear();
  for (int k = face->first; k < face->first + face->count; ++k)
    feature.loop.push_back(core.p + core.R * hull.vertices[hull.face_vertices[k]]);
  return feature;
}

Feature find_feature(const Core& core, const Vec3& n, double flat) {
  if (core.kind == Core::Kind::kHull) return hull_feature(core, n, flat);
  if (core.kind == Core::Kind::kCylinder) return cylinder_feature(core, n, flat);
  return box_feature(core, n, flat);
}

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

// The part of `loop` inside the polygon `cutter`, both in planes perpendicular to n
// [Sutherland1974]. A loop of two points is a segment (walked there and back).
std::vector<Vec3> clip(std::vector<Vec3> loop, const std::vector<Vec3>& cutter, const Vec3& n) {
  const Vec3 middle = mean(cutter);
  for (size_t i = 0; i < cutter.size() && !loop.empty(); ++i) {
    const Vec3& from = cutter[i];
    Vec3 inward = cross(n, cutter[(i + 1) % cutter.size()] - from);
    if (dot(inward, middle - from) < 0) inward = -inward;
    std::vector<Vec3> kept;
    for (size_t k = 0; k < loop.size(); ++k) {
      const Vec3 &p = loop[k], &q = loop[(k + 1) % loop.size()];
      const double dp = dot(inward, p - from), dq = dot(inward, q - from);
      if (dp >= 0) kept.push_back(p);
      if ((dp < 0) != (dq < 0)) kept.push_back(p + (dp / (dp - dq)) * (q - p));
    }
    loop = kept;
  }
  return loop;
}

// Closest pair of the outlines of two loops: a point of `loop`, seen along n.
Vec3 closest_on_outline(const std::vector<Vec3>& loop, const std::vector<Vec3>& other,
                        const Vec3& n) {
  const auto flat = [&](const Vec3& p) { return p - dot(p, n) * n; };
  double best_d2 = 1e300;
  Vec3 best = loop[0];
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec3 &p0 = loop[i], &p1 = loop[(i + 1) % loop.size()];
    for (size_t k = 0; k < other.size(); ++k) {
      const Vec3 &q0 = other[k], &q1 = other[(k + 1) % other.size()];
      const Vec3 p = 0.5 * (p0 + p1), u = 0.5 * (p1 - p0), q = 0.5 * (q0 + q1), v = 0.5 * (q1 - q0);
      const auto [s, t] = find_closest_segments(flat(p), flat(u), flat(q), flat(v));
      const double d2 = norm2(flat((p + s * u) - (q + t * v)));
      if (d2 < best_d2) best_d2 = d2, best = p + s * u;
    }
  }
  return best;
}

// The point of a loop nearest to a disk's centre, seen along n. For a segment, the middle of the
// stretch inside the disk.
Vec3 nearest_to_disk(const std::vector<Vec3>& loop, const Feature& disk, const Vec3& n) {
  const Vec3& centre = disk.loop[0];
  if (loop.size() == 2) {
    const Vec3 e = loop[1] - loop[0], to = centre - loop[0];
    const double e2 = norm2(e), foot = dot(to, e) / e2;
    const Vec3 off = to - foot * e;
    const double off2 = norm2(off - dot(off, n) * n);
    const double reach = std::sqrt(std::max(0.0, disk.radius * disk.radius - off2) / e2);
    const double low = std::clamp(foot - reach, 0.0, 1.0),
                 high = std::clamp(foot + reach, 0.0, 1.0);
    return loop[0] + (0.5 * (low + high)) * e;
  }
  if (!clip({centre}, loop, n).empty()) return centre;
  return closest_on_outline(loop, {centre}, n);
}

// A point that two coplanar features (seen along n) have in common.
Vec3 common_point(const Feature& A, const Feature& B, const Vec3& n) {
  if (A.loop.size() == 1 && !A.disk) return A.loop[0];
  if (B.loop.size() == 1 && !B.disk) return B.loop[0];
  if (A.disk && B.disk) {
    // the middle of the lens
    const Vec3 to = B.loop[0] - A.loop[0], flat = to - dot(to, n) * n;
    const double distance = norm(flat);
    const double low = std::max(-A.radius, distance - B.radius);
    const double high = std::min(A.radius, distance + B.radius);
    return A.loop[0] + (0.5 * (low + high)) * normalized(flat, Vec3{});
  }
  if (A.disk) return nearest_to_disk(B.loop, A, n);
  if (B.disk) return nearest_to_disk(A.loop, B, n);
  const bool cut_by_B = B.loop.size() > 2;
  if (cut_by_B || A.loop.size() > 2) {
    const std::vector<Vec3> part = cut_by_B ? clip(A.loop, B.loop, n) : clip(B.loop, A.loop, n);
    if (!part.empty()) return mean(part);
  }
  return closest_on_outline(A.loop, B.loop, n);
}

}  // namespace

SegmentParameters find_closest_segments(const Vec3& p, const Vec3& u, const Vec3& q,
                                        const Vec3& v) {
  const Vec3 r = q - p;
  const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), ru = dot(r, u), rv = dot(r, v);
  const auto unit = [](double x) { return std::clamp(x, -1.0, 1.0); };
  if (uu == 0) return {0, vv == 0 ? 0 : unit(-rv / vv)};
  if (vv == 0) return {unit(ru / uu), 0};
  const Vec3 c = cross(u, v);
  const double det = norm2(c);
  double s;
  if (det > 1e-20 * uu * vv) {
    // r = s u - t v + (part along c): s = det(r, v, c) / c.c
    s = unit(dot(cross(r, v), c) / det);
  } else {
    // parallel: both ends of v, seen on u
    const double t0 = (ru - uv) / uu, t1 = (ru + uv) / uu;
    s = 0.5 * (unit(t0) + unit(t1));
  }
  const double t = unit((s * uv - rv) / vv);
  s = unit((ru + t * uv) / uu);
  return {s, t};
}

namespace {

// How far the point is outside of the core (0 inside), up to a factor of sqrt(2).
double calc_outside(const Core& core, const Vec3& point) {
  const Vec3 q = transpose_mul(core.R, point - core.p);
  if (core.kind == Core::Kind::kHull) {
    double most = 0;
    for (const HullGeometry::Face& face : core.hull->faces)
      most = std::max(most, dot(face.normal, q) - face.offset);
    return most;
  }
  const Vec3 over = cwise_abs(q) - core.half;
  if (core.kind == Core::Kind::kBox) return std::max(0.0, max_component(over));
  const double radial = std::sqrt(q.x * q.x + q.z * q.z) - core.half.x;
  return std::max({0.0, radial, over.y});
}

}  // namespace

double calc_outside(const CorePair& pair, const CoreSeparation& witness) {
  return std::max(calc_outside(pair.A, witness.a), calc_outside(pair.B, witness.b));
}

namespace {

// Features that are neither flat nor clearly tilted (a rim nearly in a face) have their touching
// point somewhere between corner and middle. With B moved along n until the gap is a small delta,
// the shortest distance is that delta, along n, and GJK finds where:
//   the distance can not be below s(n) = delta, and the touching points are just that far apart.
CoreSeparation find_witness_by_distance(const CorePair& pair, const Vec3& n, double s) {
  const double delta = 1e-4 * pair.small;
  CorePair moved = pair;
  const Vec3 shift = (delta - s) * n;
  moved.B.p += shift;
  moved.B.middle += shift;
  GjkOptions options;
  options.guess = n;
  const GjkResult gjk = find_distance_gjk(moved, options);
  const Vec3 middle = 0.5 * (gjk.a + (gjk.b - delta * n));
  return {n, s, middle, middle + s * n};
}

}  // namespace

CoreSeparation find_flat_witness(const CorePair& pair, const Vec3& n, double s) {
  const double flat = flatness(pair);
  const Feature A = find_feature(pair.A, n, flat);
  const Feature B = find_feature(pair.B, -n, flat);
  Vec3 a = common_point(A, B, n);
  // the common point may come from B's side of the gap: put it on A's plane
  a += dot(n, A.loop[0] - a) * n;
  return {n, s, a, a + s * n};
}

CoreSeparation find_witness(const CorePair& pair, const Vec3& n, double s) {
  const CoreSeparation witness = find_flat_witness(pair, n, s);
  const double error = calc_outside(pair, witness);
  if (error <= 1e-7 * pair.small) return witness;
  const CoreSeparation other = find_witness_by_distance(pair, n, s);
  return calc_outside(pair, other) < error ? other : witness;
}

}  // namespace tenon::narrow
