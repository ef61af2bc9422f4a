// What the files that read the command line share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

namespace tenon::cli {

// CLI11's own checks print the largest double in 300 digits.
inline std::string number_above(const std::string& text, double lowest, bool or_equal) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool good = end != text.c_str() && *end == 0 && value < 1e300 &&
                    (or_equal ? value >= lowest : value > lowest);
  if (good) return {};
  return "must be a number " + std::string(or_equal ? "of at least " : "above ") +
         (lowest == 0 ? "0" : "1") + ", not " + text;
}
inline const CLI::Validator kPositive([](std::string& s) { return number_above(s, 0, false); },
                                      "NUMBER > 0");
inline const CLI::Validator kNotNegative([](std::string& s) { return number_above(s, 0, true); },
                                         "NUMBER >= 0");
inline const CLI::Validator kCount([](std::string& s) { return number_above(s, 1, true); },
                                   "COUNT");

// main_exports.cpp
void add_export_command(CLI::App& app, int& exit_code);
void add_plot_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);

}  // namespace tenon::cli
