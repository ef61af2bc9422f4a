// A flat drawing as a list of lines, areas and words, in pixels from the top left, y down. The same
// list becomes SVG or pixels, so a plot looks the same in every format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon::plot {

struct Point {
  double x = 0, y = 0;
};

struct Ink {
  uint8_t r = 0, g = 0, b = 0;
  friend constexpr bool operator==(const Ink&, const Ink&) = default;
};

struct Polyline {
  std::vector<Point> points;  // two or more; finite
  Ink ink;
  double width = 1;        // px
  double dash = 0;         // px of a dash and of a gap; 0 = solid
  std::string title = {};  // what it is, for those who point at it
  bool crisp = false;      // along pixel edges: axes and grid lines
};
struct Area {
  double x = 0, y = 0, width = 0, height = 0;
  Ink ink;
};
enum class Anchor { kStart, kMiddle, kEnd };
struct Words {
  Point at;  // on the base line
  std::string text;
  double size = 12;  // px, the height of a line is 1.2 of it
  Ink ink;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  bool upwards = false;  // turned by a quarter, to be read from the right
};

struct Drawing {
  double width = 0, height = 0;  // px
  Ink paper{255, 255, 255};
  std::vector<std::variant<Polyline, Area, Words>> parts;
};

// "#rrggbb"
std::string hex(Ink ink);

// With at most so many decimals, without trailing zeros; "0" for what is not finite.
std::string decimal(double value, int decimals);

// For element content and attributes of XML and HTML; what they cannot hold becomes "?".
std::string escape(std::string_view text);

// The width of a text in px, by the letters of our own font (font.h): near enough to that of the
// sans-serif of a browser to place words next to each other.
double text_width(std::string_view text, double size, bool bold = false);

// `text` cut with "…" where it is wider than that.
std::string shortened(const std::string& text, double size, double width);

std::string to_svg(const Drawing& drawing);

// 8-bit RGB, rows from the top. `scale` pixels per unit of the drawing, 0.1 ... 10.
struct Pixels {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;
};
Pixels rasterize(const Drawing& drawing, double scale = 1);

}  // namespace tenon::plot
