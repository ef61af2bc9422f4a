// Mechanisms of a world as displacements see them, and back.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/mechanism/mechanism.h"
#include "tenon/engine/solve_displacement/joint_rows.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

struct DisplacedMechanism {
  std::vector<uint32_t> body_slots;  // by local body; kWorldBody for the world
  std::vector<uint32_t> joint_slots;
  std::vector<displacement::Body> bodies;
  std::vector<displacement::Joint> joints;
  displacement::Configuration at;  // mass centres and orientations now

  // Local index of a body slot; kNoBody where it is not part of it.
  static constexpr uint32_t kNoBody = 0xffffffffu;
  uint32_t find(uint32_t slot) const;
};

// By body slot: dynamic, live, not frozen, and not among `locked` (slots, sorted).
std::vector<uint8_t> find_displaceable(const WorldData& data, std::span<const uint32_t> locked);

// All mechanisms of such bodies; each of `loners` that no joint holds is one by itself.
std::vector<DisplacedMechanism> find_displaced(const WorldData& data,
                                               std::span<const uint8_t> displaceable,
                                               std::span<const uint32_t> loners,
                                               displacement::Metric metric);

// All joints that act between bodies none of which may move, as one mechanism: nothing can be done
// about them, but they may be open.
DisplacedMechanism find_immovable(const WorldData& data, std::span<const uint8_t> displaceable);

// Puts a body elsewhere between steps: velocities stay, momenta follow. Booking is the caller's.
void place_body(WorldData& data, uint32_t slot, const Pose& at);
// Turns of a joint as displacements have counted them.
void store_turns(WorldData& data, const DisplacedMechanism& mechanism,
                 const displacement::RowMaker::Turns& turns);

}  // namespace tenon
