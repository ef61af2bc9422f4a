// Radix sort of records by an unsigned key, least significant digit first: stable, linear.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tenon::broad {

// Sorts by the low `bits` bits of key(record). `scratch` is work space of the same length.
template <class Record, class Key>
void radix_sort(std::span<Record> records, std::span<Record> scratch, int bits, Key&& key) {
  // short digits for few records, so that the histogram does not outweigh them
  constexpr int kMaxDigitBits = 11;
  const int digit_bits = records.size() < 4096 ? 8 : kMaxDigitBits;
  const int passes = (bits + digit_bits - 1) / digit_bits;
  if (passes == 0) return;
  // digits of equal length, no longer than necessary
  const int digit = (bits + passes - 1) / passes;
  const uint64_t mask = (uint64_t{1} << digit) - 1;
  uint32_t first[1 << kMaxDigitBits];
  std::span<Record> from = records, to = scratch;
  for (int shift = 0; shift < passes * digit; shift += digit) {
    std::fill_n(first, mask + 1, 0u);
    for (const Record& record : from) ++first[key(record) >> shift & mask];
    uint32_t sum = 0;
    for (uint64_t d = 0; d <= mask; ++d) {
      const uint32_t count = first[d];
      first[d] = sum;
      sum += count;
    }
    for (const Record& record : from) to[first[key(record) >> shift & mask]++] = record;
    std::swap(from, to);
  }
  if (from.data() != records.data()) std::copy(from.begin(), from.end(), records.begin());
}

}  // namespace tenon::broad
