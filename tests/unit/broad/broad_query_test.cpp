// Box and ray queries against brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tenon/tests/unit/broad/broad_fixture.h"

namespace tenon {
namespace {

using namespace broad_test;

struct Fixture {
  Rng rng{3};
  BroadPhase broad_phase;
  Items items;

  explicit Fixture(const Vec3& place) {
    for (ProxyId id = 0; id < 400; ++id) {
      const double size = spread_size(rng, -3, 3);
      items[id] = {box_at(place + random_point(rng, {20, 20, 20}), {size, size, size}),
                   rng.below(3) == 0 ? ProxyMotion::kStatic : ProxyMotion::kMoving};
      broad_phase.insert(id, items[id].box, items[id].motion);
    }
  }
  // Moves some boxes, some of them far, and leaves the broad phase without an update.
  void stir() {
    for (auto& [id, item] : items) {
      if (rng.below(3) != 0) continue;
      const double far = rng.below(5) == 0 ? 15 : 0.01;
      item.box = shifted(item.box, random_point(rng, {far, far, far}));
      broad_phase.move(id, item.box);
    }
    const ProxyId id = rng.below(400);
    if (items.erase(id) > 0) broad_phase.remove(id);
  }
};

TEST(BroadPhaseQuery, FindsAllBoxesThatOverlapABox) {
  for (const Vec3& place : {Vec3{}, Vec3{1e6, -1e6, 0}}) {
    Fixture f(place);
    for (int i = 0; i < 300; ++i) {
      f.stir();
      if (i % 3 == 0) f.broad_phase.update_pairs();
      const double size = spread_size(f.rng, -3, 4);
      const Aabb box = box_at(place + random_point(f.rng, {20, 20, 20}), {size, size, size});
      std::vector<ProxyId> expected, found{77};
      for (const auto& [id, item] : f.items) {
        if (overlaps(item.box, box)) expected.push_back(id);
      }
      f.broad_phase.find_overlaps(box, found);
      ASSERT_EQ(found, expected);
    }
  }
}

// Entry of a ray into a box by sampling the faces: independent of the slab method. Returns a
// negative number if the ray misses.
double entry_by_faces(const Vec3& o, const Vec3& d, const Aabb& box) {
  const auto inside = [&box](const Vec3& p, int except) {
    for (int k = 0; k < 3; ++k) {
      if (k != except && (p[k] < box.lo[k] || p[k] > box.hi[k])) return false;
    }
    return true;
  };
  if (inside(o, -1)) return 0;
  double best = -1;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) continue;
    for (double side : {box.lo[k], box.hi[k]}) {
      const double t = (side - o[k]) / d[k];
      if (t < 0 || !inside(o + t * d, k)) continue;
      if (best < 0 || t < best) best = t;
    }
  }
  return best;
}

TEST(BroadPhaseQuery, WalksTheBoxesOnARayFromFrontToBack) {
  for (const Vec3& place : {Vec3{}, Vec3{1e6, -1e6, 0}}) {
    Fixture f(place);
    size_t total = 0;
    for (int i = 0; i < 300; ++i) {
      f.stir();
      if (i % 3 == 0) f.broad_phase.update_pairs();
      const Vec3 o = place + random_point(f.rng, {25, 25, 25});
      Vec3 d = random_point(f.rng, {1, 1, 1});
      if (i % 5 == 0) d = {0, i % 2 == 0 ? 1.0 : -1.0, 0};
      const double max_t = i % 4 == 0 ? std::numeric_limits<double>::infinity() : 20;
      std::vector<ProxyId> expected, found;
      for (const auto& [id, item] : f.items) {
        const double t = entry_by_faces(o, d, item.box);
        if (t >= 0 && t <= max_t) expected.push_back(id);
      }
      double last = 0;
      f.broad_phase.walk_ray(o, d, max_t, [&](ProxyId id, double t, double limit) {
        EXPECT_GE(t, last);
        // both forms of the entry round a few times at the size of the coordinates
        EXPECT_NEAR(t, entry_by_faces(o, d, f.items.at(id).box), 1e-7);
        last = t;
        found.push_back(id);
        return limit;
      });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected);
      total += found.size();
    }
    EXPECT_GT(total, 300u);
  }
}

TEST(BroadPhaseQuery, StopsARayWhereTheCallbackSays) {
  BroadPhase broad_phase;
  for (ProxyId id = 0; id < 10; ++id) {
    broad_phase.insert(id, box_at({10 - static_cast<double>(id), 0, 0}, {0.25, 1, 1}));
  }
  std::vector<ProxyId> seen;
  // the ray meets 9 first (at x = 1), then 8, 7, ...; a hit at t = 3 inside 7 hides the rest
  broad_phase.walk_ray({0, 0, 0}, {1, 0, 0}, 100, [&](ProxyId id, double t, double max_t) {
    EXPECT_DOUBLE_EQ(t, 10 - static_cast<double>(id) - 0.25);
    seen.push_back(id);
    return id == 7 ? 3.0 : max_t;
  });
  EXPECT_EQ(seen, (std::vector<ProxyId>{9, 8, 7}));
  seen.clear();
  broad_phase.walk_ray({0, 0, 0}, {1, 0, 0}, 100, [&](ProxyId id, double, double) {
    seen.push_back(id);
    return -1.0;
  });
  EXPECT_EQ(seen, (std::vector<ProxyId>{9}));
}

TEST(BroadPhaseQuery, ARayWithoutDirectionFindsTheBoxesAroundItsOrigin) {
  BroadPhase broad_phase;
  broad_phase.insert(0, box_at({0, 0, 0}, {1, 1, 1}));
  broad_phase.insert(1, box_at({5, 0, 0}, {1, 1, 1}));
  broad_phase.update_pairs();
  std::vector<ProxyId> seen;
  broad_phase.walk_ray({0.5, 0, 0}, {0, 0, 0}, 1, [&](ProxyId id, double, double max_t) {
    seen.push_back(id);
    return max_t;
  });
  EXPECT_EQ(seen, (std::vector<ProxyId>{0}));
}

}  // namespace
}  // namespace tenon
