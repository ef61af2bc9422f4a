// The contacts of one pair of colliders: where they touch, or may touch in the coming step.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/probe_memory.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// Which of a pair something else stops in the coming step, and how far ends may leave the way of a
// steady turn in it, m.
struct Stops {
  bool a = false, b = false;
  double wander = 0;
};

// Appends the contacts of a pair, if there are any: returns that. `last`: contacts of the last
// step, sorted. `memory`: what is known of a pair with meshes, or nullptr.
bool find_contacts_of(const WorldData& data, const ProxyPair& pair, Stops stops,
                      const std::vector<Contact>& last, std::vector<Contact>& list,
                      PairMemory* memory = nullptr);

// The contacts of a pair in a sorted list.
std::span<const Contact> find_pair(const std::vector<Contact>& sorted, const ProxyPair& pair);
// Features of the points of a pair's contacts.
std::vector<uint32_t> features_of(std::span<const Contact> contacts);
// A contact of the pair that has no points yet.
Contact make_contact(const WorldData& data, const ProxyPair& pair, uint32_t patch);

// Whether a pair may touch in several patches.
bool is_patchy(const Collider& a, const Collider& b);
// The patches of a pair with meshes that are near enough. Where they overlap, what pushes them
// apart takes them as far the other way: whatever stands there is looked for as well. Returns
// whether any of their points may come near, be it in one of these or not.
bool look_at_meshes(const WorldData& data, const Collider& a, const Collider& b, Stops stops,
                    std::span<const uint32_t> known, std::vector<Manifold>& patches,
                    PairMemory* memory = nullptr);
// The same for convex ones, which have one.
Manifold collide_pair(const WorldData& data, uint32_t id_a, uint32_t id_b, Stops stops);
// Two of these that will touch only where something else stops one of them.
Manifold collide_stopped(const WorldData& data, uint32_t id_a, uint32_t id_b);

// Collisions of the paper have no order in time.
bool finds_times(const WorldData& data);
// A way as long as the thinner of the two is thick: something can pass where the other is stopped.
bool goes_far(const Collider& c, double thin);
// How far the ends of a free body leave the way of a steady turn in the coming step, m, no farther
// than they go. The axis of what spins wanders: I w' = L x w, so that ends are off by h^2 |w'| r /
// 2, which is h |w'| / (2 |w|) of their way h |w| r.
double calc_wander(const WorldData& data, const Collider& c);

}  // namespace tenon
