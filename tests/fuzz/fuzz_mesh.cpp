// libFuzzer: any bytes -> triangles or an error, in every format; the first byte chooses. What
// comes out can be mended and made a mesh without harm.
#include <cstdint>
#include <cstdlib>

#include "tenon/engine/geometry/mesh_check.h"
#include "tenon/scene/mesh/mesh_repair.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon;
  if (size == 0) return 0;
  constexpr const char* names[] = {"fuzz.obj", "fuzz.stl", "fuzz.ply", "fuzz.gltf", "fuzz.glb"};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Result<scene::MeshData> read = scene::parse_mesh_file(bytes, names[data[0] % 5]);
  if (!read) {
    if (read.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& t : read->triangles)
    for (const int v : t)
      if (v < 0 || static_cast<size_t>(v) >= read->vertices.size()) std::abort();
  scene::join_equal_vertices(*read);
  check_triangles(read->vertices, read->triangles);
  scene::drop_triangles(*read);
  scene::flip_triangles(*read);
  const Result<Mesh> mesh = make_mesh(read->vertices, read->triangles, {.use = MeshUse::kPicture});
  if (!mesh) return 0;
  const MeshPoint p = find_nearest(*mesh->geometry, {0.1, 0.2, 0.3}, 1e300);
  if (p.triangle >= static_cast<int>(read->triangles.size())) std::abort();
  return 0;
}
