// Joints as projections: the nearest allowed frame, which is the form that the sweep solver of
// [Weinstein2006, sec. IV-B] works with, and the axes its velocity projection holds.
#pragma once

#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

// The frame nearest to X_PC that the joint allows, with limits and cones obeyed. Idempotent to
// round-off. Translation and rotation are projected each on its own (a screw couples them);
// rotations by swing and twist, so that limits of one do not disturb the other. Angles whose limits
// reach over more than a turn are unwrapped with the coordinates of `state`; without it they are
// taken on the turn that breaks the limits least. Gears allow every frame of each of their pairs.
Pose nearest_allowed(const JointModel& model, const Pose& X_PC, const JointState* state = nullptr);

// Orthonormal axes, in P's frame, along which C's origin must not move against P, and about which C
// must not turn against P, at X_PC. What is locked by equal limits counts as held. Rows that couple
// translation and rotation (screws, gears, black boxes) are no axes and are left out.
struct HeldAxes {
  int linear_count = 0, angular_count = 0;
  std::array<Vec3, 3> linear{}, angular{};
};
HeldAxes held_axes(const JointModel& model, const Pose& X_PC);

}  // namespace tenon
