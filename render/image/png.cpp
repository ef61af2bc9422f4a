#include <png.h>

#include <cstring>

#include "tenon/render/image/image.h"

namespace tenon::render {

std::vector<uint8_t> encode_png(const Image& image) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<uint8_t> bytes(size);
  const int done =
      png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr);
  TENON_DEMAND(done != 0);  // there is room, and any image of ours can be written
  bytes.resize(size);
  return bytes;
}

Result<Image> decode_png(const std::vector<uint8_t>& bytes, const std::string& name) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    Error error{.message = std::string("cannot read the picture: ") + png.message, .file = name};
    png_image_free(&png);
    return error;
  };
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) return fail();
  if (png.width > 16384 || png.height > 16384) return fail();
  png.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return fail();
  return image;
}

}  // namespace tenon::render
