#include "tenon/render/trace/caption.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/image/text.h"

namespace tenon::render {
namespace {

constexpr Rgb kWhite{255, 255, 255}, kInk{24, 28, 34};
constexpr Rgb kKinetic{214, 69, 48}, kPotential{52, 111, 186}, kElastic{66, 150, 84};

// Light words with a dark edge are read on any picture.
void write_edged(Image& image, double x, double y, double dot, const std::string& text) {
  for (const auto& [dx, dy] : {std::pair{-0.5, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.0, 0.5}})
    draw_text(image, x + dx * dot, y + dy * dot, dot, text, kInk, 0.6);
  draw_text(image, x, y, dot, text, kWhite);
}

void draw_labels(const Stage& stage, const StageCamera& camera, double size, Image& image) {
  const double focal = 0.5 * image.height / tan(0.5 * camera.fov_rad);
  for (const StageLabel& label : stage.labels) {
    const Vec3 d = label.p_W - camera.p_WE;
    const double z = tenon::dot(camera.forward_W, d);
    if (!(z > 0)) continue;
    const double x = 0.5 * image.width + focal * tenon::dot(camera.right_W, d) / z;
    const double y = 0.5 * image.height - focal * tenon::dot(camera.up_W, d) / z;
    if (!std::isfinite(x + y) || std::fabs(x) > 1e5 || std::fabs(y) > 1e5) continue;
    write_edged(image, x - 0.5 * text_width(label.text, size), y - (kTextDots + 2) * size, size,
                label.text);
  }
}

void draw_energy(const StageEnergy& energy, double size, Image& image) {
  const double width = 0.25 * image.width, height = kTextDots * size;
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
  write_edged(image, x, y - height - 4 * size, size, text);
}

}  // namespace

void draw_captions(const Stage& stage, const StageCamera& camera, Image& image) {
  // whole pixels: small letters stay sharp
  const double dot = std::max(1.0, std::floor(image.height / 270.0 + 0.5));
  draw_labels(stage, camera, dot, image);
  if (stage.show_time) {
    char text[48];
    std::snprintf(text, sizeof text, "t = %.3f s", stage.time);
    write_edged(image, 2 * kTextDots * dot, image.height - 3 * kTextDots * dot, dot, text);
  }
  if (stage.energy) draw_energy(*stage.energy, dot, image);
}

}  // namespace tenon::render
