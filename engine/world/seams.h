// Edges between things that lie side by side and make one surface; see docs/theory/contacts.md,
// section 3.
#pragma once

#include "tenon/engine/world/world_data.h"

namespace tenon {

// What lies on one of them does not meet the edge of the next: such contacts do not act.     (5g)
// Reads: contacts, colliders, velocities. Writes: Contact::acts.
void leave_out_seams(WorldData& data);

}  // namespace tenon
