// Goes on from the middle of a recording, with the same bits as a run that was never interrupted.
#pragma once

#include <functional>
#include <optional>

#include "tenon/engine/world/world.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/writer.h"

namespace tenon {

// A world built again from a recording's scene.
struct ResumableScene {
  World world;
  std::vector<std::string> names;  // of bodies, in recording order
  std::vector<BodyHandle> handles;
};
// Builds the recorded scene with its overrides applied. Given by the caller, who knows the formats.
using SceneBuilder =
    std::function<Result<ResumableScene>(const SceneRecord& scene, const RunRecord& run)>;

struct ResumeOptions {
  double at_s = 0;     // where the new recording starts: the last step at or before this time
  double seconds = 0;  // how long it goes on from there
  WriteOptions write;
  // Whether to go on when a recomputed step differs from the recorded one (another version of
  // Tenon, say). kStop fails before anything is written.
  enum class OnDivergence { kStop, kGoOn } on_divergence = OnDivergence::kStop;
  // Asked after every step; false ends the new recording as interrupted. May be empty.
  std::function<bool(const World&)> keep_going;
};

struct ResumeReport {
  uint64_t keyframe_step = 0;    // where the state was loaded
  uint64_t start_step = 0;       // first frame of the new recording
  double start_time = 0;         // s
  uint64_t verified_frames = 0;  // recorded frames that were recomputed and compared
  std::optional<uint64_t> first_divergent_step;
  std::string first_divergent_body;  // empty where only the state hash differs
  uint64_t last_step = 0;
  double last_time = 0;  // s
  RunEnd end = RunEnd::kCompleted;
};

// Loads the latest keyframe at or before at_s, steps to at_s while checking every recorded frame
// on the way bit for bit, then records the next `seconds` into `sink`. Steps keep their numbers,
// so that compare() can lay the result beside the original.
Result<ResumeReport> resume(RecordingReader& recording, const SceneBuilder& build, ByteSink& sink,
                            const ResumeOptions& options);

}  // namespace tenon
