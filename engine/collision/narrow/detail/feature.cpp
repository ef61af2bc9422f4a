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
constexpr uint16_t box_edge_id(int v0, int v1) {
  const int bit = v0 ^ v1;
  const int axis = bit == 1 ? 0 : (bit == 2 ? 1 : 2);
  const int rest = v0 & ~bit;
  const int place = axis == 0 ? rest >> 1 : (axis == 1 ? (rest & 1) | (rest >> 1 & 2) : rest & 3);
  return make_feature(FeatureType::kEdge, 4 * axis + place);
}

// Names of the edges of a face, from the vertex loops of its low and high side: those between
// vertex `loop[i]` and the next one.
struct BoxFaceLoop {
  int vertex[4];
  uint16_t vertex_id[4], edge_id[4];
};

// Loops by [axis][high side][turned round]. (axis, j, k) is right-handed, so the loop that is not
// turned is counter-clockwise about +axis.
struct BoxFaceLoops {
  BoxFaceLoop of[3][2][2];
  constexpr BoxFaceLoops() : of{} {
    for (int axis = 0; axis < 3; ++axis) {
      const int bit_j = 1 << (axis + 1) % 3, bit_k = 1 << (axis + 2) % 3;
      for (int high = 0; high < 2; ++high) {
        const int base = high << axis;
        const int loop[4] = {base, base | bit_j, base | bit_j | bit_k, base | bit_k};
        for (int turned = 0; turned < 2; ++turned) {
          BoxFaceLoop& out = of[axis][high][turned];
          for (int i = 0; i < 4; ++i) out.vertex[i] = loop[turned ? (4 - i) % 4 : i];
          for (int i = 0; i < 4; ++i) {
            out.vertex_id[i] = make_feature(FeatureType::kVertex, out.vertex[i]);
            out.edge_id[i] = box_edge_id(out.vertex[i], out.vertex[(i + 1) % 4]);
          }
        }
      }
    }
  }
};
constexpr BoxFaceLoops kBoxFaceLoops;

// Writes the edges' directions as well.
void set_box_face(const Box& box, const Transform& X_WS, const Vec3 (&column)[3],
                  const PatchFrame& frame, int axis, bool high, Feature& out) {
  const double half[3] = {box.half.x, box.half.y, box.half.z};
  const int j = axis == 2 ? 0 : axis + 1, k = axis == 0 ? 2 : axis - 1;
  // a face that looks against n turns round, and so do those of A on the low side and those of B
  // on the high side
  const bool turned = high != (out.outward > 0);
  const BoxFaceLoop& loop = kBoxFaceLoops.of[axis][high][turned];
  out.kind = FeatureKind::kPolygon;
  out.id = face_id();
  out.count = 4;
  const Vec3 middle = (X_WS.p - frame.origin) + (high ? half[axis] : -half[axis]) * column[axis];
  out.axis[0] = frame.along(column[j]);
  out.axis[1] = frame.along(column[k]);
  const Vec2 c = frame.along(middle);
  const Vec2 u = half[j] * out.axis[0], v = half[k] * out.axis[1];
  const Vec2 along_u = unit(u, {0, 0}), along_v = unit(v, {0, 0});
  const Vec2 first = turned ? v : u, second = turned ? u : v;
  out.x[0] = c - u - v;
  out.x[1] = c + first - second;
  out.x[2] = c + u + v;
  out.x[3] = c - first + second;
  out.edge_unit[0] = turned ? along_v : along_u;
  out.edge_unit[1] = turned ? along_u : along_v;
  out.edge_unit[2] = -out.edge_unit[0];
  out.edge_unit[3] = -out.edge_unit[1];
  for (int i = 0; i < 4; ++i) {
    out.vertex_id[i] = loop.vertex_id[i];
    out.edge_id[i] = loop.edge_id[i];
  }
  const double inv = 1 / dot(column[axis], frame.n);
  out.height.slope = -inv * frame.along(column[axis]);
  out.height.z0 = dot(middle, frame.n) - dot(out.height.slope, c);
}

void find_box_feature(const Box& box, const Transform& X_WS, const PatchFrame& frame,
                      Feature& out) {
  const Vec3 column[3] = {X_WS.R.column(0), X_WS.R.column(1), X_WS.R.column(2)};
  const Vec3 m =
      out.outward * Vec3{dot(column[0], frame.n), dot(column[1], frame.n), dot(column[2], frame.n)};
  const Vec3 abs_m = cwise_abs(m);
  const int vertex = (m.x > 0 ? 1 : 0) | (m.y > 0 ? 2 : 0) | (m.z > 0 ? 4 : 0);
  const int steep = abs_m.x >= abs_m.y && abs_m.x >= abs_m.z ? 0 : (abs_m.y >= abs_m.z ? 1 : 2);
  if (abs_m[steep] >= kCosFace) {
    set_box_face(box, X_WS, column, frame, steep, vertex >> steep & 1, out);
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
    case ShapeKind::kMesh:
      return std::get_if<Mesh>(&shape)->geometry->origin_radius;
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
    case ShapeKind::kMesh:  // has patches of its own
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
