// Working memory of the contact phases; lives during one step, kept for its memory only.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/solve_articulated/direct.h"
#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

// Of the tolerance times the size of the smaller body: gaps and overlaps of contacts up to here are
// none. Without it what the last digits of positions say would keep piles in motion for ever.
inline constexpr double kSlack = 10;

// Of the thinner body: in larger gaps there may be others.
inline constexpr double kSmallGap = 0.5;

double contact_slack(const WorldData& data, const Contact& contact);

// A mechanism as contacts see it.
class MechanismAnswer final : public JointedBodies {
 public:
  // `fixed`: velocities of the bodies that do not move by themselves. `bends`: whether how joints
  // bend ways is known.
  void reset(DirectSolver& solver, size_t moving, std::span<const Motion> fixed, Bends bends);
  // By how much these are faster at the end of the step; empty: not at all.
  void set_hastes(std::span<const Motion> hastes);
  void project(std::span<Motion> motion, bool rates) override;
  void calc_answer(std::span<const uint32_t> bodies, std::vector<double>& answer) override {
    solver_->calc_answer(bodies, answer);
  }
  bool calc_bend(std::span<Motion> bend) override;
  std::span<const Motion> fixed() const { return fixed_; }

 private:
  DirectSolver* solver_ = nullptr;
  std::vector<Motion> fixed_, hastes_, all_;
  size_t moving_ = 0;
  Bends bends_ = Bends::kNone;
};

struct IslandWork {
  Island island;
  std::vector<uint32_t> contacts;    // of WorldData::contacts
  std::vector<uint32_t> mechanisms;  // of Mechanisms::list
  std::vector<MechanismAnswer> answers;
  std::vector<uint8_t> tight;            // by mechanism: under tension
  std::vector<uint8_t> heavy;            // by mechanism: something heavy touches it
  std::vector<uint8_t> firm;             // overlaps, by mechanism: stays where it is
  bool loaded = false;                   // something heavy touches a mechanism
  bool stays = false;                    // overlaps: mechanisms do not go aside for heavier bodies
  std::vector<BodyState> begin;          // by body, as the contacts were found
  std::vector<Wrench> wrenches;          // by body
  bool hit = false, hit_joints = false;  // anything; something with joints
  bool left_alone = false;               // nothing but weight acts on it: it may fall asleep
  bool foreseen = false;                 // contacts look at how directions turn in the step (6c)
  bool thin = false;                     // forces move bodies by a part of their thickness (2a)
  bool drowsy = false;     // slow, with joints: solved to the end, or as far as it goes
  bool asleep = false;     // contacts hold as they do, nothing moves
  bool settled = true;     // contacts and mechanisms agree about where the step leads
  double hit_speed = 0;    // m/s: of its fastest bodies before and after the hits, joints in it
  double hit_change = 0;   // m/s: the most by which hits have changed a velocity, joints in it
  double hit_J = 0;        // what hits have given to its bodies, joints in it
  double calm = 0;         // m/s: what is slower is an error of the sweeps, (9)
  double most_energy = 0;  // J, before the hits; infinite where others than contacts do work
  IslandResult contact, overlap;
  // Nothing from outside acts on it; then: its mass centre and the velocity of that; its angular
  // momentum and largest kinetic energy about it.
  bool isolated = false;
  Vec3 centre, drift, spin;
  double most_J = 0;
  Island pair;  // memory for single hits
};

// Whether a body of an island moves by itself.
inline bool moves(const IslandBody& b) { return b.inv_mass > 0; }
// Whether any mechanism of an island is under tension.
inline bool is_tight(const IslandWork& w) {
  return std::any_of(w.tight.begin(), w.tight.end(), [](uint8_t t) { return t != 0; });
}

// Free bodies that were hit in this step, by slot: how each was right after its last hit, and when
// that was, s from the begin of the step. Empty while nothing has been hit.
struct ImpactStates {
  std::vector<BodyState> at;
  std::vector<double> clock;
  // kNews: and pairs that come of it have not been looked for
  static constexpr uint8_t kNone = 0, kNews = 1, kSeen = 2;
  std::vector<uint8_t> hit;
  // When something that stands began to hold the body up, s: from then on its forces are matched,
  // and it goes straight on. Infinite: nothing does. Empty where nothing thin is near.       (3e)
  std::vector<double> held;
  bool struck(uint32_t slot) const { return !hit.empty() && hit[slot] != kNone; }
  double held_since(uint32_t slot) const { return held.empty() ? kInfinity : held[slot]; }
};

