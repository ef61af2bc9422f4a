// info, export, compare, resume: commands that read recordings.
#include <CLI/CLI.hpp>
#include <memory>

#include "tenon/cli/commands.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/compare.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/file_io.h"
#include "tenon/recording/info.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/resume.h"
#include "tenon/render/sketch.h"

namespace tenon::cli {
namespace {

// A recording file and its reader; the source must not move once the reader looks at it.
struct OpenRecording {
  std::unique_ptr<FileSource> source;
  std::unique_ptr<RecordingReader> reader;
};

Result<OpenRecording> open_recording(const std::string& path) {
  Result<FileSource> source = FileSource::open(path);
  if (!source) return source.error();
  OpenRecording open;
  open.source = std::make_unique<FileSource>(std::move(*source));
  Result<RecordingReader> reader = RecordingReader::open(*open.source);
  if (!reader) return reader.error();
  open.reader = std::make_unique<RecordingReader>(std::move(*reader));
  return open;
}

// Prints the error of a failed Result and gives the exit code for it.
template <class T>
int fail(const Result<T>& result, int code = 1) {
  print_error(result.error());
  return code;
}

int info(const std::string& path) {
  Result<OpenRecording> recording = open_recording(path);
  if (!recording) return fail(recording);
  const Result<RecordingInfo> all = read_info(*recording->reader);
  if (!all) return fail(all);
  std::printf("%s", format(*all).c_str());
  return 0;
}

struct ExportArguments {
  std::string recording, poses, svg, size;
  CsvOptions csv;
  render::SketchOptions sketch;
};

int export_poses(const ExportArguments& args, RecordingReader& reader) {
  Result<FileSink> sink = FileSink::create(args.poses);
  if (!sink) return fail(sink);
  const Result<uint64_t> lines = export_poses_csv(reader, *sink, args.csv);
  if (!lines) return fail(lines);
  if (const Status closed = sink->close(); !closed) return fail(closed);
  std::printf("%s: %llu lines\n", args.poses.c_str(), static_cast<unsigned long long>(*lines));
  return 0;
}

int export_svg(const ExportArguments& args, RecordingReader& reader) {
  render::SketchOptions options = args.sketch;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  if (!args.size.empty()) {
    char rest = 0;
    if (std::sscanf(args.size.c_str(), "%5dx%5d%c", &options.width, &options.height, &rest) != 2) {
      print_error({.message = "the size of the picture is not understood",
                   .value = args.size,
                   .accepted = "WIDTHxHEIGHT in pixels, such as 1280x720"});
      return 1;
    }
  }
  // drawn before the file is touched, so that a mistake does not empty it
  const Result<std::string> svg = render::sketch_svg(reader, options);
  if (!svg) return fail(svg);
  Result<FileSink> sink = FileSink::create(args.svg);
  if (!sink) return fail(sink);
  if (const Status written = sink->write(std::as_bytes(std::span(*svg))); !written)
    return fail(written);
  if (const Status closed = sink->close(); !closed) return fail(closed);
  std::printf("%s: %zu bytes\n", args.svg.c_str(), svg->size());
  return 0;
}

int export_files(const ExportArguments& args) {
  for (const std::string& output : {args.poses, args.svg}) {
    if (output.empty() || !same_file(args.recording, output)) continue;
    print_error({.message = "the export would overwrite the recording", .file = output});
    return 1;
  }
  if (!args.poses.empty() && !args.svg.empty() &&
      (args.poses == args.svg || same_file(args.poses, args.svg))) {
    print_error({.message = "the table and the picture need different files", .file = args.svg});
    return 1;
  }
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return fail(recording);
  if (!args.poses.empty())
    if (const int code = export_poses(args, *recording->reader); code != 0) return code;
  return args.svg.empty() ? 0 : export_svg(args, *recording->reader);
}

int compare_two(const std::string& a, const std::string& b) {
  Result<OpenRecording> first = open_recording(a), second = open_recording(b);
  if (!first) return fail(first, 2);
  if (!second) return fail(second, 2);
  const Result<RecordingComparison> comparison = compare(*first->reader, *second->reader);
  if (!comparison) return fail(comparison, 2);
  std::printf("%s", format(*comparison).c_str());
  return comparison->same_bits() && comparison->same_bodies && comparison->common_frames > 0 ? 0
                                                                                             : 1;
}

struct ResumeArguments {
  std::string recording, output;
  double at = -1, seconds = 0;
  int threads = 1;
  bool go_on = false;
};

int resume_run(const ResumeArguments& args) {
  if (same_file(args.recording, args.output)) {
    print_error({.message = "the new recording would overwrite the old one", .file = args.output});
    return 1;
  }
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return fail(recording);
  RecordingReader& reader = *recording->reader;
  ResumeOptions options;
  options.at_s = args.at;
  options.version = TENON_VERSION;
  if (args.at < 0) {
    if (reader.frame_count() == 0) {
      print_error({.message = "the recording has no frame to go on from", .file = args.recording});
      return 1;
    }
    const Result<RecordedFrame> last = reader.read_frame(reader.frame_count() - 1);
    if (!last) return fail(last);
    options.at_s = last->time;
  }
  options.seconds = args.seconds > 0 ? args.seconds : reader.run().seconds - options.at_s;
  if (!(options.seconds > 0)) {
    print_error({.message = "the recording already reaches the end of its run",
                 .file = args.recording,
                 .accepted = "--seconds to go on beyond it, or an earlier --at"});
    return 1;
  }
  if (args.go_on) options.on_divergence = ResumeOptions::OnDivergence::kGoOn;
  Result<FileSink> sink = FileSink::create(args.output);
  if (!sink) return fail(sink);
  catch_interrupts();
  Progress progress(args.recording, options.at_s, options.seconds);
  options.keep_going = [&](const World& world) {
    progress.update(world.time());
    return !interrupted();
  };
  const Result<ResumeReport> report =
      resume(reader, scene_builder(args.threads, wall_clock), *sink, options);
  progress.finish();
  if (!report) return fail(report);
  if (const Status closed = sink->close(); !closed) return fail(closed);
  std::printf("Resumed at step %llu (%.6g s): %llu recorded frames recomputed and ",
              static_cast<unsigned long long>(report->start_step), report->start_time,
              static_cast<unsigned long long>(report->verified_frames));
  if (report->first_divergent_step) {
    std::printf("DIFFERENT from step %llu on\n",
                static_cast<unsigned long long>(*report->first_divergent_step));
  } else {
    std::printf("equal in every bit\n");
  }
  std::printf("Now at step %llu (%.6g s): %s\n", static_cast<unsigned long long>(report->last_step),
              report->last_time, args.output.c_str());
  return report->end == RunEnd::kInterrupted ? interrupt_exit_code() : 0;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* cmd = app.add_subcommand("info", "Say what is in a recording");
  cmd->add_option("recording", *path, "A .tenon file, also one of a run that was killed")
      ->required();
  cmd->footer("Example:\n  tenon info run.tenon");
  cmd->callback([path, &exit_code] { exit_code = info(*path); });
}

void add_export_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ExportArguments>();
  CLI::App* cmd = app.add_subcommand("export", "Turn a recording into files for other programs");
  cmd->add_option("recording", args->recording, "A .tenon file")->required();
  auto* outputs = cmd->add_option_group("files", "What to write, one or both");
  outputs->add_option("--poses", args->poses,
                      "CSV to write: t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  outputs->add_option("--svg", args->svg, "Picture to write, for any browser");
  outputs->require_option(1, 2);
  cmd->add_option("--body", args->csv.bodies, "Only these bodies; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--from", args->csv.from_s, "First time in seconds");
  cmd->add_option("--to", args->csv.to_s, "Last time in seconds");
  cmd->add_option("--every", args->csv.every, "Only every n-th frame")->check(CLI::PositiveNumber);
  cmd->add_option("--at", args->sketch.at_s,
                  "Time of the picture in seconds (default: the middle; with --strobe the end)");
  cmd->add_option("--strobe", args->sketch.strobe,
                  "So many poses from the beginning to that time in one picture, with paths")
      ->check(CLI::Range(1, 100));
  cmd->add_option("--camera", args->sketch.camera,
                  "A camera of the scene, or auto (default: the first)");
  cmd->add_option("--size", args->size, "Of the picture in pixels (default: 1280x720)");
  cmd->footer(
      "Examples:\n  tenon export run.tenon --svg run.svg --at 0.7\n"
      "  tenon export run.tenon --svg run.svg --strobe 6 --size 1920x1080\n"
      "  tenon export run.tenon --poses run.csv --body ball --every 10\n"
      "x y z is the origin of the body's frame, vx vy vz the velocity of its mass centre.");
  cmd->callback([args, &exit_code] { exit_code = export_files(*args); });
}

void add_compare_command(CLI::App& app, int& exit_code) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* cmd = app.add_subcommand("compare", "Find where two recordings differ");
  cmd->add_option("recordings", *paths, "Two .tenon files")->required()->expected(2);
  cmd->footer(
      "Example:\n  tenon compare a.tenon b.tenon\n"
      "Frames are matched by step number. The exit code is 0 if all common frames are equal\n"
      "in every bit, 1 if not, 2 if a recording cannot be read.");
  cmd->callback([paths, &exit_code] { exit_code = compare_two((*paths)[0], (*paths)[1]); });
}

void add_resume_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ResumeArguments>();
  CLI::App* cmd = app.add_subcommand("resume", "Go on from the middle of a recording");
  cmd->add_option("recording", args->recording, "A .tenon file, also one of a run that was killed")
      ->required();
  cmd->add_option("-o,--output", args->output, "Recording to write")->required();
  cmd->add_option("--at", args->at, "Time to go on from, in seconds (default: the last frame)")
      ->check(CLI::NonNegativeNumber);
  cmd->add_option("--seconds", args->seconds, "How long (default: to the end of the original run)")
      ->check(CLI::PositiveNumber);
  cmd->add_option("--threads", args->threads, "Threads to use; results do not depend on it")
      ->check(CLI::Range(1, 256));
  cmd->add_flag("--go-on", args->go_on,
                "Go on even if a recomputed step differs from the recording");
  cmd->footer("Example:\n  tenon resume run.tenon --at 3.2 --seconds 5 -o longer.tenon");
  cmd->callback([args, &exit_code] { exit_code = resume_run(*args); });
}

}  // namespace tenon::cli
