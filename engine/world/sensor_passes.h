// Bodies that come and go at a sensor within one step: they touch it at neither end.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/contact/contact.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

// Sensors and bodies that met in the step though they neither touched at its begin (the world's
// touches) nor do at its end (`now`), sorted, each pair once. Paths are straight lines, turning
// evenly, from the begin of the step to the last hit in it and from there to the end. What goes a
// tenth of its thickness and of the thinnest sensor's in a step, or less, is not looked at: without
// fast bodies this costs a pass over the colliders, without sensors less.
std::vector<Touch> find_sensor_passes(const StepContext& context, const WorldData& data,
                                      std::span<const Touch> now);

}  // namespace tenon
