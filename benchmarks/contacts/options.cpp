#include "tenon/benchmarks/contacts/options.h"

#include "tenon/benchmarks/contacts/scenes.h"
#include "tenon/benchmarks/engines/command_line.h"

namespace tenon {
namespace {

constexpr const char* kUsualScenes = "S2,S3,S4,S5_20,S5_50,S5_100,S5_200,S5_400,S6a,S6b,S7";

// Those of the usual engines that are built in.
std::string usual_engines(const std::vector<EngineKind>& engines) {
  std::string names = "tenon";
  for (const EngineKind& kind : engines) {
    for (const char* usual : {"bullet", "ode", "mujoco"}) {
      if (kind.name == usual) names += "," + kind.name;
    }
  }
  return names;
}

}  // namespace

Result<ContactTableOptions> parse_contact_options(const std::vector<std::string>& arguments,
                                                  const std::vector<EngineKind>& engines) {
  auto words = read_words(arguments, kContactTableUsage);
  if (!words) return words.error();
  if (!words->others.empty()) {
    return Error{.message = "scenes go with --scenes", .value = words->others.front()};
  }
  ContactTableOptions options;
  options.help = words->has("--help");
  options.growth = words->has("--growth");
  if (options.growth && words->has("--scenes")) {
    return Error{.message = "--growth takes no scenes beside it"};
  }
  if (!options.growth && words->has("--sizes")) {
    return Error{.message = "--sizes goes with --growth"};
  }
  options.scenes = split(words->get("--scenes", kUsualScenes), ',');
  for (const std::string& size : split(words->get("--sizes", "10,20,40,80,160"), ',')) {
    const auto count = parse_count("--sizes", size);
    if (!count) return count.error();
    options.sizes.push_back(*count);
  }
  if (!words->has("--engines")) words->values["--engines"] = usual_engines(engines);
  auto contestants = choose_engines(*words, engines);
  if (!contestants) return contestants.error();
  options.contestants = *contestants;
  // a shorter run of a larger scene would tell less than nothing about growth
  if (options.growth && !words->has("--cap")) words->values["--cap"] = "200";
  const auto settings = choose_race(*words, options.growth ? "3" : "10");
  if (!settings) return settings.error();
  options.race = *settings;
  options.race.phases |= options.growth;
  return options;
}

}  // namespace tenon
