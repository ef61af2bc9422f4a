// How a chunk's payload is stored. Each chunk names its codec, so files with different codecs
// are read by the same reader. zstd is compiled in natively and left out of the WASM build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/base/result.h"

namespace tenon {

enum class Codec : uint8_t { kRaw = 0, kZstd = 1 };

const char* name(Codec codec);

// Whether this build can write and read the codec.
bool available(Codec codec);

// zstd where this build has it, else raw.
Codec default_codec();

// `level` is the codec's own scale (zstd: 1 fast .. 19 small); raw ignores it.
Result<std::vector<std::byte>> compress(Codec codec, std::span<const std::byte> raw, int level);

// Fails unless the stored bytes unpack to exactly `raw_size` bytes. Allocates raw_size bytes only
// after the stored stream itself has promised that size.
Result<std::vector<std::byte>> decompress(Codec codec, std::span<const std::byte> stored,
                                          size_t raw_size);

}  // namespace tenon
