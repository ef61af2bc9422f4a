// How fast what a joint's springs hold would swing, and how much dampers take of that.
#pragma once

#include <array>

#include "tenon/engine/joints/joint_model.h"

namespace tenon {

// A body as it answers to impulses, world axes; all zero for what does not move by forces.
struct BodyAnswer {
  double inv_mass = 0;  // 1/kg
  Mat3 inv_I{};         // 1/(kg m^2)
};

// Of the two bodies by themselves, as if no other joint and no contact held them:
//   m* = 1 / (g^T M^-1 g),  g the gradient of the coordinate: the reduced mass at the two points
//   f = sqrt(k / m*) / (2 pi),  zeta = d / (2 sqrt(k m*))
struct Vibration {
  bool has_spring = false, has_damper = false;  // neither: nothing else is set
  double mass = 0;                              // kg or kg m^2
  double frequency_hz = 0;                      // without damping; zero for a damper alone
  double damping_ratio = 0;                     // 1 = critical; infinite for a damper alone
};

// Of all coordinates with a spring that of the highest frequency; of springs along x, y and z
// alike, the highest in any direction. `bodies`: parent and child of the joint.
Vibration calc_vibration(const JointModel& model, const PairFrames& x,
                         const std::array<BodyAnswer, 2>& bodies);

}  // namespace tenon
