#include "tenon/engine/world/schedule.h"

namespace tenon {
namespace {

// One frame of the method `force`. Contacts are found where the bodies are at its end, for readers;
// what acts between them is the business of kMechanisms, whose integrator looks for itself.
constexpr ScheduledPhase kForceSchedule[] = {
    {Phase::kKinematics, release_bodies},
    {Phase::kJointRules, apply_joint_rules},
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kMechanisms, integrate_frame},
    {Phase::kMechanisms, [](StepContext& c, WorldData& d) { break_joints(c, d); }},
    {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},
    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_force_step},
    {Phase::kDiagnostics, watch_health},
};

}  // namespace

void step_force(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  const auto clock = data.settings.clock;
  double last = clock != nullptr ? clock() : 0;
  for (const ScheduledPhase& scheduled : kForceSchedule) {
    const uint64_t topology = data.topology;
    scheduled.run(context, data);
    // joints that came, went or broke, bodies that froze: the run begins again
    if (data.topology != topology) data.force.active = false;
    if (clock == nullptr) continue;
    const double now = clock();
    data.diagnostics.phase_ms[static_cast<size_t>(scheduled.phase)] += 1e3 * (now - last);
    last = now;
  }
}

}  // namespace tenon
