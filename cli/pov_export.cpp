// export --pov: a folder that POV-Ray renders.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tenon/cli/commands.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/run_program.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/render/export/pov.h"
#include "tenon/render/trace/stereo.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
constexpr double kMaxFrames = 100000;

Status check(const PovArguments& args) {
  const exports::PovOptions& o = args.options;
  if (o.width < 16 || o.width > 8192 || o.height < 16 || o.height > 8192)
    return Error{.message = "the size of the pictures is out of range",
                 .value = std::to_string(o.width) + "x" + std::to_string(o.height),
                 .accepted = "16x16 to 8192x8192"};
  if (!(o.fps >= 0.01 && o.fps <= 1000))
    return Error{.message = "the number of frames per second is out of range",
                 .value = std::to_string(o.fps),
                 .accepted = "0.01 to 1000"};
  if (args.render && !program_exists("povray"))
    return Error{.message = "POV-Ray is missing, so --render cannot work",
                 .accepted = "the Debian packages povray and povray-includes"};
  return Ok{};
}

// Frames of another animation would stay between the new ones; POV-Ray and people take them for
// theirs.
Status check_no_other_frames(const std::string& folder, size_t frames) {
  std::error_code error;
  std::vector<std::string> ours;
  for (const char* eye : {"frame", "left", "right"}) {
    ours.push_back(std::string(eye) + ".pov");
    for (size_t k = 1; k <= frames; ++k) ours.push_back(exports::pov_frame_name(eye, k, frames));
  }
  std::sort(ours.begin(), ours.end());
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".pov") continue;
    if (!std::binary_search(ours.begin(), ours.end(), name))
      return Error{.message = "the folder has frames of another animation",
                   .file = folder,
                   .value = name,
                   .accepted = "a new or empty folder, or one with an export of as many frames"};
  }
  return Ok{};
}

Status make_pov_folder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    return Error{.message = "this is a file; POV-Ray's files need a folder", .file = folder};
  fs::create_directories(folder, error);
  if (error) return Error{.message = "cannot make the folder: " + error.message(), .file = folder};
  return Ok{};
}

// What is drawn of each frame: one picture, or one for each eye.
struct Eye {
  std::string name;  // of its files
  render::StageCamera camera;
};
std::vector<Eye> make_eyes(const PovArguments& args, const render::StageCamera& camera) {
  if (!args.stereo) return {{"frame", camera}};
  const double distance =
      args.eye_distance_m > 0 ? args.eye_distance_m : render::choose_eye_distance(camera.focus_m);
  const auto eyes = render::make_eyes(camera, distance);
  return {{"left", eyes[0]}, {"right", eyes[1]}};
}

// Writes all files; the number of frames.
Result<size_t> write_files(const PovArguments& args, RecordingReader& reader) {
  render::StageOptions stage_options;
  stage_options.from_s = args.from_s;
  stage_options.to_s = args.to_s;
  stage_options.camera = args.camera;
  stage_options.aspect = static_cast<double>(args.options.width) / args.options.height;
  auto source = render::StageSource::open(reader, stage_options);
  if (!source) return source.error();
  const double from = source->first_time(), length = source->last_time() - from;
  const double wanted = std::floor(length * args.options.fps + 1e-6) + 1;
  if (wanted > kMaxFrames)
    return Error{.message = "too many frames",
                 .value = std::to_string(wanted),
                 .accepted = "at most 100000: a shorter span or fewer frames per second"};
  if (Status made = make_pov_folder(args.folder); !made) return made.error();
  const auto frames = static_cast<size_t>(wanted);
  if (Status alone = check_no_other_frames(args.folder, frames); !alone) return alone.error();
  exports::PovWriter writer(args.options);
  size_t files = 0;
  // what was written before a failure is told: it is no animation without its .ini
  const auto write = [&](const std::string& name, const std::string& text) -> Status {
    Status done = write_text_file((fs::path(args.folder) / name).string(), text);
    files += done ? 1 : 0;
    if (done) return done;
    std::fprintf(stderr, "%s is not complete: %s of it %s there, without the .ini files\n",
                 args.folder.c_str(), counted(files, "file", "files").c_str(),
                 files == 1 ? "is" : "are");
    return done;
  };
  for (size_t k = 0; k < frames; ++k) {
    auto stage = source->at(from + static_cast<double>(k) / args.options.fps);
    if (!stage) return stage.error();
    for (const Eye& eye : make_eyes(args, stage->cameras[stage->camera])) {
      const std::string name = exports::pov_frame_name(eye.name, k + 1, frames);
      if (Status done = write(name, writer.frame(*stage, eye.camera)); !done) return done.error();
    }
    if (interrupted()) return Error{.message = "interrupted", .file = args.folder};
  }
  const double to = from + static_cast<double>(frames - 1) / args.options.fps;
  std::vector<std::pair<std::string, std::string>> others = {
      {"tenon_materials.inc", exports::PovWriter::materials_include()},
      {"tenon_scene.inc", writer.scene_include()}};
  for (const Eye& eye : make_eyes(args, {})) {
    others.emplace_back(eye.name + ".pov", exports::PovWriter::animation_scene(eye.name, frames));
    others.emplace_back(eye.name + ".ini", writer.animation_ini(eye.name, frames, from, to));
  }
  for (const auto& [name, text] : others)
    if (Status done = write(name, text); !done) return done.error();
  return frames;
}

// The lines of POV-Ray's output in which it warns or gives up.
std::vector<std::string> complaints(const std::string& log) {
  std::vector<std::string> found;
  const Result<std::string> text = read_text_file(log);
  if (!text) return found;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    const std::string row = text->substr(begin, end - begin);
    if (row.find("Warning:") != std::string::npos || row.find("Error:") != std::string::npos)
      found.push_back(row);
    begin = end + 1;
  }
  return found;
}

int render_all(const PovArguments& args, size_t frames) {
  for (const Eye& eye : make_eyes(args, {})) {
    const std::string log = (fs::path(args.folder) / (eye.name + ".log")).string();
    std::printf("POV-Ray draws %s of %dx%d ...\n", counted(frames, "picture", "pictures").c_str(),
                args.options.width, args.options.height);
    std::fflush(stdout);
    const Result<int> code = run_program({"povray", eye.name + ".ini"}, args.folder, log);
    if (!code) {
      print_error(code.error());
      return 1;
    }
    const std::vector<std::string> said = complaints(log);
    for (const std::string& row : said) std::fprintf(stderr, "povray: %s\n", row.c_str());
    if (*code != 0) {
      print_error({.message = "POV-Ray ended with code " + std::to_string(*code), .file = log});
      return interrupted() ? interrupt_exit_code() : 1;
    }
    std::printf("%s/%s_*.png: %s\n", args.folder.c_str(), eye.name.c_str(),
                said.empty() ? "no warnings" : counted(said.size(), "warning", "warnings").c_str());
  }
  return 0;
}

}  // namespace

int export_pov(const PovArguments& args, RecordingReader& reader) {
  catch_interrupts();
  Result<size_t> frames = size_t{0};
  if (const Status good = check(args); !good) {
    frames = good.error();
  } else {
    frames = write_files(args, reader);
  }
  if (!frames) {
    print_error(frames.error());
    return interrupted() ? interrupt_exit_code() : 1;
  }
  std::printf("%s: %s, %s for all\n", args.folder.c_str(),
              counted(*frames, "frame", "frames").c_str(),
              args.stereo ? "left.ini and right.ini" : "frame.ini");
  return args.render ? render_all(args, *frames) : 0;
}

}  // namespace tenon::cli
