// Poses between two recorded frames.
//
// A straight line between two places of a body on a circle is a chord: it cuts the corner by
//   w^2 r h^2 / 8                                                                           (1)
// for a turn rate w, radius r and a time h between the frames, and bodies that are jointed open
// half-way by as much. So bodies move along cubic curves with the recorded velocities
// (engine/bodies/pose_curve.h), which keeps joints closed to the fourth power of h. Two kinds of
// motion have no such curve and go straight:
//   - kicks, where the velocity jumps, once or in every frame: a cubic curve would overshoot into
//   the floor that a ball
//     bounces on;
//   - poses that move otherwise than the velocities say: corrected positions, bodies put elsewhere.
// What is jointed to such a body goes straight as well, since one end alone would open the joint.
#pragma once

#include <span>
#include <vector>

#include "tenon/recording/records.h"
#include "tenon/render/detail/model.h"
#include "tenon/render/detail/stage_links.h"

namespace tenon::render {

// The frames about an instant: `far_before` and `far_after` are null at the ends of a recording.
struct FramesAbout {
  const RecordedFrame* far_before = nullptr;
  const RecordedFrame* before = nullptr;
  const RecordedFrame* after = nullptr;
  const RecordedFrame* far_after = nullptr;
};

class BetweenFrames {
 public:
  BetweenFrames() = default;
  BetweenFrames(const Model& model, const Mechanism& mechanism);

  // Bodies at time t, before.time <= t <= after.time. Those with poses that are no numbers stay.
  void find(const FramesAbout& about, double t, std::vector<RecordedBody>& bodies) const;

 private:
  bool is_smooth(const FramesAbout& about, size_t body) const;
  struct Body {
    Vec3 p_BC;          // m, mass centre, which the recorded velocity is of
    double radius = 1;  // m
    size_t group = 0;   // of jointed bodies: equal for all of them
  };
  std::vector<Body> bodies_;
};

}  // namespace tenon::render
