#include "tenon/render/trace/caption.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/image/text.h"

namespace tenon::render {
namespace {

constexpr Rgb kWhite{255, 255, 255}, kInk{24, 28, 34};
constexpr Rgb kKinetic{214, 69, 48}, kPotential{52, 111, 186}, kElastic{66, 150, 84};

// Light words with a dark edge are read on any picture.
void write_edged(Image& image, double x, double y, double height, const std::string& text) {
  draw_text(image, x, y, text, {height, kInk, 0.35 * height, 0.7});
  draw_text(image, x, y, text, {height, kWhite, 0, 1});
}

struct PlacedLabel {
  double x, y, width, depth;  // px: left, top; m
  const std::string* text;
};

// Those that are in the picture, the nearest first.
std::vector<PlacedLabel> find_labels(const Stage& stage, const StageCamera& camera, double height,
                                     const Image& image) {
  std::vector<PlacedLabel> labels;
  const double focal = 0.5 * image.height / tan(0.5 * camera.fov_rad);
  for (const StageLabel& label : stage.labels) {
    const Vec3 d = label.p_W - camera.p_WE;
    const double z = dot(camera.forward_W, d);
    if (!(z > 0)) continue;
    const double x = 0.5 * image.width + focal * dot(camera.right_W, d) / z;
    const double y = 0.5 * image.height - focal * dot(camera.up_W, d) / z;
    if (!std::isfinite(x + y) || x < 0 || y < 0 || x > image.width || y > image.height) continue;
    const double width = text_width(label.text, height);
    labels.push_back({x - 0.5 * width, y - 1.4 * height, width, z, &label.text});
  }
  // labels lie in one list: equally near ones keep their order
  std::sort(labels.begin(), labels.end(), [](const PlacedLabel& a, const PlacedLabel& b) {
    return a.depth < b.depth || (a.depth == b.depth && std::less<>()(a.text, b.text));
  });
  return labels;
}

// The nearest body has its label where it belongs. One that would lie on another moves up by up to
// three lines, and is left out where that is not enough.
void draw_labels(const Stage& stage, const StageCamera& camera, double height, Image& image) {
  constexpr int kLines = 4;
  const double line = 1.9 * height, gap = 0.6 * height;
  std::vector<PlacedLabel> drawn;
  for (PlacedLabel label : find_labels(stage, camera, height, image)) {
    const auto covers = [&](const PlacedLabel& other) {
      return label.x < other.x + other.width + gap && other.x < label.x + label.width + gap &&
             std::fabs(label.y - other.y) < line - 1e-9;
    };
    bool free = false;
    for (int k = 0; k < kLines && !free; ++k, label.y -= free ? 0 : line)
      free = std::none_of(drawn.begin(), drawn.end(), covers);
    if (!free) continue;
    drawn.push_back(label);
    write_edged(image, label.x, label.y, height, *label.text);
  }
}

void draw_energy(const StageEnergy& energy, double height, Image& image) {
  const double width = 0.25 * image.width, size = height / 7;
  const double x = image.width - width - 2 * height, y = image.height - 3 * height;
  fill_box(image, x - 2 * size, y - 2 * size, width + 4 * size, height + 4 * size, kInk, 0.55);
  double from = x;
  const struct {
    double joules;
    const Rgb& color;
  } parts[] = {
      {energy.kinetic, kKinetic}, {energy.potential, kPotential}, {energy.elastic, kElastic}};
  for (const auto& part : parts) {
    const double share = std::clamp(part.joules / energy.scale, 0.0, 1.0);
    const double long_px = std::isfinite(share) ? std::min(share * width, x + width - from) : 0;
    fill_box(image, from, y, long_px, height, part.color);
    from += long_px;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.4g J", energy.kinetic + energy.potential + energy.elastic);
  write_edged(image, x, y - height - 6 * size, height, text);
}

}  // namespace

void draw_captions(const Stage& stage, const StageCamera& camera, Image& image) {
  const double height = std::max(7.0, image.height / 42.0);  // px, of capitals
  draw_labels(stage, camera, height, image);
  if (stage.show_time) {
    char text[48];
    std::snprintf(text, sizeof text, "t = %.3f s", stage.time);
    write_edged(image, 2 * height, image.height - 3 * height, height, text);
  }
  if (stage.energy) draw_energy(*stage.energy, height, image);
}

}  // namespace tenon::render
