// Contacts that come about only because something else stops one of two bodies.
#pragma once

#include <vector>

#include "tenon/engine/world/pair_contacts.h"

namespace tenon {

// Bodies that move side by side do not come nearer, and need not see each other: until the first is
// stopped by something else, and the next runs into it in the same step. So what touches something
// that stands is taken to stop, and pairs that have been found apart are looked at again as if one
// of them stood already; and so on with what that stops.
class Pileup {
 public:
  // `apart`: pairs of find_contacts() that may_pile_up().
  Pileup(WorldData& data, std::vector<ProxyPair> apart)
      : data_(data), apart_(std::move(apart)), stops_(data.info.size(), 0) {}
  void find() {
    while (!apart_.empty() && spread() && look_again()) {
    }
  }

 private:
  bool stands(uint32_t slot) const {
    return data_.info[slot].motion == MotionKind::kStatic || data_.frozen[slot] != 0 ||
           stops_[slot] != 0;
  }
  bool is_cut_short(const Collider& c, double thin) const {
    return stops_[c.body] != 0 && goes_far(c, thin);
  }
  bool spread();
  bool look_again();

  WorldData& data_;
  std::vector<ProxyPair> apart_;
  std::vector<uint8_t> stops_;
};

}  // namespace tenon
