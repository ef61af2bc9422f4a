// import: scenes from files of other programs.
#include <cstdio>

#include "tenon/cli/commands.h"
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
  if (!scene::bvh::is_motion_file(args.file)) {
    return Error{.message = "the name of the file does not say a format that can be imported",
                 .value = args.file,
                 .accepted = "a name that ends in .bvh"};
  }
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

}  // namespace

int import_file(const ImportArguments& args) {
  const auto fail = [](const Error& error) {
    print_error(error);
    return 1;
  };
  if (const Status good = check_names(args); !good) return fail(good.error());
  const Result<scene::bvh::ImportOptions> options = make_options(args);
  if (!options) return fail(options.error());
  const Result<std::string> text = read_text_file(args.file);
  if (!text) return fail(text.error());
  const Result<scene::bvh::Imported> figure = scene::bvh::import_motion(*text, args.file, *options);
  if (!figure) return fail(figure.error());
  if (const Status written = write_text_file(args.output, scene::save_scene(figure->document));
      !written) {
    return fail(written.error());
  }
  std::printf("%s: %s\n%s", args.output.c_str(), describe_content(figure->document).c_str(),
              format(figure->report).c_str());
  return 0;
}

}  // namespace tenon::cli
