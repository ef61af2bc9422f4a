#include <span>

#include "tenon/engine/world/phases.h"

namespace tenon {

const char* name(Phase phase) {
  switch (phase) {
    case Phase::kJointRules:
      return "joint_rules";
    case Phase::kKinematics:
      return "kinematics";
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

namespace {

using PhaseFunction = void (*)(StepContext&, WorldData&);

struct ScheduledPhase {
  Phase phase;
  PhaseFunction run;
};

// The step, as a list. Contacts are found where the bodies are at the end of the step; after edits
// also at its begin, before kinematic bodies go on.
constexpr ScheduledPhase kSchedule[] = {
    {Phase::kNarrowPhase, find_stale_contacts},  // after edits
    {Phase::kJointRules, apply_joint_rules},
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kIslands, find_islands},
    {Phase::kCollisions, collide_bodies},
    {Phase::kContacts, resist_contacts},
    {Phase::kMechanisms, move_mechanisms},
    {Phase::kFreeMotion, move_free_bodies},
    {Phase::kRebounds, delay_collisions},
    {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},
    {Phase::kOverlaps, separate_bodies},
    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},
};

// The same for JointSolver::kSweep, whose step moves all bodies at once.
constexpr ScheduledPhase kFaithfulSchedule[] = {
    {Phase::kJointRules, apply_joint_rules}, {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kMechanisms, step_faithful},     {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},
};

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

}  // namespace

void step_impulse(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  if (data.settings.joint_solver == JointSolver::kSweep) {
    run_schedule(kFaithfulSchedule, context, data);
  } else {
    run_schedule(kSchedule, context, data);
  }
}

}  // namespace tenon
