// Candidates on edges of a mesh: down to where they are lowest, and through edges of the target.
#pragma once

#include "tenon/engine/collision/narrow/mesh_search.h"

namespace tenon::narrow {

// From a place on an edge, which runs from a to b (frame P), down to where the distance is least on
// it; `here`: the target as measured there. Returns whether it has moved.
bool slide_along_edge(const MeshPair& pair, Candidate& c, const Vec3& a, const Vec3& b,
                      Measured here);

// The name of a place on an edge: the edge, as the lower of its triangles has it, and which half.
uint32_t name_edge(const MeshPair& pair, const Candidate& c, int triangle, int edge);

}  // namespace tenon::narrow
