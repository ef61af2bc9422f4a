// What the method `force` carries from frame to frame. Its integrator runs ahead: a frame is read
// from the last step, which may end after it, so that step is part of every snapshot, saved state
// and hash. Edits drop it, and the next step begins where the bodies are.
#pragma once

#include <vector>

#include "tenon/engine/integrate/dormand_prince.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon {

// The state of the integrator: x (3), q (4), v (3), L (3) of each dynamic body that is not frozen,
// by slot; then what has gone in since the run began, behind the bodies.
inline constexpr size_t kForceBodySize = 13;
enum ForceSum : uint8_t { kWorkSum, kImpulseSum, kAngularSum = 4, kForceSums = 7 };

struct ForceRun {
  bool active = false;
  OdeRun ode;
  // by joint slot: turns and parts of laws (JointState::coordinate, angle, segment), at the end of
  // the last step and at its begin
  std::vector<JointState> joints, joints_before;
  std::array<double, kForceSums> booked{};  // the sums as of the last frame
  double look_time = 0;                     // s: when contacts are looked for next
  uint32_t short_events = 0;                // events in a row without a step worth the name
};

}  // namespace tenon
