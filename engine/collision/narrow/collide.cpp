#include "tenon/engine/collision/narrow/collide.h"

#include <limits>
#include <utility>

#include "tenon/engine/collision/narrow/detail/clip.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon {
namespace {

using detail::Feature;
using detail::FeatureKind;
using detail::PatchFrame;
using detail::PatchPoints;

// Lateral places closer than this share of the smaller shape are one point; flush faces may stick
// out by as much. Wide enough to ride over the jitter of a resting stack, so that names hold.
constexpr double kSlop = 1e-5;
// A patch must hold a point this close (share of the smaller shape) to the exact distance.
constexpr double kDeepest = 1e-6;

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

// The pair of kinds as one number, larger kind first.
constexpr int pair_of(FeatureKind p, FeatureKind q) {
  return static_cast<int>(p) * 8 + static_cast<int>(q);
}

void clip(const Feature& a, const Feature& b, PatchPoints& points) {
  const bool swapped = a.kind > b.kind;
  const Feature &p = swapped ? b : a, &q = swapped ? a : b;
  points.set_swapped(swapped);
  using enum FeatureKind;
  switch (pair_of(p.kind, q.kind)) {
    case pair_of(kSegment, kSegment):
      clip_segment_segment(p, q, points);
      break;
    case pair_of(kSegment, kPolygon):
      clip_segment_polygon(p, q, points);
      break;
    case pair_of(kSegment, kDisk):
      clip_segment_disk(p, q, points);
      break;
    case pair_of(kPolygon, kPolygon):
      clip_polygon_polygon(p, q, points);
      break;
    case pair_of(kPolygon, kDisk):
      points.set_swapped(!swapped);
      clip_disk_polygon(q, p, points);
      break;
    case pair_of(kDisk, kDisk):
      clip_disk_disk(p, q, points);
      break;
    case pair_of(kSegment, kHalfSpace):
    case pair_of(kPolygon, kHalfSpace):
    case pair_of(kDisk, kHalfSpace):
      clip_to_half_space(p, q, points);
      break;
    default:
      break;  // a point: the witness
  }
}

// Edges instead of faces, where the overlap of faces missed the deepest point: faces that meet
// along parallel edges overlap in a line, which round-off may lose.
void clip_edges(const Feature& a, const Feature& b, PatchPoints& points) {
  Feature edge_a, edge_b;
  const bool has_a = a.kind == FeatureKind::kPolygon, has_b = b.kind == FeatureKind::kPolygon;
  if (!has_a && !has_b) return;
  if (has_a) find_nearest_edge(a, edge_a);
  if (has_b) find_nearest_edge(b, edge_b);
  clip(has_a ? edge_a : a, has_b ? edge_b : b, points);
}

// A hull on a plane; false where no face that looks at the plane reaches down to the deepest point,
// whose gap is at most `least`.
bool add_hull_on_plane(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                       const PatchFrame& frame, double least, PatchPoints& points) {
  const bool hull_is_b = kind(b) == ShapeKind::kHull;
  const Hull* hull = std::get_if<Hull>(hull_is_b ? &b : &a);
  if (hull == nullptr || kind(hull_is_b ? a : b) != ShapeKind::kPlane) return false;
  Feature plane;
  find_feature(hull_is_b ? a : b, hull_is_b ? X_WA : X_WB, frame, hull_is_b ? 1 : -1, plane);
  points.set_swapped(hull_is_b);
  add_hull_on_plane(*hull->geometry, hull_is_b ? X_WB : X_WA, frame, -plane.outward, plane, points);
  return points.least_gap() <= least;
}

void build_patch(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Separation& s, Manifold& out) {
  // a sphere: one contact, with one name wherever it touches
  if (kind(a) == ShapeKind::kSphere || kind(b) == ShapeKind::kSphere) {
    out.count = 1;
    out.points[0] = {0.5 * (s.p_WA + s.p_WB), s.distance, 0};
    return;
  }
  const PatchFrame frame = detail::make_patch_frame(0.5 * (s.p_WA + s.p_WB), s.normal_W);
  const double size_a = detail::calc_size(a), size_b = detail::calc_size(b);
  const double size = size_a < size_b ? size_a : size_b;
  // a patch at the very edge of the margin is still delivered whole
  const double least = s.distance + kDeepest * size;
  PatchPoints points(margin > least ? margin : least, kSlop * size);
  if (add_hull_on_plane(a, X_WA, b, X_WB, frame, least, points)) return points.write(frame, out);
  Feature fa, fb;
  find_feature(a, X_WA, frame, 1, fa);
  find_feature(b, X_WB, frame, -1, fb);
  uint16_t id_a = fa.id, id_b = fb.id;
  if (fa.kind != FeatureKind::kPoint && fb.kind != FeatureKind::kPoint) {
    id_a = id_b = make_feature(FeatureType::kWitness, 0);
    const bool flat = fa.kind == FeatureKind::kHalfSpace || fb.kind == FeatureKind::kHalfSpace;
    if (fa.kind == FeatureKind::kPolygon && !flat) prepare_edges(fa);
    if (fb.kind == FeatureKind::kPolygon && !flat) prepare_edges(fb);
    clip(fa, fb, points);
    if (points.least_gap() > least) clip_edges(fa, fb, points);
  }
  // where no corner is as deep as the shapes are, the witness points are the contact
  if (points.least_gap() > least) {
    points.set_swapped(false);
    points.add_named({0, 0}, -0.5 * s.distance, 0.5 * s.distance, id_a, id_b);
  }
  points.write(frame, out);
}

Manifold collide_ordered(const Shape& a, const Transform& X_WA, const Shape& b,
                         const Transform& X_WB, double margin, const Vec3& guess_W) {
  Manifold out;
  const Separation s = find_separation(a, X_WA, b, X_WB, {margin, guess_W});
  out.normal_W = s.normal_W;
  out.distance = s.distance;
  if (s.distance <= margin) build_patch(a, X_WA, b, X_WB, margin, s, out);
  return out;
}

}  // namespace

Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Vec3& guess_W) {
  if (kind(a) == ShapeKind::kPlane && kind(b) == ShapeKind::kPlane) {
    Manifold none;
    none.normal_W = X_WA.R.column(1);
    none.distance = std::numeric_limits<double>::infinity();
    return none;
  }
  if (!is_swapped(a, X_WA, b, X_WB)) return collide_ordered(a, X_WA, b, X_WB, margin, guess_W);
  Manifold out = collide_ordered(b, X_WB, a, X_WA, margin, -guess_W);
  out.normal_W = -out.normal_W;
  for (int i = 0; i < out.count; ++i) out.points[i].feature = swap_features(out.points[i].feature);
  return out;
}

Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin) {
  return collide(a, X_WA, b, X_WB, margin, Vec3{});
}

}  // namespace tenon
