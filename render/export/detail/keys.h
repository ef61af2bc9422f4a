// Shapes and looks as keys of maps: equal ones have equal keys.
#pragma once

#include <string>

#include "tenon/render/stage.h"

namespace tenon::exports {

std::string key_of(const Shape& shape);
// The axis that wood grows along: the longest of a box, y of others; 0 x, 1 y, 2 z.
int grain_axis(const Shape& shape);
std::string key_of(const render::StageLook& look);

}  // namespace tenon::exports
