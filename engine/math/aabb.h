// Axis-aligned boxes.
#pragma once

#include "tenon/engine/math/vec3.h"

namespace tenon {

struct Aabb {
  Vec3 lo{1, 1, 1}, hi{-1, -1, -1};  // lo > hi: empty

  friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

// Touching boxes overlap (closed intervals).
constexpr bool overlaps(const Aabb& a, const Aabb& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}
constexpr bool contains(const Aabb& outer, const Aabb& inner) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         outer.hi.x >= inner.hi.x && outer.hi.y >= inner.hi.y && outer.hi.z >= inner.hi.z;
}
constexpr Aabb merge(const Aabb& a, const Aabb& b) {
  return {cwise_min(a.lo, b.lo), cwise_max(a.hi, b.hi)};
}
constexpr Aabb inflate(const Aabb& a, double margin) {
  return {a.lo - Vec3{margin, margin, margin}, a.hi + Vec3{margin, margin, margin}};
}
constexpr Vec3 center(const Aabb& a) { return 0.5 * (a.lo + a.hi); }

}  // namespace tenon
