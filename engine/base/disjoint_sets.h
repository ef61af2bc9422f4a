// Which things belong together, told pair by pair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon {

// Sets of the numbers 0 to size() - 1, each named by its smallest member: in whatever order pairs
// come, names and what is sorted by them are the same. find() and join() halve the ways that they
// go and take nearly constant time; find() changes no set.
class DisjointSets {
 public:
  explicit DisjointSets(size_t count = 0) { add(count); }
  // So many sets of one, whatever was there before.
  void reset(size_t count) {
    parent_.clear();
    add(count);
  }
  // So many more of them, behind what is there.
  void add(size_t count) {
    const auto end = static_cast<uint32_t>(parent_.size() + count);
    for (auto i = static_cast<uint32_t>(parent_.size()); i < end; ++i) parent_.push_back(i);
  }
  size_t size() const { return parent_.size(); }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // One set of two; returns its name.
  uint32_t join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    return parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;  // smaller, or the same
};

}  // namespace tenon
