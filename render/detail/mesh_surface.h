// How meshes look: normals at corners, and fewer triangles where fewer do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tenon/engine/geometry/mesh.h"

namespace tenon::render {

// Faces that meet at less than this angle are meant to be one smooth surface, rad (40 degrees).
inline constexpr double kCrease = 0.698;

// Unit normals at the three corners of every triangle: the mean, by angles, of the triangles about
// the vertex that no crease parts from this one.
std::vector<std::array<Vec3, 3>> calc_corner_normals(const MeshGeometry& mesh);

// Corners that are alike made one: what programs that draw want.
struct DrawnMesh {
  std::vector<Vec3> points, normals;
  std::vector<std::array<uint32_t, 3>> triangles;
};
DrawnMesh make_drawn(const MeshGeometry& mesh);

// A coarser surface of about so many triangles at most: vertices in one cell of a grid become one
// [Rossignac1993]. Small meshes come out as they are. Without topology: only to be looked at.
struct CoarseMesh {
  std::vector<Vec3> points;
  std::vector<MeshTriangle> triangles;
};
CoarseMesh make_coarse(const MeshGeometry& mesh, size_t triangles);

}  // namespace tenon::render
