// A triangulated surface: what every form becomes.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tenon/engine/math/vec3.h"

namespace tenon::scene {

struct Surface {
  std::vector<Vec3> vertices;                 // m
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
};

// More triangles than this are refused, as by the engine (kMaxMeshTriangles).
inline constexpr size_t kMostTriangles = 16'000'000;

// Splits edges at their middles until none is longer than `edge`, or until there are
// kMostTriangles. Neighbours split the same edges, so a closed surface stays closed, and the solid
// is the same.
Surface split_long_edges(Surface surface, double edge);

// Reflected at z = 0; triangles keep their outside.
Surface mirrored(Surface surface);

}  // namespace tenon::scene
