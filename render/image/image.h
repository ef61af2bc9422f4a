// Pictures in memory: 8 bits of red, green and blue, sRGB, row by row from the top.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"

namespace tenon::render {

struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // 3 * width * height

  Image() = default;
  Image(int w, int h)
      : width(w), height(h), rgb(3 * static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  uint8_t* at(int x, int y) {
    return &rgb[3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x))];
  }
  const uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
  friend bool operator==(const Image&, const Image&) = default;
};

// PNG through libpng: what every Debian has, kept safe there, and strict about damaged files; a
// copied header library would be ours to mend.
std::vector<uint8_t> encode_png(const Image& image);
// 8-bit RGB whatever the file has. The name is for messages.
Result<Image> decode_png(const std::vector<uint8_t>& bytes, const std::string& name);

}  // namespace tenon::render
