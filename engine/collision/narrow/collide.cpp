#include "tenon/engine/collision/narrow/collide.h"

#include <limits>
#include <utility>

#include "tenon/engine/collision/narrow/collide_fast.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/detail/clip.h"
#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

using detail::Facing;
using detail::Feature;
using detail::FeatureKind;
using detail::PatchFrame;
using detail::PatchPoints;

// Which of two poses comes first; any total order does, as long as it depends on the values only.
int compare(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] < b[k]) return -1;
    if (a[k] > b[k]) return 1;
  }
  return 0;
}

// The numbers that describe a shape (of a hull: enough to tell most hulls apart).
Vec3 parameters(const Shape& shape) {
  switch (kind(shape)) {
    case ShapeKind::kBox:
      return std::get_if<Box>(&shape)->half;
    case ShapeKind::kCylinder: {
      const Cylinder& c = *std::get_if<Cylinder>(&shape);
      return {c.radius, c.half_height, 0};
    }
    case ShapeKind::kCapsule: {
      const Capsule& c = *std::get_if<Capsule>(&shape);
      return {c.radius, c.half_length, 0};
    }
    case ShapeKind::kHull:
      return std::get_if<Hull>(&shape)->geometry->vertices[0];
    case ShapeKind::kMesh:
      return std::get_if<Mesh>(&shape)->geometry->vertices[0];
    case ShapeKind::kSphere:
    case ShapeKind::kPlane:
      break;
  }
  return {detail::calc_size(shape), 0, 0};
}

// The pair is always worked on in one order, so that collide(B, A) gives the same bits as
// collide(A, B): by kind, and equal kinds by place. The patch does not depend on the order but for
// round-off (no reference face), so bodies that pass each other see no jump.
bool is_swapped(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB) {
  if (a.index() != b.index()) return a.index() > b.index();
  if (const int order = compare(X_WA.p, X_WB.p); order != 0) return order > 0;
  for (int i = 0; i < 3; ++i) {
    if (const int order = compare(X_WA.R.row(i), X_WB.R.row(i)); order != 0) return order > 0;
  }
  return compare(parameters(a), parameters(b)) > 0;
}

// All vertices of the faces of a hull that look at a plane. More than one face counts, so that a
// hull with nearly coplanar faces stands on all of them.
void add_hull_on_plane(const HullGeometry& hull, const Transform& X_WS, const PatchFrame& frame,
                       double outward, const Feature& plane, PatchPoints& points) {
  const Vec3 m = transpose_mul(X_WS.R, outward * frame.n);
  for (const HullGeometry::Face& face : hull.faces) {
    if (dot(face.normal, m) < detail::kCosFace) continue;
    for (int i = 0; i < face.count; ++i) {
      const int vertex = hull.face_vertices[face.first + i];
      const Vec3 p_W = X_WS * hull.vertices[vertex];
      const detail::Vec2 x = frame.lateral(p_W);
      points.add_named(x, frame.height(p_W), plane.height(x),
                       make_feature(FeatureType::kVertex, vertex), plane.id);
    }
  }
}

// A hull on a plane; false where no face that looks at the plane reaches down to the deepest point,
// whose gap is at most `least`.
bool add_hull_on_plane(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                       const PatchFrame& frame, double least, PatchPoints& points) {
  const bool hull_is_b = kind(b) == ShapeKind::kHull;
  const Hull* hull = std::get_if<Hull>(hull_is_b ? &b : &a);
  if (hull == nullptr || kind(hull_is_b ? a : b) != ShapeKind::kPlane) return false;
  Feature plane;
  detail::FaceList none;
  find_feature(hull_is_b ? a : b, hull_is_b ? X_WA : X_WB, frame, hull_is_b ? 1 : -1, 0, plane,
               none);
  points.set_swapped(hull_is_b);
  add_hull_on_plane(*hull->geometry, hull_is_b ? X_WB : X_WA, frame, -plane.outward, plane, points);
  return points.least_gap() <= least;
}

// Neither is a sphere.
void build_patch(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Separation& s, Manifold& out) {
  const PatchFrame frame = detail::make_patch_frame(0.5 * (s.p_WA + s.p_WB), s.normal_W);
  const double size_a = detail::calc_size(a), size_b = detail::calc_size(b);
  const double size = size_a < size_b ? size_a : size_b;
  // a patch at the very edge of the margin is still delivered whole
  const double least = s.distance + detail::kDeepest * size;
  const double limit = margin > least ? margin : least;
  PatchPoints points(limit, detail::kSlop * size);
  if (add_hull_on_plane(a, X_WA, b, X_WB, frame, least, points)) {
    return points.write(frame, s.distance, out);
  }
  Facing fa(a, X_WA), fb(b, X_WB);
  find_feature(a, X_WA, frame, 1, limit - s.distance, fa.feature, fa.faces);
  find_feature(b, X_WB, frame, -1, limit - s.distance, fb.feature, fb.faces);
  uint16_t id_a = fa.feature.id, id_b = fb.feature.id;
  if (fa.feature.kind != FeatureKind::kPoint && fb.feature.kind != FeatureKind::kPoint) {
    id_a = id_b = make_feature(FeatureType::kWitness, 0);
    clip_facing(fa, fb, frame, least, points);
  }
  // where no corner is as deep as the shapes are, the witness points are the contact
  if (points.least_gap() > least) {
    points.set_swapped(false);
    points.add_named({0, 0}, -0.5 * s.distance, 0.5 * s.distance, id_a, id_b);
  }
  points.write(frame, s.distance, out);
}

