#include "tenon/engine/geometry/surface_area.h"

namespace tenon {
namespace {

struct SurfaceArea {
  double operator()(const Sphere& s) const { return 4 * kPi * s.radius * s.radius; }
  double operator()(const Box& s) const {
    const Vec3& h = s.half;
    return 8 * (h.x * h.y + h.y * h.z + h.z * h.x);
  }
  double operator()(const Cylinder& s) const {
    return 2 * kPi * s.radius * (s.radius + 2 * s.half_height);
  }
  double operator()(const Capsule& s) const {
    return 4 * kPi * s.radius * (s.radius + s.half_length);
  }
  double operator()(const Plane&) const { return 0; }
  double operator()(const Hull& s) const {
    double twice_area = 0;
    const HullGeometry& g = *s.geometry;
    for (const HullGeometry::Face& face : g.faces) {
      const auto vertex = [&](int i) {
        return g
            .vertices[static_cast<size_t>(g.face_vertices[static_cast<size_t>(face.first + i)])];
      };
      Vec3 sum;
      for (int i = 1; i + 1 < face.count; ++i) {
        sum += cross(vertex(i) - vertex(0), vertex(i + 1) - vertex(0));
      }
      twice_area += norm(sum);
    }
    return 0.5 * twice_area;
  }
  double operator()(const Mesh& s) const { return s.geometry->area; }
};

}  // namespace

double calc_surface_area(const Shape& shape) { return std::visit(SurfaceArea{}, shape); }

}  // namespace tenon
