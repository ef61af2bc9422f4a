// A smooth motion between two poses with given velocities.
#pragma once

#include "tenon/engine/math/transform.h"

namespace tenon {

// A frame that moves: its pose, the velocity of its origin and its angular velocity, world axes.
struct MovingPose {
  Pose X_WB;
  Vec3 v_WB, w_WB;
};

// At part s (0 ... 1) of the time T > 0 from a to b, by cubic Hermite curves in position and in the
// rotation vector from a: exact at both ends, with the velocities that belong to the curve. The
// turn is the shortest one.
MovingPose interpolate(const MovingPose& a, const MovingPose& b, double T, double s);

// The same for a time step, whose turn may be a long one: the angular velocities tell how often it
// has gone round. Turns of more than two radians are taken at a constant rate.
MovingPose interpolate_step(const MovingPose& a, const MovingPose& b, double T, double s);

}  // namespace tenon
