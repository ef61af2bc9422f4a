#include "tenon/recording/codec.h"

#ifndef __wasm__
#include <zstd.h>
#endif

namespace tenon {

const char* name(Codec codec) {
  switch (codec) {
    case Codec::kRaw:
      return "raw";
    case Codec::kZstd:
      return "zstd";
  }
  return "unknown";
}

#ifdef __wasm__

bool available(Codec codec) { return codec == Codec::kRaw; }
Codec default_codec() { return Codec::kRaw; }

namespace {
Result<std::vector<std::byte>> pack_zstd(std::span<const std::byte>, int) {
  return Error{.message = "this build has no zstd", .accepted = "codec raw"};
}
Result<std::vector<std::byte>> unpack_zstd(std::span<const std::byte>, size_t) {
  return Error{.message = "the chunk is packed with zstd, which this build does not have",
               .accepted = "recordings written with codec raw"};
}
}  // namespace

#else

bool available(Codec codec) { return codec == Codec::kRaw || codec == Codec::kZstd; }
Codec default_codec() { return Codec::kZstd; }

namespace {

Result<std::vector<std::byte>> pack_zstd(std::span<const std::byte> raw, int level) {
  std::vector<std::byte> packed(ZSTD_compressBound(raw.size()));
  const size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), level);
  if (ZSTD_isError(size)) return Error{.message = std::string("zstd: ") + ZSTD_getErrorName(size)};
  packed.resize(size);
  return packed;
}

Result<std::vector<std::byte>> unpack_zstd(std::span<const std::byte> stored, size_t raw_size) {
  // the stream's own promise is checked before anything is allocated
  const unsigned long long promised = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (promised != raw_size)
    return Error{.message = "the zstd stream has another size than promised"};
  std::vector<std::byte> raw(raw_size);
  const size_t size = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
  if (ZSTD_isError(size)) return Error{.message = std::string("zstd: ") + ZSTD_getErrorName(size)};
  if (size != raw_size) return Error{.message = "the zstd stream is shorter than promised"};
  return raw;
}

}  // namespace

#endif

Result<std::vector<std::byte>> compress(Codec codec, std::span<const std::byte> raw, int level) {
  if (codec == Codec::kRaw) return std::vector<std::byte>(raw.begin(), raw.end());
  if (codec == Codec::kZstd) return pack_zstd(raw, level);
  return Error{.message = "unknown codec", .accepted = "raw or zstd"};
}

Result<std::vector<std::byte>> decompress(Codec codec, std::span<const std::byte> stored,
                                          size_t raw_size) {
  if (codec == Codec::kRaw) {
    if (stored.size() != raw_size) return Error{.message = "a raw chunk has two different sizes"};
    return std::vector<std::byte>(stored.begin(), stored.end());
  }
  if (codec == Codec::kZstd) return unpack_zstd(stored, raw_size);
  return Error{.message = "unknown codec",
               .value = std::to_string(static_cast<int>(codec)),
               .accepted = "0 (raw) or 1 (zstd)"};
}

}  // namespace tenon
