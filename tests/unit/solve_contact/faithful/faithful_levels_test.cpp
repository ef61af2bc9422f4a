// Contact graph and levels.
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/solve_contact/faithful/detail/graph.h"

namespace tenon::test {
namespace {

using faithful::Body;
using faithful::Collider;
using faithful::ColliderPair;
using faithful::Step;
using faithful::detail::Edge;
using faithful::detail::find_edges;
using faithful::detail::find_levels;

TEST(FaithfulLevels, AreTheLongestWaysUp) {
  // 0 carries 1 and 2; 1 carries 3; 2 and 3 carry 4; 5 stands alone
  const Edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4}};
  EXPECT_EQ(find_levels(6, edges), (std::vector<int>{0, 1, 1, 2, 3, 0}));
}

TEST(FaithfulLevels, BodiesThatLeanOnEachOtherShareOne) {
  // 1, 2, 3 in a circle upon 0, 4 upon the circle
  const Edge edges[] = {{0, 2}, {1, 2}, {2, 3}, {3, 1}, {3, 4}};
  EXPECT_EQ(find_levels(5, edges), (std::vector<int>{0, 1, 1, 1, 2}));
}

// Deep enough to overflow a recursive search.
TEST(FaithfulLevels, TowersAreAsHighAsTheyAre) {
  const uint32_t n = 200000;
  std::vector<Edge> edges;
  for (uint32_t i = n - 1; i > 0; --i) edges.push_back({i - 1, i});
  const std::vector<int> levels = find_levels(n, edges);
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(levels[i], static_cast<int>(i));
}

// Against a definition that can be computed slowly: who can reach whom.
TEST(FaithfulLevels, AgreeWithReachability) {
  Rng rng(11);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr uint32_t n = 9;
    std::vector<Edge> edges;
    bool reach[n][n] = {};
    for (uint32_t k = 0; k < 3 + static_cast<uint32_t>(trial) % 15; ++k) {
      const auto a = static_cast<uint32_t>(rng.below(n)), b = static_cast<uint32_t>(rng.below(n));
      edges.push_back({a, b});
      reach[a][b] = true;
    }
    for (uint32_t k = 0; k < n; ++k) {
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
      }
    }
    const std::vector<int> levels = find_levels(n, edges);
    for (const Edge& e : edges) {
      if (reach[e.above][e.below]) {
        EXPECT_EQ(levels[e.below], levels[e.above]);
      } else {
        EXPECT_LT(levels[e.below], levels[e.above]);
      }
    }
  }
}

// A pile of cubes in the air, without a world.
struct Pile {
  Shape cube = Box{{0.5, 0.5, 0.5}};
  Shape ground = Box{{5, 0.5, 5}};
  Step step;
  std::vector<ColliderPair> colliders;

  uint32_t add(const Vec3& x, bool finite) {
    Body b;
    b.infinite = !finite;
    b.end = {x, {}};
    b.inv_mass = finite ? 1 : 0;
    b.inv_I_B = finite ? Mat3::identity() : Mat3{};
    faithful::place(b, x, {});
    const auto index = static_cast<uint32_t>(step.bodies.size());
    b.dv = finite ? Vec3{0, -9.81 / 60, 0} : Vec3{};
    step.bodies.push_back(b);
    step.colliders.push_back({finite ? &cube : &ground, {}, index, 0.005, 8, 1});
    for (uint32_t i = 0; i < index; ++i) colliders.push_back({i, index, {}});
    return index;
  }
  std::vector<int> levels() {
    step.h = 1.0 / 60;
    std::vector<ColliderPair> all = colliders;
    const auto pairs = faithful::detail::group_pairs(step, std::move(all));
    return find_levels(step.bodies.size(), find_edges(step, pairs));
  }
};

TEST(FaithfulLevels, OfAKnownPile) {
  Pile pile;
  pile.add({0, 2.5, 0}, true);     // on two others
  pile.add({-0.6, 1.5, 0}, true);  // on one of the lower ones
  pile.add({0.6, 1.5, 0}, true);
  pile.add({-0.6, 0.5, 0}, true);  // on the ground
  pile.add({0.6, 0.5, 0}, true);
  pile.add({0, -0.5, 0}, false);  // the ground
  pile.add({0, 3.7, 0}, true);    // still falling
  EXPECT_EQ(pile.levels(), (std::vector<int>{3, 2, 2, 1, 1, 0, 0}));
}

// What has sunk into its support still rests on it, and not the other way round.
TEST(FaithfulLevels, SurviveOverlaps) {
  Pile pile;
  pile.add({0, -0.5, 0}, false);
  pile.add({0, 0.49, 0}, true);
  pile.add({0, 1.47, 0}, true);
  EXPECT_EQ(pile.levels(), (std::vector<int>{0, 1, 2}));
}

// Bodies in free fall with their support are a pile as well.
TEST(FaithfulLevels, OfAPileOnAMovingBase) {
  Pile pile;
  pile.add({0, 0.5, 0}, true);
  pile.add({0, 1.5, 0}, true);
  for (Body& b : pile.step.bodies) b.v = {3, 2, 0};
  pile.step.bodies[0].dv = {};  // a base that flies at constant speed
  EXPECT_EQ(pile.levels(), (std::vector<int>{0, 1}));
}

// Side by side they lean on each other.
TEST(FaithfulLevels, NeighboursThatTouchShareOne) {
  Pile pile;
  pile.add({0, -0.5, 0}, false);
  pile.add({0, 0.5, 0}, true);
  pile.add({1, 0.5, 0}, true);
  pile.add({0.5, 1.5, 0}, true);
  EXPECT_EQ(pile.levels(), (std::vector<int>{0, 1, 1, 2}));
}

}  // namespace
}  // namespace tenon::test
