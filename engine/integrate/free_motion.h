// One step of a rigid body that nothing holds.
#pragma once

#include "tenon/engine/bodies/body.h"

namespace tenon {

// Advances a dynamic body by h under a constant wrench: second order for any wrench, and
//   - exact (to round-off) in translation under a constant force,
//   - angular momentum constant to the last bit without torque,
//   - free rotation exact for bodies of revolution, fourth order for others with an error of about
//     1e-7 rad per radian turned or less, for needles and plates as for round bodies, up to 500 rad
//     per step (accuracy falls beyond),
//   - rotational energy constant to round-off without torque.
// Non-finite results are the caller's to detect.
BodyState advance_free_body(const BodyState& state, const BodyMass& body, const Wrench& wrench,
                            double h);

// The orientation next to q_WB at which a body with angular momentum L has the energy twice_T / 2
// of rotation again; q_WB itself where it is far from that, or nothing needs putting back.
Quat restore_spin_energy(const Quat& q_WB, const Mat3& inv_I_B, const Vec3& L, double twice_T);

// Work that a torque, the only one or one of several of such a step, did.
double work_of_torque(const BodyState& before, const BodyState& after, const BodyMass& body,
                      const Vec3& torque, double h);

}  // namespace tenon
