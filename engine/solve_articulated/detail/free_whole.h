// A mechanism that hangs on nothing, seen as one rigid whole and the motion within it.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/solve_articulated/direct.h"

namespace tenon::direct {

// How far displacements from `before` to the ends of the bodies turn the whole, rad: the rotation
// that has their angular momentum, if they were velocities.
Vec3 calc_turn_of_whole(std::span<const StepBody> bodies, std::span<const BodyState> before);

// Turns velocities by `turn`, all but that of the mass centre.
void turn_motion_of_whole(std::span<const StepBody> bodies, const Vec3& turn,
                          std::span<Motion> motion);

// Gives the motion within the whole the kinetic energy that it lacks of `wanted`, J, in all: up to
// `most` times its own. Momentum stays. Bodies are at their ends.
void raise_inner_energy(std::span<const StepBody> bodies, double wanted, double most,
                        std::span<Motion> motion);

}  // namespace tenon::direct
