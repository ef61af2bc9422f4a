// How the time of a step grows with the scene.
#pragma once

#include "tenon/benchmarks/contacts/options.h"

namespace tenon {

// Ragdolls, 20 against 200; rings per pole over the sizes; shares of Tenon's phases.
void print_growth(const ContactTableOptions& options);

// What the phases of Tenon's steps took, in per cent, for each contestant that knows them.
void print_phases(const std::vector<Contestant>& contestants, const std::vector<Figures>& figures);

}  // namespace tenon
