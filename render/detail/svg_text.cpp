#include "tenon/render/detail/svg_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "tenon/scene/formats/utf8.h"

namespace tenon::render {
namespace {

// Tenths of a pixel as text; `.5` and `-.5` are numbers in path data.
void append_tenths(std::string& text, int64_t tenths, bool separate) {
  if (separate && tenths >= 0) text += ' ';
  if (tenths < 0) text += '-';
  const int64_t size = tenths < 0 ? -tenths : tenths;
  if (size >= 10 || size == 0) text += std::to_string(size / 10);
  if (size % 10 != 0) {
    text += '.';
    text += static_cast<char>('0' + size % 10);
  }
}

int64_t to_tenths(double value) {
  if (!std::isfinite(value)) return 0;
  return static_cast<int64_t>(std::floor(10 * std::clamp(value, -1e6, 1e6) + 0.5));
}

bool allowed_in_xml(std::string_view point) {
  if (point.size() == 1) {
    const auto c = static_cast<unsigned char>(point[0]);
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  }
  return point != "\xef\xbf\xbe" && point != "\xef\xbf\xbf";  // U+FFFE, U+FFFF
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) value = 0;
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer, end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = scene::utf8_length(text);
    const std::string_view point = text.substr(0, std::max<size_t>(length, 1));
    text.remove_prefix(point.size());
    if (length == 0 || !allowed_in_xml(point)) {
      out += '?';
    } else if (point == "&") {
      out += "&amp;";
    } else if (point == "<") {
      out += "&lt;";
    } else if (point == ">") {
      out += "&gt;";
    } else if (point == "\"") {
      out += "&quot;";
    } else {
      out += point;
    }
  }
  return out;
}

std::string path_data(std::span<const Point2> points, Ends ends) {
  std::string text;
  int64_t x = 0, y = 0;
  size_t lines = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const int64_t nx = to_tenths(points[i].x), ny = to_tenths(points[i].y);
    // rounding is done before taking differences, so that it does not add up
    if (i == 0) {
      text = "M";
      append_tenths(text, nx, false);
      append_tenths(text, ny, true);
    } else if (nx != x || ny != y) {
      if (lines == 0) text += 'l';
      append_tenths(text, nx - x, lines > 0);
      append_tenths(text, ny - y, true);
      ++lines;
    }
    x = nx;
    y = ny;
  }
  if (lines == 0) return {};
  if (ends == Ends::kClosed) text += 'z';
  return text;
}

std::string ellipse_element(const Ellipse& e, std::string_view attributes) {
  std::string text;
  if (e.a - e.b < std::max(0.15, 0.02 * e.b)) {
    text = "<circle cx=\"" + fixed(e.center.x, 1) + "\" cy=\"" + fixed(e.center.y, 1) + "\" r=\"" +
           fixed(0.5 * (e.a + e.b), 1) + "\" ";
  } else {
    // two arcs rather than a turned <ellipse>: turning would turn the gradient as well
    const Point2 d{e.a * e.axis.x, e.a * e.axis.y};
    const std::string arc = "A" + fixed(e.a, 1) + " " + fixed(e.b, 1) + " " +
                            fixed(atan2(e.axis.y, e.axis.x) * 180 / kPi, 1) + " 0 1 ";
    const std::string from = fixed(e.center.x - d.x, 1) + " " + fixed(e.center.y - d.y, 1);
    text = "<path d=\"M" + from + arc + fixed(e.center.x + d.x, 1) + " " +
           fixed(e.center.y + d.y, 1) + arc + from + "z\" ";
  }
  text += attributes;
  return text + "/>";
}

// The gradient runs in circles about the highlight to the far rim; its colours are those on the
// diameter through the highlight. Departure from the truth: circles of equal brightness are
// ellipses in the picture.
std::string Gradients::sphere(const Surface& surface, const Illumination& light) {
  const Vec3 back = -view_.forward_W;
  Vec3 half = back;
  double strongest = 0;
  for (const auto& ray : light.rays) {
    if (!(max_component(ray.rgb) > strongest)) continue;
    strongest = max_component(ray.rgb);
    half = normalized(ray.to_light_W + back, back);
  }
  const double hx = dot(half, view_.right_W), hy = dot(half, view_.up_W);
  const double h = std::min(std::sqrt(hx * hx + hy * hy), 0.999);
  const Vec3 across =
      normalized(hx * view_.right_W + hy * view_.up_W, view_.up_W);  // towards the highlight
  std::string body = " cx=\"" + fixed(0.5 + 0.5 * hx, 3) + "\" cy=\"" + fixed(0.5 - 0.5 * hy, 3) +
                     "\" r=\"" + fixed(0.5 * (1 + h), 3) + "\">";
  for (const double t : {0.0, 0.08, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    const double s = std::max(h - t * (1 + h), -0.999);
    const Vec3 normal = s * across + std::sqrt(1 - s * s) * back;
    body += "<stop offset=\"" + fixed(t, 2) + "\" stop-color=\"" +
            hex(shade(surface, light, normal, back)) + "\"/>";
  }
  const auto [found, is_new] = ids_.try_emplace(body, ids_.size());
  const std::string id = "s" + std::to_string(found->second);
  if (is_new) definitions_ += "<radialGradient id=\"" + id + "\"" + body + "</radialGradient>\n";
  return "url(#" + id + ")";
}

std::string Gradients::line(const Point2& from, const Point2& to, std::span<const Stop> stops) {
  const std::string id = "l" + std::to_string(lines_++);
  definitions_ += "<linearGradient id=\"" + id + "\" gradientUnits=\"userSpaceOnUse\" x1=\"" +
                  fixed(from.x, 1) + "\" y1=\"" + fixed(from.y, 1) + "\" x2=\"" + fixed(to.x, 1) +
                  "\" y2=\"" + fixed(to.y, 1) + "\">";
  for (const Stop& stop : stops)
    definitions_ +=
        "<stop offset=\"" + fixed(stop.share, 3) + "\" stop-color=\"" + hex(stop.color) + "\"/>";
  definitions_ += "</linearGradient>\n";
  return "url(#" + id + ")";
}

}  // namespace tenon::render
