#include "tenon/scene/forms/detail/strokes.h"

#include <algorithm>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

Stroke line(double x0, double y0, double x1, double y1) { return {false, x0, y0, x1, y1, 0, 0}; }
// degrees
Stroke arc(double x, double y, double r, double from, double to) {
  return {true, x, y, r, 0, from * kPi / 180, to * kPi / 180};
}

std::vector<Stroke> letters_a_to_i(char letter) {
  switch (letter) {
    case 'A':
      return {line(0, 0, 2.4, 6), line(2.4, 6, 4.8, 0), line(0.72, 1.8, 4.08, 1.8)};
    case 'B':
      return {line(0, 0, 0, 6),   line(0, 6, 2.3, 6), arc(2.3, 4.5, 1.5, -90, 90),
              line(0, 3, 2.3, 3), line(0, 0, 2.3, 0), arc(2.3, 1.5, 1.5, -90, 90)};
    case 'C':
      return {arc(2, 4, 2, 20, 180), line(0, 4, 0, 2), arc(2, 2, 2, 180, 340)};
    case 'D':
      return {line(0, 0, 0, 6), line(0, 6, 1, 6), arc(1, 3, 3, -90, 90), line(0, 0, 1, 0)};
    case 'E':
      return {line(0, 0, 0, 6), line(0, 6, 3.5, 6), line(0, 3, 3, 3), line(0, 0, 3.5, 0)};
    case 'F':
      return {line(0, 0, 0, 6), line(0, 6, 3.5, 6), line(0, 3, 3, 3)};
    case 'G':
      return {arc(2, 4, 2, 20, 180), line(0, 4, 0, 2), arc(2, 2, 2, 180, 360), line(4, 2, 4, 2.7),
              line(4, 2.7, 2.5, 2.7)};
    case 'H':
      return {line(0, 0, 0, 6), line(0, 3, 3.8, 3), line(3.8, 0, 3.8, 6)};
    default:
      return {line(0, 0, 2.6, 0), line(1.3, 0, 1.3, 6), line(0, 6, 2.6, 6)};
  }
}

std::vector<Stroke> letters_j_to_r(char letter) {
  switch (letter) {
    case 'J':
      return {arc(1.5, 1.5, 1.5, 180, 360), line(3, 1.5, 3, 6)};
    case 'K':
      return {line(0, 0, 0, 6), line(0, 2.2, 3.8, 6), line(1.2, 3.4, 3.8, 0)};
    case 'L':
      return {line(0, 0, 0, 6), line(0, 0, 3.5, 0)};
    case 'M':
      return {line(0, 0, 0, 6), line(0, 6, 2.4, 2.4), line(2.4, 2.4, 4.8, 6), line(4.8, 6, 4.8, 0)};
    case 'N':
      return {line(0, 0, 0, 6), line(0, 6, 4, 0), line(4, 0, 4, 6)};
    case 'O':
      return {arc(2, 4, 2, 0, 180), line(0, 4, 0, 2), arc(2, 2, 2, 180, 360), line(4, 2, 4, 4)};
    case 'P':
      return {line(0, 0, 0, 6), line(0, 6, 2.2, 6), arc(2.2, 4.4, 1.6, -90, 90),
              line(0, 2.8, 2.2, 2.8)};
    case 'Q':
      return {arc(2, 4, 2, 0, 180), line(0, 4, 0, 2), arc(2, 2, 2, 180, 360), line(4, 2, 4, 4),
              line(2.5, 1.5, 4, 0)};
    default:
      return {line(0, 0, 0, 6), line(0, 6, 2.2, 6), arc(2.2, 4.4, 1.6, -90, 90),
              line(0, 2.8, 2.2, 2.8), line(1.7, 2.8, 3.8, 0)};
  }
}

std::vector<Stroke> letters_s_to_z(char letter) {
  switch (letter) {
    case 'S':
      return {arc(1.5, 4.5, 1.5, 30, 270), arc(1.5, 1.5, 1.5, -150, 90)};
    case 'T':
      return {line(0, 6, 4, 6), line(2, 6, 2, 0)};
    case 'U':
      return {line(0, 6, 0, 2), arc(2, 2, 2, 180, 360), line(4, 2, 4, 6)};
    case 'V':
      return {line(0, 6, 2.2, 0), line(2.2, 0, 4.4, 6)};
    case 'W':
      return {line(0, 6, 1.4, 0), line(1.4, 0, 2.8, 4.2), line(2.8, 4.2, 4.2, 0),
              line(4.2, 0, 5.6, 6)};
    case 'X':
      return {line(0, 0, 4, 6), line(0, 6, 4, 0)};
    case 'Y':
      return {line(0, 6, 2, 3), line(4, 6, 2, 3), line(2, 3, 2, 0)};
    default:
      return {line(0, 6, 4, 6), line(4, 6, 0, 0), line(0, 0, 4, 0)};
  }
}

}  // namespace

std::vector<Stroke> letter_strokes(char letter) {
  TENON_DEMAND(letter >= 'A' && letter <= 'Z');
  return letter <= 'I'   ? letters_a_to_i(letter)
         : letter <= 'R' ? letters_j_to_r(letter)
                         : letters_s_to_z(letter);
}

double stroke_width(const std::vector<Stroke>& strokes) {
  double width = 0;
  for (const Stroke& s : strokes) {
    // an arc that passes its rightmost point, at 0 or 360 degrees
    const bool right = s.from <= 0 || s.to >= 2 * kPi;
    const double ends = s.x1 * std::max(cos(s.from), cos(s.to));
    width = std::max(width, s.arc ? s.x0 + (right ? s.x1 : ends) : std::max(s.x0, s.x1));
  }
  return width;
}

}  // namespace tenon::scene
