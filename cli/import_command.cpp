// import: scenes from files of other programs.
#include <cstdio>

#include "tenon/cli/commands.h"
#include "tenon/cli/model_file.h"
#include "tenon/cli/scene_source.h"
#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::cli {
namespace {

bool ends_in(const std::string& path, const std::string& ending) {
  return path.size() > ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

Status check_names(const ImportArguments& args) {
  if (!ends_in(args.output, ".json")) {
    return Error{.message = "the name of the output is not that of a scene",
                 .value = args.output,
                 .accepted = "a name that ends in .json"};
  }
  if (args.overwrite) return Ok{};
  return check_replaceable(args.output, Output::kScene);
}

Result<scene::bvh::ImportOptions> make_options(const ImportArguments& args) {
  scene::bvh::ImportOptions options;
  options.figure.height = args.height;
  options.figure.scale = args.scale;
  options.figure.mass = args.mass;
  options.fps = args.fps;
  options.floor = args.floor;
  if (args.release == "never") {
    options.follow_only = true;
  } else if (!args.release.empty()) {
    const scene::ParsedNumber number = scene::parse_decimal(args.release);
    if (number.length != args.release.size() || number.overflow) {
      return Error{.message = "the time of release is no number",
                   .value = args.release,
                   .accepted = "seconds >= 0, or 'never'"};
    }
    options.release = number.value;
  }
  return options;
}

Result<scene::model::ImportOptions> make_model_options(const ImportArguments& args) {
  scene::model::ImportOptions options;
  if (args.base == "free") options.base = scene::model::ImportOptions::Base::kFree;
  options.merge_fixed = args.merge_fixed;
  options.self_collision = args.self_collision;
  options.hold = args.hold;
  options.floor = args.floor;
  options.keyframe = args.keyframe;
  const auto add = [](const char* option, const std::string& text,
                      std::vector<std::pair<std::string, double>>& out) -> Status {
    const size_t equals = text.rfind('=');
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    const bool minus = value.starts_with('-');
    const scene::ParsedNumber number = scene::parse_decimal(value.substr(minus ? 1 : 0));
    if (number.length == 0 || number.length + (minus ? 1 : 0) != value.size() || number.overflow) {
      return Error{.message = std::string(option) + " does not say where a joint is to be",
                   .value = text,
                   .accepted = "name=value, in radians or metres"};
    }
    out.emplace_back(text.substr(0, equals), minus ? -number.value : number.value);
    return Ok{};
  };
  for (const std::string& text : args.start) {
    if (Status s = add("--start", text, options.start); !s) return s.error();
  }
  for (const std::string& text : args.target) {
    if (Status s = add("--target", text, options.target); !s) return s.error();
  }
  return options;
}

// What an importer made, as text for the file and for the user.
struct Made {
  scene::Document document;
  std::string report;
};

Result<Made> import_text(const ImportArguments& args, const std::string& text) {
  if (is_model_file(args.file, text)) {
    const Result<scene::model::ImportOptions> options = make_model_options(args);
    if (!options) return options.error();
    Result<scene::model::Imported> model = import_model(args.file, text, *options);
    if (!model) return model.error();
    relocate_meshes(args.file, args.output, model->document);
    return Made{std::move(model->document), format(model->report)};
  }
  if (!scene::bvh::is_motion_file(args.file)) {
    return Error{
        .message = "neither the name nor the text of the file says a known format",
        .value = args.file,
        .accepted =
            "a name that ends in .urdf, .glb, .gltf, .obj, .stl, .ply or .bvh, or an .xml of "
            "MuJoCo's"};
  }
  const Result<scene::bvh::ImportOptions> options = make_options(args);
  if (!options) return options.error();
  Result<scene::bvh::Imported> figure = scene::bvh::import_motion(text, args.file, *options);
  if (!figure) return figure.error();
  return Made{std::move(figure->document), format(figure->report)};
}

}  // namespace

int import_file(const ImportArguments& args) {
  const auto fail = [](const Error& error) {
    print_error(error);
    return 1;
  };
  if (const Status good = check_names(args); !good) return fail(good.error());
  const Result<std::string> text = read_model_file(args.file);
  if (!text) return fail(text.error());
  const Result<Made> made = import_text(args, *text);
  if (!made) return fail(made.error());
  if (const Status written = write_text_file(args.output, scene::save_scene(made->document));
      !written) {
    return fail(written.error());
  }
  std::printf("%s: %s\n%s", args.output.c_str(), describe_content(made->document).c_str(),
              made->report.c_str());
  return 0;
}

}  // namespace tenon::cli
