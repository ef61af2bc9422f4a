// Contacts of a saved state. They are kept whole, not found again: impulses go on from where they
// were, and a step that took overlaps away has looked at them in places that are gone.
#pragma once

#include <vector>

#include "tenon/engine/base/encoding.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

struct SavedContacts {
  std::vector<Contact> contacts, ended;
  std::vector<Push> pushes;
  std::vector<Touch> touches;
  bool stale = true;
  std::vector<uint8_t> halvings;  // by body slot; empty: none
};

void put_contacts(Encoder& w, const WorldData& data);

// False if they are cut off, not finite, out of order, or of colliders that `data` does not have.
bool get_contacts(Decoder& r, const WorldData& data, SavedContacts& out);

}  // namespace tenon
