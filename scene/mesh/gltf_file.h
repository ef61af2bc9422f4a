// A glTF file as JSON and bytes, for those who want more of it than all of its triangles.
#pragma once

#include <memory>

#include "tenon/scene/document/json.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {

namespace detail {
struct GltfChunks {
  std::string_view json, binary;
};
}  // namespace detail

struct GltfFile {
  Json root;                // an object
  std::string_view binary;  // of a .glb: part of the bytes that it was opened with
  std::string name;
};

// .gltf or .glb. Errors have the line, or the byte.
Result<GltfFile> open_gltf(std::string_view bytes, const std::string& name);

enum class GltfChildren { kWith, kWithout };

// Triangles of single nodes.
class GltfMeshes {
 public:
  // The file outlives it.
  GltfMeshes(const GltfFile& file, const MeshFileOptions& options);
  ~GltfMeshes();

  // Fetches the buffers; before anything else.
  Status load();
  // In the frame of the node; none where it has no mesh.
  Result<MeshData> of_node(const Json& node, GltfChildren children);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon::scene
