// Pictures as PNG bytes.
#pragma once

#include "tenon/render/plot/drawing.h"

namespace tenon::plot {

// 8-bit RGB, not interlaced; the same bytes for the same pixels and version of zlib.
std::string to_png(const Pixels& pixels);

}  // namespace tenon::plot
