// When and how joints bend the ways of their bodies within a step, as contacts foresee it;
// (6c) of docs/theory/contacts.md, section 3.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// By how much bodies that joints lead round are accelerated at most, m/s^2: |w| |v|.
double calc_lead(const MechanismStep& step);

// Whether directions of joints turn so fast that velocities which follow them change by more in the
// step than those that contacts take for errors, (9): by h |w| |v| at most.
bool bends_ways(const WorldData& data, const MechanismStep& step);

// Whether bodies go on turning as they do, by the last step and what laws of joints (motors,
// springs, friction, limits that are near) can do in this one. What is begun or turned back within
// a step is not known at its begin; where laws are strong enough for that, they may at any time.
bool turns_steadily(const StepContext& context, const MechanismStep& step,
                    std::span<const BoundedRow> laws);

// By how much bodies that scripts move, those behind the first `moving` ones, are faster at the end
// of the step than in its mean, where they speed up evenly: what jumps at a key does not lead
// joints before it does. Empty: none is.
std::vector<Motion> calc_hastes(const MechanismStep& step, size_t moving,
                                std::span<const Motion> mean);

}  // namespace tenon
