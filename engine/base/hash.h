// A 64-bit hash of state, the same on every platform. For comparing runs, not for security.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tenon {

// Mixes 64-bit words one after another (splitmix64 finaliser on a running sum: every input bit
// reaches every output bit, and the order of words matters).
class Hasher {
 public:
  void add(uint64_t word) {
    state_ = mix(state_ ^ (word + 0x9e3779b97f4a7c15ull + (state_ << 6) + (state_ >> 2)));
  }
  void add(double value) { add(std::bit_cast<uint64_t>(value)); }
  void add(std::span<const std::byte> bytes) {
    uint64_t word = 0;
    size_t filled = 0;
    for (std::byte b : bytes) {
      word |= static_cast<uint64_t>(b) << (8 * filled);
      if (++filled == 8) {
        add(word);
        word = 0;
        filled = 0;
      }
    }
    add(word);
    add(static_cast<uint64_t>(bytes.size()));
  }
  uint64_t value() const { return state_; }

  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_ = 0x74656e6f6eull;
};

}  // namespace tenon
