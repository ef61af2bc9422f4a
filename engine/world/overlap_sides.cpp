#include "tenon/engine/world/overlap_sides.h"

#include <algorithm>
#include <span>

namespace tenon {
namespace {

constexpr double kDeepOverlap = 0.05;  // of the smaller shape
constexpr double kHalfThrough = 0.5;   // the same, where the shortest way out is not the best
constexpr double kOpenGap = 1e6;       // m: nothing is pushed

double thinner_of(const WorldData& data, const IslandPatch& c) {
  const Contact& contact = data.contacts[c.contact];
  return std::min(data.colliders[contact.collider_a].size, data.colliders[contact.collider_b].size);
}

// Of the smaller shape.
double depth_of(const WorldData& data, const IslandPatch& c) {
  const double size = thinner_of(data, c);
  return size > 0 ? -data.contacts[c.contact].manifold.distance / size : 0;
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

bool is_of_mesh(const WorldData& data, const IslandPatch& c) {
  const Contact& contact = data.contacts[c.contact];
  return kind(data.colliders[contact.collider_a].shape) == ShapeKind::kMesh ||
         kind(data.colliders[contact.collider_b].shape) == ShapeKind::kMesh;
}

// What pushes b along a line, and against it: overlaps; and between the walls of a mesh gaps that
// taking these away would close.
struct Sides {
  bool along = false, pushes_along = false, against = false, half_through = false;
  bool overlaps_along = false;
  double deepest = 0;  // of the smaller shape
};

// Patches of one pair of bodies, by their place in the island.
using PairPatches = std::span<const uint32_t>;

Sides find_sides(const WorldData& data, const Island& island, PairPatches pair, const Vec3& line) {
  Sides s;
  const auto each = [&](auto&& visit) {
    for (const uint32_t i : pair) visit(island.patches[i], depth_of(data, island.patches[i]));
  };
  each([&](const IslandPatch&, double depth) { s.deepest = std::max(s.deepest, depth); });
  each([&](const IslandPatch& c, double depth) {
    const bool forward = dot(c.n, line) > 0;
    const bool pushes = depth > (is_of_mesh(data, c) ? -s.deepest : 0);
    s.along |= forward;
    s.pushes_along |= forward && pushes;
    s.overlaps_along |= forward && depth > 0;
    s.against |= !forward && pushes;
    s.half_through |= !forward && depth > kHalfThrough;
  });
  return s;
}

// Whether two of the patches, overlaps or gaps that taking these away would close, push to opposite
// sides. Patches of a mesh fan out: that some look away from the other body says nothing.
bool are_opposed(const WorldData& data, const Island& island, PairPatches pair, double deepest) {
  constexpr double kOpposed = -0.5;  // cosine
  std::vector<Vec3> normals;
  for (const uint32_t i : pair) {
    const IslandPatch& c = island.patches[i];
    if (!(depth_of(data, c) > -deepest)) continue;
    if (!is_of_mesh(data, c)) return true;
    normals.push_back(c.n);
  }
  for (size_t i = 0; i < normals.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (dot(normals[i], normals[k]) < kOpposed) return true;
    }
  }
  return false;
}

void choose_side(const WorldData& data, IslandWork& w, PairPatches pair) {
  Island& island = w.island;
  const IslandPatch& any = island.patches[pair[0]];
  const Vec3 line = w.begin[any.b].x_WC - w.begin[any.a].x_WC;
  const Sides s = find_sides(data, island, pair, line);
  if (!s.against || !(s.pushes_along || (s.along && s.half_through))) return;
  if (!are_opposed(data, island, pair, s.deepest)) return;
  for (const uint32_t patch : pair) {
    IslandPatch& c = island.patches[patch];
    const double depth = depth_of(data, c);
    if (dot(c.n, line) > 0) {
      // one wall overlaps and the other would: on, until neither does
      if (s.overlaps_along || !(depth > -s.deepest)) continue;
      const double push = s.deepest * thinner_of(data, c);
      for (uint32_t i = c.first; i < c.first + c.count; ++i) {
        island.points[i].gap = std::min(island.points[i].gap, -push);
      }
    } else if (depth > kHalfThrough) {
      turn_round(island, c);
    } else {
      for (uint32_t i = c.first; i < c.first + c.count; ++i) island.points[i].gap = kOpenGap;
    }
  }
}

}  // namespace

// One pair after the other: where a thousand bodies are in one spot, there are half a million.
void choose_sides(const WorldData& data, IslandWork& w) {
  const std::vector<IslandPatch>& patches = w.island.patches;
  const auto key = [&](uint32_t i) { return uint64_t{patches[i].a} << 32 | patches[i].b; };
  std::vector<uint32_t> order(patches.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint32_t i, uint32_t k) { return key(i) != key(k) ? key(i) < key(k) : i < k; });
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    bool deep = false;
    for (end = begin; end < order.size() && key(order[end]) == key(order[begin]); ++end) {
      deep = deep || depth_of(data, patches[order[end]]) > kDeepOverlap;
    }
    if (deep) choose_side(data, w, PairPatches(order).subspan(begin, end - begin));
  }
}

}  // namespace tenon
