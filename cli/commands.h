// The commands behind the command line. Each returns the program's exit code:
//   0    done
//   1    bad input or a file that cannot be read or written; for `check`: the scene has mistakes;
//        for `assemble`: not all joints fit;
//        for `compare`: the recordings differ
//   2    the command line itself is wrong; for `compare`: a recording cannot be read
//   130  interrupted by Ctrl-C (128 + signal)
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tenon/recording/export_csv.h"
#include "tenon/render/export/pov.h"
#include "tenon/render/plot/chart.h"
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

struct MeshArguments {
  std::string file, units, up;
  std::vector<std::string> repair;
};
// What a file of triangles holds and what is wrong with it. 1: no closed solid.
int describe_mesh(const MeshArguments& args);

struct ImportArguments {
  std::string file, output;
  std::optional<double> height, scale;  // m, m per unit of the file
  double mass = 75;                     // kg
  std::string release;                  // s, or "never"; empty: at the end of the motion
  double fps = 0;                       // 0: as the file
  bool floor = false, overwrite = false;
  // of models
  std::string base = "fixed", keyframe;
  bool merge_fixed = false, self_collision = false, hold = false;
  std::vector<std::string> start, target;  // joint=value
};
// A file of another program's becomes a scene file.
int import_file(const ImportArguments& args);

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

struct PovArguments {
  std::string folder, camera;  // an empty folder asks for nothing
  exports::PovOptions options;
  double from_s = -std::numeric_limits<double>::infinity();
  double to_s = std::numeric_limits<double>::infinity();
  bool render = false;        // also run POV-Ray
  bool stereo = false;        // a picture for each eye
  double eye_distance_m = 0;  // 0: as for films
};
// Files for POV-Ray, and pictures where asked for.
int export_pov(const PovArguments& args, RecordingReader& reader);

struct ExportArguments {
  std::string recording, poses, joints, events, contacts, diagnostics, svg, size, gltf, html;
  std::string obj, all_csv;
  PovArguments pov;
  CsvOptions csv;
  render::SketchOptions sketch;
};

int export_files(const ExportArguments& args);

struct PlotArguments {
  std::string recording, output;
  std::vector<std::string> what;  // each a list of panels; empty: the default of FigureOptions
  std::optional<double> from_s, to_s;
  plot::ChartOptions chart;
  double scale = 2;  // of PNG
};
// Curves over time, in the format that the name of the output says.
int plot_recording(const PlotArguments& args);

struct ReportArguments {
  std::string recording, output, camera;
  int stills = 6, threads = 0;
};
// One page about a run.
int write_report(const ReportArguments& args);

int compare_recordings(const std::string& a, const std::string& b);

struct FilmArguments {
  std::string subject, output;  // a recording, a scene or gallery:NAME; film, folder or still
  std::string quality = "film", size = "1280x720", camera, stereo = "none", show;
  double fps = 30;                     // frames per second of the film
  double slow = 1;                     // > 1: slower than reality
  std::optional<double> from, to, at;  // s
  double eye_distance = 0;             // m; 0: chosen by the distance of the scene
  double blur = 0;                     // share of a frame that the shutter is open, 0 ... 1
  int samples = 0;                     // per pixel; 0: as the quality has it
  int threads = 0;                     // 0: all the machine has
  std::string seconds;                 // of a scene that is run for the film
  std::vector<std::string> set;
  bool lines = false;  // a line for every frame that is done, for programs that wait for it
};
// Pictures and videos of a run.
int make_film(const FilmArguments& args);

struct StudioArguments {
  std::string scene;      // empty: one of the gallery
  std::string folder;     // scenes are opened from and saved to here; empty: where we are
  std::string export_to;  // write the static site there instead of serving
  std::string page;       // the built page; empty: beside the program
  int port = 8471;        // 0: any that is free
  int memory_mb = 512;    // of frames and states of a session
  bool browser = true;    // open one
};
// The studio: a local server with the page, or the same as a static site.
int run_studio(const StudioArguments& args);

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
