#include "tenon/cli/model_file.h"

#include <filesystem>

#include "tenon/cli/scene_source.h"
#include "tenon/scene/gltf/import_gltf.h"
#include "tenon/scene/mjcf/import_mjcf.h"
#include "tenon/scene/model/import_mesh.h"
#include "tenon/scene/model/mesh_part.h"
#include "tenon/scene/urdf/import_urdf.h"

namespace tenon::cli {
namespace {

// The tag of the root element: what follows the first '<' that begins no comment or declaration.
std::string root_tag(const std::string& text) {
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) break;
      continue;
    }
    if (text.compare(at, 2, "<?") == 0 || text.compare(at, 2, "<!") == 0) continue;
    const size_t end = text.find_first_of(" \t\r\n/>", at + 1);
    return text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
  }
  return {};
}

scene::model::Files files_on_disk() {
  scene::model::Files files;
  files.exists = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
  };
  files.read = [](const std::string& path) { return read_model_file(path); };
  return files;
}

// Triangles and nothing else; of glTF the file itself tells.
bool is_plain_mesh(const std::string& path) {
  return scene::is_mesh_file(path) && !scene::gltf::is_gltf_file(path);
}

}  // namespace

bool is_model_file(const std::string& path, const std::string& text) {
  if (is_plain_mesh(path)) return true;
  if (scene::urdf::is_urdf_file(path) || scene::gltf::is_gltf_file(path)) return true;
  const std::string tag = root_tag(text.substr(0, size_t{1} << 16));
  return scene::mjcf::is_mjcf_file(path) && (tag == "robot" || tag.starts_with("mujoco"));
}

Result<std::string> read_model_file(const std::string& path) {
  if (scene::is_mesh_file(path)) return read_text_file(path, scene::kMaxMeshFileBytes);
  return read_text_file(path);
}

Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::ImportOptions& options) {
  return import_model(path, text, files_on_disk(), options);
}

Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::Files& files,
                                            const scene::model::ImportOptions& options) {
  if (is_plain_mesh(path)) return scene::model::import_mesh(path, files);
  if (scene::gltf::is_gltf_file(path)) {
    const scene::FileReader read = scene::model::mesh_reader(files, path);
    return scene::gltf::import_gltf(text, path, read, options);
  }
  const bool urdf = scene::urdf::is_urdf_file(path) || root_tag(text) == "robot";
  if (urdf) return scene::urdf::import_urdf(text, path, files, options);
  return scene::mjcf::import_mjcf(text, path, files, options);
}

void relocate_meshes(const std::string& from, const std::string& to, scene::Document& document) {
  namespace fs = std::filesystem;
  const fs::path old = fs::path(from).parent_path(), fresh = fs::path(to).parent_path();
  const auto move = [&](scene::MeshShape* mesh) {
    if (mesh == nullptr || mesh->file.empty()) return;
    std::error_code error;
    const fs::path path =
        fs::proximate(old / mesh->file, fresh.empty() ? fs::path(".") : fresh, error);
    if (!error) mesh->file = path.generic_string();
  };
  for (scene::Body& body : document.bodies) {
    move(std::get_if<scene::MeshShape>(&body.shape));
    auto* compound = std::get_if<scene::CompoundShape>(&body.shape);
    if (compound == nullptr) continue;
    for (scene::Part& part : compound->parts) move(std::get_if<scene::MeshShape>(&part.shape));
  }
}

}  // namespace tenon::cli
