#include "tenon/engine/world/schedule.h"
#include "tenon/engine/world/step_halves.h"

namespace tenon {

const char* name(Phase phase) {
  switch (phase) {
    case Phase::kJointRules:
      return "joint_rules";
    case Phase::kKinematics:
      return "kinematics";
    case Phase::kAppliedForces:
      return "applied_forces";
    case Phase::kIslands:
      return "islands";
    case Phase::kCollisions:
      return "collisions";
    case Phase::kContacts:
      return "contacts";
    case Phase::kMechanisms:
      return "mechanisms";
    case Phase::kFreeMotion:
      return "free_motion";
    case Phase::kRebounds:
      return "rebounds";
    case Phase::kOverlaps:
      return "overlaps";
    case Phase::kBroadPhase:
      return "broad_phase";
    case Phase::kNarrowPhase:
      return "narrow_phase";
    case Phase::kContactEvents:
      return "contact_events";
    case Phase::kDiagnostics:
      return "diagnostics";
  }
  return "?";
}

// The step, as a list of lists. Contacts are found where the bodies are at the end of the step;
// after edits also at its begin, before kinematic bodies go on.
constexpr ScheduledPhase kBegin[] = {
    {Phase::kKinematics, release_bodies},
    {Phase::kMechanisms, answer_kicks},          // after edits and releases
    {Phase::kNarrowPhase, find_stale_contacts},  // the same
    {Phase::kJointRules, apply_joint_rules},
};
constexpr ScheduledPhase kPrepare[] = {
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kIslands, find_islands},
};
// Taken back for the bodies concerned, and made again with more contacts or in two halves, where
// contacts and joints do not agree about where it leads, or one with joints has passed another.
constexpr ScheduledPhase kForces[] = {
    {Phase::kCollisions, collide_bodies},
    {Phase::kContacts, resist_contacts},
};
constexpr ScheduledPhase kMotion[] = {
    {Phase::kMechanisms, move_mechanisms},
    {Phase::kFreeMotion, move_free_bodies},
    {Phase::kRebounds, delay_collisions},
};
constexpr ScheduledPhase kAgain[] = {
    // with the same forces, and more contacts
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kIslands, find_islands},
};
constexpr ScheduledPhase kFewer[] = {
    // without those that go on in halves
    {Phase::kIslands, find_islands},
};
constexpr ScheduledPhase kRest[] = {
    {Phase::kRebounds, count_still_steps},
};
constexpr ScheduledPhase kArrival[] = {
    {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},
    {Phase::kOverlaps, separate_bodies},
};
constexpr ScheduledPhase kEnd[] = {
    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},
    {Phase::kDiagnostics, watch_health},
};

namespace {

// The same for JointSolver::kSweep, whose step moves all bodies at once.
constexpr ScheduledPhase kFaithfulSchedule[] = {
    {Phase::kKinematics, release_bodies},        {Phase::kJointRules, apply_joint_rules},
    {Phase::kKinematics, move_kinematic_bodies}, {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kMechanisms, step_faithful},         {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},        {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},         {Phase::kDiagnostics, watch_health},
};

}  // namespace

void run_schedule(std::span<const ScheduledPhase> schedule, StepContext& context, WorldData& data) {
  const auto clock = data.settings.clock;
  double last = clock != nullptr ? clock() : 0;
  for (const ScheduledPhase& scheduled : schedule) {
    scheduled.run(context, data);
    if (clock == nullptr) continue;
    const double now = clock();
    data.diagnostics.phase_ms[static_cast<size_t>(scheduled.phase)] += 1e3 * (now - last);
    last = now;
  }
}

void step_impulse(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  if (data.settings.joint_solver == JointSolver::kSweep) {
    run_schedule(kFaithfulSchedule, context, data);
    return;
  }
  run_schedule(kBegin, context, data);
  move_part(context, data, kMostHalvings);
  arrive(context, data);
  run_schedule(kEnd, context, data);
  data.accounts.clear();
}

}  // namespace tenon
