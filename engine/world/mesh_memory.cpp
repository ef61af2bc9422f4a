#include "tenon/engine/world/mesh_memory.h"

#include <algorithm>
#include <utility>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {
namespace {

ProxyPair slots_of(const MeshMemory::Entry& e) { return {e.a.index, e.b.index}; }

}  // namespace

void remember_pairs(WorldData& data, std::span<const ProxyPair> pairs) {
  MeshMemory& m = data.mesh_memory;
  m.index.clear();
  const auto& colliders = data.colliders;
  const auto is_mesh = [](const Collider& c) { return kind(c.shape) == ShapeKind::kMesh; };
  if (std::none_of(colliders.begin(), colliders.end(), is_mesh)) {
    m.entries.clear();
    return;
  }
  std::vector<MeshMemory::Entry> old = std::move(m.entries);
  m.entries.clear();
  m.entries.reserve(old.size());
  m.index.assign(pairs.size(), MeshMemory::kNone);
  size_t next = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Collider &a = colliders[pairs[i].a], &b = colliders[pairs[i].b];
    if ((!is_mesh(a) && !is_mesh(b)) || !has_patches(a.shape, b.shape)) continue;
    while (next < old.size() && slots_of(old[next]) < pairs[i]) ++next;
    const Handle<ColliderTag> ha = data.collider_slots.at(pairs[i].a),
                              hb = data.collider_slots.at(pairs[i].b);
    m.index[i] = static_cast<uint32_t>(m.entries.size());
    const bool known = next < old.size() && old[next].a == ha && old[next].b == hb;
    m.entries.push_back(known ? std::move(old[next]) : MeshMemory::Entry{ha, hb, {}});
  }
}

PairMemory* find_memory(WorldData& data, size_t pair) {
  MeshMemory& m = data.mesh_memory;
  if (m.index.empty() || m.index[pair] == MeshMemory::kNone) return nullptr;
  return &m.entries[m.index[pair]].memory;
}

}  // namespace tenon
