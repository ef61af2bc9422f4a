// check, gallery, schema: commands that look at scenes without running them.
#include <cstdio>

#include "tenon/cli/commands.h"
#include "tenon/cli/gallery.h"
#include "tenon/cli/idle_forces.h"
#include "tenon/cli/mobility_text.h"
#include "tenon/cli/scene_source.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/problems.h"

namespace tenon::cli {

int list_gallery(bool names_only) {
  for (const GalleryScene& entry : gallery()) {
    if (names_only) {
      std::printf("%s\n", entry.name.c_str());
      continue;
    }
    const scene::LoadResult loaded = scene::load_scene(entry.text, "gallery:" + entry.name);
    std::printf("%-18s %s\n%-18s %s\n", entry.name.c_str(), loaded.document.title.c_str(), "",
                loaded.document.description.c_str());
  }
  if (!names_only) std::printf("\nRun one with: tenon run gallery:NAME -o NAME.tenon\n");
  return 0;
}

int print_gallery_scene(const std::string& name) {
  const Result<SceneText> text = read_scene_text("gallery:" + name);
  if (!text) {
    print_error(text.error());
    return 1;
  }
  std::printf("%s", text->text.c_str());
  return 0;
}

int check_scene_file(const std::string& source, const CheckArguments& args) {
  const Result<SceneText> text = read_scene_text(source);
  if (!text) {
    print_error(text.error());
    return 1;
  }
  scene::LoadOptions options;
  options.overrides = args.set;
  const scene::LoadResult loaded = scene::load_scene_file(text->text, text->name, options);
  std::vector<Error> errors = loaded.errors;
  scene::BuildResult built;
  // what cannot be read or is no solid is found without what contacts need
  scene::MeshLibrary meshes({.read = file_reader(*text), .use = MeshUse::kPicture});
  if (errors.empty())
    built = scene::build(loaded.flat,
                         {.threads = 1, .clock = nullptr, .assemble = true, .meshes = &meshes});
  else
    built.errors = scene::find_mesh_mistakes(loaded.flat, meshes);
  errors.insert(errors.end(), built.errors.begin(), built.errors.end());
  errors = scene::without_repeats(errors);
  std::vector<Error> warnings = loaded.warnings;
  warnings.insert(warnings.end(), built.warnings.begin(), built.warnings.end());
  for (const Error& warning : warnings) {
    std::printf("%s\n", ("warning: " + format(warning)).c_str());
  }
  for (const Error& error : errors) std::printf("%s\n", format(error).c_str());
  if (!errors.empty()) {
    std::printf("%s: %zu mistake%s\n", text->name.c_str(), errors.size(),
                errors.size() == 1 ? "" : "s");
    return 1;
  }
  std::printf("%s: fine, %s\n", text->name.c_str(), describe_content(loaded.flat).c_str());
  for (const std::string& hint : find_idle_forces(loaded.flat)) {
    std::printf("  hint: %s\n", hint.c_str());
  }
  if (!args.mobility) return 0;
  const MobilityText mobility = describe_mobility(built.scene.front());
  std::printf("%s", mobility.text.c_str());
  return mobility.holds_together ? 0 : 1;
}

int print_schema() {
  std::printf("%s", scene::scene_schema().c_str());
  return 0;
}

}  // namespace tenon::cli
