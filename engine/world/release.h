// Bodies that are moved by a script first and by forces later: a figure that follows a recorded
// motion and falls, a hand that lets go.
//
// Until its time has come such a body is kinematic in every respect: it pushes and is not pushed.
// Its mass is known from the beginning, so joints may be made to it; a joint none of whose bodies
// is dynamic yet rests: it holds nothing, and is measured where it is read. When a step begins at
// the time of release or later, the body becomes dynamic for good, before anything else in that
// step happens:
//   x_WC = p_WB + R_WB com_B,  v_WC = v_WB + w_WB x R_WB com_B,  L_W = I_W w_WB             (1)
// with v_WB and w_WB of velocity_before, the motion that has led there. The energy and momentum it
// brings are booked as done from outside.
#pragma once

#include "tenon/engine/world/world_data.h"

namespace tenon {

// What a body is, before or after its release: motion, mass, and where its colliders, joints and
// forces are attached. Not how it moves. Going there and back leaves the same bits.
// Precondition: the slot is live and has a time of release.
void set_released(WorldData& data, uint32_t slot, bool released);

// Lets a body go at time t, which is now. Preconditions: the same, and it is still kinematic.
void release_body(WorldData& data, uint32_t slot, double t);

}  // namespace tenon
