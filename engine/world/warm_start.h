// What contacts of an island begin a step with, and what they are asked for in it.
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// First guesses, what held in the last step; and the least rates (5). Reads: contacts of the last
// step, materials. Writes: impulses, rates and slips of patches and points.
void warm_start(const StepContext& context, const WorldData& data, IslandWork& w);

// Whether a patch that presses is asked to close or to come apart and does not, or has been given
// up: the number of steps for which that has been so.                                        (5e)
uint8_t count_vain(const Island& island, const IslandPatch& c, uint8_t vain);

}  // namespace tenon