struct ContactWork {
  std::vector<IslandWork> islands;  // the first `count` are in use
  size_t count = 0;
  DisjointSets together;               // of nodes: bodies by slot, then mechanisms
  std::vector<uint32_t> island_of;     // by name of a set of these
  std::vector<uint32_t> place, stamp;  // by body slot: where it stands in the running island
  std::vector<uint8_t> only;           // by contact: which make islands; empty: all
  ImpactStates impacts;
  uint8_t boxes_fresh = 0;  // the broad phase covers this step
  // Pairs that met only because of another hit in the same step, with their impulses.
  std::vector<Contact> followers;
};

// Work of a constant wrench on a jointed body over its step, whose rotations are Cayley's: that of
// equation (3) of docs/theory/joints.md. What turns farther is cut into parts, or spins about an
// axis of its own by the mean of its angular velocities.
inline double work_over_step(const Wrench& wrench, const BodyState& begin, const BodyState& end,
                             double h) {
  constexpr double kFar = 0.6;  // rad
  const Quat q = end.q_WB * conjugate(begin.q_WB);
  const Vec3 mean = (0.5 * h) * (begin.w_WB + end.w_WB);
  const bool far = norm2(mean) > kFar * kFar || !(std::fabs(q.w) > 1e-3);
  const Vec3 turn = far ? mean : (2 / q.w) * Vec3{q.x, q.y, q.z};
  return dot(wrench.force, end.x_WC - begin.x_WC) + dot(wrench.torque, turn);
}

// Islands of the contacts as they stand; each is empty until it is prepared.
void collect_islands(const StepContext& context, const WorldData& data);
// Bodies, patches and joints of islands as they are at the begin or at the end of the step.
void prepare_islands(const StepContext& context, WorldData& data,
                     std::span<IslandWork* const> islands, StepEnd when);
// Whether any shape in the island's contacts is a mesh; whether any pair touches in several
// patches.
bool has_mesh_contacts(const WorldData& data, const IslandWork& island);
bool touches_in_patches(const WorldData& data, const IslandWork& island);
// Whether a patch overlaps while another of the same pair, which pushes the other way, does so as
// well: no motion takes both apart, and impulses that asked for one would grow for ever.
bool is_jammed(const WorldData& data, uint32_t contact);
// Whether so few bodies touch that contacts are solved well while they move, too: what is left over
// in others is more than what (6c) puts right.
bool is_solved_in_motion(const Island& island);
// Whether the sweeps of this step have ended before the contacts were solved. `fall`: gravity times
// step, m/s.
bool is_unsolved(const IslandWork& island, double fall);
// Whether an island with joints is so slow at the begin of the step that it may fall asleep where
// its contacts cannot be solved to the end. `fall`: gravity times step, m/s.
bool is_drowsy(const WorldData& data, const IslandWork& island, double fall);
// Contacts of an island with mechanisms under tension: Island::resist() about where their step
// leads. Returns false, with nothing changed, where the two do not agree.
bool resist_tight_island(const StepContext& context, WorldData& data, IslandWork& island,
                         const IslandSettings& settings);

// Bodies of mechanisms for which contacts see the step as a whole, at most.
inline constexpr uint32_t kLargeMechanism = 128;
// Bodies of which one is so many times heavier than the other.
inline constexpr double kHeavyPair = 8;
// Whether an overlap goes by velocities of the next steps; (5b) of docs/theory/contacts.md.
bool recovers(const Contact& contact);
// How deep the bodies of a contact may overlap before they are taken apart, m; while they move, a
// part of their way more.
double tolerated_overlap(const StepContext& context, const WorldData& data, const Contact& contact);
IslandSettings island_settings(const StepContext& context, const WorldData& data);
// Moves the bodies of an island at the end of a step by small displacements; joints stay closed.
void shift_island(StepContext& context, WorldData& data, IslandWork& island,
                  std::span<const Motion> motion, ShiftAlong along);
// The fastest point of a body, about; m/s.
double speed_of(const BodyState& state, const BodyMass& mass);
// How far or how fast the points of a mechanism go, about; and what is too far, or too fast, made
// less in the same direction.
double calc_reach(const WorldData& data, const Island& island, const IslandGroup& group,
                  std::span<const Motion> motion);
void bound_reach(const WorldData& data, const Island& island, const IslandGroup& group, double most,
                 std::span<Motion> motion);
// Puts a body elsewhere; what that does to its energy and momentum contacts have done.
void put_body(WorldData& data, uint32_t slot, const BodyState& state);

// What impulses on the bodies of an island do to all of them, those included that hang on the
// touched ones by joints: to motion.
void spread_wrenches(const Island& island, std::span<const Wrench> wrenches,
                     std::vector<Motion>& motion);

}  // namespace tenon
