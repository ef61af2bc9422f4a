#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene {
namespace {

enum class Format { kNone, kObj, kStl, kPly, kGltf };

Format find_format(std::string_view name) {
  const size_t dot = name.rfind('.');
  std::string ending(dot == std::string_view::npos ? "" : name.substr(dot + 1));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == "obj") return Format::kObj;
  if (ending == "stl") return Format::kStl;
  if (ending == "ply") return Format::kPly;
  if (ending == "gltf" || ending == "glb") return Format::kGltf;
  return Format::kNone;
}

}  // namespace

bool is_mesh_file(std::string_view name) { return find_format(name) != Format::kNone; }

Result<MeshData> parse_mesh_file(std::string_view bytes, const std::string& name,
                                 const MeshFileOptions& options) {
  if (bytes.empty()) return Error{.message = "the file is empty", .file = name};
  switch (find_format(name)) {
    case Format::kObj:
      return parse_obj(bytes, name, options);
    case Format::kStl:
      return parse_stl(bytes, name, options);
    case Format::kPly:
      return parse_ply(bytes, name, options);
    case Format::kGltf:
      return parse_gltf(bytes, name, options);
    case Format::kNone:
      break;
  }
  return Error{.message = "this is no file of triangles that we read",
               .file = name,
               .accepted = ".obj, .stl, .ply, .gltf or .glb"};
}

}  // namespace tenon::scene
