#include "tenon/render/export/mesh.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/detail/mesh_surface.h"

namespace tenon::exports {
namespace {

// A ring of a body of revolution about y: its height, its radius, and its normal as (out, up).
struct Ring {
  double y, radius, out, up;
};

void add_rings(TriangleMesh& mesh, std::span<const Ring> rings, int sides) {
  const auto base = static_cast<uint32_t>(mesh.points.size());
  const auto row = static_cast<uint32_t>(sides) + 1;  // the seam is there twice
  for (const Ring& ring : rings) {
    for (int i = 0; i <= sides; ++i) {
      const double angle = 2 * kPi * (i % sides) / sides, c = cos(angle), s = sin(angle);
      mesh.points.push_back({ring.radius * c, ring.y, -ring.radius * s});
      mesh.normals.push_back({ring.out * c, ring.up, -ring.out * s});
    }
  }
  for (uint32_t r = 0; r + 1 < rings.size(); ++r) {
    for (uint32_t i = 0; i + 1 < row; ++i) {
      const uint32_t a = base + r * row + i, b = a + 1, c = a + row, d = c + 1;
      // rings go up; poles have no area on one side
      if (rings[r].radius > 0) mesh.triangles.push_back({a, b, d});
      if (rings[r + 1].radius > 0) mesh.triangles.push_back({a, d, c});
    }
  }
}

// A flat convex polygon as a fan.
void add_polygon(TriangleMesh& mesh, std::span<const Vec3> points, const Vec3& normal) {
  const auto base = static_cast<uint32_t>(mesh.points.size());
  for (const Vec3& p : points) {
    mesh.points.push_back(p);
    mesh.normals.push_back(normal);
  }
  for (uint32_t i = 1; i + 1 < points.size(); ++i)
    mesh.triangles.push_back({base, base + i, base + i + 1});
}

std::vector<Vec3> circle(double y, double radius, int sides, bool from_above) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = (from_above ? 2 : -2) * kPi * i / sides;
    points.push_back({radius * cos(angle), y, -radius * sin(angle)});
  }
  return points;
}

// A quarter of a circle of rings, from the equator to the pole or the other way round.
void add_cap(std::vector<Ring>& rings, double radius, double y, int sides, bool top) {
  const int steps = std::max(2, sides / 4);
  for (int k = 0; k <= steps; ++k) {
    const double angle = 0.5 * kPi * (top ? k : k - steps) / steps;
    const bool pole = top ? k == steps : k == 0;
    const double out = pole ? 0 : cos(angle), up = pole ? (top ? 1 : -1) : sin(angle);
    rings.push_back({y + radius * up, radius * out, out, up});
  }
}

TriangleMesh mesh_of(const Sphere& sphere, const MeshDetail& detail) {
  TriangleMesh mesh;
  std::vector<Ring> rings;
  add_cap(rings, sphere.radius, 0, detail.sides, false);
  rings.pop_back();  // the equator comes with the other half
  add_cap(rings, sphere.radius, 0, detail.sides, true);
  add_rings(mesh, rings, detail.sides);
  return mesh;
}

TriangleMesh mesh_of(const Box& box, const MeshDetail&) {
  TriangleMesh mesh;
  const Vec3& h = box.half;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      Vec3 n, u, v;
      n[axis] = side;
      u[(axis + 1) % 3] = h[(axis + 1) % 3];
      v[(axis + 2) % 3] = side * h[(axis + 2) % 3];
      const Vec3 c = h[axis] * n;
      add_polygon(mesh, std::array<Vec3, 4>{c - u - v, c + u - v, c + u + v, c - u + v}, n);
    }
  }
  return mesh;
}

TriangleMesh mesh_of(const Cylinder& cylinder, const MeshDetail& detail) {
  TriangleMesh mesh;
  const double r = cylinder.radius, h = cylinder.half_height;
  add_rings(mesh, std::array<Ring, 2>{Ring{-h, r, 1, 0}, Ring{h, r, 1, 0}}, detail.sides);
  add_polygon(mesh, circle(h, r, detail.sides, true), {0, 1, 0});
  add_polygon(mesh, circle(-h, r, detail.sides, false), {0, -1, 0});
  return mesh;
}

TriangleMesh mesh_of(const Capsule& capsule, const MeshDetail& detail) {
  TriangleMesh mesh;
  std::vector<Ring> rings;
  add_cap(rings, capsule.radius, -capsule.half_length, detail.sides, false);
  if (!(capsule.half_length > 0)) rings.pop_back();
  add_cap(rings, capsule.radius, capsule.half_length, detail.sides, true);
  add_rings(mesh, rings, detail.sides);
  return mesh;
}

TriangleMesh mesh_of(const Plane&, const MeshDetail& detail) {
  TriangleMesh mesh;
  const double h = detail.plane_half;
  const std::array<Vec3, 4> corners{Vec3{-h, 0, h}, Vec3{h, 0, h}, Vec3{h, 0, -h}, Vec3{-h, 0, -h}};
  add_polygon(mesh, corners, {0, 1, 0});
  return mesh;
}

TriangleMesh mesh_of(const Hull& hull, const MeshDetail&) {
  TriangleMesh mesh;
  if (!hull.geometry) return mesh;
  for (const HullGeometry::Face& face : hull.geometry->faces) {
    std::vector<Vec3> points;
    for (int i = 0; i < face.count; ++i)
      points.push_back(
          hull.geometry
              ->vertices[static_cast<size_t>(hull.geometry->face_vertices[face.first + i])]);
    add_polygon(mesh, points, face.normal);
  }
  return mesh;
}

TriangleMesh mesh_of(const Mesh& shape, const MeshDetail&) {
  if (!shape.geometry) return {};
  render::DrawnMesh drawn = render::make_drawn(*shape.geometry);
  return {std::move(drawn.points), std::move(drawn.normals), std::move(drawn.triangles)};
}

}  // namespace

TriangleMesh make_mesh(const Shape& shape, const MeshDetail& detail) {
  MeshDetail sane = detail;
  sane.sides = std::clamp(detail.sides, 8, 256);
  return std::visit([&](const auto& s) { return mesh_of(s, sane); }, shape);
}

TriangleMesh make_tube(std::span<const Vec3> line, double radius, int sides) {
  TriangleMesh mesh;
  if (line.size() < 2) return mesh;
  const size_t n = line.size();
  const auto tangent = [&](size_t i) {
    return normalized(line[std::min(i + 1, n - 1)] - line[i > 0 ? i - 1 : 0], {0, 1, 0});
  };
  // the cross section is carried along without turning about the line
  Vec3 u = any_orthogonal(tangent(0));
  for (size_t i = 0; i < n; ++i) {
    const Vec3 t = tangent(i);
    u = normalized(u - dot(u, t) * t, any_orthogonal(t));
    const Vec3 v = cross(t, u);
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * kPi * k / sides;
      const Vec3 out = cos(angle) * u + sin(angle) * v;
      mesh.points.push_back(line[i] + radius * out);
      mesh.normals.push_back(out);
    }
  }
  const auto row = static_cast<uint32_t>(sides);
  for (uint32_t i = 0; i + 1 < n; ++i) {
    for (uint32_t k = 0; k < row; ++k) {
      const uint32_t a = i * row + k, b = i * row + (k + 1) % row;
      mesh.triangles.push_back({a, b, b + row});
      mesh.triangles.push_back({a, b + row, a + row});
    }
  }
  return mesh;
}

}  // namespace tenon::exports
