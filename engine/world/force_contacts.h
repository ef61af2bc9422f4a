// Contacts between the steps of the method `force`: when to look for them, where a step has to end,
// impacts. Used by integrate_frame(); docs/theory/force-contact.md.
#pragma once

#include <array>

#include "tenon/engine/world/force_model.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

// What they are about.
struct ForceStep {
  StepContext& context;
  WorldData& data;
  ForceModel& model;
  ForceRun& run;
};

// Kinetic energy and momenta of what moves, as the run's sums count them.
std::array<double, kForceSums> calc_motion_sums(const ForceStep& s);

// Forgets what the last frame pushed.
void begin_contact_frame(ForceStep s);
// Before a step: looks for pairs where it is time to, and hits what collides already. Returns when
// the next step has to end.
double look_for_contacts(ForceStep s);
// Before a step: which points slide in it.
void latch_contacts(ForceStep s);
// After a step, before it is cut: where in it, 0 .. 1, bodies collide or come to a stop on each
// other first; infinite where none do.
double find_contact_event(ForceStep s);
// The last step has been taken as far as `part` of its length: books its contact forces.
void accept_contacts(ForceStep s, double part);
// Impulses at the present state of the run, which begins anew.
void collide_contacts(ForceStep s);
// What pushed in the frame: WorldData::contacts, for find_contacts(); counters.
void end_contact_frame(ForceStep s);

// Adds the loads of contacts, with bodies and mechanisms placed and all other loads in the model.
// Returns their power, W.
enum class ForPurpose : uint8_t { kStage, kLook };
double add_contact_loads(const WorldData& data, double t, ForPurpose purpose, ForceModel& model);

}  // namespace tenon
