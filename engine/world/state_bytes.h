// The dynamic state of a world as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// Little-endian: version, structure hash, time, running sums, body states, joints, contacts.
// `structure` is calc_structure_hash(data), which callers keep because it is costly.
std::vector<std::byte> encode_state(const WorldData& data, uint64_t structure);

// Error (and nothing changed) if the bytes are cut off, of another version, of a world with other
// bodies, or not finite.
Status decode_state(std::span<const std::byte> bytes, uint64_t structure, WorldData& data);

}  // namespace tenon
