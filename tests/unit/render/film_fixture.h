// Stages of small recordings with given poses.
#pragma once

#include <memory>

#include "sketch_fixture.h"
#include "tenon/render/stage.h"

namespace tenon::test {

// A recording and its stages; frames are at 0, 0.1, 0.2 ... s.
class StageMaker {
 public:
  StageMaker(const std::string& scene, const std::vector<std::string>& names,
             const std::vector<std::vector<Pose>>& frames, const render::StageOptions& options = {})
      : StageMaker(record(scene, names, frames), options) {}
  StageMaker(MadeRecording recording, const render::StageOptions& options = {})
      : recording_(std::move(recording)), source_(recording_.bytes, "made.tenon") {
    Result<RecordingReader> reader = RecordingReader::open(source_);
    EXPECT_TRUE(reader.ok());
    reader_ = std::make_unique<RecordingReader>(std::move(*reader));
    Result<render::StageSource> stages = render::StageSource::open(*reader_, options);
    if (!stages) {
      error = stages.error();
      return;
    }
    stages_ = std::make_unique<render::StageSource>(std::move(*stages));
  }
  render::Stage at(double t) {
    EXPECT_TRUE(stages_ != nullptr) << format(error);
    Result<render::Stage> stage = stages_->at(t);
    EXPECT_TRUE(stage.ok());
    return std::move(*stage);
  }
  std::vector<std::string> strays() const { return stages_->strays(); }
  Error error;  // of opening

 private:
  MadeRecording recording_;
  MemorySource source_;
  std::unique_ptr<RecordingReader> reader_;
  std::unique_ptr<render::StageSource> stages_;
};

inline Pose at_point(double x, double y, double z) { return {{x, y, z}, {}}; }
inline Pose turned(const Vec3& p, const Vec3& axis, double angle) {
  return {p, from_axis_angle(axis, angle)};
}

// Where a camera sees a point, -1 ... 1 of half the height to the right and up; far away behind it.
inline Vec3 seen_at(const render::StageCamera& camera, const Vec3& p_W) {
  const Vec3 d = p_W - camera.p_WE;
  const double z = dot(camera.forward_W, d), slope = tan(0.5 * camera.fov_rad);
  if (!(z > 0)) return {1e9, 1e9, z};
  return {dot(camera.right_W, d) / z / slope, dot(camera.up_W, d) / z / slope, z};
}

}  // namespace tenon::test
