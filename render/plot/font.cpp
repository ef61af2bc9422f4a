#include "tenon/render/plot/font.h"

#include <algorithm>
#include <array>

namespace tenon::plot {
namespace {

// A point is two characters: x from '0' to '9' and 'a' to 'f' (10 to 15), y from 'a' (-4) over 'e'
// (the base line), 'o' (10, small letters) and 's' (14, capitals) to 'v' (17). Strokes are
// separated by spaces; one that begins with '~' is rounded.
struct Shape {
  uint32_t code;
  int width;
  const char* strokes;
};
constexpr Shape kShapes[] = {
    {' ', 3, ""},
    {'!', 2, "1s1i 1e1f"},
    {'"', 3, "0s0o 3s3o"},
    {'#', 8, "2e3s 6e7s 0n8n 0i8i"},
    {'$', 8, "~8p8s0s0m8k8e0e0h 4u4c"},
    {'%', 9, "~0n0s4s4n0n ~5e5j9j9e5e 8s1e"},
    {'&', 8, "~8k6e0e0j5o5s1s1o8e"},
    {'\'', 2, "1s1o"},
    {'(', 3, "~3t0q0f3b"},
    {')', 3, "~0t3q3f0b"},
    {'*', 6, "3s3m 1r5n 1n5r"},
    {'+', 8, "0j8j 4f4n"},
    {',', 2, "1f0c"},
    {'-', 5, "0j5j"},
    {'.', 2, "1e1f"},
    {'/', 6, "0c6s"},
    {'0', 8, "~0e8e8s0s0e"},
    {'1', 8, "2p5s5e"},
    {'2', 8, "~0o0s8s8m0e 0e8e"},
    {'3', 8, "~0p0s7s7l3l ~3l8l8e0e0h"},
    {'4', 8, "6e6s0i8i"},
    {'5', 8, "7s1s0m ~0m3o8o8e0e0h"},
    {'6', 8, "~7r3s0o0i0e8e8n0n0i"},
    {'7', 8, "0s8s3e"},
    {'8', 8, "~4l1l1s7s7l4l ~4l0l0e8e8l4l"},
    {'9', 8, "~1f5e8i8o8s0s0j8j8o"},
    {':', 2, "1e1f 1n1o"},
    {';', 2, "1f0c 1n1o"},
    {'<', 7, "7o0j7e"},
    {'=', 8, "0h8h 0l8l"},
    {'>', 7, "0o7j0e"},
    {'?', 6, "~0p0s6s6m3l3i 3e3f"},
    {'@', 10, "~ahaoas0s0e8e ~7n3n3h7h7n 7n7i ~7i7gagak"},
    {'A', 8, "0e4s8e 1j7j"},
    {'B', 8, "0e0s 0s4s ~4s7s7l4l 0l4l ~4l8l8e4e 0e4e"},
    {'C', 8, "~8q6s0s0e6e8g"},
    {'D', 8, "0e0s 0s3s ~3s8s8e3e 0e3e"},
    {'E', 7, "7s0s0e7e 0l6l"},
    {'F', 7, "7s0s0e 0l6l"},
    {'G', 8, "~8q6s0s0e8e8k 8k5k"},
    {'H', 8, "0e0s 8e8s 0l8l"},
    {'I', 2, "1e1s"},
    {'J', 6, "6s6i ~6i6e0e0i"},
    {'K', 8, "0e0s 8s0j 3m8e"},
    {'L', 7, "0s0e7e"},
    {'M', 10, "0e0s5hasae"},
    {'N', 8, "0e0s8e8s"},
    {'O', 9, "~0e9e9s0s0e"},
    {'P', 8, "0e0s 0s4s ~4s8s8k4k 0k4k"},
    {'Q', 9, "~0e9e9s0s0e 6h9d"},
    {'R', 8, "0e0s 0s4s ~4s8s8k4k 0k4k 4k8e"},
    {'S', 8, "~8p8s0s0m8k8e0e0h"},
    {'T', 8, "0s8s 4s4e"},
    {'U', 8, "0s0i ~0i0e8e8i 8i8s"},
    {'V', 8, "0s4e8s"},
    {'W', 12, "0s3e6s9ecs"},
    {'X', 8, "0s8e 8s0e"},
    {'Y', 8, "0s4l8s 4l4e"},
    {'Z', 8, "0s8s0e8e"},
    {'[', 3, "3t0t0b3b"},
    {'\\', 6, "0s6c"},
    {']', 3, "0t3t3b0b"},
    {'^', 6, "0n3s6n"},
    {'_', 8, "0d8d"},
    {'`', 3, "0s2p"},
    {'a', 7, "~7e0e0o7o7e 7o7e"},
    {'b', 7, "0s0e ~0e7e7o0o0e"},
    {'c', 7, "~7m6o0o0e6e7g"},
    {'d', 7, "7s7e ~7e0e0o7o7e"},
    {'e', 7, "0j7j ~7j7o0o0e6e7g"},
    {'f', 5, "~5s2s2o 2o2e 0o5o"},
    {'g', 7, "~7e0e0o7o7e 7o7d ~7d7a1a0b"},
    {'h', 6, "0s0e ~0k0o6o6k 6k6e"},
    {'i', 2, "1e1o 1r1s"},
    {'j', 3, "2o2d ~2d2a0a 2r2s"},
    {'k', 6, "0s0e 6o0i 2k6e"},
    {'l', 2, "1s1e"},
    {'m', 10, "0o0e ~0l0o5o5l 5l5e ~5l5oaoal alae"},
    {'n', 6, "0o0e ~0k0o6o6k 6k6e"},
    {'o', 7, "~0e7e7o0o0e"},
    {'p', 7, "0o0a ~0e7e7o0o0e"},
    {'q', 7, "7o7a ~7e0e0o7o7e"},
    {'r', 4, "0o0e ~0k0o4o"},
    {'s', 6, "~6m6o0o0k6i6e0e0g"},
    {'t', 5, "2r2h ~2h2e5e 0o5o"},
    {'u', 6, "0o0i ~0i0e6e6i 6o6e"},
    {'v', 6, "0o3e6o"},
    {'w', 10, "0o2e5o8eao"},
    {'x', 6, "0o6e 6o0e"},
    {'y', 6, "0o3e 6o1a"},
    {'z', 6, "0o6o0e6e"},
    {'{', 4, "~4t2t2m0l ~0l2j2b4b"},
    {'|', 2, "1s1b"},
    {'}', 4, "~0t2t2m4l ~4l2j2b0b"},
    {'~', 8, "~0j2m6h8k"},
    {0xb0, 4, "~0o4o4s0s0o"},
    {0xb5, 6, "0o0a ~0i0e6e6i 6o6e"},
    {0xb7, 2, "1i1j"},
    {0xd7, 6, "0g6m 0m6g"},
    {0xc4, 8, "0e4s8e 1j7j 2u2v 6u6v"},
    {0xd6, 9, "~0e9e9s0s0e 2u2v 7u7v"},
    {0xdc, 8, "0s0i ~0i0e8e8i 8i8s 2u2v 6u6v"},
    {0xdf, 7, "0e0o ~0o0s5s5n3m ~3m7m7e3e"},
    {0xe4, 7, "~7e0e0o7o7e 7o7e 2r2s 5r5s"},
    {0xf6, 7, "~0e7e7o0o0e 2r2s 5r5s"},
    {0xfc, 6, "0o0i ~0i0e6e6i 6o6e 1r1s 5r5s"},
    {0x394, 8, "0e4s8e0e"},
    {0x3bc, 6, "0o0a ~0i0e6e6i 6o6e"},
    {0x3c9, 8, "~1o0e4e4k ~4k4e8e7o"},
    {0x2026, 9, "0e0f 4e4f 8e8f"},
};
constexpr const char* kUnknown = "0e6e6o0o0e";  // a small box
// base letters of U+00C0 to U+00FF
constexpr std::string_view kPlain =
    "AAAAAAACEEEEIIIIDNOOOOO OUUUUYPsaaaaaaaceeeeiiiidnooooo ouuuuypy";

constexpr double kUnit = 0.72 / 14;  // em

const Shape* find_shape(uint32_t code) {
  const auto* const found = std::find_if(std::begin(kShapes), std::end(kShapes),
                                         [&](const Shape& shape) { return shape.code == code; });
  return found == std::end(kShapes) ? nullptr : found;
}

// Corner cutting: each round replaces an edge by its points at a quarter and three quarters. The
// limit is a quadratic B-spline; open strokes keep their ends.
std::vector<Point> rounded(const std::vector<Point>& points) {
  const Point &a = points.front(), &b = points.back();
  const bool closed = a.x == b.x && a.y == b.y;
  std::vector<Point> now = points;
  for (int round = 0; round < 3; ++round) {
    std::vector<Point> next;
    if (!closed) next.push_back(now.front());
    for (size_t i = 0; i + 1 < now.size(); ++i) {
      const Point &p = now[i], &q = now[i + 1];
      next.push_back({0.75 * p.x + 0.25 * q.x, 0.75 * p.y + 0.25 * q.y});
      next.push_back({0.25 * p.x + 0.75 * q.x, 0.25 * p.y + 0.75 * q.y});
    }
    next.push_back(closed ? next.front() : now.back());
    now = std::move(next);
  }
  return now;
}

std::vector<std::vector<Point>> parse(std::string_view text) {
  std::vector<std::vector<Point>> strokes;
  while (!text.empty()) {
    std::string_view stroke = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), stroke.size() + 1));
    const bool round = stroke.front() == '~';
    if (round) stroke.remove_prefix(1);
    std::vector<Point> points;
    for (size_t i = 0; i + 1 < stroke.size(); i += 2) {
      const char x = stroke[i], y = stroke[i + 1];
      points.push_back({kUnit * (x <= '9' ? x - '0' : x - 'a' + 10), -kUnit * (y - 'e')});
    }
    strokes.push_back(round ? rounded(points) : points);
  }
  return strokes;
}

