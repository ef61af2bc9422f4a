// The phases of a step. Each is a free function; its comment says what it reads and writes.
#pragma once

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/solve_articulated/direct.h"
#include "tenon/engine/solve_articulated/rattle.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

struct MechanismStep {
  std::vector<StepBody> bodies;
  std::vector<StepJoint> joints;
  DirectResult result;
  uint32_t substeps = 0;  // of 'rattle'
  bool fell_back = false;
  // kContacts has taken the step already; joints as it leaves them.
  bool taken = false;
  std::vector<JointState> after;
  // By joint: what motors have agreed upon with contacts for this part of a step, see
  // StepJoint::agreed. Empty: nothing.
  std::vector<std::array<double, kMaxRows>> agreed;
  // By joint: impulses of its rows in the collisions of this part of a step. Empty: none.
  std::vector<std::array<double, kMaxRows>> jolts;
};

// What follows from the joints' topology: made again when WorldData::topology has changed, never
// part of a snapshot.
struct Mechanisms {
  uint64_t topology = ~uint64_t{0};
  std::vector<Mechanism> list;
  std::vector<DirectSolver> solvers;
  std::vector<RattleSolver> rattle;    // made when the integration asks for them
  std::vector<uint64_t> apart;         // pairs of bodies that joints keep from touching, sorted
  std::vector<uint8_t> jointed;        // by body slot: moved by kMechanisms
  std::vector<uint32_t> mechanism_of;  // by body slot, where jointed
  std::vector<double> loose_mass;      // by mechanism: of all its bodies; zero where fastened
  std::vector<MechanismStep> steps;    // kept from step to step for their memory only
};

struct ContactWork;       // contact_work.h
struct ForceModel;        // force_model.h
struct DisplacedIslands;  // displaced_islands.h
enum class StepEnd : uint8_t { kBegin, kEnd };

// Bodies that a part of a step leaves as they are: others move them, before or after it.
enum class LeftOut : uint8_t { kNo, kDone, kWaits };
// Where a body was that is done, and over what time it went to where it is.
struct DonePath {
  BodyState begin;
  double t_begin = 0, t_end = 0;  // s; equal: it is not done
};
// What a first half of a step leaves to be added to what the second one finds.
struct EarlierHalf {
  std::vector<uint8_t> bodies;  // by slot: of which
  std::vector<Push> pushes;
  std::vector<Contact> contacts, ended;
};

// What lives only during one step.
struct StepContext {
  ThreadPool* pool = nullptr;
  Mechanisms* mechanisms = nullptr;
  ContactWork* contacts = nullptr;
  ForceModel* force = nullptr;
  DisplacedIslands* displaced = nullptr;
  std::vector<BodyState> kinematic_begin;  // by body slot, from kKinematics to kMechanisms
  // What the user applies, without what kAppliedForces adds; empty where it adds nothing.
  std::vector<Wrench> given;
  double h = 0;        // s, length of this step
  double t_begin = 0;  // s
  double t_end = 0;
  std::span<const ProxyPair> pairs;  // from kBroadPhase to kNarrowPhase
  bool ends_step = true;             // false: a part of a step, others follow
  uint8_t halvings = 0;              // of the step: this is so short a part of it
  // By body slot: contacts for the next part, or step, are looked for as if it were halved so
  // often; empty: not at all.
  std::vector<uint8_t> next_halvings;
  std::vector<uint8_t> asleep;   // by body slot, from kIslands on; empty: none is
  std::vector<BodyState> begin;  // by body slot, before anything moved
  // By body slot; empty: none is left out.
  std::vector<LeftOut> left_out;
  std::vector<DonePath> done;
  std::vector<uint32_t> met;         // bodies that were left out and should not have been
  double last_h = 0;                 // s, length of the last part before the bodies arrive
  std::vector<EarlierHalf> earlier;  // the innermost first
};

inline bool is_asleep(const StepContext& context, uint32_t slot) {
  return !context.asleep.empty() && context.asleep[slot] != 0;
}
inline bool is_left_out(const StepContext& context, uint32_t slot) {
  return slot < context.left_out.size() && context.left_out[slot] != LeftOut::kNo;
}
inline bool is_idle(const StepContext& context, uint32_t slot) {
  return is_asleep(context, slot) || is_left_out(context, slot);
}

