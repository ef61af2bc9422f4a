// What can be switched and counted in the step with collisions, contacts and joints in sweeps.
#pragma once

#include <cstdint>

namespace tenon::faithful {

// How many rounds a part of the step takes; all >= 0.
struct Rounds {
  int sweeps = 1;  // over all levels
  int level = 1;   // over the pairs of one level, before the next level
  int pair = 1;    // impulses on one pair of bodies, with new contact points each, before the next
  friend bool operator==(const Rounds&, const Rounds&) = default;
};

// Where joint errors are corrected.
enum class JointCorrection : uint8_t {
  kBeforeMove,  // pre-stabilization, inside the contact sweep [Weinstein2006, sec. IV and VI]
  // Positions are projected after the move, blind to contacts; velocities are not touched before.
  // What [Weinstein2006, fig. 10] warns of; here for comparison.
  kAfterMove,
};

// What joints do while shock propagation makes lower levels infinitely heavy
// [Weinstein2006, sec. VI].
enum class JointsInShock : uint8_t {
  kFreezeLifted,  // they see the true masses of both bodies
  kSkipped,       // they wait for the final joint sweep
};

// The last sweep over joints alone, after a shock propagation that skipped them
// [Weinstein2006, sec. VI].
enum class FinalJointSweep : uint8_t {
  kNone,
  kKept,   // its impulses stay
  kSaved,  // its impulses move positions; the velocities before it are put back after the move
};

// Defaults are those of the authors' later code unless a reason is given.
struct Settings {
  // (1) of step.h turns free bodies as the equations of motion do. false: by exp(h w), the paper's
  // equation (1), which spins up slender bodies.
  bool free_rotation = true;

  bool collisions = true;  // with restitution, at the predicted positions
  Rounds collision{5, 1, 20};
  // Scales an impulse down where it would add kinetic energy: friction at large angles, and levers
  // of the predicted position.
  bool energy_guard = true;

  bool contacts = true;  // without restitution; false: joints only
  // Sweeps are the world's. One impulse per visit: twenty, as in the authors' code, spend the whole
  // of a sweep's share on the first pair that asks (docs/theory/contacts-faithful.md, table 2).
  Rounds contact{9, 2, 1};
  // Impulses of a contact point are summed over the sweeps: the sum has to push and to stay in the
  // friction cone, so later visits can take back what turns out too much. false: every single
  // impulse, as in the source; heaps then creep.
  bool sums = true;
  bool ramp = true;  // contacts stop i/n of the approach in sweep i, joints correct as much
  // An approach is stopped as far as needed to touch at the end of the step; false: to zero, so
  // that a body can come to rest above its support.
  bool land = true;

  bool shock = true;
  Rounds shock_propagation{1, 2, 10};

  bool push_out = true;
  Rounds push{1, 2, 5};
  bool push_rotates = true;
  bool push_gradually = true;  // half of an overlap in the first round of a level
  bool push_freezes = true;    // levels already done do not give way to those above

  JointCorrection joint_correction = JointCorrection::kBeforeMove;
  // Solves of each joint per sweep. The paper's 1, not the 5 of the code.
  int joint_rounds = 1;
  JointsInShock joints_in_shock = JointsInShock::kFreezeLifted;
  FinalJointSweep final_joint_sweep = FinalJointSweep::kSaved;

  // Of the smaller shape: overlaps below are none. Twice what the narrow phase promises.
  double roughness = 2e-6;

  friend bool operator==(const Settings&, const Settings&) = default;
};

// Every number is in its range.
inline bool is_valid(const Settings& s) {
  const auto count = [](int n) { return n >= 0 && n <= 1000000; };
  const auto rounds = [&](const Rounds& r) {
    return count(r.sweeps) && count(r.level) && count(r.pair);
  };
  return rounds(s.collision) && rounds(s.contact) && rounds(s.shock_propagation) &&
         rounds(s.push) && count(s.joint_rounds) && s.roughness >= 0 && s.roughness < 1;
}

}  // namespace tenon::faithful
