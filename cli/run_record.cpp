#include "tenon/cli/run_record.h"

#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

// More joints are recorded only if asked for: 1000 take about 35 kB per frame, as much as poses.
constexpr size_t kManyJoints = 1000;

}  // namespace

RunRecord make_run_record(const scene::BuiltScene& built, const scene::Document& flat,
                          std::optional<bool> joints, bool contacts) {
  RunRecord run;
  run.method = method_name(flat.world.method);
  run.step_s = built.world.settings().step;
  run.seconds = flat.world.duration;
  run.threads = static_cast<uint32_t>(built.world.settings().threads);
  run.version = TENON_VERSION;
  run.body_names = built.names;
  run.joint_names = built.joint_names;
  const bool few = !run.joint_names.empty() && run.joint_names.size() <= kManyJoints;
  run.joint_track = joints.value_or(few);
  run.contact_track = contacts;
  return run;
}

}  // namespace tenon::cli
