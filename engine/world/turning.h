// How the levers of contacts turn in the course of a step; docs/theory/contacts.md, section 3.
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// After the hits of the step, before its contacts are solved: what turns adds to the rates that
// contacts ask for, IslandPatch::turning and IslandPoint::turning, of all patches of an island
// whose motion holds the velocities at the begin of the step. Where the course of a patch is known
// it gets the levers and directions of the middle of the step. (6a) (6e)
void turn_levers(const StepContext& context, const WorldData& data, IslandWork& w);

}  // namespace tenon
