// info, export, compare, resume: commands that read recordings.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tenon/cli/commands.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/body_table.h"
#include "tenon/recording/compare.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/file_io.h"
#include "tenon/recording/info.h"
#include "tenon/recording/joint_table.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/resume.h"
#include "tenon/render/sketch.h"

namespace tenon::cli {
namespace {

// Opens its file at the first write, so that a command that fails before it has anything to write
// leaves an existing file alone.
class LateFileSink final : public ByteSink {
 public:
  explicit LateFileSink(std::string path) : path_(std::move(path)) {}
  Status write(std::span<const std::byte> bytes) override {
    if (!file_) {
      Result<FileSink> created = FileSink::create(path_);
      if (!created) return created.error();
      file_ = std::move(*created);
    }
    return file_->write(bytes);
  }
  Status close() { return file_ ? file_->close() : Status(Ok{}); }

 private:
  std::string path_;
  std::optional<FileSink> file_;
};

// Prints the error of a failed Result and gives the exit code for it.
template <class T>
int fail(const Result<T>& result, int code = 1) {
  print_error(result.error());
  return code;
}

// Takes nothing: tables find out whether they can be written before they write.
class ProbeSink final : public ByteSink {
 public:
  Status write(std::span<const std::byte>) override {
    reached_ = true;
    return Error{.message = "only a probe"};
  }
  bool reached() const { return reached_; }

