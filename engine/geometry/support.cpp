#include "tenon/engine/geometry/support.h"

#include <algorithm>

namespace tenon {
namespace {

double along(double direction, double half) { return direction < 0 ? -half : half; }

// Furthest point of a disc of radius r in the plane y = 0.
Vec3 disc_support(const Vec3& d, double r) {
  const double scale = std::max(std::fabs(d.x), std::fabs(d.z));
  if (scale == 0) return {};
  const double x = d.x / scale, z = d.z / scale, k = r / std::sqrt(x * x + z * z);
  return {k * x, 0, k * z};
}

struct Support {
  Vec3 d;  // finite, not zero

  Vec3 operator()(const Sphere& s) const { return s.radius * normalized(d); }
  Vec3 operator()(const Box& s) const {
    return {along(d.x, s.half.x), along(d.y, s.half.y), along(d.z, s.half.z)};
  }
  Vec3 operator()(const Cylinder& s) const {
    const Vec3 rim = disc_support(d, s.radius);
    return {rim.x, d.y == 0 ? 0 : along(d.y, s.half_height), rim.z};
  }
  Vec3 operator()(const Capsule& s) const {
    return Vec3{0, along(d.y, s.half_length), 0} + s.radius * normalized(d);
  }
  Vec3 operator()(const Plane&) const {
    return {d.x == 0 ? 0 : along(d.x, kPlaneExtent), d.y < 0 ? -kPlaneExtent : 0,
            d.z == 0 ? 0 : along(d.z, kPlaneExtent)};
  }
  Vec3 operator()(const Hull& s) const {
    return s.geometry->vertices[find_support_vertex(*s.geometry, d, 0)];
  }
  Vec3 operator()(const Mesh& s) const {
    return s.geometry->vertices[static_cast<size_t>(find_support_vertex(*s.geometry, d))];
  }
};

struct BoundingRadius {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& s) const { return norm(s.half); }
  double operator()(const Cylinder& s) const {
    return std::sqrt(s.radius * s.radius + s.half_height * s.half_height);
  }
  double operator()(const Capsule& s) const { return s.radius + s.half_length; }
  double operator()(const Plane&) const { return kPlaneExtent * std::sqrt(3.0); }
  double operator()(const Hull& s) const { return s.geometry->origin_radius; }
  double operator()(const Mesh& s) const { return s.geometry->origin_radius; }
};

struct Size {
  double operator()(const Sphere& s) const { return 2 * s.radius; }
  double operator()(const Box& s) const { return 2 * std::min({s.half.x, s.half.y, s.half.z}); }
  double operator()(const Cylinder& s) const { return 2 * std::min(s.radius, s.half_height); }
  double operator()(const Capsule& s) const { return 2 * s.radius; }
  double operator()(const Plane&) const { return 2 * kPlaneExtent; }
  double operator()(const Hull& s) const { return s.geometry->width; }
  double operator()(const Mesh& s) const { return s.geometry->size; }
};

int scan(const HullGeometry& hull, const Vec3& d) {
  int best = 0;
  double best_value = dot(hull.vertices[0], d);
  for (size_t i = 1; i < hull.vertices.size(); ++i) {
    const double value = dot(hull.vertices[i], d);
    if (value > best_value) {
      best = static_cast<int>(i);
      best_value = value;
    }
  }
  return best;
}

}  // namespace

Vec3 support(const Shape& shape, const Vec3& direction) {
  const bool usable = is_finite(direction) && direction != Vec3{};
  return std::visit(Support{usable ? direction : Vec3{0, 1, 0}}, shape);
}

// Steepest ascent over the edges. On a convex polyhedron a vertex with no better neighbour is the
// best of all. Each step strictly raises (value, -index), so plateaus end and no vertex repeats.
int find_support_vertex(const HullGeometry& hull, const Vec3& direction, int start) {
  if (hull.vertices.size() <= static_cast<size_t>(kScanVertices)) return scan(hull, direction);
  int best = start;
  double best_value = dot(hull.vertices[best], direction);
  for (bool moved = true; moved;) {
    moved = false;
    const int from = hull.first_neighbour[best], to = hull.first_neighbour[best + 1];
    for (int i = from; i < to; ++i) {
      const int n = hull.neighbours[i];
      const double value = dot(hull.vertices[n], direction);
      if (value > best_value || (value == best_value && n < best)) {
        best = n;
        best_value = value;
        moved = true;
      }
    }
  }
  return best;
}

double bounding_radius(const Shape& shape) { return std::visit(BoundingRadius{}, shape); }

double size(const Shape& shape) { return std::visit(Size{}, shape); }

}  // namespace tenon
