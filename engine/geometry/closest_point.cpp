#include "tenon/engine/geometry/closest_point.h"

#include <algorithm>
#include <limits>

namespace tenon {
namespace {

// From a point outside to the nearest point of the surface. `fallback` is for distance zero.
ClosestPoint outside(const Vec3& query, const Vec3& point, const Vec3& fallback) {
  const Vec3 d = query - point;
  return {point, normalized(d, fallback), norm(d)};
}

// The surface at distance r around the core point c.
ClosestPoint around(const Vec3& query, const Vec3& c, double r, const Vec3& fallback) {
  const Vec3 d = query - c;
  const Vec3 n = normalized(d, fallback);
  return {c + r * n, n, norm(d) - r};
}

Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 ab = b - a;
  const double t = dot(p - a, ab), length2 = norm2(ab);
  if (!(t > 0)) return a;
  if (t >= length2) return b;
  return a + (t / length2) * ab;
}

struct Finder {
  Vec3 p;

  ClosestPoint operator()(const Sphere& s) const { return around(p, {}, s.radius, {0, 1, 0}); }

  ClosestPoint operator()(const Box& s) const {
    const Vec3 clamped = cwise_max(-s.half, cwise_min(s.half, p));
    const Vec3 beyond = cwise_abs(p) - s.half;
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (beyond[k] > beyond[axis]) axis = k;
    }
    const double side = p[axis] < 0 ? -1 : 1;
    Vec3 n;
    n[axis] = side;
    if (beyond[axis] > 0) return outside(p, clamped, n);
    Vec3 point = p;
    point[axis] = side * s.half[axis];
    return {point, n, beyond[axis]};
  }

  // In the half plane of radius and height it is a rectangle.
  ClosestPoint operator()(const Cylinder& s) const {
    const double rho = std::sqrt(p.x * p.x + p.z * p.z);
    const Vec3 radial = normalized({p.x, 0, p.z}, {1, 0, 0});
    const Vec3 axial{0, p.y < 0 ? -1.0 : 1.0, 0};
    const double past_side = rho - s.radius, past_cap = std::fabs(p.y) - s.half_height;
    const Vec3 on_side = s.radius * radial + Vec3{0, p.y, 0};
    const Vec3 on_cap{p.x, axial.y * s.half_height, p.z};
    if (past_side > 0 && past_cap > 0) {
      return outside(p, s.radius * radial + s.half_height * axial, radial);
    }
    if (past_cap > past_side) return {on_cap, axial, past_cap};
    return {on_side, radial, past_side};
  }

  ClosestPoint operator()(const Capsule& s) const {
    const Vec3 c{0, std::clamp(p.y, -s.half_length, s.half_length), 0};
    return around(p, c, s.radius, {1, 0, 0});
  }

  ClosestPoint operator()(const Plane&) const { return {{p.x, 0, p.z}, {0, 1, 0}, p.y}; }

  ClosestPoint operator()(const Hull& s) const {
    const HullGeometry& g = *s.geometry;
    int nearest = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (size_t f = 0; f < g.faces.size(); ++f) {
      const double distance = dot(g.faces[f].normal, p) - g.faces[f].offset;
      if (distance > largest) {
        largest = distance;
        nearest = static_cast<int>(f);
      }
    }
    const Vec3& n = g.faces[nearest].normal;
    // inside, the foot on the nearest of all planes lies in its face
    if (largest <= 0) return {p - largest * n, n, largest};
    return outside_hull(g, n);
  }

  ClosestPoint operator()(const Mesh& s) const {
    const MeshPoint at = find_nearest(*s.geometry, p, std::numeric_limits<double>::infinity());
    const double side = at.distance < 0 ? -1 : 1;
    return {at.point, normalized(side * (p - at.point), at.normal), at.distance};
  }

  // The nearest point lies in one of the faces that the query sees.
  ClosestPoint outside_hull(const HullGeometry& g, const Vec3& fallback) const {
    Vec3 best;
    double best_distance2 = std::numeric_limits<double>::infinity();
    for (const HullGeometry::Face& face : g.faces) {
      const double height = dot(face.normal, p) - face.offset;
      // a face further away by its plane alone cannot be nearest
      if (height <= 0 || height * height >= best_distance2) continue;
      const Vec3 q = nearest_in_face(g, face, height);
      const double distance2 = norm2(p - q);
      if (distance2 < best_distance2) {
        best_distance2 = distance2;
        best = q;
      }
    }
    return outside(p, best, fallback);
  }

  Vec3 nearest_in_face(const HullGeometry& g, const HullGeometry::Face& face, double height) const {
    const int* loop = &g.face_vertices[face.first];
    const Vec3 foot = p - height * face.normal;
    Vec3 best = foot;
    double best_distance2 = std::numeric_limits<double>::infinity();
    bool within = true;
    for (int i = 0; i < face.count; ++i) {
      const Vec3 &a = g.vertices[loop[i]], &b = g.vertices[loop[(i + 1) % face.count]];
      if (dot(cross(b - a, foot - a), face.normal) >= 0) continue;  // on the inner side
      within = false;
      const Vec3 q = nearest_on_segment(a, b, p);
      const double distance2 = norm2(p - q);
      if (distance2 < best_distance2) {
        best_distance2 = distance2;
        best = q;
      }
    }
    return within ? foot : best;
  }
};

}  // namespace

ClosestPoint find_closest_point(const Shape& shape, const Vec3& query) {
  return std::visit(Finder{query}, shape);
}

}  // namespace tenon
