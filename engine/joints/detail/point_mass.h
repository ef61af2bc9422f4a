// Joints on point masses, bodies without inertia.
//
// A point mass has a place and no orientation: nothing can turn it, and forces act at its mass
// centre only. A joint that pulled at a lever or held a rotation would be welded to the world there
// without saying so. What makes sense is kept: points, rods, ropes, and sliders, tubes and planes
// of another body or the world along which the point moves.
#pragma once

#include "tenon/engine/joints/compile.h"

namespace tenon::detail {

// Takes away rotations that a joint holds between a point mass and something that never turns
// either, the world or a static body; levers of round-off become zero. Fails, with the reason, for
// everything else that would turn a point mass.
Status fit_to_point_masses(const JointDef& def, const CompileContext& context, JointModel& model);

}  // namespace tenon::detail
