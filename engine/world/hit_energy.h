// Hits of bodies on springs create and lose no energy but their own; docs/theory/contacts.md,
// section 2, equation (3g).
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// Whether nothing but springs and dampers acts between the bodies of the island's mechanisms. What
// joints hold would have to be held at the end of the step, too, after every change of velocities.
bool has_springs_only(const StepContext& context, const WorldData& data, const IslandWork& w);

// Energy of the springs of the island's mechanisms where their bodies are now, J.
double calc_elastic_energy(const StepContext& context, const WorldData& data, const IslandWork& w);

// At the end of the step: w.hit_J is what hits have given to the island's bodies, by their impulses
// at its begin and by (3c); Island::hit_work what they gave when they came. Takes the difference
// from the velocities at the end, along the impulses of the hits, as far as these go. Not where
// bodies that are moved from outside take part: those do work.
void balance_hits(WorldData& data, IslandWork& w);

// Whether bodies that are moved, or surfaces that run, take part in contacts or joints: those work.
bool is_driven(const StepContext& context, const WorldData& data, const IslandWork& w);
// Slows all bodies of an island down alike until so much energy is gone, J: none where it is
// negative, and no more than there is. Joints to what stands still notice nothing.
void take_energy(WorldData& data, const IslandWork& w, double energy);
// The same for what an island has gained while nothing hit it: what came apart by (5b) or section 6
// was lifted. That is little, and must not stop all that swings in a heap.                     (14)
void take_gain(const StepContext& context, WorldData& data, const IslandWork& w, double gain);

}  // namespace tenon
