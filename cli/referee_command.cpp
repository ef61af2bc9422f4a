// tenon referee: a fast run beside a reference run of the same scene.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "tenon/cli/commands.h"
#include "tenon/cli/line.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/health.h"
#include "tenon/recording/recorder.h"
#include "tenon/recording/referee.h"

namespace tenon::cli {
namespace {

// How much less accurate the second reference is, which says how sure the first one is: what its
// steps may err by, how seldom it looks for contacts, and below which speeds it lets bodies stick.
constexpr double kRougher = 100, kSeldomer = 2, kStickier = 4;

struct Subject {
  SceneText scene;
  std::vector<std::string> overrides;  // those of the run itself
  std::vector<double> times;           // s, at which poses are compared; the first is the start
};

std::string exact(double value) { return line("%.17g", value); }

// A world of the scene with further overrides, stepped to all times of the subject.
struct Run {
  Trajectory trajectory;
  std::vector<RefereeBody> bodies;
  HealthSummary health;
};
std::optional<Run> run_to_times(const Subject& subject, std::vector<std::string> overrides,
                                const std::string& label, double step, double sample, int threads) {
  overrides.insert(overrides.begin(), subject.overrides.begin(), subject.overrides.end());
  overrides.push_back("world.step=" + exact(step));
  scene::Document flat;
  std::optional<scene::BuiltScene> built = load_and_build(subject.scene, overrides, flat, threads);
  if (!built) return std::nullopt;
  World& world = built->world;
  Run run;
  run.trajectory.label = label;
  run.trajectory.step_s = step;
  for (size_t i = 0; i < built->names.size(); ++i) {
    const BodyHandle body = built->handles[i];
    const bool dynamic = world.motion(body) == MotionKind::kDynamic;
    run.bodies.push_back({built->names[i], dynamic ? 0.5 * world.mass(body).size : 0.0, dynamic});
  }
  const auto name_of = [&](BodyHandle body) {
    const auto found = std::find(built->handles.begin(), built->handles.end(), body);
    const auto place = static_cast<size_t>(found - built->handles.begin());
    return place < built->names.size() ? built->names[place] : std::string();
  };
  const auto steps_per_sample = static_cast<uint64_t>(std::llround(sample / step));
  Progress progress(label, 0, subject.times.back());
  for (size_t k = 0; k < subject.times.size(); ++k) {
    for (uint64_t i = 0; k > 0 && i < steps_per_sample && !interrupted(); ++i) {
      world.step();
      for (const Event& event : world.events()) {
        if (event.kind == EventKind::kContactBegin && !run.trajectory.first_impact)
          run.trajectory.first_impact = event.time;
        run.health.add(event.kind, event.time, name_of(event.a), name_of(event.b), event.value);
      }
      progress.update(world.time());
    }
    if (interrupted()) return std::nullopt;
    run.trajectory.times.push_back(subject.times[k]);
    run.trajectory.bodies.emplace_back();
    gather_bodies(world, built->handles, run.trajectory.bodies.back());
  }
  progress.finish();
  return run;
}

std::vector<double> sample_times(double interval, double seconds) {
  std::vector<double> times;
  const auto count = static_cast<uint64_t>(std::llround(std::floor(seconds / interval + 1e-9)));
  for (uint64_t k = 0; k <= count; ++k) times.push_back(static_cast<double>(k) * interval);
  return times;
}

int print_verdict(const RefereeArguments& args, const Subject& subject, double interval,
                  std::vector<Trajectory> runs) {
  scene::Document flat;
  if (!load_and_build(subject.scene, subject.overrides, flat, args.threads)) return 1;
  const scene::ForceMethod force = flat.world.force.value_or(scene::ForceMethod{});
  const auto reference_at = [&](double accuracy, double seldomer, double stickier) {
    return run_to_times(subject,
                        {"world.method=force", "world.force.accuracy=" + exact(accuracy),
                         "world.force.dt_col=" + exact(seldomer * force.dt_col),
                         "world.force.v_tangent_max=" + exact(stickier * force.v_tangent_max)},
                        line("force, accuracy %g", accuracy), interval, interval, args.threads);
  };
  std::optional<Run> rougher = reference_at(kRougher * args.accuracy, kSeldomer, kStickier);
  std::optional<Run> reference = rougher ? reference_at(args.accuracy, 1, 1) : std::nullopt;
  if (!reference) return interrupted() ? interrupt_exit_code() : 1;
  for (const Trajectory& run : runs) {
    if (run.bodies.front().size() == reference->bodies.size()) continue;
    print_error({.message = "the scene of the recording has other bodies than the recording"});
    return 1;
  }
  const Verdict verdict =
      judge(reference->bodies, reference->trajectory, rougher->trajectory, runs);
  std::printf("%s\nreference: %s\n%s", subject.scene.name.c_str(),
              reference->trajectory.label.c_str(), format(verdict).c_str());
  // a reference that is doubtful itself judges nobody
  for (const std::string& hint : reference->health.to_words("force"))
    std::printf("  hint      of the reference: %s\n", hint.c_str());
  if (args.output.empty()) return 0;
  const Status written = write_text_file(args.output, to_csv(verdict, reference->trajectory, runs));
  if (!written) {
    print_error(written.error());
    return 1;
  }
  std::printf("  recorded  %s\n", args.output.c_str());
  return 0;
}

int judge_recording(const RefereeArguments& args) {
  Result<OpenRecording> recording = open_recording(args.subject);
  if (!recording) {
    print_error(recording.error());
    return 1;
  }
  RecordingReader& reader = *recording->reader;
  const Result<SceneRecord> scene = reader.scene();
  if (!scene) {
    print_error(scene.error());
    return 1;
  }
  const RunRecord& info = reader.run();
  if (info.first_step > 0 || reader.frame_count() < 2) {
    print_error({.message = "the referee needs a run from its start, of two frames at least",
                 .file = args.subject});
    return 1;
  }
  Subject subject{{scene->name, scene->text, scene->files}, scene->overrides, {}};
  const double interval = info.step_s * info.steps_per_frame;
  Trajectory run;
  run.label = line("%s, %.6g s", info.method.c_str(), info.step_s);
  run.step_s = info.step_s;
  for (uint64_t k = 0; k < reader.frame_count(); ++k) {
    Result<RecordedFrame> frame = reader.read_frame(k);
    if (!frame) {
      print_error(frame.error());
      return 1;
    }
    // the last frame may stand between two others
    if (frame->step % info.steps_per_frame != 0) continue;
    if (args.seconds > 0 && frame->time > args.seconds + 1e-9) break;
    run.times.push_back(frame->time);
    run.bodies.push_back(std::move(frame->bodies));
  }
  subject.times = run.times;
  return print_verdict(args, subject, interval, {std::move(run)});
}

std::optional<std::vector<double>> choose_steps(const RefereeArguments& args, double step) {
  // a quarter and about a sixteenth of the scene's own: 1/60, 1/240, 1/1000
  if (args.steps.empty()) return std::vector<double>{step, step / 4, step * 0.06};
  std::vector<double> steps;
  for (const std::string& text : args.steps) {
    double over = 1, value = 0;
    char rest = 0;
    const bool fraction = std::sscanf(text.c_str(), "%lf/%lf%c", &value, &over, &rest) == 2;
    const bool number = !fraction && std::sscanf(text.c_str(), "%lf%c", &value, &rest) == 1;
    if ((!fraction && !number) || !(value / over >= 1e-6) || !(value / over <= 1)) {
      print_error({.message = "not a step",
                   .value = text,
                   .accepted = "such as 1/240 or 0.001, in seconds"});
      return std::nullopt;
    }
    steps.push_back(value / over);
  }
  return steps;
}

int judge_scene(const RefereeArguments& args) {
  const Result<SceneText> source = read_scene_text(args.subject);
  if (!source) {
    print_error(source.error());
    return 1;
  }
  Subject subject{*source, args.set, {0}};
  scene::Document flat;
  if (!load_and_build(*source, args.set, flat, args.threads)) return 1;
  const std::optional<std::vector<double>> steps = choose_steps(args, flat.world.step);
  if (!steps) return 1;
  const double interval = common_interval(*steps);
  if (interval == 0) {
    print_error({.message = "the steps have no time in common",
                 .accepted = "steps of which a thousand of the longest at most are a whole number "
                             "of every other, such as 1/60 and 1/240"});
    return 1;
  }
  const double seconds = args.seconds > 0 ? args.seconds : flat.world.duration;
  subject.times = sample_times(interval, seconds);
  if (subject.times.size() < 2) {
    print_error({.message = "the run is shorter than the time between two comparisons",
                 .value = line("%g s", seconds),
                 .accepted = line("at least %g s", interval)});
    return 1;
  }
  std::vector<Trajectory> runs;
  for (const double step : *steps) {
    std::optional<Run> run =
        run_to_times(subject, {"world.method=impulse"}, line("impulse, %.4g ms", 1e3 * step), step,
                     interval, args.threads);
    if (!run) return interrupted() ? interrupt_exit_code() : 1;
    runs.push_back(std::move(run->trajectory));
  }
  return print_verdict(args, subject, interval, std::move(runs));
}

}  // namespace

int run_referee(const RefereeArguments& args) {
  Status writable = check_writable(args.output);
  if (writable) writable = check_replaceable(args.output, Output::kOther);
  if (!writable) {
    print_error(writable.error());
    return 1;
  }
  catch_interrupts();
  return args.subject.ends_with(".tenon") ? judge_recording(args) : judge_scene(args);
}

}  // namespace tenon::cli
