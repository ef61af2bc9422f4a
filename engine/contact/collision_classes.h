// Which bodies are allowed to touch: a symmetric table over classes of bodies. Every rule a user
// can state (groups, masks, lists) is compiled into classes, so that the question costs one look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tenon/engine/base/assert.h"

namespace tenon {

using CollisionClass = uint16_t;

class CollisionClasses {
 public:
  static constexpr size_t kMaxClasses = 4096;

  size_t size() const { return count_; }

  // A new class that may touch all others and itself. Class 0 always exists.
  // Precondition: size() < kMaxClasses.
  CollisionClass add() {
    TENON_DEMAND(count_ < kMaxClasses);
    std::vector<uint8_t> grown((count_ + 1) * (count_ + 1), 1);
    for (size_t a = 0; a < count_; ++a) {
      for (size_t b = 0; b < count_; ++b) grown[a * (count_ + 1) + b] = may_[a * count_ + b];
    }
    may_ = std::move(grown);
    return static_cast<CollisionClass>(count_++);
  }

  // Precondition: both classes exist.
  void set(CollisionClass a, CollisionClass b, bool may_touch) {
    TENON_DEMAND(a < count_ && b < count_);
    may_[a * count_ + b] = may_[b * count_ + a] = may_touch ? 1 : 0;
  }
  bool may_touch(CollisionClass a, CollisionClass b) const { return may_[a * count_ + b] != 0; }

 private:
  size_t count_ = 1;
  std::vector<uint8_t> may_{1};
};

}  // namespace tenon
