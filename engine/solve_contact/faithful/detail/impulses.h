// Impulses on pairs of bodies: what collisions, contacts and shock propagation share.
#pragma once

#include "tenon/engine/solve_contact/faithful/detail/pairs.h"
#include "tenon/engine/solve_contact/faithful/patch_solve.h"

namespace tenon::faithful::detail {

// Of patches; those of sweeps that stop a part of the approach only come again.
inline constexpr double kPatchTolerance = 1e-10, kRoughTolerance = 1e-6;

// Applies an impulse to both bodies and predicts them anew; what infinite and held bodies give is
// booked.
void apply_to_pair(Step& step, const BodyPair& pair, const PatchImpulse& impulse);

// One impulse of the collision phase, with restitution, on velocities without the forces of the
// step, at the predicted places. False: nothing approaches there.
bool collide_pair(Step& step, BodyPair& pair);

// One impulse of the contact phase: stops the part s of what approaches. False as above.
bool contact_pair(Step& step, BodyPair& pair, double s);

}  // namespace tenon::faithful::detail
