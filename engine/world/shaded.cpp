#include "tenon/engine/world/shaded.h"

#include <algorithm>

namespace tenon {
namespace {

constexpr double kAligned = 0.7;  // cosine of the angle between normals

double smallest_gap(const Island& island, const IslandPatch& c) {
  double gap = kThick;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) gap = std::min(gap, island.points[i].gap);
  return gap;
}

class ShadeFinder {
 public:
  explicit ShadeFinder(const Island& island) : island_(island), of_body_(island.bodies.size()) {
    for (uint32_t k = 0; k < island.patches.size(); ++k) {
      gaps_.push_back(smallest_gap(island, island.patches[k]));
      // fixed bodies are wide: from the other side there is less to look at
      for (const uint32_t b : {island.patches[k].a, island.patches[k].b}) {
        if (island.bodies[b].inv_mass > 0) of_body_[b].push_back(k);
      }
    }
  }
  bool is_shaded(uint32_t k) const {
    const IslandPatch& c = island_.patches[k];
    if (!(gaps_[k] > kSmallGap * c.thin)) return false;
    const bool from_a = island_.bodies[c.a].inv_mass > 0;
    const uint32_t here = from_a ? c.a : c.b, there = from_a ? c.b : c.a;
    const Vec3 n = from_a ? c.n : -c.n;
    return std::any_of(of_body_[here].begin(), of_body_[here].end(), [&](uint32_t i) {
      const uint32_t between = other(i, here);
      return is_step(i, here, n, gaps_[k]) &&
             std::any_of(of_body_[between].begin(), of_body_[between].end(), [&](uint32_t j) {
               return other(j, between) == there && is_step(j, between, n, gaps_[k]);
             });
    });
  }

 private:
  uint32_t other(uint32_t k, uint32_t body) const {
    const IslandPatch& c = island_.patches[k];
    return c.a == body ? c.b : c.a;
  }
  // Whether a patch leads from a body along n, and not as far.
  bool is_step(uint32_t k, uint32_t body, const Vec3& n, double gap) const {
    const IslandPatch& c = island_.patches[k];
    return gaps_[k] < gap && dot(c.a == body ? c.n : -c.n, n) > kAligned;
  }

  const Island& island_;
  std::vector<double> gaps_;
  std::vector<std::vector<uint32_t>> of_body_;  // patches of those that move
};

}  // namespace

std::vector<uint8_t> find_shaded(const Island& island) {
  const ShadeFinder finder(island);
  std::vector<uint8_t> shaded(island.patches.size(), 0);
  for (uint32_t k = 0; k < shaded.size(); ++k) shaded[k] = finder.is_shaded(k) ? 1 : 0;
  return shaded;
}

}  // namespace tenon
