// Pictures for two eyes.
#pragma once

#include <array>
#include <string>

#include "tenon/render/image/image.h"
#include "tenon/render/stage.h"

namespace tenon::render {

enum class Stereo {
  kNone,
  kRedGreen,    // for glasses with a red left and a green right lens, grey
  kRedCyan,     // red left, cyan right lens, with colours
  kSideBySide,  // left eye's picture on the left, each of the full size
  kPair,        // two pictures
};
// "none", "anaglyph-red-green", "anaglyph", "side-by-side", "pair". Error: lists them.
Result<Stereo> parse_stereo(const std::string& word);

// People's eyes are 6 to 7 cm apart, which suits scenes some metres away. Elsewhere a twentieth to
// a sixtieth of the distance, as if scene and eyes were scaled together: 6.5 cm from 1.3 to 3.9 m.
double choose_eye_distance(double focus_m);

// Left and right eye, `distance_m` apart, both turned in to look at the camera's point of focus.
std::array<StageCamera, 2> make_eyes(const StageCamera& camera, double distance_m);

// One picture of two of the same size. Precondition: not kNone or kPair.
Image combine(const Image& left, const Image& right, Stereo stereo);

}  // namespace tenon::render
