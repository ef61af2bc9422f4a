#include "tenon/engine/world/schedule.h"

namespace tenon {
namespace {

// One step of the method `displacement`: collisions, contacts and joints are one correction.
constexpr ScheduledPhase kDisplacementSchedule[] = {
    {Phase::kKinematics, release_bodies},
    {Phase::kNarrowPhase, find_stale_contacts},  // after edits and releases
    {Phase::kJointRules, apply_joint_rules},
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kMechanisms, displace_bodies},
    {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},
    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},
    {Phase::kDiagnostics, watch_health},
};

}  // namespace

void step_displacement(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  run_schedule(kDisplacementSchedule, context, data);
}

}  // namespace tenon
