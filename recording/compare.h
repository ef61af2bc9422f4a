// Two recordings side by side, aligned by step number. Measured times are never compared.
#pragma once

#include <optional>

#include "tenon/recording/reader.h"

namespace tenon {

// Largest differences of one body over all common steps; each with the step where it occurs.
struct BodyDifference {
  std::string name;
  double position_m = 0, angle_rad = 0, velocity_m_s = 0, angular_velocity_rad_s = 0;
  uint64_t position_step = 0, angle_step = 0, velocity_step = 0, angular_velocity_step = 0;
  std::optional<uint64_t> first_step;  // where its bits first differ
};

struct RecordingComparison {
  // differences of description, one sentence each: scene text, overrides, method, step, bodies
  std::vector<std::string> descriptions;
  bool same_scene = true;   // text and overrides
  bool same_bodies = true;  // names and order; otherwise bodies of equal name are compared
  uint64_t common_frames = 0;
  // frames of one recording without a partner in the other, and the first such step
  uint64_t only_in_a = 0, only_in_b = 0;
  std::optional<uint64_t> first_only_in_a, first_only_in_b;
  // the first common step whose poses or velocities differ in any bit, and its first such body
  std::optional<uint64_t> first_divergent_step;
  double first_divergent_time = 0;  // s, in A
  std::string first_divergent_body;
  // the first common step whose state hashes differ (the state is more than the poses)
  std::optional<uint64_t> first_hash_divergence;
  // the first step in both whose diagnostics or events differ
  std::optional<uint64_t> first_diagnostics_divergence, first_events_divergence;
  std::vector<BodyDifference> bodies;  // in A's order; only bodies present in both

  // Every common frame is equal in all bits, in poses, hashes, diagnostics and events.
  bool same_bits() const {
    return !first_divergent_step && !first_hash_divergence && !first_diagnostics_divergence &&
           !first_events_divergence;
  }
  // ... and the two cover the same frames of the same scene.
  bool identical() const {
    return same_bits() && same_scene && same_bodies && only_in_a == 0 && only_in_b == 0;
  }
};

// Fails only where a recording cannot be read.
Result<RecordingComparison> compare(RecordingReader& a, RecordingReader& b);

// Several lines for a person, ending in a newline; at most `max_bodies` bodies, worst first.
std::string format(const RecordingComparison& comparison, size_t max_bodies = 10);

}  // namespace tenon
