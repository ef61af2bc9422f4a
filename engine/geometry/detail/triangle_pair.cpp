// All questions are signs of orient3d_sign. Those in a plane are asked with a point w off it: the
// side of r to the line pq, as seen from w, is that of w to the plane of p, q, r.
#include "tenon/engine/geometry/detail/triangle_pair.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tenon/engine/geometry/detail/orient3d.h"

namespace tenon::detail {
namespace {

// A point off the plane of a triangle that has an area: far along the axis that is nearest to its
// normal, where it surely leaves the plane.
Vec3 point_off(const ThreePoints& t) {
  double size = 0;
  for (const Vec3& p : t)
    size =
        std::max({size, std::fabs(p.x - t[0].x), std::fabs(p.y - t[0].y), std::fabs(p.z - t[0].z)});
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 w = t[0];
    w[axis] += size + std::fabs(w[axis]);
    if (orient3d_sign(t[0], t[1], t[2], w) != 0) return w;
  }
  return t[0];
}

// The corner that is alone on its side, and that side. Precondition: corners on both sides.
std::pair<size_t, int> find_alone(const Sides& s) {
  for (size_t k = 0; k < 3; ++k) {
    if (s[k] != 0 && s[(k + 1) % 3] * s[k] <= 0 && s[(k + 2) % 3] * s[k] <= 0) return {k, s[k]};
  }
  return {0, s[0]};
}

bool both_sides(const Sides& s) {
  const auto [least, most] = std::minmax({s[0], s[1], s[2]});
  return least < 0 && most > 0;
}

// Whether an edge of t keeps u away, seen from w.
bool edge_parts(const ThreePoints& t, const ThreePoints& u, const Vec3& w) {
  const int inner = orient3d_sign(t[0], t[1], t[2], w);
  for (size_t k = 0; k < 3; ++k) {
    bool any = false;
    for (const Vec3& p : u) any |= orient3d_sign(t[k], t[(k + 1) % 3], p, w) == inner;
    if (!any) return true;
  }
  return false;
}

// Whether y is strictly between the half-planes from ab through c[0], counter-clockwise about ab,
// to the one through c[1]. Precondition: the two are not the same.
bool in_sector(const Vec3& a, const Vec3& b, const std::array<Vec3, 2>& c, const Vec3& y) {
  const auto turn = [&](const Vec3& from, const Vec3& to) { return orient3d_sign(a, b, from, to); };
  const int width = turn(c[0], c[1]);
  if (width == 0) return turn(c[0], y) > 0;
  if (width > 0) return turn(c[0], y) > 0 && turn(y, c[1]) > 0;
  return !(turn(c[1], y) >= 0 && turn(y, c[0]) >= 0);
}

// Whether two points lie in one half-plane from the line ab.
bool same_half(const Vec3& a, const Vec3& b, const Vec3& x, const Vec3& y) {
  if (orient3d_sign(a, b, x, y) != 0) return false;
  const Vec3 w = point_off({a, b, x});
  return orient3d_sign(a, b, x, w) == orient3d_sign(a, b, y, w);
}

}  // namespace

Sides find_sides(const ThreePoints& plane, const ThreePoints& corners) {
  Sides sides{};
  for (size_t k = 0; k < 3; ++k) {
    const Vec3& p = corners[k];
    // a corner that both have is the usual case, and would be decided by the slow way
    if (p == plane[0] || p == plane[1] || p == plane[2]) continue;
    sides[k] = orient3d_sign(plane[0], plane[1], plane[2], p);
  }
  return sides;
}

// [Guigue2003]: the line where the planes meet is cut by t from i to j and by u from k to l; which
// of two ends is first is the side of an edge to another. Departure: ends count as apart where they
// are the same, and corners may lie in the other plane.
bool insides_cross(const ThreePoints& t, const Sides& a, const ThreePoints& u, const Sides& b) {
  if (!both_sides(a) || !both_sides(b)) return false;
  const auto [ta, t_side] = find_alone(a);
  const auto [ua, u_side] = find_alone(b);
  Vec3 t1 = t[(ta + 1) % 3], t2 = t[(ta + 2) % 3], u1 = u[(ua + 1) % 3], u2 = u[(ua + 2) % 3];
  // turned so that the corners alone are in front of the other triangle
  if (t_side < 0) std::swap(u1, u2);
  if (u_side < 0) std::swap(t1, t2);
  return orient3d_sign(t[ta], t1, u[ua], u1) < 0 && orient3d_sign(t[ta], t2, u[ua], u2) > 0;
}

bool overlap_alike(const ThreePoints& t, const ThreePoints& u) {
  const Vec3 w = point_off(t);
  const int front = orient3d_sign(t[0], t[1], t[2], w);
  if (front == 0 || orient3d_sign(u[0], u[1], u[2], w) != front) return false;
  return !edge_parts(t, u, w) && !edge_parts(u, t, w);
}

bool runs_inside(const Vec3& p, const Vec3& q, const ThreePoints& t) {
  const Vec3 w = point_off(t);
  const int inner = orient3d_sign(t[0], t[1], t[2], w);
  if (inner == 0) return false;
  // its line must have corners on both sides, and no edge both of its ends on the outer one
  const Sides line{orient3d_sign(p, q, t[0], w), orient3d_sign(p, q, t[1], w),
                   orient3d_sign(p, q, t[2], w)};
  return both_sides(line) && !edge_parts(t, {p, q, q}, w);
}

bool run_together(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q) {
  const Vec3 d = cwise_abs(b - a);
  const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
  if (!(d[axis] > 0)) return false;
  // seen from two points that are not in one plane with ab, p is on the line
  for (int other = 0; other < 3; ++other) {
    if (other == axis) continue;
    Vec3 w = a;
    w[other] += d[axis] + std::fabs(w[other]);
    if (orient3d_sign(a, b, w, p) != 0 || orient3d_sign(a, b, w, q) != 0) return false;
  }
  return std::max(std::min(a[axis], b[axis]), std::min(p[axis], q[axis])) <
         std::min(std::max(a[axis], b[axis]), std::max(p[axis], q[axis]));
}

bool halves_alternate(const Vec3& a, const Vec3& b, const std::array<Vec3, 2>& c,
                      const std::array<Vec3, 2>& d) {
  if (same_half(a, b, c[0], c[1])) return false;
  const std::array<Vec3, 2> back{c[1], c[0]};
  return (in_sector(a, b, c, d[0]) && in_sector(a, b, back, d[1])) ||
         (in_sector(a, b, c, d[1]) && in_sector(a, b, back, d[0]));
}

bool pierces(const Vec3& p, const Vec3& q, const ThreePoints& t) {
  const int at_p = orient3d_sign(t[0], t[1], t[2], p), at_q = orient3d_sign(t[0], t[1], t[2], q);
  if (at_p * at_q >= 0) return false;
  const int s = orient3d_sign(p, q, t[0], t[1]);
  return s != 0 && orient3d_sign(p, q, t[1], t[2]) == s && orient3d_sign(p, q, t[2], t[0]) == s;
}

}  // namespace tenon::detail
