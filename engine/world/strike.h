// One hit between two bodies that no joint holds, where and when they meet.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/world/meeting.h"

namespace tenon {

// Pairs that hit each other more often than this in one step do so without restitution, and at
// last no more: contacts hold what is left.
inline constexpr uint8_t kPlasticStrikes = 8, kMostStrikes = 12;
// The same for pairs with meshes, of which each look is dear.
inline constexpr uint8_t kPlasticMeshStrikes = 2, kMostMeshStrikes = 4;

// What a hit did, by point of the meeting's manifold.
struct StrikeResult {
  std::array<double, Manifold::kMaxPoints> normal{};  // N s
  Vec3 rub_W;                                         // N s, on b
};

// One of the pairs of a hit of many bodies at once.
struct StruckPair {
  uint32_t collider_a, collider_b;
  uint32_t a, b;      // which of the bodies
  Manifold manifold;  // of that moment
  StrikeResult result;
  bool plastic = true;  // no restitution
};

// Solves the hit with the levers and inertias of that moment: energy of a frictionless one with
// full restitution, linear and angular momentum of the two are kept to round-off. Writes the
// states of both to `impacts`. `pair` lends its memory; `plastic`: no restitution.
struct Strike {
  const StepContext& context;
  const WorldData& data;
  ImpactStates& impacts;
  Island& pair;

  StrikeResult apply(uint32_t collider_a, uint32_t collider_b, const Meeting& meeting,
                     bool plastic);
  // All pairs at once at `time`, not before the last hit of any of the bodies, without restitution:
  // none comes nearer until the end of the step than it is. Where hits of single pairs would follow
  // each other without end. Fills in manifolds and results.                                   (3d)
  void apply_together(std::span<const uint32_t> slots, std::span<StruckPair> pairs, double time);
  // Pairs that meet at the same time, each with its manifold, at once and with restitution. (3i)
  void apply_at_once(std::span<const uint32_t> slots, std::span<StruckPair> pairs, double time);
  // Bodies at `time`, in `pair` and as states, before pairs are filled in.
  std::vector<BodyState> begin_hit(std::span<const uint32_t> slots, double time);
  // A free body has these velocities after a hit at `time`.
  void kick(uint32_t slot, BodyState state, const Motion& motion, double time);
};

bool is_free(const StepContext& context, const WorldData& data, uint32_t slot);

}  // namespace tenon
