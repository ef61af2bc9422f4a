// Places along the Hilbert curve: cells that are near one another on it are near in space.
#pragma once

#include <array>
#include <cstdint>

namespace tenon::broad {

// Three-dimensional Hilbert index by a table over (state, octant), one step per bit.
// Source: [Hamilton2008, sec. 2, algorithm 2] with n = 3. A state is the entry corner e and the
// direction d of the curve in the present cube:
//   T(b)  = rotate_right(b xor e, d + 1)               octant seen from the standard curve   (1)
//   w     = gray^-1(T(octant))                         its place on the curve                (2)
//   e'    = e xor rotate_left(entry(w), d + 1)                                               (3)
//   d'    = d + direction(w) + 1 mod 3                                                       (4)
class HilbertTable {
 public:
  constexpr HilbertTable() {
    for (uint32_t e = 0; e < 8; ++e) {
      for (uint32_t d = 0; d < 3; ++d) {
        for (uint32_t octant = 0; octant < 8; ++octant) {
          const uint32_t t = rotate_left(octant ^ e, 3 - (d + 1) % 3);     // (1)
          const uint32_t w = t ^ t >> 1 ^ t >> 2;                          // (2)
          const uint32_t next_e = e ^ rotate_left(entry(w), (d + 1) % 3);  // (3)
          const uint32_t next_d = (d + direction(w) + 1) % 3;              // (4)
          step_[(3 * e + d) * 8 + octant] = static_cast<uint8_t>((3 * next_e + next_d) << 3 | w);
        }
      }
    }
  }

  // Index of the cell (x, y, z) among 2^(3 bits); each coordinate is below 2^bits.
  constexpr uint64_t index(uint32_t x, uint32_t y, uint32_t z, int bits) const {
    uint64_t h = 0;
    uint32_t state = 0;
    for (int i = bits - 1; i >= 0; --i) {
      const uint32_t octant = (x >> i & 1) | (y >> i & 1) << 1 | (z >> i & 1) << 2;
      const uint32_t step = step_[state * 8 + octant];
      h = h << 3 | (step & 7);
      state = step >> 3;
    }
    return h;
  }

 private:
  std::array<uint8_t, 24 * 8> step_{};  // next state << 3 | w

  static constexpr uint32_t rotate_left(uint32_t b, uint32_t by) {
    return (b << by | b >> (3 - by)) & 7;
  }
  static constexpr uint32_t entry(uint32_t w) {
    const uint32_t even = w == 0 ? 0 : (w - 1) / 2 * 2;
    return even ^ even >> 1;
  }
  static constexpr uint32_t direction(uint32_t w) {
    if (w == 0) return 0;
    uint32_t trailing_ones = 0;
    for (uint32_t i = w % 2 == 0 ? w - 1 : w; (i & 1) != 0; i >>= 1) ++trailing_ones;
    return trailing_ones % 3;
  }
};

inline constexpr HilbertTable kHilbert;

}  // namespace tenon::broad
