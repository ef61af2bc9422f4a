// What is wrong with a set of triangles, in numbers and places.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/geometry/mesh.h"

namespace tenon {

// Of edges, triangles and pieces. Each list holds the first few places; the counts all of them.
struct MeshCheck {
  static constexpr size_t kPlaces = 8;

  size_t unused_vertices = 0;
  size_t repeated_vertices = 0;  // triangles with the same vertex twice
  size_t slivers = 0;            // triangles without area
  size_t copies = 0;             // triangles with the same vertices as an earlier one
  size_t open_edges = 0;         // of one triangle
  size_t crowded_edges = 0;      // of three or more
  size_t turned_edges = 0;       // of two that run along it in the same direction
  size_t pieces = 0;             // that share no vertex
  size_t edges = 0;
  long long euler = 0;  // vertices that are used - edges + triangles: 2 for each ball, 0 for a ring
  std::vector<int> sliver_places, copy_places, repeated_places;                // triangles
  std::vector<std::array<int, 2>> open_places, crowded_places, turned_places;  // vertices of edges

  bool closed() const { return open_edges + crowded_edges + turned_edges == 0; }
};

// Precondition: indices are in range.
MeshCheck check_triangles(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles);

// Pairs of triangles where the surface passes through itself, decided exactly, also along edges and
// in flat overlaps that face the same way. Touching is none: where it stays on one side, or faces
// itself. In order, at most `most`.
struct MeshCrossing {
  int a = 0, b = 0;
};
std::vector<MeshCrossing> find_crossings(const MeshGeometry& mesh, size_t most, ThreadPool* pool);

}  // namespace tenon
