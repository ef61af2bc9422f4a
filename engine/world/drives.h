// How far motors and springs of joints may bring bodies beyond what their velocities say.
#pragma once

#include "tenon/engine/world/world_data.h"

namespace tenon {

// Whether something moves one of the joint's freedoms by itself.
bool is_driven(const JointModel& model);

// How motors and springs of joints would accelerate a body if nothing else held it, at most.
struct Drive {
  double linear = 0, angular = 0;  // m/s^2, rad/s^2
};

// By body slot, from the forces of the last step; empty where nothing is driven.
std::vector<Drive> find_drives(const WorldData& data);

// How far that leads a collider's points in the coming step, m; half of its thickness at most.
// Larger leaps are left to steps in halves (phases_passing.cpp).
double calc_drive_reach(const WorldData& data, std::span<const Drive> drives, const Collider& c);

}  // namespace tenon
