// assemble: puts the mechanisms of a scene together and writes the scene with its new positions.
#include <cstdio>

#include "tenon/cli/assembly_text.h"
#include "tenon/cli/commands.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/assembly_parts.h"

namespace tenon::cli {
namespace {

// "6x30" -> geometric and inner iterations.
bool is_rounds(const std::string& text, size_t& cross) {
  cross = text.find('x');
  if (cross == text.npos || cross == 0 || cross + 1 == text.size()) return false;
  return text.find_first_not_of("0123456789") == cross &&
         text.find_first_not_of("0123456789", cross + 1) == text.npos;
}

// The options of the command line as overrides: the scene reader checks them.
std::vector<std::string> make_overrides(const AssembleArguments& args) {
  std::vector<std::string> all = args.set;
  size_t cross = 0;
  if (is_rounds(args.budget, cross)) {
    all.push_back("assembly.geometric=" + args.budget.substr(0, cross));
    all.push_back("assembly.inner=" + args.budget.substr(cross + 1));
  } else if (!args.budget.empty()) {
    all.push_back("assembly.budget=" + args.budget);
  }
  if (!args.solver.empty()) all.push_back("assembly.solver=" + args.solver);
  if (!args.precision.empty()) all.push_back("assembly.precision=" + args.precision);
  return all;
}

Status check_outputs(const AssembleArguments& args) {
  for (const std::string& path : {args.output, args.report}) {
    if (!path.empty() && same_output(path, args.scene)) {
      return Error{.message = "the output would overwrite the scene", .file = path};
    }
  }
  if (!args.output.empty() && same_output(args.output, args.report)) {
    return Error{.message = "the scene and the report need different files", .file = args.report};
  }
  if (scene::is_world_file(args.output)) {
    return Error{.message = "an assembled scene is written as JSON",
                 .value = args.output,
                 .accepted = "a name that ends in .json; 'tenon convert' makes .world of it"};
  }
  if (!args.output.empty() && !args.overwrite) {
    if (Status free = check_replaceable(args.output, Output::kScene); !free) return free;
  }
  if (Status s = check_writable(args.output); !s) return s;
  if (Status s = check_writable(args.report); !s) return s;
  return check_replaceable(args.report, Output::kOther);
}

// The tree to write into: as the user wrote it, with the changes of --set.
scene::Json tree_of(const SceneText& source, const scene::Document& document,
                    const std::vector<std::string>& set) {
  if (scene::is_world_file(source.name)) return scene::encode(document);
  scene::Json root = scene::parse_json(source.text, source.name).root;
  for (size_t i = 0; i < set.size(); ++i) {
    if (!scene::apply_override(root, set[i], i)) break;  // loading has told
  }
  return root;
}

struct Loaded {
  scene::Document document, flat;
  std::vector<scene::BuiltScene> built;  // one, or none after a mistake
};

Loaded load(const SceneText& source, const std::vector<std::string>& overrides) {
  scene::LoadOptions options;
  options.overrides = overrides;
  scene::LoadResult loaded = scene::load_scene_file(source.text, source.name, options);
  for (const Error& warning : loaded.warnings) {
    std::fprintf(stderr, "warning: %s\n", format(warning).c_str());
  }
  Loaded out{std::move(loaded.document), std::move(loaded.flat), {}};
  print_errors(loaded.errors);
  if (!loaded.errors.empty()) return out;
  scene::MeshLibrary meshes({.read = file_reader(source), .use = MeshUse::kPicture});
  scene::BuildResult built = scene::build(
      out.flat, {.threads = 1, .clock = wall_clock, .assemble = false, .meshes = &meshes});
  print_errors(built.errors);
  if (built.ok()) out.built = std::move(built.scene);
  return out;
}

Status write_outputs(const AssembleArguments& args, const SceneText& source, const Loaded& loaded,
                     const AssemblyReport& report, const scene::Assembly& assembly) {
  const scene::BuiltScene& built = loaded.built.front();
  if (!args.report.empty()) {
    const scene::Json json = assembly_to_json(report, assembly, built);
    if (Status s = write_text_file(args.report, scene::format_json(json)); !s) return s;
  }
  if (args.output.empty()) {
    std::printf("  written    nothing (add -o FILE.json to keep the scene)\n");
    return Ok{};
  }
  const scene::PlacedScene placed = scene::place_scene(tree_of(source, loaded.document, args.set),
                                                       loaded.document, loaded.flat, built);
  if (Status s = write_text_file(args.output, scene::format_json(placed.root)); !s) return s;
  std::printf("  written    %s%s\n", args.output.c_str(),
              placed.flattened
                  ? "; what moved came from prefabs or arrays, so every body now stands alone"
                  : "");
  return Ok{};
}

}  // namespace

int assemble_scene(const AssembleArguments& args) {
  const Result<SceneText> source = read_scene_text(args.scene);
  if (!source) {
    print_error(source.error());
    return 1;
  }
  if (const Status good = check_outputs(args); !good) {
    print_error(good.error());
    return 1;
  }
  Loaded loaded = load(*source, make_overrides(args));
  if (loaded.built.empty()) return 1;
  scene::BuiltScene& built = loaded.built.front();
  const scene::Assembly& assembly = loaded.flat.assembly;
  const Result<AssemblyDef> def = scene::make_assembly_def(assembly, built);
  if (!def) {
    print_error(def.error());
    return 1;
  }
  const double begin = wall_clock();
  const Result<AssemblyReport> report = built.world.assemble(*def);
  if (!report) {
    print_error(report.error());
    return 1;
  }
  const double taken = wall_clock() - begin;
  const std::string& title = loaded.flat.title;
  std::printf("%s\n", (title.empty() ? source->name : title).c_str());
  std::printf("%s", describe_assembly(*report, assembly, built).c_str());
  std::printf("  took       %.3g ms\n", 1000 * taken);
  if (const Status s = write_outputs(args, *source, loaded, *report, assembly); !s) {
    print_error(s.error());
    return 1;
  }
  // who gives a budget expects that it may not suffice
  using displacement::Outcome;
  const bool fine = report->outcome == Outcome::kAssembled ||
                    (report->outcome == Outcome::kStopped && !args.budget.empty());
  return fine ? 0 : 1;
}

}  // namespace tenon::cli
