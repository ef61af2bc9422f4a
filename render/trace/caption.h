// Words and bars over a finished picture: labels of bodies, the time, the energy.
#pragma once

#include "tenon/render/image/image.h"
#include "tenon/render/stage.h"

namespace tenon::render {

// Labels where `camera` sees their points; time at the bottom left, energy at the bottom right.
void draw_captions(const Stage& stage, const StageCamera& camera, Image& image);

}  // namespace tenon::render
