#include "tenon/engine/collision/narrow/detail/feature.h"

#include <limits>

#include "tenon/engine/collision/narrow/detail/feature_hull.h"

namespace tenon::detail {

void set_segment(const Vec3 (&ends_W)[2], const PatchFrame& frame, Feature& out) {
  out.kind = FeatureKind::kSegment;
  out.id = face_id();
  out.count = 2;
  for (int k = 0; k < 2; ++k) {
    out.x[k] = frame.lateral(ends_W[k]);
    out.z[k] = frame.height(ends_W[k]);
  }
}

namespace {

// -- box --------------------------------------------------------------------------------------

Vec3 box_vertex(const Box& box, int vertex) {
  return {vertex & 1 ? box.half.x : -box.half.x, vertex & 2 ? box.half.y : -box.half.y,
          vertex & 4 ? box.half.z : -box.half.z};
}

// Edges along axis k are numbered by the two other bits of their vertices.
uint16_t box_edge_id(int v0, int v1) {
  const int bit = v0 ^ v1;
  const int axis = bit == 1 ? 0 : (bit == 2 ? 1 : 2);
  const int rest = v0 & ~bit;
  const int place = axis == 0 ? rest >> 1 : (axis == 1 ? (rest & 1) | (rest >> 1 & 2) : rest & 3);
  return make_feature(FeatureType::kEdge, 4 * axis + place);
}

void set_box_face(const Box& box, const Transform& X_WS, const PatchFrame& frame, int axis,
                  int vertex, Feature& out) {
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  const int base = vertex & (1 << axis);
  // (axis, j, k) is right-handed, so this loop is counter-clockwise about +axis
  int loop[4] = {base, base | 1 << j, base | 1 << j | 1 << k, base | 1 << k};
  const bool along_plus_n = (base != 0) == (out.outward > 0);
  // about -axis, and again for a face that looks against n, the loop turns round; -axis faces of A
  // and +axis faces of B look from the far side once
  if (!along_plus_n) {
    const int swap = loop[1];
    loop[1] = loop[3];
    loop[3] = swap;
  }
  out.kind = FeatureKind::kPolygon;
  out.id = face_id();
  out.count = 4;
  for (int i = 0; i < 4; ++i) {
    out.x[i] = frame.lateral(X_WS * box_vertex(box, loop[i]));
    out.vertex_id[i] = make_feature(FeatureType::kVertex, loop[i]);
    out.edge_id[i] = box_edge_id(loop[i], loop[(i + 1) % 4]);
  }
  out.height = make_flat_height(frame, X_WS * box_vertex(box, base), X_WS.R.column(axis));
  out.axis[0] = frame.along(X_WS.R.column(j));
  out.axis[1] = frame.along(X_WS.R.column(k));
}

void find_box_feature(const Box& box, const Transform& X_WS, const PatchFrame& frame,
                      Feature& out) {
  const Vec3 m = transpose_mul(X_WS.R, out.outward * frame.n);
  const Vec3 abs_m = cwise_abs(m);
  const int vertex = (m.x > 0 ? 1 : 0) | (m.y > 0 ? 2 : 0) | (m.z > 0 ? 4 : 0);
  const int steep = abs_m.x >= abs_m.y && abs_m.x >= abs_m.z ? 0 : (abs_m.y >= abs_m.z ? 1 : 2);
  if (abs_m[steep] >= kCosFace) {
    set_box_face(box, X_WS, frame, steep, vertex, out);
    return;
  }
  const int flat = abs_m.x <= abs_m.y && abs_m.x <= abs_m.z ? 0 : (abs_m.y <= abs_m.z ? 1 : 2);
  if (abs_m[flat] <= kSinLine) {
    const int v[2] = {vertex & ~(1 << flat), vertex | 1 << flat};
    set_segment({X_WS * box_vertex(box, v[0]), X_WS * box_vertex(box, v[1])}, frame, out);
    for (int k = 0; k < 2; ++k) out.vertex_id[k] = make_feature(FeatureType::kVertex, v[k]);
    out.id = box_edge_id(v[0], v[1]);
    return;
  }
  out.id = make_feature(FeatureType::kVertex, vertex);
}

// -- round shapes -----------------------------------------------------------------------------

void set_disk(const Cylinder& cylinder, const Transform& X_WS, const PatchFrame& frame, double c,
              Feature& out) {
  const Vec3 axis = X_WS.R.column(1);
  const Vec3 centre = X_WS.p + (c > 0 ? cylinder.half_height : -cylinder.half_height) * axis;
  const double r = cylinder.radius;
  out.kind = FeatureKind::kDisk;
  out.id = face_id();
  out.radius = r;
  out.centre = frame.lateral(centre);
  const Vec2 ax = frame.along(X_WS.R.column(0)), az = frame.along(X_WS.R.column(2));
  out.m0 = r * ax;
  out.m1 = r * az;
  const double inv = 1 / cross(out.m0, out.m1);  // |det| = r^2 |axis . n|, never small here
  out.w0 = inv * Vec2{out.m1.y, -out.m1.x};
  out.w1 = inv * Vec2{-out.m0.y, out.m0.x};
  out.height = make_flat_height(frame, centre, axis);
  out.axis[0] = ax;
  out.axis[1] = az;
}

void find_cylinder_feature(const Cylinder& cylinder, const Transform& X_WS, const PatchFrame& frame,
                           Feature& out) {
  const Vec3 axis = X_WS.R.column(1);
  const Vec3 m = out.outward * frame.n;
  const double c = dot(axis, m);
  if (std::fabs(c) > kSinLine && !(cylinder.radius > 0)) {
    out.id = make_feature(FeatureType::kRimLow, c > 0 ? 1 : 0);  // the end of a mere line
  } else if (std::fabs(c) >= kCosFace) {
    set_disk(cylinder, X_WS, frame, c, out);
  } else if (std::fabs(c) <= kSinLine) {
    const Vec3 side = cylinder.radius * normalized(m - c * axis);
    const Vec3 half = cylinder.half_height * axis;
    set_segment({X_WS.p - half + side, X_WS.p + half + side}, frame, out);
    for (int k = 0; k < 2; ++k) out.vertex_id[k] = make_feature(FeatureType::kLineEnd, k);
    out.radius = cylinder.radius;
    out.sin_tilt = std::fabs(c);
    out.cos_tilt = std::sqrt(1 - c * c);
  } else {
    out.id = make_feature(FeatureType::kRimLow, c > 0 ? 1 : 0);
  }
}

void find_capsule_feature(const Capsule& capsule, const Transform& X_WS, const PatchFrame& frame,
                          Feature& out) {
  const Vec3 axis = X_WS.R.column(1);
  const double c = dot(axis, out.outward * frame.n);
  if (std::fabs(c) > kSinLine || !(capsule.half_length > 0)) {
    out.id = make_feature(FeatureType::kLineEnd, c > 0 ? 1 : 0);
    return;
  }
  const Vec3 half = capsule.half_length * axis;
  set_segment({X_WS.p - half, X_WS.p + half}, frame, out);
  for (int k = 0; k < 2; ++k) out.vertex_id[k] = make_feature(FeatureType::kLineEnd, k);
  out.radius = capsule.radius;
  out.sin_tilt = std::fabs(c);
  out.cos_tilt = std::sqrt(1 - c * c);
  out.is_capsule = true;
}

void find_plane_feature(const Transform& X_WS, const PatchFrame& frame, Feature& out) {
  out.kind = FeatureKind::kHalfSpace;
  out.id = face_id();
  out.height = make_flat_height(frame, X_WS.p, X_WS.R.column(1));
  out.axis[0] = frame.along(X_WS.R.column(0));
  out.axis[1] = frame.along(X_WS.R.column(2));
}

}  // namespace

void find_feature_box(const Box& box, const Transform& X_WS, const PatchFrame& frame,
                      double outward, Feature& out) {
  out.outward = outward;
  out.size = max_component(box.half);
  find_box_feature(box, X_WS, frame, out);
  if (out.kind == FeatureKind::kPolygon) prepare_edges(out);
}

double calc_size(const Shape& shape) {
  switch (kind(shape)) {
    case ShapeKind::kSphere:
      return std::get_if<Sphere>(&shape)->radius;
    case ShapeKind::kBox:
      return max_component(std::get_if<Box>(&shape)->half);
    case ShapeKind::kCylinder: {
      const Cylinder& c = *std::get_if<Cylinder>(&shape);
      return c.radius > c.half_height ? c.radius : c.half_height;
    }
    case ShapeKind::kCapsule: {
      const Capsule& c = *std::get_if<Capsule>(&shape);
      return c.radius + c.half_length;
    }
    case ShapeKind::kPlane:
      break;
    case ShapeKind::kHull:
      return std::get_if<Hull>(&shape)->geometry->radius;
  }
  return std::numeric_limits<double>::infinity();
}

void find_feature(const Shape& shape, const Transform& X_WS, const PatchFrame& frame,
                  double outward, double reach, Feature& out, FaceList& faces) {
  out.outward = outward;
  out.size = calc_size(shape);
  switch (kind(shape)) {
    case ShapeKind::kSphere:
      break;
    case ShapeKind::kBox:
      find_box_feature(*std::get_if<Box>(&shape), X_WS, frame, out);
      break;
    case ShapeKind::kCylinder:
      find_cylinder_feature(*std::get_if<Cylinder>(&shape), X_WS, frame, out);
      break;
    case ShapeKind::kCapsule:
      find_capsule_feature(*std::get_if<Capsule>(&shape), X_WS, frame, out);
      break;
    case ShapeKind::kPlane:
      find_plane_feature(X_WS, frame, out);
      break;
    case ShapeKind::kHull:
      find_hull_feature(*std::get_if<Hull>(&shape)->geometry, X_WS, frame, reach, out, faces);
      break;
  }
}

void prepare_edges(Feature& polygon) {
  const int count = polygon.count;
  for (int i = 0; i < count; ++i) {
    polygon.edge_unit[i] = unit(polygon.x[i + 1 == count ? 0 : i + 1] - polygon.x[i], {0, 0});
  }
}

void find_nearest_edge(const Feature& polygon, Feature& segment) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < polygon.count; ++i) {
    const Vec2 p = polygon.x[i];
    const Vec2 e = polygon.x[(i + 1) % polygon.count] - p;
    const double length2 = norm2(e);
    double t = length2 > 0 ? -dot(p, e) / length2 : 0;
    t = t < 0 ? 0 : (t > 1 ? 1 : t);
    const double d2 = norm2(p + t * e);
    if (d2 < least) least = d2, best = i;
  }
  segment.kind = FeatureKind::kSegment;
  segment.id = polygon.edge_id[best];
  segment.outward = polygon.outward;
  segment.size = polygon.size;
  segment.count = 2;
  for (int k = 0; k < 2; ++k) {
    const int i = (best + k) % polygon.count;
    segment.x[k] = polygon.x[i];
    segment.z[k] = polygon.height(polygon.x[i]);
    segment.vertex_id[k] = polygon.vertex_id[i];
  }
}

}  // namespace tenon::detail
