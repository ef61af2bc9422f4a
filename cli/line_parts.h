// What the files that read the command line share.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tenon/scene/formats/expression.h"

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

// "0.7", "700 ms", "1/2 min": any expression for a time, as a scene has them, in seconds.
inline std::string read_time(std::string& text) {
  const scene::Evaluation e = scene::evaluate(text, scene::Scope{});
  const bool time = e.value.dimension == scene::kTime || e.value.dimension.none();
  if (!e.ok || !time || !(std::fabs(e.value.value) < 1e300)) {
    return "must be a time such as 0.7 or \"700 ms\", not " + text +
           (e.ok ? std::string() : " (" + e.message + ")");
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.17g", e.value.value);
  text = seconds;
  return {};
}
inline const CLI::Validator kTime(read_time, "TIME");

// main_exports.cpp
void add_export_command(CLI::App& app, int& exit_code);
void add_studio_command(CLI::App& app, int& exit_code);
void add_plot_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);

}  // namespace tenon::cli
