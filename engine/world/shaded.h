// Contacts with another body between the two; see docs/theory/contacts.md, section 3.
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// For islands of thin bodies, before their contacts are solved: bodies that are kept apart by what
// is between them need no condition of their own. At the solution it would not hold, but on the way
// there it carries weight that has to wander to where it belongs, patch by patch.            (5a)
// Returns one number by patch: not zero where it is to be left out.
std::vector<uint8_t> find_shaded(const Island& island);

}  // namespace tenon
