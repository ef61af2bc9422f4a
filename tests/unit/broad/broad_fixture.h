// Boxes for the broad phase and the answer by brute force.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/broad/broad_phase.h"

namespace tenon::broad_test {

struct Item {
  Aabb box;
  ProxyMotion motion = ProxyMotion::kMoving;
};
using Items = std::map<ProxyId, Item>;

inline std::vector<ProxyPair> brute_force(const Items& items) {
  std::vector<ProxyPair> pairs;
  for (auto a = items.begin(); a != items.end(); ++a) {
    for (auto b = std::next(a); b != items.end(); ++b) {
      if (a->second.motion == ProxyMotion::kStatic && b->second.motion == ProxyMotion::kStatic) {
        continue;
      }
      if (overlaps(a->second.box, b->second.box)) pairs.push_back({a->first, b->first});
    }
  }
  return pairs;
}

inline Vec3 random_point(Rng& rng, const Vec3& half) {
  return {rng.uniform(-half.x, half.x), rng.uniform(-half.y, half.y), rng.uniform(-half.z, half.z)};
}

inline Aabb box_at(const Vec3& p, const Vec3& half) { return {p - half, p + half}; }

// 2^u with u uniform: sizes spread over orders of magnitude (powers of two need no libm).
inline double spread_size(Rng& rng, int low_exponent, int high_exponent) {
  double size = 1 + rng.uniform();
  const int e = low_exponent +
                static_cast<int>(rng.below(static_cast<uint32_t>(high_exponent - low_exponent)));
  for (int i = 0; i < e; ++i) size *= 2;
  for (int i = 0; i > e; --i) size *= 0.5;
  return size;
}

inline std::vector<ProxyPair> list(std::span<const ProxyPair> pairs) {
  return {pairs.begin(), pairs.end()};
}

inline Aabb shifted(const Aabb& box, const Vec3& d) { return {box.lo + d, box.hi + d}; }

}  // namespace tenon::broad_test
