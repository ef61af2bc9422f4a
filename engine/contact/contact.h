// Contacts of the current step, and who touched whom.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/manifold.h"

namespace tenon {

// Contact patch between two colliders; collider_a < collider_b.
struct Contact {
  uint32_t collider_a = 0, collider_b = 0;
  uint32_t body_a = 0, body_b = 0;  // body slots that carry them
  Manifold manifold;                // normal from a to b
  bool acts = true;                 // false: it is found and reported, and pushes nothing
  // Of the last step, on body b, N s; by point of the manifold, zero for points that are new.
  std::array<Vec3, Manifold::kMaxPoints> impulse_W{};  // all of it
  std::array<Vec3, Manifold::kMaxPoints> holding_W{};  // what held up, without what collided
  Vec3 couple_W;                                       // N m s, of rolling and spinning friction
};

// Two bodies that touch (their colliders' smallest distance is <= 0); body_a < body_b.
struct Touch {
  uint32_t body_a = 0, body_b = 0;
  double distance = 0;
  friend bool operator==(const Touch&, const Touch&) = default;
};

// One entry per pair of bodies that touch, sorted by (body_a, body_b), smallest distance of their
// contacts.
std::vector<Touch> find_touches(std::span<const Contact> contacts);

// Entries of `after` whose pair is not in `before` (both sorted).
std::vector<Touch> find_new(std::span<const Touch> before, std::span<const Touch> after);

}  // namespace tenon
