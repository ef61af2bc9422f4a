// What must not matter to jointed bodies: the order of creation, which body is the parent, the
// number of threads, and whether a run was interrupted.
#include <gtest/gtest.h>

#include "tenon/tests/invariants/plan.h"

namespace tenon::test {
namespace {

double largest_distance(const World& a, const Built& in_a, const World& b, const Built& in_b) {
  double worst = 0;
  for (size_t i = 0; i < in_a.bodies.size(); ++i) {
    worst =
        std::max(worst, norm(a.center_of_mass(in_a.bodies[i]) - b.center_of_mass(in_b.bodies[i])));
    worst = std::max(worst, angle_between(a.pose(in_a.bodies[i]).q, b.pose(in_b.bodies[i]).q));
  }
  return worst;
}

TEST(OrderOfCreation, DoesNotChangeTheMotion) {
  const Plan plan = make_park();
  World plain = make_world(1.0 / 60);
  const Built in_plain = build(plain, plan);
  step_to(plain, 1);
  for (const uint64_t seed : {1u, 2u, 3u}) {
    World mixed = make_world(1.0 / 60);
    const Built in_mixed = build(mixed, plan, seed);
    step_to(mixed, 1);
    const double distance = largest_distance(plain, in_plain, mixed, in_mixed);
    report("shuffled bodies and joints, 1 s, m or rad", distance, "1e-6");
    EXPECT_LT(distance, 1e-6);
  }
}

TEST(ParentAndChild, CanBeExchanged) {
  const Plan plan = make_park();
  Plan turned = plan;
  for (PlannedJoint& j : turned.joints) {
    if (j.parent != kGround) std::swap(j.parent, j.child);
  }
  World a = make_world(1.0 / 60), b = make_world(1.0 / 60);
  const Built in_a = build(a, plan), in_b = build(b, turned);
  step_to(a, 1);
  step_to(b, 1);
  const double distance = largest_distance(a, in_a, b, in_b);
  report("parents and children exchanged, 1 s, m or rad", distance, "1e-6");
  EXPECT_LT(distance, 1e-6);
}

TEST(Threads, GiveTheSameBits) {
  const Plan plan = make_park();
  World one = make_world(1.0 / 60), two = make_world(1.0 / 60, {.threads = 2});
  build(one, plan);
  build(two, plan);
  for (int i = 0; i < 120; ++i) {
    one.step();
    two.step();
    ASSERT_EQ(one.state_hash(), two.state_hash()) << "step " << i;
  }
}

// A world with joints of many kinds and laws in action.
World make_busy_world() {
  World world = make_world(1.0 / 60);
  build(world, make_park());
  const BodyHandle a = add_body(world, make_rod(1, 1, {0, 5, 0}));
  const BodyHandle b = add_body(world, make_rod(1, 1, {1, 5, 0}));
  JointDef motor = make_joint(world, JointKind::kHinge, {}, a, {{0, 5, 0}, axis_along_z()});
  motor.axes[static_cast<size_t>(JointAxis::kRx)].motor = {
      .kind = Motor::Kind::kVelocity, .target = 3, .max_force = 40};
  add_joint(world, motor);
  JointDef limited = make_joint(world, JointKind::kHinge, a, b, {{1, 5, 0}, axis_along_z()});
  limited.axes[static_cast<size_t>(JointAxis::kRx)].min = -0.5;
  limited.axes[static_cast<size_t>(JointAxis::kRx)].max = 0.5;
  limited.axes[static_cast<size_t>(JointAxis::kRx)].friction = 0.1;
  limited.break_force = 1e5;
  add_joint(world, limited);
  return world;
}

TEST(Snapshot, RestoresJointedWorldsToTheLastBit) {
  World world = make_busy_world();
  step_to(world, 0.7);
  const Snapshot kept = world.snapshot();
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 60; ++i) {
    world.step();
    hashes.push_back(world.state_hash());
  }
  for (int round = 0; round < 2; ++round) {
    World other = make_world(1.0 / 60, {.threads = 2});
    World& target = round == 0 ? world : other;
    target.restore(kept);
    for (size_t i = 0; i < hashes.size(); ++i) {
      target.step();
      ASSERT_EQ(target.state_hash(), hashes[i]) << "step " << i << ", round " << round;
    }
  }
}

TEST(SavedState, ContinuesJointedWorldsWithTheSameBits) {
  World world = make_busy_world(), other = make_busy_world();
  step_to(world, 0.7);
  const std::vector<std::byte> bytes = world.save_state();
  step_to(other, 0.3);  // somewhere else before loading
  ASSERT_TRUE(other.load_state(bytes).ok());
  EXPECT_EQ(other.state_hash(), world.state_hash());
  for (int i = 0; i < 60; ++i) {
    world.step();
    other.step();
    ASSERT_EQ(world.state_hash(), other.state_hash()) << "step " << i;
  }
}

TEST(SavedState, OfOtherJointsIsRefused) {
  World world = make_busy_world(), other = make_busy_world();
  ASSERT_TRUE(other.remove_joint(other.joints().front()).ok());
  EXPECT_FALSE(other.load_state(world.save_state()).ok());
}

}  // namespace
}  // namespace tenon::test
