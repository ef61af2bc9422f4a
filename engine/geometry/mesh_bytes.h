// Meshes as bytes, with all that takes long to make: for caches.
#pragma once

#include "tenon/engine/geometry/mesh.h"

namespace tenon {

// Raised whenever the same triangles get another geometry than before, or the bytes change.
inline constexpr int kMeshVersion = 5;

// About 75 bytes per triangle and the field, in the order of this machine. What is made as quickly
// as it would be read (normals of faces, boxes) is left out.
std::vector<std::byte> encode_mesh(const MeshGeometry& mesh, ThreadPool* pool = nullptr);

// The same geometry again, to the last bit. Errors name what is wrong with the bytes; whatever they
// hold, a mesh that was decoded can be asked without harm.
Result<Mesh> decode_mesh(std::span<const std::byte> bytes, ThreadPool* pool = nullptr);

}  // namespace tenon
