#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

struct DisplacementPhase {
  Phase phase;
  void (*run)(StepContext&, WorldData&);
};

// One step of the method `displacement`: collisions, contacts and joints are one correction.
constexpr DisplacementPhase kDisplacementSchedule[] = {
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
  const auto clock = data.settings.clock;
  double last = clock != nullptr ? clock() : 0;
  for (const DisplacementPhase& scheduled : kDisplacementSchedule) {
    scheduled.run(context, data);
    if (clock == nullptr) continue;
    const double now = clock();
    data.diagnostics.phase_ms[static_cast<size_t>(scheduled.phase)] += 1e3 * (now - last);
    last = now;
  }
}

}  // namespace tenon
