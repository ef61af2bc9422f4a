// Random numbers for the samples of a pixel: evenly spread where it matters, and the same whatever
// the number of threads. They do not depend on the frame either: what stands still in a film keeps
// its noise, which then does not flicker and costs the video nothing.
#pragma once

#include <cstdint>

namespace tenon::render {

// Bits that look random; the finaliser of MurmurHash3.
constexpr uint32_t mix_bits(uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

// Two numbers in [0, 1).
struct Pair {
  float u = 0, v = 0;
};

// Every dimension is the (0, 2)-sequence of van der Corput and Sobol, scrambled by its own bits
// [Kollig2002]: any 2^k samples of a pixel have one in each of 2^k strips and tiles.
class Sampler {
 public:
  Sampler(uint32_t x, uint32_t y, uint32_t sample, uint32_t eye)
      : seed_(mix_bits(x + mix_bits(y + mix_bits(eye + 0x9e3779b9u)))), sample_(sample) {}

  Pair next() {
    seed_ += 0x9e3779b9u;
    const uint32_t a = mix_bits(seed_), b = mix_bits(seed_ ^ 0x68bc21ebu);
    // samples are taken in another order in every dimension, else dimensions go along
    const uint32_t i = sample_ ^ (mix_bits(a ^ 0x02e5be93u) & 0xffu);
    return {to_float(reversed(i) ^ a), to_float(sobol(i) ^ b)};
  }
  float next_one() { return next().u; }

 private:
  static float to_float(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
  static uint32_t reversed(uint32_t x) {
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
  }
  static uint32_t sobol(uint32_t x) {
    uint32_t bits = 0;
    for (uint32_t v = 0x80000000u; x != 0; x >>= 1, v ^= v >> 1)
      if (x & 1) bits ^= v;
    return bits;
  }
  uint32_t seed_, sample_;
};

}  // namespace tenon::render
