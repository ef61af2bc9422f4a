// How large a scene is.
#pragma once

#include <span>

#include "tenon/render/stage.h"

namespace tenon::exports {

// About all boxes but those that flew away, further than six times as far from the middle as nine
// tenths of all: one lost body must not make all shadows coarse. From -1 to 1 where there is none.
Aabb bounds_of(std::span<const Aabb> boxes);

// The same of what is on a stage, without planes.
Aabb bounds_of(const render::Stage& stage);

}  // namespace tenon::exports
