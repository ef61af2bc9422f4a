// convert: from one format of scenes to another.
#include <cstdio>

#include "tenon/cli/commands.h"
#include "tenon/cli/model_file.h"
#include "tenon/cli/scene_source.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/gltf/export_gltf.h"
#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/scene/urdf/import_urdf.h"

namespace tenon::cli {
namespace {

bool ends_in_json(const std::string& path) {
  return path.size() > 5 && path.compare(path.size() - 5, 5, ".json") == 0;
}

void print_warnings(const std::vector<Error>& warnings) {
  for (const Error& warning : warnings) {
    std::fprintf(stderr, "warning: %s\n", format(warning).c_str());
  }
}

}  // namespace

int convert_scene(const ConvertArguments& args) {
  const bool to_world = scene::is_world_file(args.output);
  const bool to_urdf = scene::urdf::is_urdf_file(args.output);
  const bool to_gltf = args.output.ends_with(".glb");
  if (!to_world && !to_urdf && !to_gltf && !ends_in_json(args.output)) {
    print_error({.message = "the name of the output does not say a format of scenes",
                 .value = args.output,
                 .accepted = "a name that ends in .json, .world, .urdf or .glb"});
    return 1;
  }
  const Result<SceneText> source = read_scene_text(args.scene);
  if (!source) {
    print_error(source.error());
    return 1;
  }
  if (same_output(args.scene, args.output)) {
    print_error({.message = "the output would overwrite the scene", .file = args.output});
    return 1;
  }
  if (!args.overwrite) {
    if (const Status free = check_replaceable(args.output, Output::kScene); !free) {
      print_error(free.error());
      return 1;
    }
  }
  scene::LoadOptions options;
  options.overrides = args.set;
  const scene::LoadResult loaded = scene::load_scene_file(source->text, source->name, options);
  print_warnings(loaded.warnings);
  if (!loaded.ok()) {
    print_errors(loaded.errors);
    return 1;
  }
  std::string text, content = describe_content(loaded.flat);
  const auto count_losses = [&](size_t losses) {
    if (losses > 0) content += "; " + counted(losses, "loss is", "losses are") + " named above";
  };
  if (to_world) {
    scene::WorldText world = scene::save_world(loaded.flat);
    print_warnings(world.warnings);
    text = std::move(world.text);
    // what is in the file, not what was in the scene
    content = describe_content(scene::load_world(text, args.output).flat);
    count_losses(world.warnings.size());
  } else if (to_urdf) {
    Result<scene::urdf::UrdfText> robot = scene::urdf::export_urdf(loaded.flat);
    if (!robot) {
      print_error(robot.error());
      return 1;
    }
    print_warnings(robot->warnings);
    text = std::move(robot->text);
    // what cannot be read back is not written
    if (const auto again = import_model(args.output, text); !again) {
      Error error = again.error();
      error.message = "the scene is no robot that URDF can say: " + error.message;
      error.file = source->name;
      error.line = error.column = 0;
      print_error(error);
      return 1;
    }
    count_losses(robot->warnings.size());
    if (robot->inexact > 0)
      content += "; " + counted(robot->inexact, "direction reads", "directions read") +
                 " back to round-off only";
  } else if (to_gltf) {
    Result<scene::gltf::GltfBytes> made =
        scene::gltf::export_gltf(loaded.flat, file_reader(*source));
    if (!made) {
      print_error(made.error());
      return 1;
    }
    print_warnings(made->warnings);
    text = std::move(made->bytes);
    count_losses(made->warnings.size());
  } else {
    text = scene::save_scene(loaded.document);
  }
  if (const Status written = write_text_file(args.output, text); !written) {
    print_error(written.error());
    return 1;
  }
  std::printf("%s: %s\n", args.output.c_str(), content.c_str());
  return 0;
}

}  // namespace tenon::cli
