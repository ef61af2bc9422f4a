// World::match_velocities on the arrays of a world.
#pragma once

#include <functional>
#include <span>

#include "tenon/engine/base/result.h"
#include "tenon/engine/world/assembly.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// Gives a body (slot) new velocities, and books what that does.
using MoveBody = std::function<void(uint32_t slot, const Motion& motion)>;
Result<VelocityReport> match_velocities(WorldData& data, std::span<const RateTarget> rates,
                                        const MoveBody& move);

}  // namespace tenon
