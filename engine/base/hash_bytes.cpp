#include "tenon/engine/base/hash_bytes.h"

#include <bit>
#include <cstring>
#include <vector>

#include "tenon/engine/base/hash.h"

namespace tenon {
namespace {

constexpr size_t kChunk = size_t{1} << 18;
static_assert(std::endian::native == std::endian::little, "words are read as they lie");

// Four chains of multiplications side by side, each of every fourth word.
WideHash hash_chunk(std::span<const std::byte> bytes) {
  uint64_t s[4] = {0x9e3779b97f4a7c15ull, 0xbf58476d1ce4e5b9ull, 0x94d049bb133111ebull,
                   0x2545f4914f6cdd1dull};
  const auto take = [&](const std::byte* at) {
    uint64_t word[4];
    std::memcpy(word, at, sizeof word);
    for (int k = 0; k < 4; ++k) {
      const uint64_t x = (s[k] ^ word[k]) * 0xd6e8feb86659fd93ull;
      s[k] = x ^ (x >> 32);
    }
  };
  size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) take(bytes.data() + i);
  std::byte rest[32] = {};
  std::memcpy(rest, bytes.data() + i, bytes.size() - i);
  take(rest);
  Hasher a, b;
  a.add(static_cast<uint64_t>(bytes.size()));
  for (int k = 0; k < 4; ++k) {
    a.add(s[k]);
    b.add(s[3 - k]);
  }
  return {a.value(), b.value()};
}

}  // namespace

WideHash hash_bytes(std::span<const std::byte> bytes, ThreadPool* pool) {
  std::vector<WideHash> parts(chunk_count(bytes.size(), kChunk));
  parallel_for(pool, bytes.size(), kChunk, [&](size_t begin, size_t end) {
    parts[begin / kChunk] = hash_chunk(bytes.subspan(begin, end - begin));
  });
  Hasher a, b;
  a.add(static_cast<uint64_t>(bytes.size()));
  for (const WideHash& part : parts) {
    a.add(part.a);
    b.add(part.b);
  }
  return {a.value(), b.value()};
}

}  // namespace tenon
