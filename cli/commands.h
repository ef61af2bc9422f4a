// The commands behind the command line. Each returns the program's exit code:
//   0    done
//   1    bad input or a file that cannot be read or written; for `check`: the scene has mistakes;
//        for `compare`: the recordings differ
//   2    the command line itself is wrong; for `compare`: a recording cannot be read
//   130  interrupted by Ctrl-C (128 + signal)
#pragma once

#include <string>
#include <vector>

#include "tenon/recording/export_csv.h"
#include "tenon/render/sketch.h"

namespace tenon::cli {

struct RunArguments {
  std::string scene, output, report;
  std::string seconds, step, method;  // expressions, checked by the scene reader
  int threads = 0;
  std::vector<std::string> set;
};

int run_scene(const RunArguments& args);

// Errors of the document, and of building its world where the document has none.
int check_scene_file(const std::string& source, const std::vector<std::string>& overrides);
int list_gallery(bool names_only);
int print_gallery_scene(const std::string& name);
int print_schema();

enum class InfoDetail { kSummary, kBodies };
int show_info(const std::string& path, InfoDetail detail);

struct ExportArguments {
  std::string recording, poses, events, diagnostics, svg, size;
  CsvOptions csv;
  render::SketchOptions sketch;
};

int export_files(const ExportArguments& args);
int compare_recordings(const std::string& a, const std::string& b);

struct ResumeArguments {
  std::string recording, output;
  double at = -1, seconds = 0;
  int threads = 1;
  bool go_on = false;
};

int resume_run(const ResumeArguments& args);

}  // namespace tenon::cli
