// Bones of the trunk and the head, in metres, as of a person 1.76 m tall.
#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/bone_parts.h"

namespace tenon::scene {
namespace {

// Body, spinous process and both transverse processes.
void add_vertebra(std::vector<Blob>& out, const Vec3& c, double size) {
  out.push_back(ellipsoid(c, {0.021 * size, 0.019 * size, 0.025 * size}, 0.008));
  out.push_back(bar(c, 0.009 * size, c + size * Vec3{-0.05, -0.012, 0}, 0.005 * size, 0.01));
  for (const double side : {-1.0, 1.0}) {
    const Vec3 root = c + size * Vec3{-0.02, 0, 0.01 * side};
    out.push_back(
        bar(root, 0.007 * size, c + size * Vec3{-0.026, 0.002, 0.045 * side}, 0.005 * size, 0.01));
  }
}

Vec3 to_side(Vec3 v, double side) { return {v.x, v.y, side * v.z}; }

// The spine bows backwards between the shoulders.
double thorax_x(double y) {
  const double bow = (y - 0.39) / 0.115;
  return -0.078 + 0.018 * bow * bow;
}

// A rib runs out of the spine, round the side and down to the front.
void add_rib(std::vector<Blob>& out, int k, double side) {
  const double level = 0.5 - 0.027 * k, thick = 0.0062;
  const double wide = 0.075 + 0.05 * sin(0.22 * (k + 1.6)), deep = 0.071 + 0.0046 * k;
  const double end = k < 6 ? 0.25 : 0.25 + 0.35 * (k - 5);  // the last ones float
  const double start = kPi - 0.35;
  const int pieces = 10;
  Vec3 before{thorax_x(level), level, 0};
  for (int i = 0; i <= pieces; ++i) {
    const double a = start - (start - end) * i / pieces;
    const double drop = (0.035 + 0.003 * k) * (1 + cos(a));
    const Vec3 p{-0.008 + deep * cos(a), level - drop, side * wide * sin(a)};
    out.push_back(bar(before, thick, p, thick, 0.004));
    before = p;
  }
  if (k >= 6) return;
  const Vec3 front{0.074, level - 0.062 - 0.004 * k, side * 0.006};
  out.push_back(bar(before, thick, front, thick, 0.005));
}

}  // namespace

std::vector<Blob> make_pelvis() {
  std::vector<Blob> out{ellipsoid({-0.055, 0.075, 0}, {0.02, 0.045, 0.04}, 0.012),
                        bar({-0.055, 0.05, 0}, 0.014, {-0.045, 0.0, 0}, 0.007, 0.015)};
  for (const double side : {-1.0, 1.0}) {
    const auto at = [&](double x, double y, double z) { return to_side({x, y, z}, side); };
    // the socket, and the wing between it and the crest
    const Vec3 socket = at(-0.004, 0.0, 0.088);
    const Vec3 crest[] = {at(-0.062, 0.095, 0.035), at(-0.045, 0.118, 0.07), at(-0.01, 0.122, 0.1),
                          at(0.03, 0.105, 0.124), at(0.055, 0.07, 0.122)};
    for (size_t i = 0; i < 5; ++i) {
      out.push_back(bar(socket, 0.014, crest[i], 0.008, 0.014));
      if (i > 0) out.push_back(bar(crest[i - 1], 0.009, crest[i], 0.009, 0.01));
    }
    out.push_back(bar(at(-0.055, 0.08, 0.03), 0.018, crest[1], 0.008, 0.014));
    // pubis, ischium and the branch between them: round a hole
    const Vec3 pubis = at(0.05, -0.032, 0.016), ischium = at(-0.028, -0.078, 0.062);
    out.push_back(bar(socket, 0.016, pubis, 0.01, 0.01));
    out.push_back(bar(socket, 0.017, ischium, 0.014, 0.01));
    out.push_back(bar(ischium, 0.011, at(0.03, -0.062, 0.022), 0.007, 0.008));
    out.push_back(bar(at(0.03, -0.062, 0.022), 0.007, pubis, 0.009, 0.008));
    out.push_back(bar(pubis, 0.011, {0.052, -0.034, 0}, 0.011, 0.008));
  }
  return out;
}

std::vector<Blob> make_lumbar() {
  std::vector<Blob> out{bar({-0.03, 0.145, 0}, 0.016, {-0.03, 0.24, 0}, 0.016, 0.01)};
  for (int i = 0; i < 3; ++i) add_vertebra(out, {-0.03, 0.151 + 0.041 * i, 0}, 1.05);
  return out;
}

std::vector<Blob> make_rib_cage() {
  std::vector<Blob> out{bar({-0.06, 0.275, 0}, 0.015, {-0.078, 0.39, 0}, 0.014, 0.008),
                        bar({-0.078, 0.39, 0}, 0.014, {-0.06, 0.505, 0}, 0.012, 0.008),
                        bar({0.074, 0.47, 0}, 0.013, {0.078, 0.282, 0}, 0.009, 0.008)};
  for (int i = 0; i < 7; ++i) {
    const double y = 0.285 + 0.035 * i;
    add_vertebra(out, {thorax_x(y), y, 0}, 0.72);
  }
  for (int k = 0; k < 8; ++k) {
    add_rib(out, k, 1);
    add_rib(out, k, -1);
  }
  return out;
}

std::vector<Blob> make_neck() {
  std::vector<Blob> out{bar({-0.03, 0.53, 0}, 0.01, {-0.02, 0.6, 0}, 0.01, 0.008)};
  for (int i = 0; i < 4; ++i) add_vertebra(out, {-0.03 + 0.003 * i, 0.531 + 0.022 * i, 0}, 0.56);
  return out;
}

std::vector<Blob> make_skull() {
  std::vector<Blob> out{ellipsoid({-0.012, 0.74, 0}, {0.09, 0.07, 0.07}, 0.02),
                        ellipsoid({0.045, 0.695, 0}, {0.038, 0.04, 0.046}, 0.02),
                        ellipsoid({0.068, 0.665, 0}, {0.02, 0.018, 0.026}, 0.012)};
  for (const double side : {-1.0, 1.0}) {
    const auto at = [&](double x, double y, double z) { return to_side({x, y, z}, side); };
    // cheek bone and brow
    out.push_back(bar(at(0.07, 0.685, 0.036), 0.009, at(0.012, 0.695, 0.066), 0.006, 0.008));
    out.push_back(bar(at(0.075, 0.722, 0.012), 0.008, at(0.058, 0.722, 0.05), 0.008, 0.01));
    // jaw: from below the ear to the chin
    out.push_back(bar(at(0.008, 0.695, 0.054), 0.009, at(0.016, 0.65, 0.05), 0.01, 0.008));
    out.push_back(bar(at(0.016, 0.65, 0.05), 0.01, at(0.078, 0.632, 0.016), 0.01, 0.008));
  }
  out.push_back(bar({0.078, 0.632, -0.016}, 0.011, {0.078, 0.632, 0.016}, 0.011, 0.008));
  out.push_back(bar({0.08, 0.634, 0}, 0.008, {0.078, 0.655, 0}, 0.012, 0.006));
  // sockets of the eyes, and the nose
  for (const double side : {-1.0, 1.0}) {
    out.push_back(hollow(ellipsoid({0.086, 0.702, 0.027 * side}, {0.026, 0.016, 0.017}, 0.006)));
  }
  out.push_back(hollow(ellipsoid({0.09, 0.681, 0}, {0.014, 0.013, 0.008}, 0.005)));
  return out;
}

}  // namespace tenon::scene
