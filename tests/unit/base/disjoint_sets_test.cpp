#include "tenon/engine/base/disjoint_sets.h"

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

TEST(DisjointSets, AreOfOneAtFirst) {
  DisjointSets sets(3);
  EXPECT_EQ(sets.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(sets.find(i), i);
}

TEST(DisjointSets, AreNamedByTheirSmallestMemberInAnyOrderOfJoins) {
  DisjointSets down(6), up(6);
  EXPECT_EQ(down.join(5, 4), 4u);
  EXPECT_EQ(down.join(5, 2), 2u);
  EXPECT_EQ(up.join(2, 4), 2u);
  EXPECT_EQ(up.join(4, 5), 2u);
  for (const uint32_t i : {2u, 4u, 5u}) {
    EXPECT_EQ(down.find(i), 2u);
    EXPECT_EQ(up.find(i), 2u);
  }
  for (const uint32_t i : {0u, 1u, 3u}) EXPECT_EQ(down.find(i), i);
}

TEST(DisjointSets, StayWhereMoreAreAddedAndGoWithAReset) {
  DisjointSets sets(2);
  sets.join(1, 0);
  sets.add(2);
  EXPECT_EQ(sets.size(), 4u);
  EXPECT_EQ(sets.find(1), 0u);
  EXPECT_EQ(sets.find(3), 3u);
  sets.reset(2);
  EXPECT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets.find(1), 1u);
}

// Against colours that are painted over, one by one.
TEST(DisjointSets, AreThoseOfPlainPainting) {
  constexpr uint32_t kCount = 200;
  Rng rng(7);
  DisjointSets sets(kCount);
  std::vector<uint32_t> colour(kCount);
  for (uint32_t i = 0; i < kCount; ++i) colour[i] = i;
  for (int k = 0; k < 150; ++k) {
    const auto a = static_cast<uint32_t>(rng.below(kCount));
    const auto b = static_cast<uint32_t>(rng.below(kCount));
    const uint32_t least = std::min(colour[a], colour[b]), most = std::max(colour[a], colour[b]);
    for (uint32_t& c : colour) {
      if (c == most) c = least;
    }
    EXPECT_EQ(sets.join(a, b), least);
  }
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(sets.find(i), colour[i]);
}

}  // namespace
}  // namespace tenon
