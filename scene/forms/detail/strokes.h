// Capital letters as lines and arcs of a pen, in units of a sixth of their height.
#pragma once

#include <vector>

namespace tenon::scene {

inline constexpr double kStrokeHeight = 6;

struct Stroke {
  bool arc = false;
  double x0 = 0, y0 = 0;    // where a line starts, or the centre of an arc
  double x1 = 0, y1 = 0;    // where it ends; x1 is the radius of an arc
  double from = 0, to = 0;  // rad, of an arc
};

// `letter` is one of A to Z. Strokes of a letter hang together and begin at x = 0.
std::vector<Stroke> letter_strokes(char letter);
double stroke_width(const std::vector<Stroke>& strokes);

}  // namespace tenon::scene
