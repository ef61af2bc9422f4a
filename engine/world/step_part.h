// What it takes to take a part of a step back: how it began, and which bodies belong together.
#pragma once

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

using BodyMask = std::vector<uint8_t>;  // by body slot

// Bodies that the part of the step moves: all dynamic ones that are not left out.
BodyMask find_active(const StepContext& context, const WorldData& data);

// What the phases up to the arrival change, as it is once kinematic bodies have moved and forces
// have been applied.
class Beginning {
 public:
  Beginning(const StepContext& context, const WorldData& data);

  // Of some of the bodies, with their contacts and joints; all others stay where they have come to.
  // `all`: of everything.
  void restore(const StepContext& context, WorldData& data, const BodyMask& who, bool all) const;
  // As if it had begun with these as well.
  void add_contacts(std::span<const Contact> more);
  // What acts in the halves of a step is found for each half: only what the user applies is kept.
  void apply_given(WorldData& data, const BodyMask& who) const;
  // Joints broke or bodies were stopped since.
  bool has_events(const WorldData& data) const;
  const std::vector<BodyState>& state() const { return state_; }

 private:
  void restore_contacts(WorldData& data, const BodyMask& who) const;
  void restore_joints(WorldData& data, const BodyMask& who) const;
  void restore_all(WorldData& data) const;

  std::vector<BodyState> state_;
  std::vector<Wrench> applied_, given_;
  std::vector<Acceleration> acceleration_;
  std::vector<JointState> joints_;
  std::vector<Contact> contacts_;
  std::vector<Account> accounts_;
  StepDiagnostics diagnostics_;
  std::vector<uint8_t> frozen_;
  std::vector<uint16_t> still_;
  std::vector<uint8_t> halvings_;
  uint64_t topology_;
  size_t events_;
};

// Which bodies were moved together, and what has to be moved again.
class Companies {
 public:
  explicit Companies(size_t bodies) : of_(bodies, kNone) {}
  // After an attempt on the bodies that are not left out: islands, mechanisms, single bodies.
  void note(const StepContext& context, const WorldData& data);

  // The companies of bodies that have passed: to be moved again with more contacts, or, where all
  // of these were foreseen or `contacts` is false, in halves.
  struct Division {
    BodyMask again, halves;
    bool any_again = false, any_halves = false;
  };
  // All bodies of the companies of these.
  BodyMask find_members(std::span<const uint32_t> bodies);
  Division divide(const WorldData& data, const Passing& passing, bool contacts);

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  void join(uint32_t body_a, uint32_t body_b);

  std::vector<uint32_t> of_;  // by body slot
  DisjointSets together_;     // of companies
};

}  // namespace tenon
