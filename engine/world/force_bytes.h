// The run of the method `force` as bytes, part of a saved state.
#pragma once

#include <span>

#include "tenon/engine/base/encoding.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// state_bytes.cpp
void put(Encoder& w, const JointState& s);
JointState get_joint(Decoder& r);
bool is_finite(const JointState& s);

// One byte where no run is under way.
void put_force_run(Encoder& w, const ForceRun& run);
// False where the bytes are damaged, or of other bodies and joints than those of the state that is
// read: `frozen` by body slot, `joint_slots` of them.
bool get_force_run(Decoder& r, std::span<const uint8_t> frozen, size_t joint_slots,
                   const WorldData& data, ForceRun& run);

}  // namespace tenon
