// Cameras at an instant: those that stand, go around, follow, sit on bodies, go along paths.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "tenon/recording/reader.h"
#include "tenon/render/stage.h"

namespace tenon::render {

// How bodies that cameras look at or sit on move during the run.
class BodyTracks {
 public:
  // Reads the frames from one time to another and as far beyond as cameras smooth; at most 20,000
  // of them, evenly, and none where no camera needs a body. The first frame of the run is read
  // always: that is where cameras begin, whichever part of the run is shown.
  static Result<BodyTracks> read(RecordingReader& reader, const scene::Document& flat,
                                 double from_s, double to_s);
  double run_begin() const { return run_begin_; }  // s
  // At time t, averaged over `smoothing` seconds before and after it: no lag behind the body.
  Pose at(uint32_t body, double t, double smoothing) const;
  // The place of a body in RunRecord::body_names; kNoBody if it is not there or never in sight.
  uint32_t find(const std::string& name) const;

 private:
  Pose between(uint32_t body, double t) const;
  std::map<std::string, uint32_t> bodies_;
  double run_begin_ = 0, run_end_ = 0;  // s
  std::map<uint32_t, Pose> begin_;      // poses at run_begin_
  std::vector<double> times_;
  std::map<uint32_t, std::vector<Pose>> poses_;  // as many as times
};

// `now` are the bodies at time t. Orbits count from the begin of the run, and positions of cameras
// that follow or go around a body are those that they have then. The camera is not automatic.
StageCamera place_camera(const scene::Camera& camera, const BodyTracks& tracks, double t,
                         std::span<const RecordedBody> now);

// Along the shortest arc.
Quat interpolate(const Quat& a, Quat b, double s);

// The camera that the shots ask for at time t: a place in `cameras`, their number for "auto".
size_t find_shot(const scene::Document& document, double t);

}  // namespace tenon::render
