// Hits in islands with joints create no energy; docs/theory/contacts.md, section 2, equation (3g).
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// Energy of the springs of the island's mechanisms where their bodies are now, J.
double calc_elastic_energy(const StepContext& context, const WorldData& data, const IslandWork& w);

// At the end of the step: w.hit_J is what hits have given to the island's bodies, by their impulses
// and by (3c). Takes it back from the ends' velocities, against the impulses of the hits, as far as
// these go. Not where bodies that are moved from outside take part: those do work.
void take_back_hit_energy(WorldData& data, IslandWork& w);

}  // namespace tenon
