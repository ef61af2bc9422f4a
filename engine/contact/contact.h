// Contacts of the current step, and who touched whom.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/manifold.h"

namespace tenon {

// What it means that two bodies touch.
enum class TouchKind : uint8_t {
  kContact,  // they push each other
  kPassing,  // one goes through the other, which is one-way, from its free side
  kSensorA,  // a sensor of body a feels body b
  kSensorB,  // a sensor of body b feels body a
};

// Contact patch between two colliders; collider_a < collider_b. Colliders that are meshes may touch
// in several patches at once; lists of contacts are sorted by both colliders, then by patch.
struct Contact {
  static constexpr uint8_t kMostVain = 63;
  uint32_t collider_a = 0, collider_b = 0;
  uint32_t body_a = 0, body_b = 0;  // body slots that carry them
  Manifold manifold;                // normal from a to b
  // Of pairs that will meet only after moving far: their points now lie so far beside each other,
  // from a's to b's; along the normal they are `distance` apart.
  Vec3 slip_W = {};
  TouchKind kind = TouchKind::kContact;
  bool acts = true;  // false: nothing is pushed (sensors, the free sides of one-way bodies)
  uint8_t vain =
      0;  // steps in a row in which it did not go where it was asked to, kMostVain at most
  uint32_t patch = 0;  // of the pair, from 0 on
  // Impulses of the last step on body b, N s and N m s, zero for what is new or does not act: all
  // of it, by point; and what held up, without what collided, where the next solve begins.
  std::array<Vec3, Manifold::kMaxPoints> impulse_W{};
  std::array<double, Manifold::kMaxPoints> holding{};  // along the normal
  Vec3 rub_W = {}, roll_W = {};                        // friction force and rolling moment
  double spin = 0;                                     // friction moment about the normal
};

inline bool is_same_pair(const Contact& a, const Contact& b) {
  return a.collider_a == b.collider_a && a.collider_b == b.collider_b;
}
// The order of lists.
bool is_before(const Contact& a, const Contact& b);
// The contacts of one pair in a sorted list, from `begin` on, which is its first.
std::span<const Contact> pair_at(std::span<const Contact> sorted, size_t begin);
// Which of the patches that a pair has now goes on with what `old` did: that of its normal, or none
// (their number). One patch goes on as one patch wherever its normal has turned.
size_t find_heir(std::span<const Contact> before, const Contact& old, std::span<const Contact> now);

// Two bodies that touch: their colliders' smallest distance is <= 0, or they pushed each other in
// the last step; body_a < body_b.
struct Touch {
  uint32_t body_a = 0, body_b = 0;
  double distance = 0;  // m, <= 0
  TouchKind kind = TouchKind::kContact;
  friend bool operator==(const Touch&, const Touch&) = default;
};

// What two bodies did to each other over the last step; body_a < body_b.
struct Push {
  uint32_t body_a = 0, body_b = 0;
  Vec3 impulse_W;     // N s, on body b
  double normal = 0;  // N s, sum of the impulses along the normals of their contacts
  friend bool operator==(const Push&, const Push&) = default;
};

// One entry per pair of bodies with an impulse, sorted by (body_a, body_b).
std::vector<Push> calc_pushes(std::span<const Contact> contacts);
// Sums of two such lists, for two parts of a step.
std::vector<Push> add_pushes(std::span<const Push> first, std::span<const Push> second);

// Those of `before` that have an impulse and no heir in `after`; both sorted.
std::vector<Contact> find_ended(std::span<const Contact> before, std::span<const Contact> after);
// Adds the impulses of contacts in the first part of a step to their heirs in the second: to the
// point of the same feature, or to the first one. Both sorted.
void add_impulses(std::span<const Contact> first, std::span<Contact> second);
// Of two parts of a step, sorted by collider pair: the later one of those that ended twice.
std::vector<Contact> merge_ended(std::span<const Contact> first, std::span<const Contact> second);

// One entry per pair of bodies that touch and kind, sorted by (body_a, body_b, kind), smallest
// distance of their contacts. `pushes` that are positive count as touches too: a bounce may begin
// and end within a step.
std::vector<Touch> find_touches(std::span<const Contact> contacts, std::span<const Push> pushes);

// Entries of `after` whose pair and kind are not in `before` (both sorted).
std::vector<Touch> find_new(std::span<const Touch> before, std::span<const Touch> after);

// The entry of this pair and kind in a sorted list, or nullptr.
const Touch* find_touch(std::span<const Touch> touches, uint32_t body_a, uint32_t body_b,
                        TouchKind kind);

// -- one-way bodies

// The cosine between the normal and the front direction from which on a contact is at the front. A
// little above zero: the sides of a platform let bodies through, round-off or not.
inline constexpr double kFrontCosine = 0.1;

// Whether a body that begins to overlap a one-way body came from its front: one step before, at the
// present velocities, they overlapped no more than by `slack` (m). `distance_rate` (m/s) is the
// velocity with which the distance grows.
inline bool came_from_front(double distance, double distance_rate, double h, double slack) {
  return distance >= -slack || distance - h * distance_rate >= -slack;
}

}  // namespace tenon
