// Signed distance of a point (a sphere's centre) from each kind of core.
//
// Outside, the nearest point; inside, the nearest face: for a convex body with faces o_i.x <= c_i
// and curved sides the depth of a point is its distance from the nearest of these.
#include "tenon/engine/collision/narrow/separation_closed.h"

#include "tenon/engine/collision/narrow/witness.h"

namespace tenon::narrow {
namespace {

// q: the point; nearest: the point of B's surface; both in B's frame. `outward` is the unit normal
// of B there and s the signed distance along it.
CoreSeparation from_local(const CorePair& pair, const Vec3& nearest_B, const Vec3& outward_B,
                          double s) {
  const Vec3 n = -(pair.B.R * outward_B);
  return {n, s, pair.B.p + pair.B.R * nearest_B - s * n, pair.B.p + pair.B.R * nearest_B};
}

CoreSeparation point_box(const CorePair& pair, const Vec3& q) {
  const Vec3& half = pair.B.half;
  const Vec3 nearest = cwise_max(-half, cwise_min(half, q));
  const Vec3 out = q - nearest;
  const double scale = max_component(cwise_abs(out));
  if (scale > 0) {
    const double distance = scale * norm(out / scale);
    return from_local(pair, nearest, out / distance, distance);
  }
  // inside: the face with the least cover; missing axes have none and win
  int face = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(q[i]) - half[i] > std::fabs(q[face]) - half[face]) face = i;
  const double side = q[face] < 0 ? -1 : 1;
  Vec3 outward, on_face = q;
  outward[face] = side;
  on_face[face] = side * half[face];
  return from_local(pair, on_face, outward, std::fabs(q[face]) - half[face]);
}

CoreSeparation point_cylinder(const CorePair& pair, const Vec3& q) {
  const double radius = pair.B.half.x, half_height = pair.B.half.y;
  const Vec3 radial{q.x, 0, q.z};
  const double rho = norm(radial), side = q.y < 0 ? -1 : 1;
  const Vec3 out = normalized(radial), up{0, side, 0};
  const double over_side = rho - radius, over_cap = std::fabs(q.y) - half_height;
  if (over_side > 0 && over_cap > 0) {
    const double distance = std::sqrt(over_side * over_side + over_cap * over_cap);
    const Vec3 outward = (over_side / distance) * out + (over_cap / distance) * up;
    return from_local(pair, radius * out + half_height * up, outward, distance);
  }
  if (over_side > over_cap)
    return from_local(pair, radius * out + q.y * Vec3{0, 1, 0}, out, over_side);
  return from_local(pair, radial + half_height * up, up, over_cap);
}

// The face that the point is farthest above settles it, unless the point is not over that face.
bool point_hull(const CorePair& pair, const Vec3& q, CoreSeparation& result) {
  const HullGeometry& hull = *pair.B.hull;
  const HullGeometry::Face* top = nullptr;
  double height = -1e300;
  for (const HullGeometry::Face& face : hull.faces) {
    const double h = dot(face.normal, q) - face.offset;
    if (h > height) height = h, top = &face;
  }
  if (!top) return false;
  if (height > 0) {
    for (int k = 0; k < top->count; ++k) {
      const Vec3& from = hull.vertices[hull.face_vertices[top->first + k]];
      const Vec3& to = hull.vertices[hull.face_vertices[top->first + (k + 1) % top->count]];
      if (dot(cross(top->normal, to - from), q - from) < 0) return false;
    }
  }
  result = from_local(pair, q - height * top->normal, top->normal, height);
  return true;
}

// Two segments. Where they (nearly) meet, the difference of the points is noise and the common
// perpendicular, or any perpendicular of parallel segments, takes over.
CoreSeparation segment_segment(const CorePair& pair) {
  const Vec3 u = pair.A.half.y * pair.A.axis[1], v = pair.B.half.y * pair.B.axis[1];
  const auto [s, t] = find_closest_segments(pair.A.p, u, pair.B.p, v);
  const Vec3 a = pair.A.p + s * u, b = pair.B.p + t * v;
  const double distance = norm(b - a);
  if (distance > 1e-9 * pair.small) return {(b - a) / distance, distance, a, b};
  Best best;
  if (distance > 0) try_direction(pair, (b - a) / distance, best);
  const Vec3 axis = cross(pair.A.axis[1], pair.B.axis[1]);
  const Vec3 across = norm2(axis) > 1e-24 ? normalized(axis) : any_orthogonal(pair.A.axis[1]);
  try_direction(pair, across, best);
  try_direction(pair, -across, best);
  return {best.n, best.s, a, a + best.s * best.n};
}

}  // namespace

int order_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kPlane:
      return 0;
    case ShapeKind::kSphere:
      return 1;
    case ShapeKind::kCapsule:
      return 2;
    case ShapeKind::kBox:
      return 3;
    case ShapeKind::kCylinder:
      return 4;
    case ShapeKind::kHull:
      return 5;
  }
  return 6;
}

bool find_core_separation_closed(ShapeKind a, ShapeKind b, const CorePair& pair,
                                 CoreSeparation& result) {
  if (a == ShapeKind::kCapsule && b == ShapeKind::kCapsule) {
    result = segment_segment(pair);
    return true;
  }
  if (a != ShapeKind::kSphere) return false;
  const Vec3 q = transpose_mul(pair.B.R, pair.A.p - pair.B.p);
  if (b == ShapeKind::kHull) return point_hull(pair, q, result);
  result = b == ShapeKind::kCylinder ? point_cylinder(pair, q) : point_box(pair, q);
  return true;
}

}  // namespace tenon::narrow
