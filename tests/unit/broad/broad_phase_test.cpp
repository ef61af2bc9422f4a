// Pair lists against brute force, on scenes that are hard in different ways.
#include "tenon/engine/collision/broad/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tenon/tests/effort.h"
#include "tenon/tests/unit/broad/broad_fixture.h"

namespace tenon {
namespace {

using namespace broad_test;

struct Scene {
  std::string name;
  std::function<Aabb(Rng&, uint32_t)> make_box;
  double speed;  // largest displacement per step and axis; negative: a new place at every move
};

Vec3 cube(double h) { return {h, h, h}; }

std::vector<Scene> scenes() {
  return {
      {"uniform",
       [](Rng& r, uint32_t) {
         return box_at(random_point(r, cube(5)), random_point(r, cube(0.5)) + cube(0.5));
       },
       0.1},
      {"jumping",
       [](Rng& r, uint32_t) { return box_at(random_point(r, cube(5)), cube(r.uniform(0.1, 0.6))); },
       -1},
      {"clustered",
       [](Rng& r, uint32_t i) {
         const Vec3 home{static_cast<double>(i % 5) * 1000, 0, static_cast<double>(i % 3) * -77};
         return box_at(home + random_point(r, cube(1)), cube(r.uniform(0.01, 0.3)));
       },
       0.02},
      {"one point", [](Rng&, uint32_t) { return box_at({3, -2, 7}, {0, 0, 0}); }, 0},
      {"one place", [](Rng& r, uint32_t) { return box_at(random_point(r, cube(1e-3)), cube(1)); },
       1e-4},
      {"all huge",
       [](Rng& r, uint32_t) { return box_at(random_point(r, cube(2e9)), cube(r.uniform(0, 1e9))); },
       1e8},
      {"all tiny",
       [](Rng& r, uint32_t) {
         return box_at(random_point(r, cube(1e-9)), cube(r.uniform(0, 2e-10)));
       },
       1e-10},
      {"tiny in a wide space",
       [](Rng& r, uint32_t) {
         // a few pairs share a place, or there would be none at all
         const Vec3 p = r.below(100) < 3 ? Vec3{1, 2, 3} : random_point(r, cube(100));
         return box_at(p, cube(1e-6));
       },
       0.5},
      {"a line along x",
       [](Rng& r, uint32_t i) { return box_at({i * 0.9, 0, 0}, cube(r.uniform(0.3, 0.6))); }, 0.3},
      {"a line along y",
       [](Rng& r, uint32_t i) { return box_at({0, i * -0.9, 0}, cube(r.uniform(0.3, 0.6))); }, 0.3},
      {"a diagonal",
       [](Rng& r, uint32_t i) { return box_at(i * cube(0.7), cube(r.uniform(0.3, 0.6))); }, 0.2},
      {"a million metres away",
       [](Rng& r, uint32_t) {
         return box_at(Vec3{1e6, -1e6, 1e6} + random_point(r, cube(3)), cube(r.uniform(0.1, 0.5)));
       },
       0.05},
      {"all negative",
       [](Rng& r, uint32_t) {
         return box_at(cube(-50) + random_point(r, cube(4)), cube(r.uniform(0.1, 0.7)));
       },
       0.3},
      {"exactly touching",
       [](Rng& r, uint32_t) {
         const Vec3 cell{static_cast<double>(r.below(8)), static_cast<double>(r.below(8)),
                         static_cast<double>(r.below(8))};
         return Aabb{cell, cell + cube(1)};
       },
       0},
      {"flat",
       [](Rng& r, uint32_t i) {
         Vec3 half = cube(0.8);
         half[static_cast<int>(i % 3)] = 0;
         const Vec3 p{std::floor(r.uniform(0, 6)), std::floor(r.uniform(0, 6)),
                      std::floor(r.uniform(0, 6))};
         return box_at(p, half);
       },
       0},
      {"sizes from 1 to 10000",
       [](Rng& r, uint32_t) {
         return box_at(random_point(r, cube(300)), cube(spread_size(r, -5, 9)));
       },
       1},
      {"one lost body",
       [](Rng& r, uint32_t i) {
         if (i == 17) return box_at({1e12, -3e15, 0}, cube(0.5));
         return box_at(random_point(r, cube(4)), cube(r.uniform(0.1, 0.5)));
       },
       0.1},
      {"a ground plane",
       [](Rng& r, uint32_t i) {
         if (i == 5) return Aabb{{-1e9, -1e9, -1e9}, {1e9, 0, 1e9}};
         return box_at(random_point(r, {6, 1, 6}), cube(r.uniform(0.1, 0.5)));
       },
       0.1},
      {"the limits of double",
       [](Rng& r, uint32_t i) {
         const double big = std::numeric_limits<double>::max();
         if (i % 50 == 5) return Aabb{{-big, -big, -big}, {big, big, big}};
         if (i % 50 == 6) return Aabb{{big, big, big}, {big, big, big}};
         if (i % 50 == 7) return Aabb{{-big, 0, 0}, {-1e200, 5e-324, 1}};
         if (i % 50 == 8) return box_at(random_point(r, cube(1e50)), cube(1e49));
         return box_at(random_point(r, cube(4)), cube(r.uniform(0, 5e-324)));
       },
       0.5},
  };
}

class BroadPhaseScene : public testing::TestWithParam<Scene> {};

// Inserts, removals, moves of many, few and none, and changes of motion; each followed by a
// comparison with brute force.
TEST_P(BroadPhaseScene, ListsWhatBruteForceFinds) {
  const Scene& scene = GetParam();
  Rng rng(20240 + scene.name.size());
  BroadPhase broad_phase;
  Items items;
  const auto insert = [&](ProxyId id) {
    const ProxyMotion motion = rng.below(6) == 0 ? ProxyMotion::kStatic : ProxyMotion::kMoving;
    items[id] = {scene.make_box(rng, id), motion};
    broad_phase.insert(id, items[id].box, motion);
  };
  for (ProxyId id = 0; id < 300; ++id) insert(id);
  size_t most = 0;
  for (int step = 0; step < 120; ++step) {
    // all, one in ten, one, or none
    const double share = step == 0        ? 0
                         : step % 40 < 20 ? 1
                                          : (step % 40 < 30 ? 0.1 : (step % 4 == 0 ? 0 : 0.003));
    for (auto& [id, item] : items) {
      if (rng.uniform() >= share) continue;
      if (scene.speed < 0 || rng.below(400) == 0)
        item.box = scene.make_box(rng, id);
      else
        item.box = shifted(item.box, random_point(rng, cube(scene.speed)));
      broad_phase.move(id, item.box);
    }
    if (step % 3 == 0) {
      for (int i = 0; i < 3; ++i) {
        const ProxyId id = rng.below(320);
        if (items.contains(id)) {
          items.erase(id);
          broad_phase.remove(id);
        }
        if (rng.below(3) != 0 && !items.contains(id)) insert(id);
      }
    }
    if (step % 7 == 0) {
      auto& [id, item] = *items.begin();
      item.motion =
          item.motion == ProxyMotion::kStatic ? ProxyMotion::kMoving : ProxyMotion::kStatic;
      broad_phase.set_motion(id, item.motion);
    }
    const std::vector<ProxyPair> expected = brute_force(items);
    ASSERT_EQ(list(broad_phase.update_pairs()), expected) << scene.name << ", step " << step;
    ASSERT_EQ(broad_phase.count(), items.size());
    most = std::max(most, expected.size());
  }
  // a scene without pairs would test nothing (but a wide space with tiny boxes has few)
  EXPECT_GT(most, scene.name == "tiny in a wide space" ? 0u : 20u);
}

INSTANTIATE_TEST_SUITE_P(Scenes, BroadPhaseScene, testing::ValuesIn(scenes()),
                         [](const testing::TestParamInfo<Scene>& param_info) {
                           std::string name = param_info.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST(BroadPhase, EqualsBruteForceForTenThousandMixedBodies) {
  Rng rng(7);
  Items items;
  BroadPhase broad_phase;
  // a closed box 24 m wide, six static walls, and bodies from 0.15 to 2.4 m across
  const double h = 12;
  for (ProxyId wall = 0; wall < 6; ++wall) {
    Aabb box = box_at({0, 0, 0}, cube(h + 1));
    const int axis = static_cast<int>(wall / 2);
    if (wall % 2 == 0)
      box.hi[axis] = -h;
    else
      box.lo[axis] = h;
    items[wall] = {box, ProxyMotion::kStatic};
  }
  for (ProxyId id = 6; id < test::effort(10006u, 1006u); ++id) {
    const double size = spread_size(rng, -3, 0) * 0.6;
    const Vec3 half{size, size * rng.uniform(0.5, 2), size * rng.uniform(0.5, 2)};
    items[id] = {box_at(random_point(rng, cube(h)), half), ProxyMotion::kMoving};
  }
  for (const auto& [id, item] : items) broad_phase.insert(id, item.box, item.motion);
  for (int step = 0; step < 6; ++step) {
    const std::vector<ProxyPair> expected = brute_force(items);
    ASSERT_EQ(list(broad_phase.update_pairs()), expected);
    ASSERT_GT(expected.size(), test::effort(10000u, 100u));
    for (auto& [id, item] : items) {
      if (id < 6) continue;
      item.box = shifted(item.box, random_point(rng, cube(0.05)));
      broad_phase.move(id, item.box);
    }
  }
}

TEST(BroadPhase, NeverPairsTwoStaticProxies) {
  BroadPhase broad_phase;
  const Aabb box = box_at({0, 0, 0}, cube(1));
  broad_phase.insert(4, box, ProxyMotion::kStatic);
  broad_phase.insert(2, box, ProxyMotion::kStatic);
  EXPECT_TRUE(broad_phase.update_pairs().empty());
  broad_phase.insert(3, box);
  EXPECT_EQ(list(broad_phase.update_pairs()), (std::vector<ProxyPair>{{2, 3}, {3, 4}}));
  broad_phase.set_motion(4, ProxyMotion::kMoving);
  EXPECT_EQ(list(broad_phase.update_pairs()), (std::vector<ProxyPair>{{2, 3}, {2, 4}, {3, 4}}));
  broad_phase.set_motion(3, ProxyMotion::kStatic);
  EXPECT_EQ(list(broad_phase.update_pairs()), (std::vector<ProxyPair>{{2, 4}, {3, 4}}));
  EXPECT_EQ(broad_phase.motion(3), ProxyMotion::kStatic);
}

TEST(BroadPhase, CountsTouchingButNotTheNextNumber) {
  BroadPhase broad_phase;
  broad_phase.insert(0, {{0, 0, 0}, {1, 1, 1}});
  broad_phase.insert(1, {{1, 1, 1}, {2, 2, 2}});
  EXPECT_EQ(broad_phase.update_pairs().size(), 1u);
  const double beyond = std::nextafter(1.0, 2.0);
  broad_phase.move(1, {{beyond, 1, 1}, {2, 2, 2}});
  EXPECT_EQ(broad_phase.update_pairs().size(), 0u);
}

TEST(BroadPhase, IsEmptyWithoutProxiesAndAfterClear) {
  BroadPhase broad_phase;
  EXPECT_TRUE(broad_phase.update_pairs().empty());
  broad_phase.insert(0, box_at({0, 0, 0}, cube(1)));
  broad_phase.insert(9, box_at({0, 0, 0}, cube(1)));
  EXPECT_EQ(broad_phase.update_pairs().size(), 1u);
  broad_phase.clear();
  EXPECT_FALSE(broad_phase.contains(0));
  EXPECT_EQ(broad_phase.count(), 0u);
  EXPECT_TRUE(broad_phase.update_pairs().empty());
  broad_phase.insert(9, box_at({0, 0, 0}, cube(1)));
  EXPECT_TRUE(broad_phase.update_pairs().empty());
}

TEST(BroadPhase, AcceptsFiniteOrderedBoxesOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(BroadPhase::accepts({{0, 0, 0}, {0, 0, 0}}));
  EXPECT_TRUE(BroadPhase::accepts({{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}}));
  EXPECT_FALSE(BroadPhase::accepts(Aabb{}));
  for (int k = 0; k < 3; ++k) {
    for (double bad : {nan, inf, -inf}) {
      Aabb box = box_at({0, 0, 0}, cube(1));
      box.lo[k] = bad;
      EXPECT_FALSE(BroadPhase::accepts(box));
      box = box_at({0, 0, 0}, cube(1));
      box.hi[k] = bad;
      EXPECT_FALSE(BroadPhase::accepts(box));
    }
    Aabb inverted = box_at({0, 0, 0}, cube(1));
    std::swap(inverted.lo[k], inverted.hi[k]);
    EXPECT_FALSE(BroadPhase::accepts(inverted));
  }
}

TEST(BroadPhaseDeath, RefusesBadBoxesAndUnknownIds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  BroadPhase broad_phase;
  const Aabb good = box_at({0, 0, 0}, cube(1));
  const Aabb bad{{0, 0, 0}, {1, std::numeric_limits<double>::quiet_NaN(), 1}};
  broad_phase.insert(1, good);
  EXPECT_DEATH(broad_phase.insert(1, good), "");
  EXPECT_DEATH(broad_phase.insert(2, bad), "");
  EXPECT_DEATH(broad_phase.insert(kMaxProxyId + 1, good), "");
  EXPECT_DEATH(broad_phase.move(1, bad), "");
  EXPECT_DEATH(broad_phase.move(0, good), "");
  EXPECT_DEATH(broad_phase.remove(7), "");
}

}  // namespace
}  // namespace tenon
