// Drawings as pixels. A library for this (Cairo with Pango, librsvg) would bring dozens of packages
// and the fonts of the machine; plots need lines, rectangles and letters made of lines only, and so
// get the same bytes everywhere.
#include <algorithm>
#include <cmath>

#include "tenon/render/plot/drawing.h"
#include "tenon/render/plot/font.h"

namespace tenon::plot {
namespace {

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double s = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  s = std::clamp(s, 0.0, 1.0);
  const double ex = p.x - a.x - s * dx, ey = p.y - a.y - s * dy;
  return std::sqrt(ex * ex + ey * ey);
}

class Canvas {
 public:
  Canvas(const Drawing& drawing, double scale) : scale_(scale) {
    pixels_.width = std::max(1, static_cast<int>(std::lround(drawing.width * scale)));
    pixels_.height = std::max(1, static_cast<int>(std::lround(drawing.height * scale)));
    pixels_.rgb.resize(size_t{3} * pixels_.width * pixels_.height);
    cover_.resize(size_t{1} * pixels_.width * pixels_.height);
    draw(Area{0, 0, drawing.width, drawing.height, drawing.paper});
    for (const auto& part : drawing.parts) std::visit([this](const auto& p) { draw(p); }, part);
  }
  Pixels take() { return std::move(pixels_); }

 private:
  struct Span {
    int lo = 0, hi = -1;
  };
  static Span pixel_span(double lo, double hi, int size) {
    return {static_cast<int>(std::clamp(std::floor(lo), 0.0, size - 1.0)),
            static_cast<int>(std::clamp(std::ceil(hi), -1.0, size - 1.0))};
  }

  void blend(int x, int y, Ink ink, double share) {
    uint8_t* const p = &pixels_.rgb[3 * (static_cast<size_t>(y) * pixels_.width + x)];
    const uint8_t color[3] = {ink.r, ink.g, ink.b};
    for (int c = 0; c < 3; ++c)
      p[c] = static_cast<uint8_t>(std::lround(p[c] + share * (color[c] - p[c])));
  }

  void draw(const Area& area) {
    const double x0 = area.x * scale_, x1 = (area.x + area.width) * scale_;
    const double y0 = area.y * scale_, y1 = (area.y + area.height) * scale_;
    const Span xs = pixel_span(x0, x1, pixels_.width), ys = pixel_span(y0, y1, pixels_.height);
    for (int y = ys.lo; y <= ys.hi; ++y) {
      const double cy = std::clamp(std::min(y1, y + 1.0) - std::max(y0, 1.0 * y), 0.0, 1.0);
      for (int x = xs.lo; x <= xs.hi; ++x) {
        const double cx = std::clamp(std::min(x1, x + 1.0) - std::max(x0, 1.0 * x), 0.0, 1.0);
        if (cx * cy > 0) blend(x, y, area.ink, cx * cy);
      }
    }
  }

  // How much of each pixel a round brush of this width covers along the segment, to about a tenth.
  void cover(const Point& a, const Point& b, double width) {
    const double reach = 0.5 * width + 1;
    const double share = std::min(1.0, width), half = 0.5 * std::max(1.0, width);
    const Span ys =
        pixel_span(std::min(a.y, b.y) - reach, std::max(a.y, b.y) + reach, pixels_.height);
    const Span xs =
        pixel_span(std::min(a.x, b.x) - reach, std::max(a.x, b.x) + reach, pixels_.width);
    for (int y = ys.lo; y <= ys.hi; ++y) {
      for (int x = xs.lo; x <= xs.hi; ++x) {
        const double d = distance({x + 0.5, y + 0.5}, a, b);
        const double c = share * std::clamp(half + 0.5 - d, 0.0, 1.0);
        float& kept = cover_[static_cast<size_t>(y) * pixels_.width + x];
        kept = std::max(kept, static_cast<float>(c));
      }
    }
    grow(touched_x_, xs);
    grow(touched_y_, ys);
  }
  static void grow(Span& all, const Span& more) {
    if (more.hi < more.lo) return;
    all = all.hi < all.lo ? more : Span{std::min(all.lo, more.lo), std::max(all.hi, more.hi)};
  }

  // Lines that cross themselves are as dark there as elsewhere: covered first, then painted once.
  void paint_covered(Ink ink) {
    for (int y = touched_y_.lo; y <= touched_y_.hi; ++y) {
      for (int x = touched_x_.lo; x <= touched_x_.hi; ++x) {
        float& c = cover_[static_cast<size_t>(y) * pixels_.width + x];
        if (c > 0) blend(x, y, ink, c);
        c = 0;
      }
    }
    touched_x_ = touched_y_ = {};
  }

  void draw(const Polyline& line) {
    double along = 0;
    for (size_t i = 0; i + 1 < line.points.size(); ++i) {
      Point a = scaled(line.points[i]), b = scaled(line.points[i + 1]);
      if (line.crisp) {
        a = {std::floor(a.x) + 0.5, std::floor(a.y) + 0.5};
        b = {std::floor(b.x) + 0.5, std::floor(b.y) + 0.5};
      }
      if (line.dash > 0) {
        along = cover_dashed(a, b, line, along);
      } else {
        cover(a, b, line.width * scale_);
      }
    }
    paint_covered(line.ink);
  }

  // `along`: length of the line so far; returns it with this segment.
  double cover_dashed(const Point& a, const Point& b, const Polyline& line, double along) {
    const double dash = line.dash * scale_, dx = b.x - a.x, dy = b.y - a.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return along;
    const auto at = [&](double s) { return Point{a.x + dx * s / length, a.y + dy * s / length}; };
    const double first = std::floor(along / (2 * dash)) * 2 * dash;
    for (double begin = first; begin < along + length; begin += 2 * dash) {
      const double lo = std::max(begin - along, 0.0), hi = std::min(begin + dash - along, length);
      if (hi > lo) cover(at(lo), at(hi), line.width * scale_);
    }
    return along + length;
  }

  void draw(const Words& words) {
    const double width = text_width(words.text, words.size, words.bold);
    double x = words.anchor == Anchor::kStart ? 0
               : words.anchor == Anchor::kEnd ? -width
                                              : -0.5 * width;
    for (size_t i = 0; i < words.text.size();) {
      const Letter letter = next_letter(words.text, i);
      const Glyph glyph = find_glyph(letter.bad ? '?' : letter.code);
      for (const auto& stroke : glyph.strokes) {
        for (size_t k = 0; k + 1 < stroke.size(); ++k)
          cover(place(words, x, stroke[k]), place(words, x, stroke[k + 1]),
                words.size * (words.bold ? 0.125 : 0.085) * scale_);
      }
      x += (glyph.advance + (words.bold ? 0.03 : 0)) * words.size;
      i += letter.bytes;
    }
    paint_covered(words.ink);
  }
  Point place(const Words& words, double x, const Point& p) const {
    const double right = x + words.size * (p.x + 0.04), down = words.size * p.y;
    if (words.upwards) return scaled({words.at.x + down, words.at.y - right});
    return scaled({words.at.x + right, words.at.y + down});
  }

  Point scaled(const Point& p) const { return {p.x * scale_, p.y * scale_}; }

  double scale_;
  Pixels pixels_;
  std::vector<float> cover_;  // 0 but while a line is drawn
  Span touched_x_, touched_y_;
};

}  // namespace

Pixels rasterize(const Drawing& drawing, double scale) {
  return Canvas(drawing, std::clamp(scale, 0.1, 10.0)).take();
}

}  // namespace tenon::plot
