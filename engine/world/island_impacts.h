// The collisions of one island without joints, one after the other as they come.
// docs/theory/contacts.md, section 2.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/meeting.h"
#include "tenon/engine/world/strike.h"

namespace tenon {

// When a patch is hit next, if nothing happens to its bodies before.
struct Arrival {
  double time;
  uint32_t patch, version;
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

// Pairs that have had kMostStrikes and would go through each other by this part of the thinner one
// are stopped with all that they hit, at once.
inline constexpr double kThrough = 0.25;

// Hits between the bodies of one island without joints.
class IslandImpacts {
 public:
  IslandImpacts(const StepContext& context, const WorldData& data, ImpactStates& impacts,
                IslandWork& w)
      : context_(context),
        data_(data),
        impacts_(impacts),
        w_(w),
        island_(w.island),
        course_(context, data, impacts),
        strike_{context, data, impacts, w.pair} {}

  // The collisions of the step. Again where hits between islands have changed bodies of this one.
  // Returns whether anything was hit.
  bool run();
  // Before the first run, where bodies are thin.
  void hold_resting();

 private:
  double time_of(uint32_t k);
  bool is_patchy(const IslandPatch& c) const {
    const Contact& contact = data_.contacts[c.contact];
    return has_patches(data_.colliders[contact.collider_a].shape,
                       data_.colliders[contact.collider_b].shape);
  }
  uint8_t most_strikes(uint32_t k) const;
  uint32_t leader_of(uint32_t k) const;
  uint32_t end_of_pair(uint32_t leader) const;
  uint32_t patch_along(uint32_t leader, const Manifold& manifold) const;
  void expect(uint32_t k);
  void list_neighbours();
  std::vector<Arrival> take_next();
  std::vector<std::vector<Arrival>> part_linked(std::span<const Arrival> arrivals) const;
  void hit_all(std::span<const Arrival> arrivals);
  bool may_hit_at_once(std::span<const Arrival> arrivals) const;
  void hit_at_once(std::span<const Arrival> arrivals);
  bool is_plastic(uint32_t k) const;
  void hit_one(uint32_t k);
  void hit(uint32_t k);
  void hit_free(uint32_t k);
  void book(uint32_t k, const Manifold& manifold, const StrikeResult& r, double time);
  bool passes_at(uint32_t body) const;
  bool is_stuck(uint32_t k);
  void stop_together();
  void expect_neighbours(uint32_t body, uint32_t seen);
  bool supports(uint32_t body) const;
  void hold(const IslandPatch& c, double time);
  void follow(uint32_t body);

  const StepContext& context_;
  const WorldData& data_;
  ImpactStates& impacts_;
  IslandWork& w_;
  Island& island_;
  Course course_;
  Strike strike_;
  std::vector<Arrival> heap_;
  std::vector<uint32_t> version_;
  std::vector<Meeting> meetings_;
  std::vector<uint32_t> first_, of_body_;
  std::vector<uint8_t> in_knot_;  // by body
  std::vector<uint32_t> knot_;    // patches between bodies that hit each other again and again
  int stops_ = 0;
};

}  // namespace tenon