 private:
  bool reached_ = false;
};

// One table into one file; an empty path asks for none.
using ExportTable = Result<uint64_t> (*)(RecordingReader&, ByteSink&, const CsvOptions&);
struct TableOrder {
  ExportTable table;
  const std::string* path;
};

// Whether all tables can be written; prints every reason why not, each once.
bool check_tables(std::span<const TableOrder> orders, const CsvOptions& options,
                  RecordingReader& reader) {
  std::vector<std::string> said;
  for (const auto& [table, path] : orders) {
    if (path->empty()) continue;
    ProbeSink probe;
    const Result<uint64_t> lines = table(reader, probe, options);
    if (lines || probe.reached()) continue;
    const std::string words = format(lines.error());
    if (std::find(said.begin(), said.end(), words) != said.end()) continue;
    said.push_back(words);
    print_error(lines.error());
  }
  return said.empty();
}

int export_table(ExportTable table, const std::string& path, const CsvOptions& options,
                 RecordingReader& reader) {
  if (path.empty()) return 0;
  LateFileSink sink(path);
  const Result<uint64_t> lines = table(reader, sink, options);
  if (!lines) return fail(lines);
  if (const Status closed = sink.close(); !closed) return fail(closed);
  std::printf("%s: %s\n", path.c_str(), counted(*lines, "line", "lines").c_str());
  return 0;
}

// Whether no file of an export would overwrite the recording or another one.
Status check_outputs(const ExportArguments& args) {
  const std::string* const outputs[] = {&args.poses,    &args.joints,      &args.events,
                                        &args.contacts, &args.diagnostics, &args.svg};
  for (const std::string* const* a = std::begin(outputs); a != std::end(outputs); ++a) {
    if ((*a)->empty()) continue;
    if (same_file(args.recording, **a))
      return Error{.message = "the export would overwrite the recording", .file = **a};
    if (Status writable = check_writable(**a); !writable) return writable;
    if (Status free = check_replaceable(**a, Output::kOther); !free) return free;
    for (const std::string* const* b = std::begin(outputs); b != a; ++b)
      if (!(*b)->empty() && same_output(**a, **b))
        return Error{.message = "every table and picture needs a file of its own", .file = **a};
  }
  return Ok{};
}

// The picture, drawn before any file is touched.
Result<std::string> draw_svg(const ExportArguments& args, RecordingReader& reader) {
  render::SketchOptions options = args.sketch;
  options.from_s = args.csv.from_s;
  options.to_s = args.csv.to_s;
  if (!args.size.empty()) {
    char rest = 0;
    if (std::sscanf(args.size.c_str(), "%5dx%5d%c", &options.width, &options.height, &rest) != 2) {
      return Error{.message = "the size of the picture is not understood",
                   .value = args.size,
                   .accepted = "WIDTHxHEIGHT in pixels, such as 1280x720"};
    }
  }
  return render::sketch_svg(reader, options);
}

int write_svg(const std::string& path, const std::string& svg) {
  Result<FileSink> sink = FileSink::create(path);
  if (!sink) return fail(sink);
  if (const Status written = sink->write(std::as_bytes(std::span(svg))); !written)
    return fail(written);
  if (const Status closed = sink->close(); !closed) return fail(closed);
  std::printf("%s: %zu bytes\n", path.c_str(), svg.size());
  return 0;
}

}  // namespace

int show_info(const std::string& path, InfoDetail detail) {
  Result<OpenRecording> recording = open_recording(path);
  if (!recording) return fail(recording);
  if (detail == InfoDetail::kBodies) {
    const auto bodies = read_bodies(*recording->reader, scene_builder(1, nullptr));
    if (!bodies) return fail(bodies);
    std::printf("%s", format(*bodies).c_str());
    return 0;
  }
  if (detail == InfoDetail::kJoints) {
    const auto joints = read_joint_table(*recording->reader, scene_builder(1, nullptr));
    if (!joints) return fail(joints);
    std::printf("%s", format(*joints).c_str());
    return 0;
  }
  const Result<RecordingInfo> all = read_info(*recording->reader);
  if (!all) return fail(all);
  std::printf("%s", format(*all).c_str());
  return 0;
}

int export_files(const ExportArguments& args) {
  if (const Status distinct = check_outputs(args); !distinct) return fail(distinct);
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return fail(recording);
  RecordingReader& reader = *recording->reader;
  const TableOrder orders[] = {{export_poses_csv, &args.poses},
                               {export_joints_csv, &args.joints},
                               {export_contacts_csv, &args.contacts},
                               {export_events_csv, &args.events},
                               {export_diagnostics_csv, &args.diagnostics}};
  // all or nothing: half an export is easily taken for a whole one
  bool good = check_tables(orders, args.csv, reader);
  Result<std::string> svg = std::string();
  if (!args.svg.empty()) svg = draw_svg(args, reader);
  if (!svg) {
    print_error(svg.error());
    good = false;
  }
  if (!good) {
    std::fprintf(stderr, "nothing was written\n");
    return 1;
  }
  for (const auto& [table, path] : orders)
    if (const int code = export_table(table, *path, args.csv, reader); code != 0) return code;
  return args.svg.empty() ? 0 : write_svg(args.svg, *svg);
}

int compare_recordings(const std::string& a, const std::string& b) {
  Result<OpenRecording> first = open_recording(a), second = open_recording(b);
  if (!first) return fail(first, 2);
  if (!second) return fail(second, 2);
  const Result<RecordingComparison> comparison = compare(*first->reader, *second->reader);
  if (!comparison) return fail(comparison, 2);
  std::printf("%s", format(*comparison).c_str());
  return comparison->same_bits() && comparison->same_bodies && comparison->common_frames > 0 ? 0
                                                                                             : 1;
}

int resume_run(const ResumeArguments& args) {
  if (same_file(args.recording, args.output)) {
    print_error({.message = "the new recording would overwrite the old one", .file = args.output});
    return 1;
  }
  if (const Status free = check_replaceable(args.output, Output::kRecording); !free)
    return fail(free);
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
  LateFileSink sink(args.output);
  catch_interrupts();
  Progress progress(args.recording, options.at_s, options.seconds);
  options.keep_going = [&](const World& world) {
    progress.update(world.time());
    return !interrupted();
  };
  const Result<ResumeReport> report =
      resume(reader, scene_builder(args.threads, wall_clock), sink, options);
  progress.finish();
  if (!report) return fail(report);
  if (const Status closed = sink.close(); !closed) return fail(closed);
  std::printf("Resumed at step %llu (%.6g s): %s recomputed and ",
              static_cast<unsigned long long>(report->start_step), report->start_time,
              counted(report->verified_frames, "recorded frame", "recorded frames").c_str());
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

}  // namespace tenon::cli
