// A recording as one HTML file that plays it in a browser, offline: orbit camera, timeline, both
// directions, any speed. Nothing is loaded from elsewhere.
//
// The page has a small WebGL 2 renderer of its own instead of three.js: it draws instances of a
// hundred meshes with one light and its shadow, which is 300 lines; the library would be 700 kB in
// every exported file and would need a build step.
#pragma once

#include "tenon/render/export/bake.h"

namespace tenon::exports {

// Positions are stored to 1/65535 of what a body travels, orientations to 1/32767, both as
// differences between frames, packed by zlib: about 8 bytes per body and frame in a heap that keeps
// moving (4201 bodies, 531 frames: 18 MB), next to nothing for what rests. Error: more than 1 GiB,
// which no browser opens.
Result<std::string> to_replay_html(const Baked& baked);

}  // namespace tenon::exports
