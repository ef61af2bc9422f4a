#include "tenon/render/image/text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tenon/render/plot/font.h"

namespace tenon::render {
namespace {

using plot::Point;

constexpr double kCapital = 0.72;  // em, height of capitals
constexpr double kStroke = 0.13;   // em, width of strokes

void blend(Image& image, int x, int y, const Rgb& color, double share) {
  if (!(share > 0)) return;
  uint8_t* pixel = image.at(x, y);
  for (size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<uint8_t>(pixel[c] + share * (color[c] - pixel[c]) + 0.5);
}

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  const double s = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

// How far pixels are inside of lines, one picture of it per word: crossings are not drawn twice.
class Cover {
 public:
  Cover(const Image& image, double x, double y, double width, double height)
      : left_(std::clamp(static_cast<int>(std::floor(x)), 0, image.width)),
        top_(std::clamp(static_cast<int>(std::floor(y)), 0, image.height)),
        width_(std::clamp(static_cast<int>(std::ceil(x + width)), left_, image.width) - left_),
        height_(std::clamp(static_cast<int>(std::ceil(y + height)), top_, image.height) - top_),
        shares_(static_cast<size_t>(width_) * static_cast<size_t>(height_)) {}

  void add(const Point& a, const Point& b, double width) {
    const double reach = 0.5 * width + 0.5;
    const auto range = [&](double u, double v, int from, int count) {
      return std::pair{
          std::clamp(static_cast<int>(std::floor(std::min(u, v) - reach)) - from, 0, count),
          std::clamp(static_cast<int>(std::ceil(std::max(u, v) + reach)) - from, 0, count)};
    };
    const auto [x0, x1] = range(a.x, b.x, left_, width_);
    const auto [y0, y1] = range(a.y, b.y, top_, height_);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        double& share = shares_[static_cast<size_t>(y * width_ + x)];
        const double d = distance({left_ + x + 0.5, top_ + y + 0.5}, a, b);
        share = std::max(share, std::clamp(reach - d, 0.0, 1.0));
      }
  }
  void paint(Image& image, const Rgb& color, double opacity) const {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        blend(image, left_ + x, top_ + y, color,
              opacity * shares_[static_cast<size_t>(y * width_ + x)]);
  }

 private:
  int left_, top_, width_, height_;
  std::vector<double> shares_;
};

// Calls use(glyph, x) for every letter, x in ems from the begin; the advance of all.
template <class Use>
double each_letter(std::string_view text, Use&& use) {
  double x = 0;
  for (size_t i = 0; i < text.size();) {
    const plot::Letter letter = plot::next_letter(text, i);
    const plot::Glyph glyph = plot::find_glyph(letter.bad ? '?' : letter.code);
    use(glyph, x);
    x += glyph.advance;
    i += letter.bytes;
  }
  return x;
}

}  // namespace

double text_width(std::string_view text, double height) {
  return each_letter(text, [](const plot::Glyph&, double) {}) * height / kCapital;
}

// Every pixel by the share of it that the box covers.
void fill_box(Image& image, double x, double y, double width, double height, const Rgb& color,
              double opacity) {
  if (!std::isfinite(x + y + width + height)) return;
  const auto part = [](double from, double to, int cell) {
    return std::clamp(std::min(to, cell + 1.0) - std::max(from, static_cast<double>(cell)), 0.0,
                      1.0);
  };
  const auto first = [](double v) { return static_cast<int>(std::floor(std::max(v, 0.0))); };
  const auto last = [](double v, int n) {
    return static_cast<int>(std::ceil(std::clamp(v, 0.0, static_cast<double>(n))));
  };
  for (int v = first(y); v < last(y + height, image.height); ++v)
    for (int u = first(x); u < last(x + width, image.width); ++u)
      blend(image, u, v, color, opacity * part(x, x + width, u) * part(y, y + height, v));
}

void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style) {
  const double em = style.height / kCapital, thick = kStroke * em + style.bolder;
  const double width = text_width(text, style.height);
  if (!std::isfinite(x + y + width) || std::fabs(x) > 1e6 || std::fabs(y) > 1e6) return;
  // descenders and strokes reach a little out of the capitals' box
  Cover cover(image, x - thick, y - 0.3 * em - thick, width + 2 * thick, 1.4 * em + 2 * thick);
  each_letter(text, [&](const plot::Glyph& glyph, double begin) {
    const auto place = [&](const Point& p) {
      return Point{x + em * (begin + p.x + 0.04), y + style.height + em * p.y};
    };
    for (const auto& stroke : glyph.strokes)
      for (size_t k = 0; k + 1 < stroke.size(); ++k)
        cover.add(place(stroke[k]), place(stroke[k + 1]), thick);
  });
  cover.paint(image, style.color, style.opacity);
}

}  // namespace tenon::render
