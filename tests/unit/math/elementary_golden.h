// One hash over 200000 values of the elementary functions. Any compiler, processor or WebAssembly
// engine must reach kElementaryGolden; a change of an algorithm moves it and needs a reason.
#pragma once

#include "tenon/engine/base/hash.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::testing {

inline constexpr uint64_t kElementaryGolden = 0x2b35141851d3e113ull;

inline double power_of_two_in(Rng& rng, int low, int count) {
  const int k = low + static_cast<int>(rng.below(static_cast<uint32_t>(count)));
  return std::bit_cast<double>(static_cast<uint64_t>(k + 1023) << 52);
}

// 20000 arguments, ten functions each: half of the arguments of everyday size, half spread over
// 2^-1000 .. 2^1000. NaN is hashed as one value: its sign and payload are not ours to promise.
inline uint64_t calc_elementary_hash() {
  Rng rng(20240229);
  Hasher hash;
  const auto add = [&hash](double v) { v == v ? hash.add(v) : hash.add(uint64_t{0x7ff8} << 48); };
  for (int i = 0; i < 20000; ++i) {
    const bool wide = i % 2 == 1;
    const double x = rng.uniform(-12, 12) * (wide ? power_of_two_in(rng, -1000, 2000) : 1.0);
    const double y = rng.uniform(-12, 12) * (wide ? power_of_two_in(rng, -30, 60) : 1.0);
    add(sin(x));
    add(cos(x));
    add(tan(x));
    add(atan(x));
    add(atan2(x, y));
    add(asin(y / 12));
    add(acos(y / 12));
    add(exp(y));
    add(log(x < 0 ? -x : x));
    add(pow(x < 0 ? -x : x, y));
  }
  return hash.value();
}

}  // namespace tenon::testing
