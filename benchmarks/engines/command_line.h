// Command lines of the tables of engines: which engines, how long, how often.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/benchmarks/engines/race.h"
#include "tenon/engine/base/result.h"

namespace tenon {

std::vector<std::string> split(const std::string& text, char separator);
// Numbers may be fractions, "1/60".
Result<double> parse_positive(const std::string& option, const std::string& text);
Result<int> parse_count(const std::string& option, const std::string& text);  // 1 ... 1e6

// What the options say, by name, and what is no option.
struct Words {
  std::map<std::string, std::string> values;
  std::vector<std::string> others;
  bool has(const std::string& option) const { return values.contains(option); }
  std::string get(const std::string& option, const std::string& otherwise) const {
    return has(option) ? values.at(option) : otherwise;
  }
};
// `usage` knows the options: a line "  --name VALUE  meaning" each, or "  --name    meaning".
Result<Words> read_words(const std::vector<std::string>& arguments, const std::string& usage);

// --engines NAME[:SUBSTEPS],...  --substeps N,...
Result<std::vector<Contestant>> choose_engines(const Words& words,
                                               const std::vector<EngineKind>& engines);
// --seconds --dt --repeat (or --reps) --cap --phases
Result<RaceSettings> choose_race(const Words& words, const std::string& usual_seconds);

// --help: the usage and the engines built in.
void print_help(const std::string& usage, const std::vector<EngineKind>& engines);

}  // namespace tenon
