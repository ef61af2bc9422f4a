#include "tenon/engine/geometry/mesh.h"

#include <algorithm>
#include <string>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/detail/text.h"
#include "tenon/engine/geometry/detail/triangle_integral.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {
namespace {

Status check_counts(size_t vertices, size_t triangles) {
  if (triangles == 0) {
    return Error{.message = "the mesh has no triangles", .accepted = "one triangle or more"};
  }
  if (triangles > kMaxMeshTriangles || vertices > 3 * kMaxMeshTriangles) {
    return Error{.message = "the mesh is too large",
                 .value = std::to_string(triangles) + " triangles, " + std::to_string(vertices) +
                          " vertices",
                 .accepted = "up to " + std::to_string(kMaxMeshTriangles) +
                             " triangles; simplify the mesh, or cut it into several"};
  }
  return Ok{};
}

Status check_vertices(std::span<const Vec3> vertices) {
  for (size_t i = 0; i < vertices.size(); ++i) {
    // the negated comparison also catches NaN
    if (!(max_component(cwise_abs(vertices[i])) <= kLargestLength) || !is_finite(vertices[i])) {
      return Error{.message = "vertex " + std::to_string(i) + " is not finite or too far away",
                   .value = detail::to_text(vertices[i]),
                   .accepted = "coordinates up to " + detail::to_text(kLargestLength) + " m"};
    }
  }
  return Ok{};
}

Status check_triangles(size_t vertices, std::span<const MeshTriangle> triangles) {
  const int n = static_cast<int>(vertices);
  for (size_t t = 0; t < triangles.size(); ++t) {
    const MeshTriangle& v = triangles[t];
    for (const int i : v) {
      if (i < 0 || i >= n) {
        return Error{
            .message = "triangle " + std::to_string(t) + " names a vertex that is not there",
            .value = std::to_string(i),
            .accepted = "0 to " + std::to_string(n - 1)};
      }
    }
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
      return Error{
          .message = "triangle " + std::to_string(t) + " uses a vertex twice",
          .value = std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]),
          .accepted = "three different vertices"};
    }
  }
  return Ok{};
}

Status check_measures(const MeshGeometry& mesh) {
  if (!(mesh.area > 0) || !(max_component(mesh.bounds.hi - mesh.bounds.lo) >= kSmallestLength)) {
    return Error{.message = "the mesh has no extent",
                 .value = detail::to_short_text(mesh.area) + " m^2",
                 .accepted = "triangles with an area"};
  }
  // less than round-off of the sum is nothing
  const double nothing = 1e-14 * mesh.area * max_component(mesh.bounds.hi - mesh.bounds.lo);
  if (mesh.closed && !(mesh.volume > nothing)) {
    return Error{.message = mesh.volume < -nothing
                                ? "the mesh is inside out: its triangles face inwards"
                                : "the mesh encloses no volume",
                 .value = detail::to_short_text(mesh.volume) + " m^3",
                 .accepted = "triangles counter-clockwise seen from outside"};
  }
  return Ok{};
}

}  // namespace

Status detail::check_mesh_input(std::span<const Vec3> vertices,
                                std::span<const MeshTriangle> triangles) {
  if (Status s = check_counts(vertices.size(), triangles.size()); !s) return s;
  if (Status s = check_vertices(vertices); !s) return s;
  return check_triangles(vertices.size(), triangles);
}

uint64_t calc_mesh_content(std::span<const Vec3> vertices,
                           std::span<const MeshTriangle> triangles) {
  Hasher h;
  h.add(static_cast<uint64_t>(vertices.size()));
  for (const Vec3& v : vertices) {
    h.add(v.x);
    h.add(v.y);
    h.add(v.z);
  }
  h.add(static_cast<uint64_t>(triangles.size()));
  for (const MeshTriangle& t : triangles) {
    const auto word = [&](size_t k) { return static_cast<uint64_t>(static_cast<uint32_t>(t[k])); };
    h.add(word(0) | word(1) << 32);
    h.add(word(2));
  }
  return h.value();
}

void detail::calc_mesh_measures(MeshGeometry& mesh) {
  const auto vertex = [&](int i) -> const Vec3& { return mesh.vertices[static_cast<size_t>(i)]; };
  mesh.bounds = {vertex(mesh.triangles[0][0]), vertex(mesh.triangles[0][0])};
  double radius2 = 0;
  for (const MeshTriangle& t : mesh.triangles) {
    for (const int i : t) {
      mesh.bounds = {cwise_min(mesh.bounds.lo, vertex(i)), cwise_max(mesh.bounds.hi, vertex(i))};
      radius2 = std::max(radius2, norm2(vertex(i)));
    }
    mesh.area += 0.5 * norm(cross(vertex(t[1]) - vertex(t[0]), vertex(t[2]) - vertex(t[0])));
  }
  mesh.origin_radius = std::sqrt(radius2);
  const Vec3 extent = mesh.bounds.hi - mesh.bounds.lo;
  mesh.size = max_component(extent);
  if (!mesh.closed) return;
  const MassProperties unit = integrate(center(mesh.bounds), 1, [&](auto add) {
    for (const MeshTriangle& t : mesh.triangles) add(vertex(t[0]), vertex(t[1]), vertex(t[2]));
  });
  mesh.volume = unit.mass;
  mesh.centroid = unit.com;
  mesh.inertia = unit.inertia;
  // six volumes by area: the diameter of a ball, the edge of a cube, three times a plate's
  // thickness
  mesh.size = std::min({extent.x, extent.y, extent.z, 6 * mesh.volume / mesh.area});
}

Result<Mesh> make_mesh(std::vector<Vec3> vertices, std::vector<MeshTriangle> triangles,
                       const MeshOptions& options) {
  if (Status s = detail::check_mesh_input(vertices, triangles); !s) return s.error();
  auto mesh = std::make_shared<MeshGeometry>();
  mesh->vertices = std::move(vertices);
  mesh->triangles = std::move(triangles);
  mesh->content = calc_mesh_content(mesh->vertices, mesh->triangles);
  detail::find_neighbours(*mesh);
  detail::calc_mesh_measures(*mesh);
  if (Status s = check_measures(*mesh); !s) return s.error();
  detail::calc_face_normals(*mesh, options.pool);
  detail::calc_vertex_normals(*mesh);
  mesh->tree = detail::make_mesh_tree(mesh->vertices, mesh->triangles, options.pool);
  detail::calc_slabs(*mesh, options.pool);
  detail::calc_cones(*mesh);
  detail::calc_reach_table(*mesh, options.pool);
  if (options.use == MeshUse::kContact && mesh->closed) {
    detail::find_unsure(*mesh, options.pool);
    mesh->field =
        std::make_shared<DistanceField>(make_distance_field(*mesh, {options.cell, options.pool}));
  }
  if (options.use == MeshUse::kContact) {
    mesh->samples = make_samples(*mesh, find_sample_spacing(*mesh));
    mesh->convex = detail::find_convex(*mesh);
  }
  return Mesh{std::move(mesh)};
}

}  // namespace tenon
