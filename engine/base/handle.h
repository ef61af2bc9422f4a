// Handles: an index into an array plus a generation, so that a handle to something removed is
// recognised as stale instead of naming whatever took its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tenon/engine/base/assert.h"

namespace tenon {

// `Tag` only keeps handles of different things apart at compile time.
template <class Tag>
struct Handle {
  uint32_t index = 0xffffffffu;
  uint32_t generation = 0;
  bool valid() const { return index != 0xffffffffu; }
  friend bool operator==(const Handle&, const Handle&) = default;
};

struct BodyTag {};
using BodyHandle = Handle<BodyTag>;
struct JointTag {};
using JointHandle = Handle<JointTag>;
struct ForceTag {};
using ForceHandle = Handle<ForceTag>;

// Slots for handles. Freed slots are reused lowest index first, so that the same sequence of
// creations and removals gives the same handles on every machine.
template <class Tag>
class HandleTable {
 public:
  Handle<Tag> create();
  // Precondition: contains(handle).
  void remove(Handle<Tag> handle);
  bool contains(Handle<Tag> handle) const {
    return handle.index < slots_.size() && slots_[handle.index].live &&
           slots_[handle.index].generation == handle.generation;
  }
  bool live(uint32_t index) const { return index < slots_.size() && slots_[index].live; }
  Handle<Tag> at(uint32_t index) const { return {index, slots_[index].generation}; }
  uint32_t capacity() const { return static_cast<uint32_t>(slots_.size()); }
  uint32_t count() const { return count_; }

  struct Slot {
    uint32_t generation = 0;
    bool live = false;
  };
  // For snapshots: the table is its slots.
  const std::vector<Slot>& slots() const { return slots_; }
  void assign(std::vector<Slot> slots);

 private:
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;  // a binary min-heap
  uint32_t count_ = 0;

  void push_free(uint32_t index);
  uint32_t pop_free();
};

template <class Tag>
Handle<Tag> HandleTable<Tag>::create() {
  uint32_t index;
  if (free_.empty()) {
    index = capacity();
    slots_.push_back({});
  } else {
    index = pop_free();
  }
  slots_[index].live = true;
  ++count_;
  return at(index);
}

template <class Tag>
void HandleTable<Tag>::remove(Handle<Tag> handle) {
  TENON_DEMAND(contains(handle));
  slots_[handle.index].live = false;
  ++slots_[handle.index].generation;
  --count_;
  push_free(handle.index);
}

template <class Tag>
void HandleTable<Tag>::assign(std::vector<Slot> slots) {
  slots_ = std::move(slots);
  free_.clear();
  count_ = 0;
  for (uint32_t i = 0; i < capacity(); ++i) {
    if (slots_[i].live)
      ++count_;
    else
      push_free(i);
  }
}

template <class Tag>
void HandleTable<Tag>::push_free(uint32_t index) {
  free_.push_back(index);
  for (std::size_t i = free_.size() - 1; i > 0;) {
    const std::size_t parent = (i - 1) / 2;
    if (free_[parent] <= free_[i]) break;
    std::swap(free_[parent], free_[i]);
    i = parent;
  }
}

template <class Tag>
uint32_t HandleTable<Tag>::pop_free() {
  const uint32_t top = free_.front();
  free_.front() = free_.back();
  free_.pop_back();
  for (std::size_t i = 0;;) {
    std::size_t child = 2 * i + 1;
    if (child >= free_.size()) break;
    if (child + 1 < free_.size() && free_[child + 1] < free_[child]) ++child;
    if (free_[i] <= free_[child]) break;
    std::swap(free_[i], free_[child]);
    i = child;
  }
  return top;
}

}  // namespace tenon
