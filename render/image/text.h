// Text and bars on pictures, with the strokes of render/plot/font.h: no font files, the same
// everywhere.
#pragma once

#include <array>
#include <string_view>

#include "tenon/render/image/image.h"

namespace tenon::render {

using Rgb = std::array<uint8_t, 3>;

// Capitals are `height` pixels high (> 0). x, y: left and top of them. `bolder` widens the strokes
// by as many pixels, for edges. Letters with accents lose them, what has no strokes is a small box.
// What is outside of the picture is cut off.
struct TextStyle {
  double height = 7;  // px
  Rgb color{255, 255, 255};
  double bolder = 0;  // px
  double opacity = 1;
};
void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style);
double text_width(std::string_view text, double height);  // px

void fill_box(Image& image, double x, double y, double width, double height, const Rgb& color,
              double opacity = 1);

}  // namespace tenon::render