// kJointRules. Reads: rules, state at the beginning of the step, loads and ages of joints. Writes:
// joints of rules, resting pairs, events, topology. Changes no velocity.
void apply_joint_rules(StepContext& context, WorldData& data);

// kKinematics. Reads: scripts, times of release. Writes: what bodies are that are let go at the
// begin of the step (release.h), events; books their energy and momentum.
void release_bodies(StepContext& context, WorldData& data);
// kKinematics. Reads: scripts. Writes: state of kinematic bodies (pose and velocity at t_end).
void move_kinematic_bodies(StepContext& context, WorldData& data);

// kAppliedForces. Reads: forces on a timeline, random gravity, wind, state. Writes: applied, as
// constant forces over the step. Source: engine/forces.
void apply_forces_of_step(StepContext& context, WorldData& data);
// How they will accelerate bodies in the step that begins at time t, where the bodies are now.
// Writes: coming.
void expect_forces(const StepContext& context, WorldData& data, double t);

// Finds the mechanisms anew where joints have changed.
void update_mechanisms(WorldData& data, Mechanisms& mechanisms);
// Bodies and joints of a mechanism as they are at the begin of the step, or at its end.
void fill_mechanism_step(const StepContext& context, WorldData& data, size_t mechanism,
                         StepEnd when);
DirectSettings mechanism_settings(const WorldData& data);

// kIslands. Reads: contacts, state, joints. Writes: the context's islands.
void find_islands(StepContext& context, WorldData& data);
// Stood still for long enough to sleep.
bool is_at_rest(const WorldData& data, uint32_t slot);
// Its part for sleeping: which islands have nothing to do in this step.
void find_sleepers(StepContext& context, WorldData& data);
// kCollisions. Reads: islands. Writes: velocities and poses at the begin of the step (3a),
// followers; books what changes.
void collide_bodies(StepContext& context, WorldData& data);
// kContacts. Reads: islands, velocities, applied, gravity. Writes: applied, impulses of contacts.
void resist_contacts(StepContext& context, WorldData& data);
// Whether it found forces that joints and contacts agree about; and, after kIslands, whether it
// might not.
bool contacts_settled(const StepContext& context);
bool contacts_may_not_settle(const StepContext& context);
// Steps are cut into parts where a mesh would go far beyond what stops it; see phases_fast.cpp.
// After kIslands, by body slot: by how many thicknesses something in its island would, over the
// bound up to which the step does not care; 0 where no meshes are near each other.
std::vector<double> calc_mesh_overruns(const StepContext& context, const WorldData& data);
// Steps are made again as well where bodies with joints have passed through something; see
// phases_passing.cpp. After kIslands: whether any might.
bool jointed_bodies_may_pass(const StepContext& context, const WorldData& data);
// After delay_collisions(): what has passed, from where it was at the begin; boxes of the broad
// phase then cover whole paths.
struct Passing {
  std::vector<Contact> unforeseen;  // of pairs that were not among the contacts, sorted
  std::vector<std::pair<uint32_t, uint32_t>> foreseen;  // bodies of others
};
Passing find_passing_bodies(const StepContext& context, WorldData& data,
                            std::span<const BodyState> begin);
// kRebounds. Reads: islands. Writes: positions of what was hit late in the step; books what
// changes.
void delay_collisions(StepContext& context, WorldData& data);
// The same phase: counts the steps in which islands stood still. Writes: still, velocities of what
// falls asleep; books them.
void count_still_steps(StepContext& context, WorldData& data);
// kOverlaps. Reads: contacts at the end of the step. Writes: positions, contacts; books what
// changes.
void separate_bodies(StepContext& context, WorldData& data);
// What contacts did to a body's energy and momentum, which were those of `before`.
void book_contact(WorldData& data, uint32_t slot, const Mechanics& before);

// kMechanisms. Reads: mass, applied, gravity, joints, kinematic bodies at both ends of the step.
// Writes: state of jointed dynamic bodies, joint states, frozen, events, topology, the running work
// and impulses of the diagnostics; clears applied. Source: engine/solve_articulated/direct.h.
void move_mechanisms(StepContext& context, WorldData& data);

