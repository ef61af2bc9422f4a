#include "tenon/engine/world/overlap_sides.h"

#include <algorithm>

namespace tenon {
namespace {

constexpr double kDeepOverlap = 0.05;  // of the smaller shape
constexpr double kHalfThrough = 0.5;   // the same, where the shortest way out is not the best
constexpr double kOpenGap = 1e6;       // m: nothing is pushed

// Of the smaller shape.
double depth_of(const WorldData& data, const IslandPatch& c) {
  const Contact& contact = data.contacts[c.contact];
  const double size =
      std::min(data.colliders[contact.collider_a].size, data.colliders[contact.collider_b].size);
  return size > 0 ? -contact.manifold.distance / size : 0;
}

// Pushes b the other way.
void turn_round(Island& island, IslandPatch& c) {
  c.n = -c.n;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    IslandPoint& x = island.points[i];
    x.aA = -x.aA;
    x.aB = -x.aB;
  }
}

// Among the patches of bodies a and b.
void choose_side(const WorldData& data, IslandWork& w, uint32_t a, uint32_t b) {
  Island& island = w.island;
  const Vec3 line = w.begin[b].x_WC - w.begin[a].x_WC;
  bool along = false, pushes_along = false, against = false, half_through = false;
  for (const IslandPatch& c : island.patches) {
    if (c.a != a || c.b != b) continue;
    const double depth = depth_of(data, c);
    const bool forward = dot(c.n, line) > 0;
    along |= forward;
    pushes_along |= forward && depth > 0;
    against |= !forward && depth > 0;
    half_through |= !forward && depth > kHalfThrough;
  }
  if (!against || !(pushes_along || (along && half_through))) return;
  for (IslandPatch& c : island.patches) {
    if (c.a != a || c.b != b || dot(c.n, line) > 0) continue;
    if (depth_of(data, c) > kHalfThrough) {
      turn_round(island, c);
      continue;
    }
    for (uint32_t i = c.first; i < c.first + c.count; ++i) island.points[i].gap = kOpenGap;
  }
}

}  // namespace

void choose_sides(const WorldData& data, IslandWork& w) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const IslandPatch& c : w.island.patches) {
    if (depth_of(data, c) > kDeepOverlap) pairs.push_back({c.a, c.b});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [a, b] : pairs) choose_side(data, w, a, b);
}

}  // namespace tenon
