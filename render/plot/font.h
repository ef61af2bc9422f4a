// Letters made of strokes, for pictures without fonts: drawn by us, so that a plot is the same,
// byte for byte, on a machine that has no fonts at all, and needs no library for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tenon/render/plot/drawing.h"

namespace tenon::plot {

// One letter of UTF-8 text. Bytes that are no UTF-8 are letters of one byte that are `bad`.
struct Letter {
  uint32_t code = 0;
  size_t bytes = 1;
  bool bad = false;
};
Letter next_letter(std::string_view text, size_t at);

// Strokes of a letter in ems: x to the right, y down, base line at y = 0, capitals 0.72 high.
// Letters with accents lose them, superscripts are raised, what we cannot draw is a small box.
struct Glyph {
  std::vector<std::vector<Point>> strokes;
  double advance = 0.5;  // em
};
Glyph find_glyph(uint32_t code);

}  // namespace tenon::plot
