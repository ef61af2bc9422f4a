// Lists of phases, and running them.
#pragma once

#include <span>

#include "tenon/engine/world/phases.h"

namespace tenon {

struct ScheduledPhase {
  Phase phase;
  void (*run)(StepContext&, WorldData&);
};

// One after the other; their times are added to the diagnostics where there is a clock.
void run_schedule(std::span<const ScheduledPhase> schedule, StepContext& context, WorldData& data);

// Those of the impulse method, which stand in schedule_impulse.cpp. All but the first and the last
// may run more than once in a step: for parts of it, or for some of the bodies.
extern const ScheduledPhase kBegin[4];
extern const ScheduledPhase kPrepare[3];
extern const ScheduledPhase kForces[2];
extern const ScheduledPhase kMotion[3];
extern const ScheduledPhase kAgain[2];
extern const ScheduledPhase kFewer[1];
extern const ScheduledPhase kRest[1];
extern const ScheduledPhase kArrival[3];
extern const ScheduledPhase kEnd[3];

}  // namespace tenon
