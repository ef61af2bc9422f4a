// A world that goes on where another one is.
#include <gtest/gtest.h>

#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon::test {
namespace {

// A box in free flight and one that hangs on a rod.
struct Pair {
  World world = make_world();
  BodyHandle free, bob;
  JointHandle rod;
  explicit Pair(double density = 1000, WorldSettings settings = {}) : world(make_world(settings)) {
    BodyDef def = make_box({5, 5, 0});
    def.colliders[0].density = density;
    def.velocity = {1, 2, 3};
    def.angular_velocity = {0.3, 4, 1};
    free = *world.create_body(def);
    bob = *world.create_body(make_box({1, 0, 0}, {0.1, 0.1, 0.1}));
    JointDef joint;
    joint.kind = JointKind::kDistance;
    joint.child = bob;
    joint.length = 1;
    rod = *world.create_joint(joint);
  }
  CarryOver to(const Pair& other) const {
    return {{{free, other.free}, {bob, other.bob}}, {{rod, other.rod}}};
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.step();
  }
};

TEST(CarryOver, KeepsTimePosesAndVelocitiesOfWhatIsTheSame) {
  Pair before, after;
  before.run(30);
  ASSERT_TRUE(after.world.carry_over(before.world, before.to(after)).ok());
  EXPECT_EQ(after.world.time(), before.world.time());
  EXPECT_EQ(after.world.step_count(), 30u);
  EXPECT_EQ(after.world.pose(after.free), before.world.pose(before.free));
  EXPECT_EQ(after.world.angular_momentum(after.free), before.world.angular_momentum(before.free));
  // nothing touches here, so nothing is found anew: both go on with the same bits
  before.run(30);
  after.run(30);
  EXPECT_EQ(after.world.pose(after.free), before.world.pose(before.free));
  EXPECT_EQ(after.world.pose(after.bob), before.world.pose(before.bob));
}

TEST(CarryOver, GivesABodyOfAnotherMassTheSameMotionAndTheMomentaThatFollow) {
  Pair before(1000), after(3000);
  before.run(20);
  ASSERT_TRUE(after.world.carry_over(before.world, before.to(after)).ok());
  EXPECT_EQ(after.world.velocity(after.free), before.world.velocity(before.free));
  EXPECT_EQ(after.world.angular_velocity(after.free), before.world.angular_velocity(before.free));
  const Vec3 L1 = before.world.angular_momentum(before.free);
  const Vec3 L3 = after.world.angular_momentum(after.free);
  EXPECT_NEAR(norm(L3 - 3 * L1), 0, 1e-12 * norm(L3));  // rounding of one product
}

TEST(CarryOver, BooksWhatTheChangeDidAsTheUsersWork) {
  Pair before(1000), after(3000);
  before.run(20);
  const auto balance = [](const World& world) {
    const StepDiagnostics& d = world.diagnostics();
    return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
  };
  const double was = balance(before.world);
  ASSERT_TRUE(after.world.carry_over(before.world, before.to(after)).ok());
  // energies of some kilojoules, in doubles
  EXPECT_NEAR(balance(after.world), was, 1e-9 * (1 + std::fabs(was)) * 10);
}

TEST(CarryOver, LetsTheSwingOfAPendulumGoOn) {
  Pair before, after(2000);
  before.run(40);
  ASSERT_TRUE(after.world.carry_over(before.world, before.to(after)).ok());
  after.run(60);
  EXPECT_LT(after.world.read_joint(after.rod).gap_m, 1e-6);
  before.run(60);
  // the bob itself is the same; both solves end within the tolerance of 1e-6
  EXPECT_NEAR(norm(after.world.pose(after.bob).p - before.world.pose(before.bob).p), 0, 1e-5);
}

TEST(CarryOver, KeepsTheTimeAtAnotherStep) {
  Pair before;
  WorldSettings finer;
  finer.step = 1.0 / 240;
  Pair after(1000, finer);
  before.run(30);
  ASSERT_TRUE(after.world.carry_over(before.world, before.to(after)).ok());
  EXPECT_EQ(after.world.time(), 0.5);
  after.run(4);
  EXPECT_NEAR(after.world.time(), 0.5 + 4.0 / 240, 1e-15);
}

TEST(CarryOver, RefusesHandlesThatAreStaleAndChangesNothing) {
  Pair before, after;
  before.run(10);
  const CarryOver pairs = before.to(after);
  ASSERT_TRUE(after.world.remove_body(after.free).ok());
  const uint64_t hash = after.world.state_hash();
  EXPECT_FALSE(after.world.carry_over(before.world, pairs).ok());
  EXPECT_EQ(after.world.state_hash(), hash);
}

}  // namespace
}  // namespace tenon::test
