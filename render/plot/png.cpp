// The format is a signature and a few chunks around what zlib packs, so zlib is all it takes.
// Source: PNG specification, ISO/IEC 15948, sections 5.3, 11.2 and 11.3.
#include "tenon/render/plot/png.h"

#include <zlib.h>

#include <array>

#include "tenon/engine/base/assert.h"

namespace tenon::plot {
namespace {

std::string big_endian(uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
  return text;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const uLong sum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<uint32_t>(data.size())) + body +
         big_endian(static_cast<uint32_t>(sum));
}

}  // namespace

std::string to_png(const Pixels& pixels) {
  // each row begins with its filter: 1, every byte less that of the pixel to the left
  const size_t row = size_t{3} * pixels.width;
  std::string raw;
  raw.reserve((row + 1) * pixels.height);
  for (int y = 0; y < pixels.height; ++y) {
    const uint8_t* const p = &pixels.rgb[row * y];
    raw += '\1';
    for (size_t i = 0; i < row; ++i) raw += static_cast<char>(p[i] - (i < 3 ? 0 : p[i - 3]));
  }
  std::string packed(compressBound(static_cast<uLong>(raw.size())), '\0');
  uLongf size = static_cast<uLongf>(packed.size());
  const int code =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9);
  TENON_DEMAND(code == Z_OK);  // the buffer is as large as zlib asks for
  packed.resize(size);
  const std::string header = big_endian(static_cast<uint32_t>(pixels.width)) +
                             big_endian(static_cast<uint32_t>(pixels.height)) +
                             std::string("\x08\x02\0\0\0", 5);
  return std::string("\x89PNG\r\n\x1a\n") + chunk("IHDR", header) + chunk("IDAT", packed) +
         chunk("IEND", "");
}

}  // namespace tenon::plot
