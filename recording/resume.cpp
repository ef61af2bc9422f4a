#include "tenon/recording/resume.h"

#include <algorithm>
#include <cmath>

#include "tenon/recording/detail/text.h"
#include "tenon/recording/recorder.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon {
namespace {

using recording_detail::number;

// as in RecordingReader::find_frame
constexpr double kResumeSlack_s = 0.5e-9;

bool is_same_state(const RecordedBody& a, const RecordedBody& b) {
  const auto words = [](const RecordedBody& r) {
    const Vec3 &p = r.X_WB.p, &v = r.v_WC, &w = r.w_WB;
    const Quat& q = r.X_WB.q;
    std::array<uint64_t, 13> out{};
    size_t i = 0;
    for (double x : {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z})
      out[i++] = std::bit_cast<uint64_t>(x);
    return out;
  };
  return words(a) == words(b);
}

class Resumer {
 public:
  Resumer(RecordingReader& recording, const ResumeOptions& options)
      : recording_(recording), options_(options) {}

  Result<ResumeReport> run(const SceneBuilder& build, ByteSink& sink);

 private:
  Status check_options();
  Status load(scene::BuiltScene& built);
  Status verify(const scene::BuiltScene& built);
  Status step_to_start(scene::BuiltScene& built);
  Status record(scene::BuiltScene& built, const SceneRecord& scene, ByteSink& sink);
  Error error(std::string message) const {
    return {.message = std::move(message), .file = recording_.source().name()};
  }

