#include "tenon/cli/studio_import.h"

#include "tenon/cli/model_file.h"
#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::cli {

Result<studio::ImportedScene> import_uploaded(const std::string& name,
                                              const studio::Uploads& uploads) {
  const scene::FileBytes text = uploads.find(name);
  if (!text)
    return Error{
        .message = "the file was not handed over", .file = name, .accepted = "upload it first"};
  if (scene::bvh::is_motion_file(name)) {
    scene::bvh::ImportOptions options;
    options.floor = true;
    Result<scene::bvh::Imported> figure = scene::bvh::import_motion(*text, name, options);
    if (!figure) return figure.error();
    return studio::ImportedScene{scene::save_scene(figure->document), format(figure->report)};
  }
  if (!is_model_file(name, *text))
    return Error{
        .message = "neither the name nor the text of the file says a known format",
        .file = name,
        .accepted = "a name that ends in .urdf, .glb, .gltf or .bvh, or an .xml of MuJoCo's"};
  scene::model::Files files;
  files.exists = [&](const std::string& path) { return uploads.find(path) != nullptr; };
  files.read = [&](const std::string& path) -> Result<std::string> {
    const scene::FileBytes bytes = uploads.find(path);
    if (!bytes) return Error{.message = "the file was not handed over", .file = path};
    return *bytes;
  };
  scene::model::ImportOptions options;
  options.floor = true;
  Result<scene::model::Imported> model = import_model(name, *text, files, options);
  if (!model) return model.error();
  return studio::ImportedScene{scene::save_scene(model->document), format(model->report)};
}

}  // namespace tenon::cli
