#include "tenon/benchmarks/joints/options.h"

#include "tenon/benchmarks/engines/command_line.h"

namespace tenon {
namespace {

Result<std::vector<SceneChoice>> choose_scenes(const Words& words) {
  std::vector<std::string> names = words.others;
  if (words.has("--growth")) {
    const std::string family = words.get("--growth", "");
    if (!names.empty()) return Error{.message = "--growth takes no scenes beside it"};
    const bool flat = family == "net" || family == "grid";
    const std::string usual = flat ? "10,16,30,60,100" : "100,300,1000,3000,10000";
    for (const std::string& size : split(words.get("--sizes", usual), ',')) {
      names.push_back(family + "-" + size);
    }
  } else if (words.has("--sizes")) {
    return Error{.message = "--sizes goes with --growth"};
  }
  if (names.empty()) names = {"chain", "heavy", "net", "bars"};
  std::vector<SceneChoice> scenes;
  for (const std::string& name : names) {
    const auto choice = parse_scene(name);
    if (!choice) {
      return Error{.message = "unknown scene or size",
                   .value = name,
                   .accepted = "chain-N heavy-N net-N bars-N grid-N"};
    }
    scenes.push_back(*choice);
  }
  return scenes;
}

}  // namespace

Result<TableOptions> parse_table_options(const std::vector<std::string>& arguments,
                                         const std::vector<EngineKind>& engines) {
  const auto words = read_words(arguments, kTableUsage);
  if (!words) return words.error();
  const auto scenes = choose_scenes(*words);
  if (!scenes) return scenes.error();
  const auto contestants = choose_engines(*words, engines);
  if (!contestants) return contestants.error();
  const auto settings = choose_race(*words, words->has("--growth") ? "1" : "10");
  if (!settings) return settings.error();
  return TableOptions{*scenes,
                      *contestants,
                      *settings,
                      words->has("--growth"),
                      words->has("--json"),
                      words->has("--help")};
}

}  // namespace tenon
