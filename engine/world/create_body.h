// Turns a BodyDef into the arrays of a world, or says what is wrong with it.
#pragma once

#include "tenon/engine/world/world_data.h"

namespace tenon {

// On an error nothing has changed.
Result<BodyHandle> create_body(WorldData& data, const BodyDef& def);

// Precondition: the handle is live.
void remove_body(WorldData& data, BodyHandle body);

// Puts all colliders of a body into the broad phase where the body is now.
void update_proxies(WorldData& data, uint32_t slot);

}  // namespace tenon
