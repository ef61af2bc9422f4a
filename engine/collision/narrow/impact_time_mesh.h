// When a moving mesh meets another moving shape. Private to the narrow phase: calc_time_of_impact
// (impact_time.h) comes here where a mesh that is not convex takes part.
#pragma once

#include "tenon/engine/collision/narrow/impact_time.h"

namespace tenon::narrow {

ImpactTime calc_mesh_impact(const Shape& a, const ShapeMotion& motion_a, const Shape& b,
                            const ShapeMotion& motion_b, double target);

}  // namespace tenon::narrow
