// Rules about single contacts: pairs of bodies that never touch, one-way bodies, sums over
// contacts.
#pragma once

#include "tenon/engine/world/world_data.h"

namespace tenon {

// Keeps two bodies apart from the contacts of all further steps, or no longer. Precondition: two
// different live slots.
void set_may_touch_bodies(WorldData& data, uint32_t a, uint32_t b, bool may_touch);

// N s, on the body in this slot, of all its contacts over the last step.
Vec3 calc_contact_impulse(const WorldData& data, uint32_t slot);

// Whether two colliders are a contact already, in either order. Precondition: the contacts are
// sorted by colliders, as the search for them leaves them.
bool is_contact(const WorldData& data, ProxyId a, ProxyId b);

}  // namespace tenon