// B is a capsule, A a box, a cylinder or a capsule; false where their cores meet.
bool collide_capsule(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                     double margin, Manifold& out) {
  const Capsule& capsule = *std::get_if<Capsule>(&b);
  narrow::CapsuleSeparation found;
  if (const auto* other = std::get_if<Capsule>(&a)) {
    found = narrow::find_separation_capsules(*other, X_WA, capsule, X_WB, margin);
  } else if (const auto* box = std::get_if<Box>(&a)) {
    found = narrow::find_separation_capsule_box(capsule, X_WB, *box, X_WA, margin);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&a)) {
    found = narrow::find_separation_capsule_cylinder(capsule, X_WB, *cylinder, X_WA, margin);
  }
  if (!found.valid) return false;
  Separation& s = found.separation;
  // the capsule comes first in the mixed forms
  if (kind(a) != ShapeKind::kCapsule) {
    s.normal_W = -s.normal_W;
    std::swap(s.p_WA, s.p_WB);
  }
  out.normal_W = s.normal_W;
  out.distance = s.distance;
  if (s.distance > margin) return true;
  // side lines that cross: what clip_segment_segment would find
  if (found.crossed) {
    out.count = 1;
    out.points[0] = {0.5 * (s.p_WA + s.p_WB), s.distance,
                     pack_features(detail::face_id(), detail::face_id())};
    return true;
  }
  build_patch(a, X_WA, b, X_WB, margin, s, out);
  return true;
}

// One contact, with one name wherever it touches. A is the sphere.
void collide_sphere(const Sphere& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                    double margin, Manifold& out) {
  const Separation s = kind(b) == ShapeKind::kPlane
                           ? find_separation(a, X_WA, b, X_WB)
                           : narrow::find_separation_sphere(a, X_WA.p, b, X_WB);
  out.normal_W = s.normal_W;
  out.distance = s.distance;
  if (s.distance > margin) return;
  out.count = 1;
  out.points[0] = {0.5 * (s.p_WA + s.p_WB), s.distance, 0};
}

// Spheres around both are farther apart than the margin. Neither is a plane.
bool is_far(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
            double margin, Manifold& out) {
  const Vec3 between = X_WB.p - X_WA.p;
  const double reach = bounding_radius(a) + bounding_radius(b), far = reach + margin;
  const double length2 = norm2(between);
  if (!(length2 > far * far)) return false;
  const double length = std::sqrt(length2);
  out.normal_W = between / length;
  out.distance = length - reach;
  return out.distance > margin;
}

// The short ways; false: the general one decides.
bool collide_fast(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  double margin, Manifold& out) {
  if (const auto* sphere = std::get_if<Sphere>(&a)) {
    collide_sphere(*sphere, X_WA, b, X_WB, margin, out);
    return true;
  }
  if (kind(b) == ShapeKind::kPlane) {
    const auto* box = std::get_if<Box>(&a);
    return box && narrow::collide_box_plane(*box, X_WA, X_WB, margin, out);
  }
  if (kind(b) == ShapeKind::kCapsule) return collide_capsule(a, X_WA, b, X_WB, margin, out);
  if (kind(a) != ShapeKind::kBox || kind(b) != ShapeKind::kBox)
    return kind(a) != ShapeKind::kPlane && is_far(a, X_WA, b, X_WB, margin, out);
  return narrow::collide_box_box(*std::get_if<Box>(&a), X_WA, *std::get_if<Box>(&b), X_WB, margin,
                                 out);
}

void collide_ordered(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                     double margin, const Vec3& guess_W, Manifold& out) {
  if (collide_fast(a, X_WA, b, X_WB, margin, out)) return;
  const Separation s = find_separation(a, X_WA, b, X_WB, {margin, guess_W});
  out.normal_W = s.normal_W;
  out.distance = s.distance;
  if (s.distance <= margin) build_patch(a, X_WA, b, X_WB, margin, s, out);
}

}  // namespace

Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Vec3& guess_W) {
  Manifold out;
  if (kind(a) == ShapeKind::kMesh || kind(b) == ShapeKind::kMesh) {
    return collide_deepest(a, X_WA, b, X_WB, margin);
  }
  if (kind(a) == ShapeKind::kPlane && kind(b) == ShapeKind::kPlane) {
    out.normal_W = X_WA.R.column(1);
    out.distance = std::numeric_limits<double>::infinity();
    return out;
  }
  if (!is_swapped(a, X_WA, b, X_WB)) {
    collide_ordered(a, X_WA, b, X_WB, margin, guess_W, out);
    return out;
  }
  collide_ordered(b, X_WB, a, X_WA, margin, -guess_W, out);
  out.normal_W = -out.normal_W;
  for (int i = 0; i < out.count; ++i) out.points[i].feature = swap_features(out.points[i].feature);
  return out;
}

Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin) {
  return collide(a, X_WA, b, X_WB, margin, Vec3{});
}

}  // namespace tenon
