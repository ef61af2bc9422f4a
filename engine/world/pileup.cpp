#include "tenon/engine/world/pileup.h"

#include <algorithm>

namespace tenon {

// What touches something that stands, stops.
bool Pileup::spread() {
  bool any = false;
  for (bool more = true; more;) {
    more = false;
    for (const Contact& c : data_.contacts) {
      if (!c.acts || stands(c.body_a) == stands(c.body_b)) continue;
      stops_[stands(c.body_a) ? c.body_b : c.body_a] = 1;
      any = more = true;
    }
  }
  return any;
}

bool Pileup::look_again() {
  std::vector<Contact> found;
  const auto meets = [&](const ProxyPair& pair) {
    const Collider &a = data_.colliders[pair.a], &b = data_.colliders[pair.b];
    const double thin = std::min(a.size, b.size);
    return (is_cut_short(a, thin) && find_contacts_of(data_, pair, {true, false}, {}, found)) ||
           (is_cut_short(b, thin) && find_contacts_of(data_, pair, {false, true}, {}, found));
  };
  apart_.erase(std::remove_if(apart_.begin(), apart_.end(), meets), apart_.end());
  if (found.empty()) return false;
  data_.contacts.insert(data_.contacts.end(), found.begin(), found.end());
  std::sort(data_.contacts.begin(), data_.contacts.end(), is_before);
  return true;
}

}  // namespace tenon
