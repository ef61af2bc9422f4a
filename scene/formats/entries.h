// The entries of prefabs, instances and arrays while they are being expanded. The document keeps
// them as trees (document.h); these structs exist so that they are described like everything else.
#pragma once

#include <string>

#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/document.h"

namespace tenon::scene {

// A run of entries that can stand in a prefab or an array; pointers into the tree, null = absent.
struct Block {
  const Json* bodies = nullptr;
  const Json* joints = nullptr;
  const Json* connections = nullptr;
  const Json* forces = nullptr;
  const Json* rules = nullptr;
  const Json* anchors = nullptr;
  const Json* wants = nullptr;
  const Json* instances = nullptr;
  const Json* arrays = nullptr;
};

struct InstanceEntry {
  std::string prefab;
  std::string name;
  Vec3 position;     // m, p_WI
  Quat orientation;  // R_WI
  Vec3 velocity;     // m/s, added to every dynamic body
  const Json* with = nullptr;
};

struct ArrayEntry {
  const Json* indices = nullptr;  // "for"
  const Json* where = nullptr;
  Block block;
};

struct PrefabEntry {
  const Json* parameters = nullptr;
  Block block;
};

// {"from", "to", "step"} of an index.
struct RangeEntry {
  double from = 0;
  double to = 0;
  double step = 1;
};

}  // namespace tenon::scene
