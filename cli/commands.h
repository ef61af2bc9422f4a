// The commands behind the command line. Each returns the program's exit code:
//   0    done
//   1    bad input or a file that cannot be read or written; for `check`: the scene has mistakes;
//        for `assemble`: not all joints fit;
//        for `compare`: the recordings differ
//   2    the command line itself is wrong; for `compare`: a recording cannot be read
//   130  interrupted by Ctrl-C (128 + signal)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/recording/export_csv.h"
#include "tenon/render/sketch.h"

namespace tenon::cli {

struct RunArguments {
  std::string scene, output, report;
  // expressions and words, checked by the scene reader
  std::string seconds, step, method, joint_solver, integration, sweeps, tolerance;
  int threads = 0;
  std::optional<bool> joints;  // whether to record them; by default if they are not too many
  bool contacts = false;       // whether to record where bodies touch
  std::vector<std::string> set;
  std::vector<std::string> sweep_options;  // path=value below world.sweep
};

int run_scene(const RunArguments& args);

struct CheckArguments {
  std::vector<std::string> scenes, set;
  bool mobility = false;  // also say what the mechanisms can do
};
// Errors of the document, of building its world where the document has none and, where asked for,
// joints that cannot hold together.
int check_scene_file(const std::string& source, const CheckArguments& args);

struct ConvertArguments {
  std::string scene, output;
  bool overwrite = false;  // a file that is there already
  std::vector<std::string> set;
};
// To the format that the name of the output says.
int convert_scene(const ConvertArguments& args);

struct AssembleArguments {
  std::string scene, output, report;
  // words and expressions, checked by the scene reader; a budget may also be "6x30"
  std::string budget, solver, precision;
  bool overwrite = false;
  std::vector<std::string> set;
};
// Puts the mechanisms of a scene together, says what that did, and writes the scene.
int assemble_scene(const AssembleArguments& args);

int list_gallery(bool names_only);
int print_gallery_scene(const std::string& name);
int print_schema();

enum class InfoDetail { kSummary, kBodies, kJoints };
int show_info(const std::string& path, InfoDetail detail);

struct ExportArguments {
  std::string recording, poses, joints, events, contacts, diagnostics, svg, size;
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

struct RefereeArguments {
  std::string subject;  // a scene, gallery:NAME, or a recording
  std::string output;   // CSV
  std::vector<std::string> steps, set;
  double seconds = 0;       // 0: the scene's duration, the recording's length
  double accuracy = 1e-10;  // of the reference
  int threads = 1;
};
// How far fast runs of a scene are off, by a reference run with error control.
int run_referee(const RefereeArguments& args);

}  // namespace tenon::cli
