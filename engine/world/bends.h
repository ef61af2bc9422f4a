// When and how joints bend the ways of their bodies within a step, as contacts foresee it;
// (6c) of docs/theory/contacts.md, section 3.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// Whether directions of joints turn so fast that velocities which follow them change by more in the
// step than those that contacts take for errors, (9): by h |w| |v| at most.
bool bends_ways(const WorldData& data, const MechanismStep& step);

// Whether bodies go on turning as they do, by the last step. What is begun or turned back within a
// step is not known at its begin; where joints have laws (motors, springs, limits that are near)
// these may do so at any time.
bool turns_steadily(const StepContext& context, const MechanismStep& step, bool has_laws);

// By how much bodies that scripts move, those behind the first `moving` ones, are faster at the end
// of the step than in its mean, where they speed up evenly: what jumps at a key does not lead
// joints before it does. Empty: none is.
std::vector<Motion> calc_hastes(const MechanismStep& step, size_t moving,
                                std::span<const Motion> mean);

}  // namespace tenon
