// Pixels, letters and PNG files.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "tenon/render/plot/font.h"
#include "tenon/render/plot/png.h"

namespace tenon::plot {
namespace {

Ink pixel(const Pixels& pixels, int x, int y) {
  const uint8_t* const p = &pixels.rgb[3 * (static_cast<size_t>(y) * pixels.width + x)];
  return {p[0], p[1], p[2]};
}

TEST(Raster, AreasFillTheirPixelsAndShareTheirEdges) {
  Drawing drawing{10, 10, {255, 255, 255}, {Area{2, 3, 4.5, 2, {0, 0, 0}}}};
  const Pixels pixels = rasterize(drawing);
  EXPECT_EQ(pixel(pixels, 2, 3), (Ink{0, 0, 0}));
  EXPECT_EQ(pixel(pixels, 5, 4), (Ink{0, 0, 0}));
  EXPECT_EQ(pixel(pixels, 1, 3), (Ink{255, 255, 255}));
  EXPECT_EQ(pixel(pixels, 2, 5), (Ink{255, 255, 255}));
  EXPECT_NEAR(pixel(pixels, 6, 3).r, 128, 1);  // half covered
}

TEST(Raster, LinesAreAsDarkAsTheyAreWide) {
  // the ink of a line is its length times its width, at any slope
  for (const double angle : {0.0, 0.3, 0.8, 1.2}) {
    const double length = 60, width = 3;
    const double c = std::cos(angle), s = std::sin(angle);
    Polyline line{{{20, 20}, {20 + length * c, 20 + length * s}}, {0, 0, 0}, width};
    const Pixels pixels = rasterize({100, 100, {255, 255, 255}, {line}});
    double ink = 0;
    for (const uint8_t v : pixels.rgb) ink += (255 - v) / 255.0 / 3;
    // the round ends add a disc; coverage by distance errs by a few percent
    const double expected = length * width + 0.25 * 3.14159 * width * width;
    EXPECT_NEAR(ink / expected, 1, 0.05) << angle;
  }
}

TEST(Raster, WhatLiesOutsideIsLeftOut) {
  Polyline far_line{{{-1e6, 50}, {1e6, 50}}, {0, 0, 0}, 2};
  const Pixels pixels = rasterize({20, 20, {255, 255, 255}, {far_line, Area{-5, -5, 2, 2, {}}}});
  for (const uint8_t v : pixels.rgb) EXPECT_EQ(v, 255);
}

TEST(Font, EveryPrintableLetterHasStrokesWithinItsLine) {
  for (uint32_t code = 33; code < 127; ++code) {
    const Glyph glyph = find_glyph(code);
    EXPECT_FALSE(glyph.strokes.empty()) << static_cast<char>(code);
    for (const auto& stroke : glyph.strokes) {
      EXPECT_GE(stroke.size(), 2u) << static_cast<char>(code);
      for (const Point& p : stroke) {
        EXPECT_TRUE(p.x >= -1e-9 && p.x <= glyph.advance) << static_cast<char>(code);
        EXPECT_TRUE(p.y >= -0.95 && p.y <= 0.25) << static_cast<char>(code);
      }
    }
  }
}

TEST(Font, LettersThatDifferLookDifferent) {
  std::vector<std::string> seen;
  for (uint32_t code = 33; code < 127; ++code) {
    std::string text;
    for (const auto& stroke : find_glyph(code).strokes)
      for (const Point& p : stroke) text += decimal(p.x, 3) + " " + decimal(p.y, 3) + ";";
    EXPECT_EQ(std::find(seen.begin(), seen.end(), text), seen.end()) << static_cast<char>(code);
    seen.push_back(text);
  }
}

TEST(Font, BytesThatAreNoUtf8AreOneLetterEach) {
  EXPECT_EQ(next_letter("ä", 0).code, 0xe4u);
  EXPECT_EQ(next_letter("€", 0).bytes, 3u);
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_TRUE(next_letter(bad, 0).bad);
    EXPECT_EQ(next_letter(bad, 0).bytes, 1u);
  }
  EXPECT_EQ(escape("a<b>&\"\xff\x01"), "a&lt;b&gt;&amp;&quot;??");
  EXPECT_EQ(shortened("abc", 10, 1000), "abc");
  EXPECT_LE(text_width(shortened("a rather long text", 10, 40), 10), 40);
}

uint32_t big_endian(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

// Reads what to_png wrote by the rules of the format: chunks with checksums, zlib, filters.
TEST(Png, DecodesToThePixelsThatWentIn) {
  Drawing drawing{37, 23, {250, 240, 230}, {Words{{3, 18}, "Tg", 16, {10, 60, 90}}}};
  const Pixels pixels = rasterize(drawing);
  const std::string png = to_png(pixels);
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  std::vector<std::string> kinds;
  for (size_t at = 8; at < png.size();) {
    const uint32_t size = big_endian(png, at);
    const std::string body = png.substr(at + 4, size + 4);
    kinds.push_back(body.substr(0, 4));
    EXPECT_EQ(big_endian(png, at + 8 + size),
              crc32(0, reinterpret_cast<const Bytef*>(body.data()), size + 4));
    if (kinds.back() == "IHDR") {
      EXPECT_EQ(big_endian(body, 4), 37u);
      EXPECT_EQ(big_endian(body, 8), 23u);
    }
    if (kinds.back() == "IDAT") packed += body.substr(4);
    at += size + 12;
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"IHDR", "IDAT", "IEND"}));
  std::vector<uint8_t> raw((3 * 37 + 1) * 23);
  uLongf size = raw.size();
  ASSERT_EQ(
      uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  ASSERT_EQ(size, raw.size());
  for (size_t y = 0; y < 23; ++y) {
    ASSERT_EQ(raw[y * 112], 1);
    for (size_t i = 0; i < 111; ++i) {
      uint8_t& v = raw[y * 112 + 1 + i];
      if (i >= 3) v = static_cast<uint8_t>(v + raw[y * 112 + 1 + i - 3]);
      ASSERT_EQ(v, pixels.rgb[y * 111 + i]);
    }
  }
}

}  // namespace
}  // namespace tenon::plot
