// Snapshots, saved states, and independence from the number of threads.
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

std::vector<uint64_t> hashes_of_run(World& world, int steps) {
  std::vector<uint64_t> hashes;
  for (int i = 0; i < steps; ++i) {
    world.step();
    hashes.push_back(world.state_hash());
  }
  return hashes;
}

World make_busy_world(int threads) {
  WorldSettings s;
  s.threads = threads;
  World world = test::make_world(s);
  test::fill_with_bodies(world, 600, 7, 3);
  return world;
}

TEST(Threads, DoNotChangeABit) {
  World one = make_busy_world(1), two = make_busy_world(2), three = make_busy_world(3);
  const std::vector<uint64_t> expected = hashes_of_run(one, 20);
  EXPECT_EQ(hashes_of_run(two, 20), expected);
  EXPECT_EQ(hashes_of_run(three, 20), expected);
  ASSERT_EQ(one.contacts().size(), two.contacts().size());
  ASSERT_GT(one.contacts().size(), 100u);
  for (size_t i = 0; i < one.contacts().size(); ++i) {
    const Manifold &a = one.contacts()[i].manifold, &b = two.contacts()[i].manifold;
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.normal_W, b.normal_W);
  }
}

TEST(Runs, RepeatBitForBit) {
  World a = make_busy_world(2), b = make_busy_world(2);
  EXPECT_EQ(hashes_of_run(a, 20), hashes_of_run(b, 20));
}

TEST(StateHash, SeesTheSmallestChange) {
  World world = test::make_world();
  const BodyHandle body = *world.create_body(test::make_box({1, 2, 3}));
  const uint64_t before = world.state_hash();
  ASSERT_TRUE(world.set_pose(body, {{1, 2, std::nextafter(3.0, 4.0)}, {}}).ok());
  EXPECT_NE(world.state_hash(), before);
}

TEST(Snapshots, RestoreEverythingIncludingBodiesMadeSince) {
  World world = make_busy_world(1);
  hashes_of_run(world, 5);
  const Snapshot snapshot = world.snapshot();
  const uint64_t at_snapshot = world.state_hash();
  const std::vector<BodyHandle> bodies = world.bodies();
  const std::vector<uint64_t> expected = hashes_of_run(world, 10);

  // wander off: other bodies, other settings
  ASSERT_TRUE(world.remove_body(bodies[3]).ok());
  ASSERT_TRUE(world.create_body(test::make_box({})).ok());
  WorldSettings s = world.settings();
  s.step = 1.0 / 30;
  ASSERT_TRUE(world.set_settings(s).ok());
  hashes_of_run(world, 3);

  for (int round = 0; round < 2; ++round) {
    world.restore(snapshot);
    EXPECT_EQ(world.state_hash(), at_snapshot);
    EXPECT_EQ(world.bodies(), bodies);
    EXPECT_EQ(hashes_of_run(world, 10), expected);
  }
  World other = test::make_world();
  other.restore(snapshot);
  EXPECT_EQ(hashes_of_run(other, 10), expected);
}

TEST(SavedState, ContinuesWithTheSameBitsAndEvents) {
  World world = make_busy_world(1);
  hashes_of_run(world, 5);
  const std::vector<std::byte> saved = world.save_state();
  std::vector<size_t> events;
  const auto run = [&](World& w) {
    std::vector<uint64_t> trace;
    for (int i = 0; i < 10; ++i) {
      w.step();
      trace.push_back(w.state_hash());
      trace.push_back(w.events().size());
      trace.push_back(std::bit_cast<uint64_t>(w.diagnostics().work_J));
      trace.push_back(std::bit_cast<uint64_t>(w.diagnostics().penetration_m));
    }
    return trace;
  };
  const std::vector<uint64_t> expected = run(world);
  World fresh = make_busy_world(2);
  ASSERT_TRUE(fresh.load_state(saved).ok());
  EXPECT_EQ(fresh.time(), 5 * (1.0 / 60));
  EXPECT_EQ(run(fresh), expected);
}

TEST(SavedState, DamagedOrForeignBytesAreRefusedAndChangeNothing) {
  World world = test::make_world();
  ASSERT_TRUE(world.create_body(test::make_box({0, 0, 0})).ok());
  ASSERT_TRUE(world.create_body(test::make_box({3, 0, 0})).ok());
  world.step();
  const std::vector<std::byte> saved = world.save_state();
  const uint64_t before = world.state_hash();
  for (size_t length = 0; length < saved.size(); ++length) {
    EXPECT_FALSE(world.load_state(std::span(saved).first(length)).ok()) << length;
  }
  std::vector<std::byte> longer = saved;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(world.load_state(longer).ok());
  EXPECT_EQ(world.state_hash(), before);
  World other = test::make_world();
  ASSERT_TRUE(other.create_body(test::make_box({0, 0, 0}, {1, 1, 1})).ok());
  const Status refused = other.load_state(saved);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("other bodies"), std::string::npos);
  EXPECT_TRUE(world.load_state(saved).ok());
}

TEST(SavedState, IsTheSameNoMatterHowTheWorldGotThere) {
  // bodies removed and made again must not leave traces in pairs or contacts
  World direct = make_busy_world(1);
  World detour = make_busy_world(1);
  const Snapshot start = detour.snapshot();
  hashes_of_run(detour, 7);
  detour.restore(start);
  EXPECT_EQ(hashes_of_run(direct, 10), hashes_of_run(detour, 10));
}

}  // namespace
}  // namespace tenon
