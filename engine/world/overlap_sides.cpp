#include "tenon/engine/world/overlap_sides.h"

#include <algorithm>

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

Sides find_sides(const WorldData& data, const Island& island, uint32_t a, uint32_t b,
                 const Vec3& line) {
  Sides s;
  const auto each = [&](auto&& visit) {
    for (const IslandPatch& c : island.patches) {
      if (c.a == a && c.b == b) visit(c, depth_of(data, c));
    }
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
bool are_opposed(const WorldData& data, const Island& island, uint32_t a, uint32_t b,
                 double deepest) {
  constexpr double kOpposed = -0.5;  // cosine
  std::vector<Vec3> normals;
  for (const IslandPatch& c : island.patches) {
    if (c.a != a || c.b != b || !(depth_of(data, c) > -deepest)) continue;
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

// Among the patches of bodies a and b.
void choose_side(const WorldData& data, IslandWork& w, uint32_t a, uint32_t b) {
  Island& island = w.island;
  const Vec3 line = w.begin[b].x_WC - w.begin[a].x_WC;
  const Sides s = find_sides(data, island, a, b, line);
  if (!s.against || !(s.pushes_along || (s.along && s.half_through))) return;
  if (!are_opposed(data, island, a, b, s.deepest)) return;
  for (IslandPatch& c : island.patches) {
    if (c.a != a || c.b != b) continue;
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
