// Text and bars on pictures, with a small font of our own: no font files, the same everywhere.
#pragma once

#include <array>
#include <string_view>

#include "tenon/render/image/image.h"

namespace tenon::render {

using Rgb = std::array<uint8_t, 3>;

// Glyphs are 5 x 7 dots of `dot` pixels (> 0, any size: edges are smooth); characters that are not
// ASCII become "?". x, y: top left. What is outside of the picture is cut off.
void draw_text(Image& image, double x, double y, double dot, std::string_view text,
               const Rgb& color, double opacity = 1);
double text_width(std::string_view text, double dot);  // px
inline constexpr double kTextDots = 7;                 // height of a line without its gap

void fill_box(Image& image, double x, double y, double width, double height, const Rgb& color,
              double opacity = 1);

}  // namespace tenon::render
