// Forces that act by themselves: on a timeline, by random gravity, by wind. For worlds that have
// them; others pay nothing.
#pragma once

#include <span>

#include "tenon/engine/world/world_data.h"

namespace tenon {

// On an error nothing has changed.
Result<ForceHandle> add_force(WorldData& data, const TimedForceDef& def);
// Precondition: the handle is live.
void remove_force(WorldData& data, ForceHandle force);
// Those on a body and those towards it.
void remove_forces_of(WorldData& data, uint32_t body_slot);
// After the mass centre of a body has moved in it: where its forces act, from there.
void attach_forces(WorldData& data, uint32_t body_slot);

// Whether any act, now or later: on a timeline, of wind, or the random part of gravity.
bool has_forces(const WorldData& data);

// For methods that ask for forces at an instant: forces on a timeline and the random part of
// gravity at time t, for bodies in `states`, are added to `wrenches`; both by body slot. `inside`
// lies between two breaks, t too or at one of them: there the forces are those of this side. Frozen
// bodies get none. The mean of gravity, air resistance and wind (drag_force) are the caller's.
void add_forces_at(const WorldData& data, double inside, double t,
                   std::span<const BodyState> states, std::span<Wrench> wrenches);
// The first time after t, by more than `gap`, at which these are not smooth; infinite where there
// is none.
double next_force_break(const WorldData& data, double t, double gap);

// Air resistance of a body as the solvers of the impulse method have to do it. In a wind it is
// among the applied forces: contacts must know what presses, or they would let it creep.
inline double drag_in_step(const WorldData& data, uint32_t slot) {
  return data.settings.wind == Vec3{} ? data.info[slot].drag : 0;
}

}  // namespace tenon
