// The drags of a world: working memory, never part of a snapshot.
#pragma once

#include <memory>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/world/assemble_world.h"
#include "tenon/engine/world/displaced.h"
#include "tenon/engine/world/drag.h"

namespace tenon {

// A mechanism that is being dragged: kept from call to call for speed.
struct DraggedMechanism {
  DisplacedMechanism mechanism;
  std::vector<displacement::Want> wants;
  displacement::Assembler assembler;
  // Where bodies went in the last part of a drag, and how far the trackers did: the next part
  // begins with the same in proportion. It keeps linkages on their branch through positions at
  // which they could fold either way.
  std::vector<displacement::Six> last_step;
  std::vector<displacement::Six> last_lead;  // by want
  bool has_last = false;
  double last_error = 0;  // of joints, where the bodies are
};

struct Drag {
  DragDef def;
  DragTarget target;
  JointHandle joint;  // of dynamic ones
};

struct Drags {
  HandleTable<DragTag> slots;
  std::vector<Drag> drags;                    // by slot
  std::unique_ptr<DraggedMechanism> dragged;  // the one of the last call
  uint64_t topology = 0;
  const void* models = nullptr;
};

// Of a world that becomes another one: handles of bodies and joints mean others there.
void end_all(Drags& drags);

// Kinematic drags that hold a body of the same mechanism as `drag` are solved together. `to`: where
// the tracker of `drag` goes.
DragReport move_kinematic(WorldData& data, Drags& drags, DragHandle drag, const DragTarget& to,
                          const DragEffort& effort, const PlaceBody& place);

}  // namespace tenon
