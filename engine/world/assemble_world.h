// World::assemble on the arrays of a world.
#pragma once

#include <functional>

#include "tenon/engine/base/result.h"
#include "tenon/engine/world/assembly.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// What World::assemble and drags refuse.
Status check_effort(const displacement::Effort& effort, double budget_ms);

// Puts a body (slot) at a pose of its mass centre, and books what that does.
using PlaceBody = std::function<void(uint32_t slot, const Pose& X_WC)>;
Result<AssemblyReport> assemble_world(WorldData& data, const AssemblyDef& def,
                                      const PlaceBody& place);

}  // namespace tenon
