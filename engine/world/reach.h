// How far colliders go in a step or a part of one, as their bodies move now, and who may meet whom.
#pragma once

#include <vector>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/math/aabb.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

// How far a collider goes in a time h if its body moves on as now and forces pull: straight on, and
// by turning. `box`: its bounds where it is. Writes: shift and turn.
void find_reach(const WorldData& data, const Aabb& box, double h, Collider& c);
Aabb sweep(const Aabb& box, const Vec3& d);

// The part of an angular velocity, or of a turn, that can be seen: balls, and wheels about their
// axles, turn in themselves, and where they touch does not turn with them.
Vec3 visible_turn(const Collider& c, const Transform& X_WS, const Vec3& w);

// Bodies that may meet, directly or one by the other, by boxes that cover their ways, or that
// joints hold together. What does not move by itself belongs to nobody.
class Crowds {
 public:
  explicit Crowds(const StepContext& context, const WorldData& data);
  void join(uint32_t body_a, uint32_t body_b) { together_.join(body_a, body_b); }
  // Pairs of the broad phase.
  void join(const StepContext& context, const WorldData& data, std::span<const ProxyPair> pairs);
  uint32_t find(uint32_t body) { return together_.find(body); }  // by which its crowd is named
  // Adds all bodies of the crowds of those that are marked.
  void spread(std::vector<uint8_t>& bodies);

 private:
  DisjointSets together_;  // bodies by slot
};

// Those of a part of a step: boxes of the broad phase then cover the ways of that part.
Crowds find_crowds(const StepContext& context, WorldData& data);

// Whether steps are halved for all or for nobody: forces on a timeline may be between any two, and
// what scripts move is looked at for one time only, together with whatever it meets.
bool halves_concern_all(const WorldData& data);

// After kBroadPhase: what may meet in the coming part is looked at for as short a one, the shortest
// of any of them. Reads: the context's pairs. Writes: halvings, reach of colliders.
void share_halvings(const StepContext& context, WorldData& data);

// Bodies that have gone their way before, and that others have come near in this part, by the boxes
// of their paths: `begin` is where these were. Boxes of the broad phase then cover whole paths.
std::vector<uint32_t> find_met(const StepContext& context, WorldData& data,
                               std::span<const BodyState> begin);

}  // namespace tenon
