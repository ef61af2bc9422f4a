// Paths of the bodies' origins through the picture.
#pragma once

#include <vector>

#include "tenon/render/detail/model.h"
#include "tenon/render/detail/poses.h"
#include "tenon/render/detail/solid.h"

namespace tenon::render {

// Appends the paths of all bodies that moved by more than a hundredth of `extent` (m), in short
// pieces: each finds its own place among the solids, and older ones are fainter.
void draw_paths(const Canvas& canvas, const Model& model, const Poses& poses, double extent,
                std::vector<Item>& items);

}  // namespace tenon::render
