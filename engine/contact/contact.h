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
  // Impulses of the last step on body b, N s and N m s, zero for what is new: all of it, by point;
  // and what held up, without what collided, where the next solve begins.
  std::array<Vec3, Manifold::kMaxPoints> impulse_W{};
  std::array<double, Manifold::kMaxPoints> holding{};  // along the normal
  Vec3 rub_W, roll_W;                                  // friction force and rolling moment
  double spin = 0;                                     // friction moment about the normal
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
