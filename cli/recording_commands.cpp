// info, compare, resume: commands that read recordings.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "tenon/cli/commands.h"
#include "tenon/cli/late_file.h"
#include "tenon/cli/mesh_cache.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/body_table.h"
#include "tenon/recording/compare.h"
#include "tenon/recording/info.h"
#include "tenon/recording/joint_table.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/resume.h"

namespace tenon::cli {
namespace {

// Prints the error of a failed Result and gives the exit code for it.
template <class T>
int fail(const Result<T>& result, int code = 1) {
  print_error(result.error());
  return code;
}

}  // namespace

int show_info(const std::string& path, InfoDetail detail) {
  Result<OpenRecording> recording = open_recording(path);
  if (!recording) return fail(recording);
  if (detail == InfoDetail::kBodies) {
    const auto bodies =
        read_bodies(*recording->reader, scene_builder(1, nullptr, nullptr, MeshUse::kPicture));
    if (!bodies) return fail(bodies);
    std::printf("%s", format(*bodies).c_str());
    return 0;
  }
  if (detail == InfoDetail::kJoints) {
    const auto joints =
        read_joint_table(*recording->reader, scene_builder(1, nullptr, nullptr, MeshUse::kPicture));
    if (!joints) return fail(joints);
    std::printf("%s", format(*joints).c_str());
    return 0;
  }
  const Result<RecordingInfo> all = read_info(*recording->reader);
  if (!all) return fail(all);
  std::printf("%s", format(*all).c_str());
  return 0;
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

// A time that was asked for, against those that the recording has.
Status check_resume_time(RecordingReader& reader, const ResumeArguments& args) {
  if (!(args.at >= 0) || reader.frame_count() == 0) return Ok{};
  const Result<RecordedFrame> first = reader.read_frame(0),
                              last = reader.read_frame(reader.frame_count() - 1);
  // what is damaged is told by resume()
  if (!first || !last || args.at <= std::max(last->time, reader.run().seconds)) return Ok{};
  const auto seconds = [](double t) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g s", t);
    return std::string(text);
  };
  return Error{.message = "the recording ends before the time to resume at",
               .file = args.recording,
               .value = seconds(args.at),
               .accepted = "--at from " + seconds(first->time) + " to " + seconds(last->time)};
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
  if (const Status there = check_resume_time(reader, args); !there) return fail(there);
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
      resume(reader, scene_builder(args.threads, wall_clock, &mesh_cache()), sink, options);
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
