#include "tenon/benchmarks/joints/options.h"

#include <cmath>
#include <cstdlib>
#include <map>

namespace tenon {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// NaN where the text is no number.
double parse_number(const std::string& text) {
  const std::vector<std::string> parts = split(text, '/');
  double value = NAN;
  for (size_t i = 0; i < parts.size() && i < 3; ++i) {
    char* end = nullptr;
    const double part = std::strtod(parts[i].c_str(), &end);
    if (parts[i].empty() || *end != 0 || i == 2) return NAN;
    value = i == 0 ? part : value / part;
  }
  return value;
}
Result<double> parse_positive(const std::string& option, const std::string& text) {
  const double value = parse_number(text);
  if (value > 0 && std::isfinite(value)) return value;
  return Error{.message = option + " is no positive number", .value = text};
}
Result<int> parse_count(const std::string& option, const std::string& text) {
  const double value = parse_number(text);
  if (value >= 1 && value <= 1e6 && value == std::floor(value)) return static_cast<int>(value);
  return Error{.message = option + " is no whole number from 1 to 1000000", .value = text};
}

// What the options say, by name, and the scenes.
struct Words {
  std::map<std::string, std::string> values;
  std::vector<std::string> scenes;
  bool has(const std::string& option) const { return values.contains(option); }
  std::string get(const std::string& option, const std::string& otherwise) const {
    return has(option) ? values.at(option) : otherwise;
  }
};

Result<Words> read_words(const std::vector<std::string>& arguments) {
  Words words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      words.scenes.push_back(word);
    } else if (word == "--json" || word == "--help") {
      words.values[word] = "";
    } else if (std::string(kTableUsage).find("  " + word + " ") == std::string::npos) {
      return Error{.message = "unknown option", .value = word};
    } else if (i + 1 == arguments.size()) {
      return Error{.message = word + " wants a value"};
    } else {
      words.values[word] = arguments[++i];
    }
  }
  return words;
}

Result<std::vector<SceneChoice>> choose_scenes(const Words& words) {
  std::vector<std::string> names = words.scenes;
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

Result<std::vector<Contestant>> choose_engines(const Words& words,
                                               const std::vector<EngineKind>& engines) {
  std::vector<int> substeps;
  for (const std::string& text : split(words.get("--substeps", "1"), ',')) {
    const auto count = parse_count("--substeps", text);
    if (!count) return count.error();
    substeps.push_back(*count);
  }
  std::vector<Contestant> contestants;
  const auto add = [&](const EngineKind& kind) {
    for (int count : substeps) {
      contestants.push_back({kind, kind.peer ? count : 1});
      if (!kind.peer) break;
    }
  };
  if (!words.has("--engines")) {
    for (const EngineKind& kind : engines) {
      if (kind.usual) add(kind);
    }
    return contestants;
  }
  for (const std::string& text : split(words.get("--engines", ""), ',')) {
    const size_t colon = text.find(':'), before = contestants.size();
    for (const EngineKind& kind : engines) {
      if (kind.name != text.substr(0, colon)) continue;
      if (colon == std::string::npos) {
        add(kind);
        continue;
      }
      const auto count = parse_count("the number of substeps", text.substr(colon + 1));
      if (!count) return count.error();
      contestants.push_back({kind, *count});
    }
    if (contestants.size() > before) continue;
    Error error{.message = "no such engine in this build", .value = text};
    for (const EngineKind& kind : engines) error.accepted += kind.name + " ";
    error.accepted.pop_back();
    return error;
  }
  return contestants;
}

Result<RaceSettings> choose_race(const Words& words) {
  const auto seconds =
      parse_positive("--seconds", words.get("--seconds", words.has("--growth") ? "1" : "10"));
  const auto frame = parse_positive("--dt", words.get("--dt", "1/60"));
  const auto repeat = parse_count("--repeat", words.get("--repeat", "3"));
  const auto cap = parse_positive("--cap", words.get("--cap", "20"));
  if (!seconds) return seconds.error();
  if (!frame) return frame.error();
  if (!repeat) return repeat.error();
  if (!cap) return cap.error();
  if (*seconds / *frame > 1e7) return Error{.message = "more than 10 million frames"};
  return RaceSettings{*seconds, *frame, *repeat, *cap};
}

}  // namespace

Result<TableOptions> parse_table_options(const std::vector<std::string>& arguments,
                                         const std::vector<EngineKind>& engines) {
  const auto words = read_words(arguments);
  if (!words) return words.error();
  const auto scenes = choose_scenes(*words);
  if (!scenes) return scenes.error();
  const auto contestants = choose_engines(*words, engines);
  if (!contestants) return contestants.error();
  const auto settings = choose_race(*words);
  if (!settings) return settings.error();
  return TableOptions{*scenes,
                      *contestants,
                      *settings,
                      words->has("--growth"),
                      words->has("--json"),
                      words->has("--help")};
}

}  // namespace tenon
