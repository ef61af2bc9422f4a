// Sorted lists of pairs as 64-bit keys, a << 32 | b with a < b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::broad {

// Sorts the keys of pairs of ids below id_count. Linear: a counting sort by a, then each (short)
// row by b. `scratch` and `first` are work space.
void sort_pairs(std::vector<uint64_t>& keys, size_t id_count, std::vector<uint64_t>& scratch,
                std::vector<uint32_t>& first);

}  // namespace tenon::broad
