// The pair list is a function of the present boxes, not of how they came about.
#include <gtest/gtest.h>

#include "tenon/tests/unit/broad/broad_fixture.h"

namespace tenon {
namespace {

using namespace broad_test;

Items make_items(Rng& rng, uint32_t count) {
  Items items;
  for (ProxyId id = 0; id < count; ++id) {
    const double size = spread_size(rng, -3, 2);
    items[2 * id + 1] = {box_at(random_point(rng, {12, 12, 12}), {size, size, size}),
                         rng.below(5) == 0 ? ProxyMotion::kStatic : ProxyMotion::kMoving};
  }
  return items;
}

TEST(BroadPhaseHistory, DoesNotShowInTheOrderOfInsertion) {
  Rng rng(11);
  const Items items = make_items(rng, 2000);
  BroadPhase forward, backward, shuffled;
  for (auto it = items.begin(); it != items.end(); ++it) {
    forward.insert(it->first, it->second.box, it->second.motion);
  }
  for (auto it = items.rbegin(); it != items.rend(); ++it) {
    backward.insert(it->first, it->second.box, it->second.motion);
    if (it->first % 100 == 1) backward.update_pairs();
  }
  std::vector<ProxyId> ids;
  for (const auto& [id, item] : items) ids.push_back(id);
  for (size_t i = ids.size(); i > 1; --i) {
    std::swap(ids[i - 1], ids[rng.below(static_cast<uint32_t>(i))]);
  }
  for (ProxyId id : ids) shuffled.insert(id, items.at(id).box, items.at(id).motion);
  const std::vector<ProxyPair> expected = list(forward.update_pairs());
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_EQ(list(backward.update_pairs()), expected);
  EXPECT_EQ(list(shuffled.update_pairs()), expected);
}

TEST(BroadPhaseHistory, ARebuiltOneAgreesWithOneThatHasRunForLong) {
  Rng rng(12);
  Items items = make_items(rng, 800);
  BroadPhase veteran, rebuilt;
  for (const auto& [id, item] : items) veteran.insert(id, item.box, item.motion);
  for (int step = 0; step < 200; ++step) {
    const double share = step % 20 < 10 ? 1 : 0.02;
    std::vector<ProxyId> ids;
    std::vector<Aabb> boxes;
    for (auto& [id, item] : items) {
      if (item.motion == ProxyMotion::kStatic || rng.uniform() > share) continue;
      const double speed = id % 10 == 1 ? 0.5 : 0.01;
      item.box = shifted(item.box, random_point(rng, {speed, speed, speed}));
      ids.push_back(id);
      boxes.push_back(item.box);
    }
    veteran.move(ids, boxes);
    const std::vector<ProxyPair> pairs = list(veteran.update_pairs());
    if (step % 10 != 9) continue;
    rebuilt.clear();
    for (const auto& [id, item] : items) rebuilt.insert(id, item.box, item.motion);
    ASSERT_EQ(list(rebuilt.update_pairs()), pairs);
  }
}

TEST(BroadPhaseHistory, KeepsTheListWhenNothingChanges) {
  Rng rng(13);
  BroadPhase broad_phase;
  const Items items = make_items(rng, 500);
  for (const auto& [id, item] : items) broad_phase.insert(id, item.box, item.motion);
  const std::vector<ProxyPair> before = list(broad_phase.update_pairs());
  for (const auto& [id, item] : items) broad_phase.move(id, item.box);
  EXPECT_EQ(list(broad_phase.update_pairs()), before);
  EXPECT_EQ(broad_phase.counters().rebuilds, 1u);
}

// Slow bodies stay in their fat boxes for several steps: most steps need no rebuild.
TEST(BroadPhaseHistory, SlowMotionIsServedFromTheCandidates) {
  Rng rng(14);
  BroadPhase broad_phase;
  Items items;
  for (ProxyId id = 0; id < 1000; ++id) {
    items[id].box = box_at(random_point(rng, {6, 6, 6}), {0.5, 0.5, 0.5});
    broad_phase.insert(id, items[id].box);
  }
  for (int step = 0; step < 100; ++step) {
    for (auto& [id, item] : items) {
      item.box = shifted(item.box, {id % 2 == 0 ? 0.01 : -0.01, 0, 0});
      broad_phase.move(id, item.box);
    }
    broad_phase.update_pairs();
  }
  EXPECT_EQ(list(broad_phase.update_pairs()), brute_force(items));
  // 0.01 per step against a margin of at least 0.05: at most every fifth step
  EXPECT_LE(broad_phase.counters().rebuilds, 21u);
}

// Few bodies move for long while others jump, come and go: proxies change their trees many times.
TEST(BroadPhaseHistory, FewMoversJumpsAndRemovalsLeaveNothingBehind) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    BroadPhase broad_phase;
    Items items;
    for (ProxyId id = 0; id < 40; ++id) {
      items[id].box = box_at({3.0 * id, 0, 0}, {0.5, 0.5, 0.5});
      broad_phase.insert(id, items[id].box);
    }
    for (int step = 0; step < 300; ++step) {
      const ProxyId slow = rng.below(3);
      items[slow].box = shifted(items[slow].box, {0, 0, 0.2});
      broad_phase.move(slow, items[slow].box);
      const ProxyId other = 5 + rng.below(30);
      const uint32_t deed = rng.below(20);
      if (deed == 0 && items.count(other) != 0) {
        items[other].box = box_at({3.0 * rng.below(3), 0, 0.2 * step + 3}, {0.5, 0.5, 0.5});
        broad_phase.move(other, items[other].box);
      } else if (deed == 1 && items.count(other) != 0) {
        items.erase(other);
        broad_phase.remove(other);
      } else if (deed == 2 && items.count(other) == 0) {
        items[other].box = box_at({3.0 * rng.below(40), 0, 0.1 * step}, {0.5, 0.5, 0.5});
        broad_phase.insert(other, items[other].box);
      }
      ASSERT_EQ(list(broad_phase.update_pairs()), brute_force(items)) << seed << ", step " << step;
      std::vector<ProxyId> found;
      broad_phase.find_overlaps(box_at({3, 0, 0.2 * step}, {5, 5, 5}), found);
      for (const ProxyId id : found) ASSERT_TRUE(broad_phase.contains(id));
    }
  }
}

}  // namespace
}  // namespace tenon
