#include <cmath>
#include <cstdio>
#include <utility>

#include "tenon/cli/assembly_text.h"
#include "tenon/cli/commands.h"
#include "tenon/cli/idle_forces.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/report.h"
#include "tenon/cli/run_record.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/file_io.h"
#include "tenon/recording/recorder.h"
#include "tenon/scene/formats/json_text.h"

namespace tenon::cli {
namespace {

// The options of the command line as overrides of the scene, so that a recording keeps them.
std::vector<std::string> make_overrides(const RunArguments& args) {
  std::vector<std::string> all = args.set;
  const std::pair<const char*, const std::string*> options[] = {
      {"step", &args.step},          {"duration", &args.seconds},
      {"method", &args.method},      {"joint_solver", &args.joint_solver},
      {"sweeps", &args.sweeps},      {"integration", &args.integration},
      {"tolerance", &args.tolerance}};
  for (const auto& [key, value] : options)
    if (!value->empty()) all.push_back(std::string("world.") + key + "=" + *value);
  for (const std::string& option : args.sweep_options) all.push_back("world.sweep." + option);
  return all;
}

struct Outcome {
  Status status = Ok{};
  bool interrupted = false;
};

// Steps to the end, recording where a recorder is given.
Outcome run_steps(World& world, uint64_t steps, double seconds, Recorder* recorder,
                  RunReport& report, const std::string& label) {
  Outcome outcome;
  Progress progress(label, world.time(), seconds);
  double flushed = wall_clock();
  for (uint64_t i = 0; i < steps && !outcome.interrupted; ++i) {
    const double cpu = process_clock(), wall = wall_clock();
    world.step();
    report.add_step(world, process_clock() - cpu, wall_clock() - wall);
    if (recorder != nullptr) {
      outcome.status = recorder->after_step(world);
      // slow runs: a kill loses two seconds of computing at most
      if (outcome.status && wall_clock() - flushed > 2) {
        flushed = wall_clock();
        outcome.status = recorder->flush();
      }
      if (!outcome.status) return outcome;
    }
    progress.update(world.time());
    outcome.interrupted = interrupted();
  }
  return outcome;
}

int finish_run(const RunArguments& args, const RunReport& report, const Outcome& outcome) {
  std::printf("%s", report.to_text().c_str());
  if (!args.output.empty()) {
    std::printf("  recorded  %s\n", args.output.c_str());
  } else {
    std::printf("  recorded  nothing (add -o FILE.tenon to keep the run)\n");
  }
  if (!args.report.empty()) {
    const Status written = write_text_file(args.report, scene::format_json(report.to_json()));
    if (!written) {
      print_error(written.error());
      return 1;
    }
  }
  return outcome.interrupted ? interrupt_exit_code() : 0;
}

// Opens, records, closes. What was recorded before a failure stays readable.
Result<Outcome> run_recorded(const RunArguments& args, scene::BuiltScene& built,
                             const scene::Document& flat, const SceneRecord& record, uint64_t steps,
                             RunReport& report) {
  Result<FileSink> sink = FileSink::create(args.output);
  if (!sink) return sink.error();
  Recorder recorder(*sink);
  if (Status s = recorder.begin(built.world, built.handles,
                                make_run_record(built, flat, args.joints, args.contacts), record,
                                built.joint_handles);
      !s) {
    return s.error();
  }
  Outcome outcome =
      run_steps(built.world, steps, flat.world.duration, &recorder, report, record.name);
  if (!outcome.status) return outcome.status.error();
  const RunEnd end = outcome.interrupted ? RunEnd::kInterrupted : RunEnd::kCompleted;
  Status closed = recorder.finish(built.world, end, outcome.interrupted ? "by the user" : "");
  if (closed) closed = sink->close();
  if (!closed) return closed.error();
  return outcome;
}

}  // namespace

int run_scene(const RunArguments& args) {
  const Result<SceneText> source = read_scene_text(args.scene);
  if (!source) {
    print_error(source.error());
    return 1;
  }
  for (const std::string& path : {args.output, args.report}) {
    if (!path.empty() && same_file(path, args.scene)) {
      print_error({.message = "the output would overwrite the scene", .file = path});
      return 1;
    }
  }
  if (!args.output.empty() && (args.output == args.report || same_file(args.output, args.report))) {
    print_error(
        {.message = "the recording and the report need different files", .file = args.report});
    return 1;
  }
  Status writable = check_writable(args.report);
  if (writable) writable = check_replaceable(args.output, Output::kRecording);
  if (writable) writable = check_replaceable(args.report, Output::kOther);
  if (!writable) {
    print_error(writable.error());
    return 1;
  }
  const std::vector<std::string> overrides = make_overrides(args);
  scene::Document flat;
  std::vector<scene::SceneFile> files;
  std::optional<scene::BuiltScene> built =
      load_and_build(*source, overrides, flat, args.threads, &files);
  if (!built) return 1;
  const double exact_steps = flat.world.duration / flat.world.step;
  if (exact_steps > 1e12) {
    print_error({.message = "this run would take more than a million million steps",
                 .accepted = "a shorter duration or a longer step"});
    return 1;
  }
  // a step that is needed only because of round-off is not taken
  const auto steps = static_cast<uint64_t>(std::ceil(exact_steps * (1 - 1e-12)));
  catch_interrupts();
  const std::string title = flat.title.empty() ? source->name : flat.title;
  std::printf("%s\n", title.c_str());
  if (built->assembled) std::printf("%s", summarize_assembly(*built->assembled, *built).c_str());
  std::fflush(stdout);
  RunReport report;
  if (built->assembled) {
    report.set_assembly(assembly_to_json(*built->assembled, flat.assembly, *built));
  }
  report.begin(*built, source->name, method_name(flat.world.method));
  report.add_hints(find_idle_forces(flat));
  Outcome outcome;
  if (args.output.empty()) {
    outcome = run_steps(built->world, steps, flat.world.duration, nullptr, report, source->name);
  } else {
    const SceneRecord record{source->name, flat.title, recorded_text(*source), overrides, files};
    Result<Outcome> recorded = run_recorded(args, *built, flat, record, steps, report);
    if (!recorded) {
      print_error(recorded.error());
      return 1;
    }
    outcome = std::move(*recorded);
  }
  if (outcome.interrupted) report.set_interrupted();
  report.set_state_hash(built->world.state_hash());
  return finish_run(args, report, outcome);
}

}  // namespace tenon::cli
