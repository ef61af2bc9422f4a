// What goes past something though straight lines lead through it: round things beside each other,
// edges and corners. The plane between them as they are now must not turn them aside; see
// docs/theory/contacts.md, section 2, (3j).
#pragma once

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/meeting.h"

namespace tenon {

// Whether a patch of convex shapes is such, proved for the rest of the step. What goes no faster
// than `speed` is not asked for.
bool goes_past(const Course& course, const WorldData& data, const Island& island,
               const IslandPatch& c, double speed);
// IslandPatch::passes of islands with joints, before their collisions: what swings past something.
// Ways of what springs, motors, forces or moved anchors act on, or what lies on something or was
// just hit, are not known as well.
void find_misses(const StepContext& context, const WorldData& data, const ImpactStates& impacts,
                 IslandWork& w);

}  // namespace tenon
