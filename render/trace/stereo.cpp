#include "tenon/render/trace/stereo.h"

#include <algorithm>

#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::render {
namespace {

constexpr double kHumanEyes = 0.065;  // m

struct StereoWord {
  const char* word;
  Stereo stereo;
};
constexpr StereoWord kStereoWords[] = {{"none", Stereo::kNone},
                                       {"anaglyph-red-green", Stereo::kRedGreen},
                                       {"anaglyph", Stereo::kRedCyan},
                                       {"side-by-side", Stereo::kSideBySide},
                                       {"pair", Stereo::kPair}};

uint8_t grey(const uint8_t* rgb) {
  return static_cast<uint8_t>((54 * rgb[0] + 183 * rgb[1] + 19 * rgb[2] + 128) / 256);
}

Image put_together(const Image& left, const Image& right) {
  Image both(2 * left.width, left.height);
  for (int y = 0; y < left.height; ++y) {
    std::copy_n(left.at(0, y), 3 * left.width, both.at(0, y));
    std::copy_n(right.at(0, y), 3 * right.width, both.at(left.width, y));
  }
  return both;
}

}  // namespace

Result<Stereo> parse_stereo(const std::string& word) {
  std::vector<std::string> names;
  std::string accepted;
  for (const StereoWord& known : kStereoWords) {
    if (word == known.word) return known.stereo;
    names.emplace_back(known.word);
    accepted += (accepted.empty() ? "" : ", ") + names.back();
  }
  return Error{.message = "unknown kind of stereo" + scene::did_you_mean(word, names),
               .value = word,
               .accepted = accepted};
}

double choose_eye_distance(double focus_m) {
  return std::clamp(kHumanEyes, focus_m / 60, focus_m / 20);
}

std::array<StageCamera, 2> make_eyes(const StageCamera& camera, double distance_m) {
  const Vec3 focus_W = camera.p_WE + camera.focus_m * camera.forward_W;
  std::array<StageCamera, 2> eyes{camera, camera};
  for (const int side : {0, 1}) {
    StageCamera& eye = eyes[static_cast<size_t>(side)];
    eye.p_WE = camera.p_WE + ((side == 0 ? -0.5 : 0.5) * distance_m) * camera.right_W;
    // turned about the camera's own up, which stays
    eye.forward_W = normalized(focus_W - eye.p_WE, camera.forward_W);
    eye.right_W = normalized(cross(eye.forward_W, camera.up_W), camera.right_W);
    eye.focus_m = norm(focus_W - eye.p_WE);
  }
  return eyes;
}

Image combine(const Image& left, const Image& right, Stereo stereo) {
  if (stereo == Stereo::kSideBySide) return put_together(left, right);
  Image both(left.width, left.height);
  for (size_t i = 0; i < both.rgb.size(); i += 3) {
    const uint8_t *l = &left.rgb[i], *r = &right.rgb[i];
    uint8_t* out = &both.rgb[i];
    // the left eye in grey: pure colours would fight between the eyes
    out[0] = grey(l);
    out[1] = stereo == Stereo::kRedGreen ? grey(r) : r[1];
    out[2] = stereo == Stereo::kRedGreen ? uint8_t{0} : r[2];
  }
  return both;
}

}  // namespace tenon::render