  RecordingReader& recording_;
  const ResumeOptions& options_;
  ResumeReport report_;
  RecordedFrame recorded_;
  std::vector<RecordedBody> bodies_;
};

Result<ResumeReport> Resumer::run(const SceneBuilder& build, ByteSink& sink) {
  if (auto status = check_options(); !status) return status.error();
  const auto scene = recording_.scene();
  if (!scene) return scene.error();
  auto built = build(*scene, recording_.run());
  if (!built) return built.error();
  if (built->names != recording_.run().body_names)
    return error("the scene builds other bodies than the recording has");
  const auto& joints = recording_.run().joint_names;
  if (!joints.empty() && built->joint_names != joints)
    return error("the scene builds other joints than the recording has");
  if (auto status = load(*built); !status) return status.error();
  if (auto status = step_to_start(*built); !status) return status.error();
  if (auto status = record(*built, *scene, sink); !status) return status.error();
  return std::move(report_);
}

Status Resumer::check_options() {
  if (!std::isfinite(options_.at_s) || !std::isfinite(options_.seconds) || options_.seconds < 0)
    return Error{.message = "a run can be resumed only at a time and for a length in seconds",
                 .value = number(options_.at_s) + " and " + number(options_.seconds),
                 .accepted = "finite numbers, the length not negative"};
  const double begin = recording_.run().first_time;
  if (options_.at_s < begin - kResumeSlack_s)
    return Error{.message = "the recording begins later than the time to resume at",
                 .file = recording_.source().name(),
                 .value = number(options_.at_s) + " s",
                 .accepted = number(begin) + " s or later"};
  // the last keyframe may be later than the last frame: it was not waiting to be packed
  double end = begin;
  if (const uint64_t frames = recording_.frame_count(); frames > 0) {
    const auto last = recording_.read_frame(frames - 1);
    if (last) end = std::max(end, last->time);
  }
  if (const uint64_t keys = recording_.keyframe_count(); keys > 0) {
    const auto last = recording_.read_keyframe(keys - 1);
    if (last) end = std::max(end, last->time);
  }
  if (options_.at_s > end + kResumeSlack_s)
    return Error{.message = "the recording ends before the time to resume at",
                 .file = recording_.source().name(),
                 .value = number(options_.at_s) + " s",
                 .accepted = number(begin) + " s to " + number(end) + " s"};
  return Ok{};
}

Status Resumer::load(scene::BuiltScene& built) {
  const auto key = recording_.state_at(options_.at_s);
  if (!key) return key.error();
  if (auto status = built.world.load_state(key->state); !status) {
    Error e = status.error();
    e.file = recording_.source().name();
    e.message = "the keyframe at " + number(key->time) + " s cannot be loaded: " + e.message;
    return e;
  }
  report_.keyframe_step = key->step;
  if (built.world.step_count() != key->step || built.world.state_hash() != key->state_hash)
    return error("the keyframe at " + number(key->time) +
                 " s loads to another state than recorded");
  return Ok{};
}

// Compares the world with the recorded frame of the same step, where there is one.
Status Resumer::verify(const scene::BuiltScene& built) {
  const uint64_t step = built.world.step_count();
  const auto index = recording_.find_step(step);
  if (!index) return index.error();
  if (!*index) return Ok{};
  if (auto status = recording_.read_frame(**index, recorded_); !status) return status;
  ++report_.verified_frames;
  if (report_.first_divergent_step) return Ok{};
  gather_bodies(built.world, built.handles, bodies_);
  std::string body;
  for (size_t i = 0; i < bodies_.size() && body.empty(); ++i)
    if (!is_same_state(bodies_[i], recorded_.bodies[i])) body = built.names[i];
  if (body.empty() && recorded_.state_hash == built.world.state_hash()) return Ok{};
  report_.first_divergent_step = step;
  report_.first_divergent_body = body;
  if (options_.on_divergence == ResumeOptions::OnDivergence::kGoOn) return Ok{};
  return error("step " + std::to_string(step) + " comes out differently than recorded" +
               (body.empty() ? "" : " (first at body " + body + ")") +
               "; the recording was made by Tenon " + recording_.run().version);
}

Status Resumer::step_to_start(scene::BuiltScene& built) {
  World& world = built.world;
  const double target = options_.at_s + kResumeSlack_s, h = world.settings().step;
  if (auto status = verify(built); !status) return status;
  while (world.time() + h <= target) {
    world.step();
    if (auto status = verify(built); !status) return status;
  }
  report_.start_step = world.step_count();
  report_.start_time = world.time();
  return Ok{};
}

Status Resumer::record(scene::BuiltScene& built, const SceneRecord& scene, ByteSink& sink) {
  World& world = built.world;
  const double h = world.settings().step;
  RunRecord run = recording_.run();
  run.seconds = world.time() + options_.seconds;
  run.threads = static_cast<uint32_t>(std::max(1, world.settings().threads));
  run.resumed_from = recording_.source().name();
  if (!options_.version.empty()) run.version = options_.version;
  run.joint_names = built.joint_names;  // recordings of format 1.0 have none
  Recorder recorder(sink, options_.write);
  if (auto status = recorder.begin(world, built.handles, run, scene, built.joint_handles); !status)
    return status;
  // the last step is the one nearest to the end asked for
  std::string reason;
  while (world.time() + 0.5 * h < run.seconds) {
    world.step();
    if (auto status = recorder.after_step(world); !status) return status;
    if (options_.keep_going && !options_.keep_going(world)) {
      report_.end = RunEnd::kInterrupted;
      reason = "stopped by the user";
      break;
    }
  }
  report_.last_step = world.step_count();
  report_.last_time = world.time();
  return recorder.finish(world, report_.end, reason);
}

}  // namespace

SceneBuilder scene_builder(int threads, double (*clock)(), scene::MeshStore* store, MeshUse use) {
  return [=](const SceneRecord& record, const RunRecord&) -> Result<scene::BuiltScene> {
    scene::LoadOptions options;
    options.overrides = record.overrides;
    const auto loaded = scene::load_scene(record.text, record.name, options);
    if (!loaded.ok()) return loaded.errors.front();
    scene::MeshLibrary meshes({scene::read_from(record.files), store, use, threads});
    auto built = scene::build(
        loaded.flat, {.threads = threads, .clock = clock, .assemble = true, .meshes = &meshes});
    if (!built.ok()) return built.errors.front();
    return std::move(built.scene.front());
  };
}

Result<ResumeReport> resume(RecordingReader& recording, const SceneBuilder& build, ByteSink& sink,
                            const ResumeOptions& options) {
  return Resumer(recording, options).run(build, sink);
}

}  // namespace tenon
