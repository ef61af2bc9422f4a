// Goes on from the middle of a recording, with the same bits as a run that was never interrupted.
#pragma once

#include <functional>
#include <optional>

#include "tenon/recording/reader.h"
#include "tenon/recording/writer.h"
#include "tenon/scene/build/build.h"

namespace tenon {

// Makes the world of a recording again. May be replaced where scenes come from elsewhere.
using SceneBuilder =
    std::function<Result<scene::BuiltScene>(const SceneRecord& scene, const RunRecord& run)>;

// The usual one: loads the recorded text with its overrides and builds it, with as many threads
// and the clock (for timings; may be nullptr) as given. The first mistake found is the error.
// Meshes come from the recording; `store` (may be none) has meshes that were made before,
// and MeshUse::kPicture does without them, for worlds that are looked at and not stepped.
SceneBuilder scene_builder(int threads = 1, double (*clock)() = nullptr,
                           scene::MeshStore* store = nullptr, MeshUse use = MeshUse::kContact);

struct ResumeOptions {
  double at_s = 0;      // where the new recording starts: the last step at or before this time
  double seconds = 0;   // how long it goes on from there
  std::string version;  // of this program, for the new recording; empty: as the old one says
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
