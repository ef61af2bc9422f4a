// Random numbers that are the same on every platform: splitmix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

#include "tenon/engine/base/hash.h"

namespace tenon {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() { return Hasher::mix(state_ += 0x9e3779b97f4a7c15ull); }
  // Uniform in [0, 1): the top 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Uniform in [0, count); the bias is below count / 2^64.
  uint32_t below(uint32_t count) { return static_cast<uint32_t>((next() >> 32) * count >> 32); }

 private:
  uint64_t state_;
};

}  // namespace tenon
