// Files of triangles: OBJ, STL, PLY, glTF. Readers take bytes and never open files themselves.
//
// Our own readers and no library: assimp and tinygltf throw, do not compile to WebAssembly, mend
// what they find without saying so (assimp joins, drops and splits), and have no line or byte for a
// mistake. What we need of the four formats is small: positions and faces.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/vec3.h"

namespace tenon::scene {

// As the file has them: nothing is joined, left out or turned.
struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  // polygons are cut
  std::vector<std::string> remarks{};         // what a reader of the file should know
  friend bool operator==(const MeshData&, const MeshData&) = default;
};

using FileBytes = std::shared_ptr<const std::string>;
// Whole files by the names that a scene (or a glTF file) uses for them.
using FileReader = std::function<Result<FileBytes>(const std::string& name)>;

// Raised whenever the same bytes give other triangles than before: caches go by it.
inline constexpr int kMeshFileVersion = 2;

struct MeshFileOptions {
  size_t max_triangles = 16'000'000;  // kMaxMeshTriangles: what a mesh takes
  FileReader read{};                  // buffers that a .gltf names; or none
};
// Larger files are refused before they are read: as many triangles as a mesh takes fit into it.
inline constexpr size_t kMaxMeshFileBytes = size_t{2} << 30;

// By the ending of the name: .obj .stl .ply .gltf .glb. Errors have the name, and the line of a
// text or in `value` the byte where the trouble is. Memory is bounded by a small multiple of the
// bytes.
Result<MeshData> parse_mesh_file(std::string_view bytes, const std::string& name,
                                 const MeshFileOptions& options = {});
bool is_mesh_file(std::string_view name);

// The formats by themselves.
Result<MeshData> parse_obj(std::string_view text, const std::string& name,
                           const MeshFileOptions& options = {});
Result<MeshData> parse_stl(std::string_view bytes, const std::string& name,
                           const MeshFileOptions& options = {});
Result<MeshData> parse_ply(std::string_view bytes, const std::string& name,
                           const MeshFileOptions& options = {});
// .gltf and .glb: all triangles of the default scene (else of all scenes' nodes), each where its
// node puts it; glTF is in metres with y up.
Result<MeshData> parse_gltf(std::string_view bytes, const std::string& name,
                            const MeshFileOptions& options = {});

}  // namespace tenon::scene
