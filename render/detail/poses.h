// Which frames of a recording go into a picture.
#pragma once

#include <vector>

#include "tenon/recording/reader.h"
#include "tenon/render/sketch.h"

namespace tenon::render {

struct Poses {
  std::vector<RecordedFrame> frames;  // at least one, in order of time; the last is the main one
  // Frames between the first and the last, both included, for the paths; empty for a single pose.
  // Positions of body origins: path[k][body].
  std::vector<std::vector<Vec3>> path;
};

// Errors: no frames, a time range without frames, damage.
Result<Poses> read_poses(RecordingReader& reader, const SketchOptions& options);

// Whether the numbers are finite and small enough to compute with.
bool drawable(const Pose& X_WB);

}  // namespace tenon::render
