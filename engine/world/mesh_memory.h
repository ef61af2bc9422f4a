// What is remembered of pairs with meshes from search to search; no part of the state, as contacts
// do not depend on it (engine/collision/narrow/probe_memory.h).
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/collision/broad/broad_phase.h"
#include "tenon/engine/collision/narrow/probe_memory.h"

namespace tenon {

struct ColliderTag {};

struct MeshMemory {
  struct Entry {
    Handle<ColliderTag> a, b;  // of stale ones nothing is true any more
    PairMemory memory;
  };
  std::vector<Entry> entries;   // sorted by slots
  std::vector<uint32_t> index;  // of `entries`, by place in the list of pairs; kNone for others
  static constexpr uint32_t kNone = 0xffffffffu;
};

struct WorldData;

// Makes room for the pairs of a search (sorted), and forgets all others. Empty `index` where no
// pair may have several patches.
void remember_pairs(WorldData& data, std::span<const ProxyPair> pairs);
// Of a pair of that search, by its place; nullptr for none. Different pairs may be asked for at
// the same time.
PairMemory* find_memory(WorldData& data, size_t pair);

}  // namespace tenon
