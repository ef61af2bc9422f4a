// The parts of the step of the joint solver 'sweep' and what can be switched in them. Meanings,
// sources and measurements: docs/theory/contacts-faithful.md; the engine's own words:
// engine/solve_contact/faithful/settings.h. Defaults are the engine's; a test compares them.
#pragma once

namespace tenon::scene {

// order of the engine's
enum class SweepJointCorrection { kBeforeMove, kAfterMove };
enum class SweepJointsInShock { kTrueMasses, kSkipped };
enum class SweepFinalJoints { kNone, kKept, kSaved };

// Rounds: over all levels, over the pairs of a level, of impulses on one pair.
struct SweepCollisions {
  bool on = true;
  int sweeps = 5, level_rounds = 1, pair_rounds = 20;
  bool energy_guard = true;
  friend bool operator==(const SweepCollisions&, const SweepCollisions&) = default;
};

// Its sweeps are WorldSettings::sweeps.
struct SweepContacts {
  bool on = true;
  int level_rounds = 2, pair_rounds = 1;
  bool sums = true, ramp = true, land = true;
  double roughness = 2e-6;  // of the smaller shape
  friend bool operator==(const SweepContacts&, const SweepContacts&) = default;
};

struct SweepShock {
  bool on = true;
  int sweeps = 1, level_rounds = 2, pair_rounds = 10;
  friend bool operator==(const SweepShock&, const SweepShock&) = default;
};

struct SweepPushOut {
  bool on = true;
  int sweeps = 1, level_rounds = 2, pair_rounds = 5;
  bool rotates = true, gradually = true, freezes = true;
  friend bool operator==(const SweepPushOut&, const SweepPushOut&) = default;
};

struct SweepJoints {
  SweepJointCorrection correction = SweepJointCorrection::kBeforeMove;
  int rounds = 1;
  SweepJointsInShock in_shock = SweepJointsInShock::kTrueMasses;
  SweepFinalJoints final_sweep = SweepFinalJoints::kSaved;
  friend bool operator==(const SweepJoints&, const SweepJoints&) = default;
};

struct SweepSettings {
  bool free_rotation = true;
  SweepCollisions collisions;
  SweepContacts contacts;
  SweepShock shock;
  SweepPushOut push_out;
  SweepJoints joints;
  friend bool operator==(const SweepSettings&, const SweepSettings&) = default;
};

}  // namespace tenon::scene