// Its parts, for JointSolver::kSweep as well: counters of the step; overloaded joints break.
void clear_joint_counters(WorldData& data);
void break_joints(const StepContext& context, WorldData& data);
// A jointed body whose motion has left all bounds stays where it is, with an event; its energy and
// momentum leave the account.
void freeze_jointed_body(const StepContext& context, WorldData& data, uint32_t slot);

// kFreeMotion. Reads: mass, applied, gravity. Writes: state of dynamic bodies, frozen, events, the
// running work and impulses of the diagnostics; clears applied.
// Source: engine/integrate/free_motion.h.
void move_free_bodies(StepContext& context, WorldData& data);

// kMechanisms and kFreeMotion in one, for JointSolver::kSweep, with collisions and contacts. Reads:
// mass, applied, gravity, joints, colliders, materials, kinematic bodies at both ends of the step.
// Writes: state of dynamic bodies, joint states, frozen, events, topology, broad_phase, the running
// work and impulses of the diagnostics; clears applied.
// Source: engine/solve_contact/faithful/step.h.
void step_faithful(StepContext& context, WorldData& data);

// May these bodies touch, as far as their kind and their collision classes go?
bool may_touch(const WorldData& data, const Collider& a, const Collider& b);

// Joint errors of the diagnostics, measured where the bodies are. h > 0: at the end of a step of
// that length; counts the turns of angles then (JointState::angle).
void measure_joints(WorldData& data, double h);
// Before a world's first step: the energy that later steps are compared with.
void begin_health(WorldData& data);
// kDiagnostics. Reads: everything. Writes: events of health and what has been said.
void watch_health(StepContext& context, WorldData& data);
// Counts and overlaps of the contacts that the last step found.
void measure_contacts(WorldData& data);

// kBroadPhase. Reads: state, colliders. Writes: broad_phase, the context's pairs.
void find_candidate_pairs(StepContext& context, WorldData& data);

// kNarrowPhase. Reads: the context's pairs, state, colliders, impulses of the contacts before,
// touches of the last step. Writes: contacts, sorted by collider pair, pushes, ended.
void find_contacts(StepContext& context, WorldData& data);
// Both, before anything moves, where bodies have been changed since the last step found contacts.
void find_stale_contacts(StepContext& context, WorldData& data);
// kMechanisms, before contacts are found where bodies have been changed: velocities that joints do
// not allow become the nearest ones that they do. Reads: joints, mass. Writes: state of jointed
// dynamic bodies, the running work and impulses of the diagnostics.
void answer_kicks(StepContext& context, WorldData& data);
// For what arrives later: pairs that met only by hits in this step become contacts.
void add_followers(StepContext& context, WorldData& data);
// The part for one-way bodies: which contacts act. Reads: contacts, state, touches of the last
// step.
void decide_one_way_contacts(const StepContext& context, WorldData& data);

// For kCollisions: boxes of the broad phase that cover where bodies may go in this step.
void refresh_boxes(WorldData& data);
// Contacts of bodies that have been shifted since they were found (WorldData::shifted).
void update_contacts(StepContext& context, WorldData& data);

// kContactEvents. Reads: contacts, pushes, touches of the last step. Writes: touches, events.
void report_contact_events(StepContext& context, WorldData& data);

// kDiagnostics. Reads: everything. Writes: diagnostics.
void measure_step(StepContext& context, WorldData& data);

// The impulse method's step: the list of phases in call order.
void step_impulse(StepContext& context, WorldData& data);

// kMechanisms of the method `force`. Reads: mass, applied, gravity, joints, scripts, the run so
// far. Writes: the run, state of dynamic bodies, joint states, frozen, events, topology, the
// running work and impulses of the diagnostics; clears applied. Source: docs/theory/force.md.
void integrate_frame(StepContext& context, WorldData& data);
// Its kDiagnostics.
void measure_force_step(StepContext& context, WorldData& data);
// The method's list of phases.
void step_force(StepContext& context, WorldData& data);

// kMechanisms of the method `displacement`, for all bodies. Reads: mass, applied, gravity, joints,
// contacts, kinematic bodies at both ends of the step. Writes: state of dynamic bodies, joint
// states, impulses of contacts, frozen, events, topology, the running work and impulses of the
// diagnostics; clears applied. Source: docs/theory/displacement.md.
void displace_bodies(StepContext& context, WorldData& data);
// The method's list of phases.
void step_displacement(StepContext& context, WorldData& data);

}  // namespace tenon
