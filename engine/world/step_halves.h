// A part of a step, as a whole or in two halves, each of which is such a part again.
#pragma once

#include "tenon/engine/world/step_part.h"

namespace tenon {

// Moves the bodies that are not left out to where a part of a step leads; they have not arrived
// then. False: they met others on the way, and nothing of it is any good.
bool move_part(StepContext& context, WorldData& data, int halvings);

// The same in two halves, from the beginning on, for the bodies that are not left out.
bool move_by_halves(StepContext& whole, WorldData& data, const Beginning& beginning, int halvings);

// Contacts of the bodies where they are now; those of the first halves are added to them.
void arrive(StepContext& context, WorldData& data);

// Counters of attempts or parts: the largest of some, the sum of others.
void add_counters(const StepDiagnostics& from, StepDiagnostics& to);

}  // namespace tenon
