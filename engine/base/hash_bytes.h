// A hash of many bytes, by several threads: for names of cached things and for check sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tenon/engine/base/parallel.h"

namespace tenon {

// 128 bits: so wide that two different things of one user do not meet by accident. Not for
// security.
struct WideHash {
  uint64_t a = 0, b = 0;
  friend bool operator==(const WideHash&, const WideHash&) = default;
  friend auto operator<=>(const WideHash&, const WideHash&) = default;
};

// Depends on the bytes and their number only, not on the pool. About 2 GB/s and thread.
WideHash hash_bytes(std::span<const std::byte> bytes, ThreadPool* pool = nullptr);

}  // namespace tenon