// The digit or sign of a superscript; 0 for none.
uint32_t superscript(uint32_t code) {
  if (code == 0xb9) return '1';
  if (code == 0xb2 || code == 0xb3) return code - 0xb2 + '2';
  if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) return code - 0x2070 + '0';
  return code == 0x207b ? '-' : 0;
}

}  // namespace

Letter next_letter(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, false};
  const size_t bytes = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (bytes == 0 || lead >= 0xf5 || at + bytes > text.size()) return {lead, 1, true};
  uint32_t code = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {lead, 1, true};
    code = code << 6 | (byte(at + i) & 0x3fu);
  }
  const uint32_t least = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least || code > 0x10ffff || surrogate) return {lead, 1, true};
  return {code, bytes, false};
}

Glyph find_glyph(uint32_t code) {
  if (const uint32_t base = superscript(code)) {
    Glyph small = find_glyph(base);
    small.advance *= 0.65;
    for (auto& stroke : small.strokes)
      for (Point& p : stroke) p = {0.62 * p.x, 0.62 * p.y - 0.34};
    return small;
  }
  if (code >= 0x2010 && code <= 0x2015) code = '-';
  if (code == 0x2212) code = '-';
  const Shape* shape = find_shape(code);
  if (shape == nullptr && code >= 0xc0 && code <= 0xff) shape = find_shape(kPlain[code - 0xc0]);
  if (shape == nullptr) return {parse(kUnknown), 9 * kUnit};
  return {parse(shape->strokes), (shape->width + 3) * kUnit};
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (size_t i = 0; i < text.size();) {
    const Letter letter = next_letter(text, i);
    width += find_glyph(letter.bad ? '?' : letter.code).advance + (bold ? 0.03 : 0);
    i += letter.bytes;
  }
  return width * size;
}

std::string shortened(const std::string& text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  std::string kept;
  for (size_t i = 0; i < text.size();) {
    const Letter letter = next_letter(text, i);
    const std::string more = kept + text.substr(i, letter.bytes);
    if (text_width(more + "…", size) > width) break;
    kept = more;
    i += letter.bytes;
  }
  return kept + "…";
}

}  // namespace tenon::plot
