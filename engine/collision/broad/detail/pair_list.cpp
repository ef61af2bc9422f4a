#include "tenon/engine/collision/broad/detail/pair_list.h"

#include <algorithm>
#include <bit>

#include "tenon/engine/collision/broad/detail/radix_sort.h"

namespace tenon::broad {
namespace {

constexpr size_t kShortRow = 64;

void sort_row(std::span<uint64_t> row, std::span<uint64_t> scratch, int id_bits) {
  if (row.size() > kShortRow) {
    radix_sort(row, scratch, id_bits, [](uint64_t key) { return key; });
    return;
  }
  // by insertion
  for (size_t i = 1; i < row.size(); ++i) {
    const uint64_t key = row[i];
    size_t j = i;
    for (; j > 0 && row[j - 1] > key; --j) row[j] = row[j - 1];
    row[j] = key;
  }
}

}  // namespace

void sort_pairs(std::vector<uint64_t>& keys, size_t id_count, std::vector<uint64_t>& scratch,
                std::vector<uint32_t>& first) {
  // few pairs among many ids: counting would cost more than comparing
  if (keys.size() < id_count / 8) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  first.assign(id_count + 1, 0);
  for (uint64_t key : keys) ++first[(key >> 32) + 1];
  for (size_t a = 0; a < id_count; ++a) first[a + 1] += first[a];
  scratch.resize(keys.size());
  for (uint64_t key : keys) scratch[first[key >> 32]++] = key;
  keys.swap(scratch);

  // first[a] is now the end of row a
  const int id_bits = static_cast<int>(std::bit_width(id_count));
  const std::span<uint64_t> all(keys), work(scratch);
  for (size_t a = 0, begin = 0; a < id_count; ++a) {
    const size_t count = first[a] - begin;
    if (count > 1) sort_row(all.subspan(begin, count), work.subspan(begin, count), id_bits);
    begin = first[a];
  }
}

}  // namespace tenon::broad
