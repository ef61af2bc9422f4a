#include "tenon/benchmarks/engines/command_line.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tenon {
namespace {

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

}  // namespace

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

Result<Words> read_words(const std::vector<std::string>& arguments, const std::string& usage) {
  Words words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      words.others.push_back(word);
      continue;
    }
    const size_t line = usage.find("\n  " + word + " ");
    if (line == std::string::npos) return Error{.message = "unknown option", .value = word};
    // the usage has two spaces before what the option means, one before its value
    if (usage.substr(line + 3 + word.size(), 2) == "  ") {
      words.values[word] = "";
    } else if (i + 1 == arguments.size()) {
      return Error{.message = word + " wants a value"};
    } else {
      words.values[word] = arguments[++i];
    }
  }
  return words;
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

Result<RaceSettings> choose_race(const Words& words, const std::string& usual_seconds) {
  const auto seconds = parse_positive("--seconds", words.get("--seconds", usual_seconds));
  const auto frame = parse_positive("--dt", words.get("--dt", "1/60"));
  const std::string repeat_name = words.has("--reps") ? "--reps" : "--repeat";
  const auto repeat = parse_count(repeat_name, words.get(repeat_name, "3"));
  const auto cap = parse_positive("--cap", words.get("--cap", "20"));
  if (!seconds) return seconds.error();
  if (!frame) return frame.error();
  if (!repeat) return repeat.error();
  if (!cap) return cap.error();
  if (*seconds / *frame > 1e7) return Error{.message = "more than 10 million frames"};
  return RaceSettings{*seconds, *frame, *repeat, *cap, words.has("--phases"), 0};
}

void print_help(const std::string& usage, const std::vector<EngineKind>& engines) {
  std::printf("%s\nEngines:\n", usage.c_str());
  for (const auto& kind : engines) {
    std::printf("  %-20s %s\n", kind.name.c_str(), kind.text.c_str());
  }
}

}  // namespace tenon
