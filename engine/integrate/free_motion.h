// One step of a rigid body that nothing holds.
#pragma once

#include "tenon/engine/bodies/body.h"

namespace tenon {

// Advances a dynamic body by h under a constant wrench: second order for any wrench, and
//   - exact (to round-off) in translation under a constant force,
//   - angular momentum constant to the last bit without torque,
//   - rotational energy constant to round-off without torque,
//   - free rotation itself accurate to about 1e-9 rad per radian turned, at any step.
// Non-finite results are the caller's to detect.
BodyState advance_free_body(const BodyState& state, const BodyMass& body, const Wrench& wrench,
                            double h);

}  // namespace tenon
