// check, gallery, schema: commands that look at scenes without running them.
#include <CLI/CLI.hpp>
#include <memory>

#include "tenon/cli/commands.h"
#include "tenon/cli/gallery.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

// Errors of the document, and of building its world where the document has none.
int check_one(const std::string& source, const std::vector<std::string>& overrides) {
  const Result<SceneText> text = read_scene_text(source);
  if (!text) {
    print_error(text.error());
    return 1;
  }
  scene::LoadOptions options;
  options.overrides = overrides;
  const scene::LoadResult loaded = scene::load_scene(text->text, text->name, options);
  std::vector<Error> errors = loaded.errors;
  if (errors.empty()) errors = scene::build(loaded.flat, {.threads = 1}).errors;
  for (const Error& warning : loaded.warnings) {
    std::printf("%s\n", ("warning: " + format(warning)).c_str());
  }
  for (const Error& error : errors) std::printf("%s\n", format(error).c_str());
  if (!errors.empty()) {
    std::printf("%s: %zu mistake%s\n", text->name.c_str(), errors.size(),
                errors.size() == 1 ? "" : "s");
    return 1;
  }
  std::printf("%s: fine, %zu bodies\n", text->name.c_str(), loaded.flat.bodies.size());
  return 0;
}

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

int print_scene(const std::string& name) {
  const Result<SceneText> text = read_scene_text("gallery:" + name);
  if (!text) {
    print_error(text.error());
    return 1;
  }
  std::printf("%s", text->text.c_str());
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto sources = std::make_shared<std::vector<std::string>>();
  auto overrides = std::make_shared<std::vector<std::string>>();
  CLI::App* cmd = app.add_subcommand("check", "List all mistakes of scenes, with line and column");
  cmd->add_option("scene", *sources, "Scene files, or gallery:NAME")->required();
  cmd->add_option("--set", *overrides, "Change a value first: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->footer("Example:\n  tenon check my-scene.json\nThe exit code is 1 if there is a mistake.");
  cmd->callback([sources, overrides, &exit_code] {
    for (const std::string& source : *sources) {
      if (const int code = check_one(source, *overrides); code != 0) exit_code = code;
    }
  });
}

void add_gallery_command(CLI::App& app, int& exit_code) {
  auto names_only = std::make_shared<bool>(false);
  auto show = std::make_shared<std::string>();
  CLI::App* cmd = app.add_subcommand("gallery", "List the scenes that come with Tenon");
  cmd->add_flag("--names", *names_only, "Names only, one per line");
  cmd->add_option("--show", *show, "Print the scene file of this name instead");
  cmd->footer("Example:\n  tenon gallery --show free-top > my-scene.json");
  cmd->callback([names_only, show, &exit_code] {
    exit_code = show->empty() ? list_gallery(*names_only) : print_scene(*show);
  });
}

void add_schema_command(CLI::App& app, int& exit_code) {
  CLI::App* cmd = app.add_subcommand("schema", "Print the JSON Schema of the scene format");
  cmd->footer("Example:\n  tenon schema > scene.schema.json");
  cmd->callback([&exit_code] {
    std::printf("%s", scene::scene_schema().c_str());
    exit_code = 0;
  });
}

}  // namespace tenon::cli
