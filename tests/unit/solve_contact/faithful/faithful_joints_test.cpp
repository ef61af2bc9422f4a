// Joints and contacts in one sweep.
#include "tenon/tests/unit/solve_contact/faithful/faithful_fixture.h"

namespace tenon::test {
namespace {

// Two blocks with a hinge along z between their facing lower edges.
struct HingedPair {
  BodyHandle left, right;
  JointHandle hinge;
};
HingedPair add_hinged_pair(World& world, MaterialId material, double height) {
  const Box block{{0.5, 0.2, 0.3}};
  HingedPair p;
  p.left = add_shape(world, block, {{-0.5, height, 0}, {}}, material);
  p.right = add_shape(world, block, {{0.5, height, 0}, {}}, material);
  p.hinge = join(world, JointKind::kHinge, p.left, p.right, {0, height - 0.2, 0},
                 from_axis_angle({0, 1, 0}, -0.5 * kPi));  // the joint's x along the world's z
  return p;
}

TEST(FaithfulJoints, AHingedPairDroppedOnTheFloorKeepsItsJoint) {
  World world = make_world(faithful_settings());
  const MaterialId material = add_material(world, 0.4, 0.5);
  add_ground(world, material);
  const HingedPair pair = add_hinged_pair(world, material, 1);
  ASSERT_TRUE(world.set_angular_velocity(pair.left, {0.5, 0.3, 1}).ok());
  for (int i = 0; i < 240; ++i) {
    world.step();
    // of blocks of one metre; the fastest impact is 4 m/s, 7 cm per step
    ASSERT_LT(world.diagnostics().joint_gap_m, 2e-3) << i;
    ASSERT_LT(world.diagnostics().joint_angle_rad, 5e-3) << i;
    ASSERT_GT(world.center_of_mass(pair.left).y, 0.15) << i;
  }
  // it has come to rest on the floor
  EXPECT_LT(norm(world.velocity(pair.left)) + norm(world.velocity(pair.right)), 1e-3);
  EXPECT_NEAR(world.center_of_mass(pair.right).y, 0.2, 1e-3);
  EXPECT_LT(world.diagnostics().joint_gap_m, 1e-4);
}

// Jointed blocks in a stack: the shock of lower levels must not tear joints apart.
TEST(FaithfulJoints, StacksOfHingedPairsStand) {
  for (const faithful::JointsInShock joints :
       {faithful::JointsInShock::kFreezeLifted, faithful::JointsInShock::kSkipped}) {
    WorldSettings settings = faithful_settings();
    settings.faithful.joints_in_shock = joints;
    World world = make_world(settings);
    const MaterialId material = add_material(world, 0.4, 0.5);
    add_ground(world, material);
    std::vector<HingedPair> pairs;
    for (int i = 0; i < 3; ++i) pairs.push_back(add_hinged_pair(world, material, 0.2 + 0.4 * i));
    double gap = 0;
    for (int i = 0; i < 120; ++i) {
      world.step();
      gap = std::max(gap, world.diagnostics().joint_gap_m);
    }
    EXPECT_LT(gap, 1e-5) << static_cast<int>(joints);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const double height = 0.2 + 0.4 * static_cast<double>(i);
      EXPECT_NEAR(world.center_of_mass(pairs[i].left).y, height, 1e-3) << i;
      EXPECT_NEAR(world.center_of_mass(pairs[i].right).y, height, 1e-3) << i;
    }
  }
}

// The last sweep over joints alone leaves smaller gaps than none, and saved velocities keep what it
// does to positions out of velocities.
TEST(FaithfulJoints, TheFinalJointSweepTightensJoints) {
  double gap[3];
  for (const auto sweep : {faithful::FinalJointSweep::kNone, faithful::FinalJointSweep::kKept,
                           faithful::FinalJointSweep::kSaved}) {
    WorldSettings settings = faithful_settings(1.0 / 60, 4);
    settings.faithful.joints_in_shock = faithful::JointsInShock::kSkipped;
    settings.faithful.final_joint_sweep = sweep;
    World world = make_world(settings);
    const MaterialId material = add_material(world, 0.2, 0.5);
    add_ground(world, material);
    // a chain that falls on the floor and coils up
    BodyHandle last;
    for (int i = 0; i < 8; ++i) {
      const BodyHandle link =
          add_shape(world, Box{{0.04, 0.2, 0.04}}, {{0.02 * i, 0.3 + 0.4 * i, 0}, {}}, material);
      if (i > 0) join(world, JointKind::kPoint, last, link, {0.02 * i - 0.01, 0.1 + 0.4 * i, 0});
      last = link;
    }
    double sum = 0;
    for (int i = 0; i < 90; ++i) {
      world.step();
      sum += world.diagnostics().joint_gap_m;
    }
    gap[static_cast<size_t>(sweep)] = sum / 90;
    EXPECT_EQ(world.diagnostics().frozen_bodies, 0u);
  }
  EXPECT_LT(gap[1], 0.8 * gap[0]);
  EXPECT_LT(gap[2], 0.8 * gap[0]);
}

// [Weinstein2006, fig. 10]: two bodies hold each other at a corner, a third one flies towards
// their joint while the two drift apart. Pre-stabilization keeps the two together, so the third
// is stopped in front of them. A projection after the move lets it enter the gap first.
TEST(FaithfulJoints, TheTrapOfFigureTenClosesOnlyAfterTheMove) {
  for (const auto correction :
       {faithful::JointCorrection::kBeforeMove, faithful::JointCorrection::kAfterMove}) {
    WorldSettings settings = faithful_settings(1.0 / 30);
    settings.gravity = {};
    settings.faithful.joint_correction = correction;
    World world = make_world(settings);
    const MaterialId material = add_material(world, 0, 0);
    const auto add_body = [&](const Vec3& x, const Vec3& half, const Vec3& v) {
      BodyDef def = make_box(x, half);
      def.colliders[0].material = material;
      def.velocity = v;
      return add(world, def);
    };
    const BodyHandle b1 = add_body({-0.5, 0.25, 0}, {0.5, 0.25, 0.5}, {0, 4, 0});
    const BodyHandle b2 = add_body({-0.5, -0.25, 0}, {0.5, 0.25, 0.5}, {0, -4, 0});
    const BodyHandle b3 = add_body({0.25, 0, 0}, {0.2, 0.05, 0.4}, {-12, 0, 0});
    join(world, JointKind::kRigid, b1, b2, {});
    world.step();
    // of the third body, before the faces of the two
    const double tip = (world.center_of_mass(b3).x - 0.2) - (world.center_of_mass(b1).x + 0.5);
    const bool outside = tip > -1e-3;
    if (correction == faithful::JointCorrection::kBeforeMove) {
      EXPECT_TRUE(outside) << tip;
      EXPECT_LT(world.diagnostics().penetration_m, 1e-6);
      EXPECT_LT(world.diagnostics().joint_gap_m, 1e-6);
      // and it has pushed the two
      EXPECT_LT(world.velocity(b1).x, -0.1);
      EXPECT_LT(world.velocity(b2).x, -0.1);
    } else {
      EXPECT_FALSE(outside && world.diagnostics().joint_gap_m < 1e-3) << tip;
      EXPECT_GT(std::max(world.diagnostics().penetration_m, world.diagnostics().joint_gap_m), 0.01);
    }
  }
}

// Joints far from contacts do not notice those.
TEST(FaithfulJoints, AChainDoesNotNoticeAPileFarAway) {
  uint64_t bits[2];
  for (const bool pile : {false, true}) {
    World world = make_world(faithful_settings(1.0 / 120));
    const MaterialId material = add_material(world, 0.4, 0.5);
    BodyHandle last;
    for (int i = 0; i < 4; ++i) {
      const BodyHandle link =
          add_shape(world, Box{{0.2, 0.05, 0.05}}, {{0.5 * i + 0.25, 20, 0}, {}}, material);
      join(world, JointKind::kPoint, last, link, {0.5 * i, 20, 0});
      last = link;
    }
    if (pile) {
      add_ground(world, material);
      add_hinged_pair(world, material, 0.3);
    }
    run(world, 0.5);
    Hasher hash;
    const Vec3 x = world.center_of_mass(last), v = world.velocity(last);
    for (int k = 0; k < 3; ++k) {
      hash.add(x[k]);
      hash.add(v[k]);
    }
    bits[pile] = hash.value();
  }
  EXPECT_EQ(bits[0], bits[1]);
}

TEST(FaithfulJoints, SettingsOutOfRangeAreRefused) {
  WorldSettings settings = faithful_settings();
  settings.faithful.push.pair = -1;
  EXPECT_FALSE(World::make(settings).ok());
  settings = faithful_settings();
  settings.faithful.roughness = 2;
  EXPECT_FALSE(World::make(settings).ok());
}

}  // namespace
}  // namespace tenon::test
