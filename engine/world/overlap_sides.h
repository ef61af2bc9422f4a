// Bodies of several shapes that have got hooked into each other.
#pragma once

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

// Shapes of one pair of bodies push to different sides where the two are deep in each other, and
// what takes one overlap away makes another one larger: they would stay so for ever. Gaps of the
// patches that push against the line from mass centre to mass centre are opened, or turned round
// where a shape is half-way through another, so that all lead the bodies apart, through each other
// if need be. For overlaps that find_overlaps() has
// found, positions at the end of the step.
void choose_sides(const WorldData& data, IslandWork& w);

}  // namespace tenon
