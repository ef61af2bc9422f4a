// convert: from one format of scenes to another.
#include <cstdio>
#include <filesystem>

#include "tenon/cli/commands.h"
#include "tenon/cli/model_file.h"
#include "tenon/cli/scene_source.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/problems.h"
#include "tenon/scene/gltf/export_gltf.h"
#include "tenon/scene/mjcf/export_mjcf.h"
#include "tenon/scene/mjcf/import_mjcf.h"
#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/scene/urdf/import_urdf.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

void print_warnings(const std::vector<Error>& warnings) {
  for (const Error& warning : warnings) {
    std::fprintf(stderr, "warning: %s\n", format(warning).c_str());
  }
}

// What is to be written, and what is said of it.
struct Converted {
  std::string text;
  std::string content;  // "3 bodies, 2 joints"
  std::vector<Error> warnings;
  size_t inexact = 0;  // numbers that read back to round-off only
  std::vector<scene::mjcf::MeshFileText> meshes;
  std::string hint;  // how to read all of it back
};

// What cannot be read back is not written.
Status check_readable(const std::string& output, const std::string& text, const std::string& source,
                      const char* format_name) {
  const auto again = import_model(output, text);
  if (again) return Ok{};
  Error error = again.error();
  error.message =
      std::string("the scene is nothing that ") + format_name + " can say: " + error.message;
  error.file = source;
  error.line = error.column = 0;
  return error;
}

Result<Converted> to_world(const scene::Document& flat, const std::string& output) {
  scene::WorldText world = scene::save_world(flat);
  Converted out;
  out.text = std::move(world.text);
  out.warnings = std::move(world.warnings);
  // what is in the file, not what was in the scene
  out.content = describe_content(scene::load_world(out.text, output).flat);
  return out;
}

Result<Converted> to_urdf(const scene::Document& flat, const SceneText& source,
                          const std::string& output) {
  scene::Document moved = flat;
  if (source.files.empty()) relocate_meshes(source.name, output, moved);
  Result<scene::urdf::UrdfText> robot = scene::urdf::export_urdf(
      moved, file_reader({output, {}, source.files}));  // names are relative to the output now
  if (!robot) return robot.error();
  if (Status s = check_readable(output, robot->text, source.name, "URDF"); !s) return s.error();
  Converted out;
  out.text = std::move(robot->text);
  out.warnings = std::move(robot->warnings);
  out.inexact = robot->inexact;
  return out;
}

Result<Converted> to_mjcf(const scene::Document& flat, const SceneText& source,
                          const std::string& output) {
  scene::Document moved = flat;
  if (source.files.empty()) relocate_meshes(source.name, output, moved);
  scene::mjcf::MjcfExportOptions options;
  // names are relative to the output from here on
  options.read = file_reader({output, {}, source.files});
  options.mesh_folder = fs::path(output).stem().generic_string() + "_meshes/";
  Result<scene::mjcf::MjcfText> model = scene::mjcf::export_mjcf(moved, options);
  if (!model) return model.error();
  if (Status s = check_readable(output, model->text, source.name, "MJCF"); !s) return s.error();
  Converted out;
  out.text = std::move(model->text);
  out.warnings = std::move(model->warnings);
  out.inexact = model->inexact;
  out.meshes = std::move(model->meshes);
  if (!model->key.empty()) {
    out.hint = "velocities and targets of motors are in the key frame '" + model->key +
               "' (tenon import ... --keyframe " + model->key + ")";
  }
  return out;
}

Result<Converted> to_gltf(const scene::Document& flat, const SceneText& source) {
  Result<scene::gltf::GltfBytes> made = scene::gltf::export_gltf(flat, file_reader(source));
  if (!made) return made.error();
  Converted out;
  out.text = std::move(made->bytes);
  out.warnings = std::move(made->warnings);
  return out;
}

Result<Converted> convert_to(const std::string& output, const scene::LoadResult& loaded,
                             const SceneText& source) {
  if (scene::is_world_file(output)) return to_world(loaded.flat, output);
  if (scene::urdf::is_urdf_file(output)) return to_urdf(loaded.flat, source, output);
  if (scene::mjcf::is_mjcf_file(output)) return to_mjcf(loaded.flat, source, output);
  if (output.ends_with(".glb")) return to_gltf(loaded.flat, source);
  Converted out;
  out.text = scene::save_scene(loaded.document);
  return out;
}

bool is_known_output(const std::string& output) {
  return scene::is_world_file(output) || scene::urdf::is_urdf_file(output) ||
         scene::mjcf::is_mjcf_file(output) || output.ends_with(".glb") ||
         (output.size() > 5 && output.ends_with(".json"));
}

Status check_output(const ConvertArguments& args) {
  if (!is_known_output(args.output)) {
    return Error{.message = "the name of the output does not say a format of scenes",
                 .value = args.output,
                 .accepted = "a name that ends in .json, .world, .urdf, .xml (MuJoCo) or .glb"};
  }
  if (same_output(args.scene, args.output)) {
    return Error{.message = "the output would overwrite the scene", .file = args.output};
  }
  return args.overwrite ? Status(Ok{}) : check_replaceable(args.output, Output::kScene);
}

// Meshes beside the model, in a folder of their own.
Status write_meshes(const std::string& output,
                    const std::vector<scene::mjcf::MeshFileText>& meshes) {
  for (const scene::mjcf::MeshFileText& mesh : meshes) {
    const fs::path path = fs::path(output).parent_path() / mesh.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return Error{.message = error.message(), .file = path.parent_path().string()};
    if (Status s = write_text_file(path.string(), mesh.text); !s) return s;
  }
  return Ok{};
}

}  // namespace

int convert_scene(const ConvertArguments& args) {
  const auto fail = [](const Error& error) {
    print_error(error);
    return 1;
  };
  const Result<SceneText> source =
      is_known_output(args.output) ? read_scene_text(args.scene) : SceneText{};
  if (!source) return fail(source.error());
  if (const Status good = check_output(args); !good) return fail(good.error());
  scene::LoadOptions options;
  options.overrides = args.set;
  const scene::LoadResult loaded = scene::load_scene_file(source->text, source->name, options);
  print_warnings(loaded.warnings);
  if (!loaded.ok()) {
    print_errors(loaded.errors);
    return 1;
  }
  Result<Converted> made = convert_to(args.output, loaded, *source);
  if (!made) return fail(made.error());
  made->warnings = scene::without_repeats(made->warnings);
  print_warnings(made->warnings);
  if (const Status s = write_meshes(args.output, made->meshes); !s) return fail(s.error());
  if (const Status s = write_text_file(args.output, made->text); !s) return fail(s.error());
  std::string content = made->content.empty() ? describe_content(loaded.flat) : made->content;
  if (!made->warnings.empty())
    content += "; " + counted(made->warnings.size(), "loss is", "losses are") + " named above";
  if (made->inexact > 0)
    content +=
        "; " + counted(made->inexact, "place reads", "places read") + " back to round-off only";
  if (!made->hint.empty()) content += "; " + made->hint;
  std::printf("%s: %s\n", args.output.c_str(), content.c_str());
  for (const scene::mjcf::MeshFileText& mesh : made->meshes) {
    std::printf("%s\n", (fs::path(args.output).parent_path() / mesh.name).generic_string().c_str());
  }
  return 0;
}

}  // namespace tenon::cli
