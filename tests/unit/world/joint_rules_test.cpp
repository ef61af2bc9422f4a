// Joints that rules make and release while a world runs.
#include "tenon/engine/world/joint_rules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "world_fixture.h"

namespace tenon::test {
namespace {

WorldSettings weightless() {
  WorldSettings s;
  s.gravity = {};
  return s;
}

BodyHandle add_box(World& world, const Vec3& p, const Vec3& v = {}) {
  BodyDef def = make_box(p, {0.1, 0.1, 0.1});
  def.collision = false;
  def.velocity = v;
  return *world.create_body(def);
}

JointRuleDef make_rule(std::vector<RuleAnchor> parents, std::vector<RuleAnchor> children,
                       double reach, JointKind kind = JointKind::kPoint) {
  JointRuleDef rule;
  rule.joint.kind = kind;
  rule.parents = std::move(parents);
  rule.children = std::move(children);
  rule.attach_distance = reach;
  return rule;
}

int count(const World& world, EventKind kind) {
  int n = 0;
  for (const Event& e : world.events()) n += e.kind == kind;
  return n;
}

TEST(JointRule, AttachesWhereAnchorsAreNear) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle b = add_box(world, {1, 0, 0}, {-1, 0, 0});
  const auto rule =
      world.add_rule(make_rule({{a, {{0.1, 0, 0}, {}}}}, {{b, {{-0.1, 0, 0}, {}}}}, 0.05));
  ASSERT_TRUE(rule.ok());
  EXPECT_EQ(world.rule_count(), 1u);
  int steps = 0;
  while (world.joint_count() == 0 && steps < 120) {
    world.step();
    ++steps;
  }
  // 0.8 m apart, closing at 1 m/s: within 0.05 m from 0.75 s on, which is step 45; the joint is
  // made at the beginning of the next step, or one later by round-off
  EXPECT_GE(steps, 46);
  EXPECT_LE(steps, 47);
  ASSERT_EQ(world.joint_count(), 1u);
  ASSERT_EQ(count(world, EventKind::kJointMade), 1);
  const JointHandle joint = world.joints()[0];
  EXPECT_EQ(world.rule_of(joint), *rule);
  EXPECT_EQ(world.events()[0].joint, joint);
  EXPECT_EQ(world.events()[0].a, a);
  EXPECT_EQ(world.events()[0].b, b);
  EXPECT_EQ(world.events()[0].value, joint.index);
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 1u);
  EXPECT_LT(world.diagnostics().joint_gap_rel, world.settings().tolerance);
}

TEST(JointRule, AttachingAndReleasingKeepMomentumAndNeverAddEnergy) {
  for (const bool snap : {false, true}) {
    for (const JointKind kind : {JointKind::kPoint, JointKind::kRigid, JointKind::kHinge}) {
      World world = make_world(weightless());
      const BodyHandle a = add_box(world, {0, 0, 0}, {0.3, 0.1, 0});
      const BodyHandle b = add_box(world, {0.5, 0.1, 0}, {-2, 0.4, 0.7});
      ASSERT_TRUE(world.set_angular_velocity(a, {1, 2, 3}).ok());
      ASSERT_TRUE(world.set_angular_velocity(b, {-3, 1, 0.5}).ok());
      JointRuleDef rule =
          make_rule({{a, {{0.1, 0, 0}, {}}}}, {{b, {{-0.1, 0.02, 0}, {}}}}, 0.3, kind);
      rule.snap = snap;
      rule.max_time = 0.5;
      rule.rest_time = 100;
      ASSERT_TRUE(world.add_rule(rule).ok());
      const Mechanics start = world.calc_mechanics();
      double energy = start.kinetic_J;
      int made = 0, released = 0;
      for (int i = 0; i < 90; ++i) {
        world.step();
        made += count(world, EventKind::kJointMade);
        released += count(world, EventKind::kJointReleased);
        const Mechanics now = world.calc_mechanics();
        // masses of 8 kg, speeds of 2 m/s: 16 kg m/s and some round-off
        EXPECT_LT(norm(now.linear_momentum - start.linear_momentum), 1e-12);
        EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-12);
        // a body that turns freely keeps its energy to the order of its step, 1e-6 of 20 J. Bodies
        // that are pulled together may turn faster, as a skater does who draws in her arms
        if (!snap) {
          EXPECT_LE(now.kinetic_J, energy * (1 + 1e-5)) << "step " << i << " " << name(kind);
        }
        energy = now.kinetic_J;
      }
      EXPECT_EQ(made, 1);
      EXPECT_EQ(released, 1);
      EXPECT_EQ(world.joint_count(), 0u);
      if (snap) continue;
      EXPECT_LT(energy, 0.9 * start.kinetic_J) << "joining bodies in motion is an inelastic impact";
    }
  }
}

TEST(JointRule, WithoutSnapNothingJumps) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle b = add_box(world, {0.3, 0.02, 0.01});
  ASSERT_TRUE(world
                  .add_rule(make_rule({{a, {{0.1, 0, 0}, {}}}}, {{b, {{-0.1, 0, 0}, {}}}}, 0.2,
                                      JointKind::kRigid))
                  .ok());
  for (int i = 0; i < 10; ++i) world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  EXPECT_LT(norm(world.pose(a).p), 1e-12);
  EXPECT_LT(norm(world.pose(b).p - Vec3{0.3, 0.02, 0.01}), 1e-12);
}

TEST(JointRule, SnapPullsTheAnchorsTogether) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle b = add_box(world, {0.3, 0.02, 0.01});
  JointRuleDef rule = make_rule({{a, {{0.1, 0, 0}, {}}}}, {{b, {{-0.1, 0, 0}, {}}}}, 0.2);
  rule.snap = true;
  ASSERT_TRUE(world.add_rule(rule).ok());
  for (int i = 0; i < 10; ++i) world.step();
  const Vec3 p = (world.pose(a) * Pose{{0.1, 0, 0}, {}}).p;
  const Vec3 c = (world.pose(b) * Pose{{-0.1, 0, 0}, {}}).p;
  EXPECT_LT(norm(p - c), 1e-6);
  EXPECT_LT(norm(world.velocity(a)), 1e-3) << "pulled together without gaining speed";
}

TEST(JointRule, AtClosestWaitsUntilTheAnchorsComeNoNearer) {
  for (const bool at_closest : {false, true}) {
    World world = make_world(weightless());
    // passes at 1 m/s and at 3 mm, over a peg of the world
    const BodyHandle b = add_box(world, {-0.5, 0.003, 0}, {1, 0, 0});
    JointRuleDef rule = make_rule({{BodyHandle{}, {}}}, {{b, {}}}, 0.1);
    rule.snap = true;
    rule.at_closest = at_closest;
    ASSERT_TRUE(world.add_rule(rule).ok());
    Vec3 before;
    while (world.joint_count() == 0 && world.time() < 2) {
      before = world.pose(b).p;
      world.step();
    }
    ASSERT_EQ(world.joint_count(), 1u);
    // the way of a step is 1/60 m: half of it along, and the 3 mm
    if (at_closest) {
      EXPECT_LE(norm(before), std::hypot(0.5 / 60 + 1e-9, 0.003));
    } else {
      EXPECT_GT(norm(before), 0.1 - 1.0 / 60);
    }
    EXPECT_LT(norm(world.pose(b).p), 1e-6);
  }
}

TEST(JointRule, AtClosestJoinsWhatIsAtRestAndLeavesWhatPassesFarAway) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0}), resting = add_box(world, {0, 0.05, 0});
  const BodyHandle passing = add_box(world, {-0.5, 0.3, 0}, {1, 0, 0});
  JointRuleDef rule = make_rule({{a, {}}}, {{resting, {}}, {passing, {}}}, 0.1);
  rule.at_closest = true;
  rule.one_per_parent = false;
  ASSERT_TRUE(world.add_rule(rule).ok());
  world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  EXPECT_EQ(world.joint_def(world.joints()[0]).child, resting);
  for (int i = 0; i < 90; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 1u);
}

TEST(JointRule, ARodKeepsTheDistanceAtWhichItIsMade) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle b = add_box(world, {1, 0, 0}, {-0.5, 0.5, 0});
  ASSERT_TRUE(world.add_rule(make_rule({{a, {}}}, {{b, {}}}, 0.9, JointKind::kDistance)).ok());
  double length = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    if (world.joint_count() == 0) continue;
    if (length == 0) length = world.joint_def(world.joints()[0]).length;
    EXPECT_NEAR(norm(world.pose(a).p - world.pose(b).p), length, 1e-6);
  }
  EXPECT_GT(length, 0.85);
  EXPECT_LE(length, 0.9);
}

TEST(JointRule, TheNearestPairsComeFirstAndAnAnchorBearsOne) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle near = add_box(world, {0.1, 0, 0}), far = add_box(world, {0, 0.2, 0});
  ASSERT_TRUE(world.add_rule(make_rule({{a, {}}}, {{far, {}}, {near, {}}}, 1)).ok());
  world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  EXPECT_EQ(world.joint_def(world.joints()[0]).child, near);
  // two parents and a child that may bear several
  World other = make_world(weightless());
  const BodyHandle p = add_box(other, {0, 0, 0}), q = add_box(other, {0, 0.5, 0});
  const BodyHandle c = add_box(other, {0, 0.2, 0});
  JointRuleDef rule = make_rule({{p, {}}, {q, {}}}, {{c, {}}}, 1);
  rule.one_per_child = false;
  ASSERT_TRUE(other.add_rule(rule).ok());
  for (int i = 0; i < 3; ++i) other.step();
  EXPECT_EQ(other.joint_count(), 2u);
}

TEST(JointRule, AZoneAdmitsAndReleases) {
  // the zone is x >= 0.5 in the frame of a body that stands at x = 1
  World world = make_world(weightless());
  BodyDef mark = make_box({1, 0, 0});
  mark.motion = MotionKind::kStatic;
  mark.collision = false;
  const BodyHandle frame = *world.create_body(mark);
  const BodyHandle a = add_box(world, {0, 0, 0}, {1, 0, 0});
  const BodyHandle b = add_box(world, {0.1, 0, 0}, {1, 0, 0});
  JointRuleDef rule = make_rule({{a, {}}}, {{b, {}}}, 1);
  rule.zone = RuleZone{frame, {-0.5, 0, 0}, {2, 0, 0}};
  ASSERT_TRUE(world.add_rule(rule).ok());
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 0u);
  for (int i = 0; i < 20; ++i) world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  ASSERT_TRUE(world.set_velocity(a, {-1, 0, 0}).ok());
  ASSERT_TRUE(world.set_velocity(b, {-1, 0, 0}).ok());
  for (int i = 0; i < 40; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 0u);
}

TEST(JointRule, ADistanceReleasesJointsThatLeaveAFreedom) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0});
  const BodyHandle b = add_box(world, {0.1, 0, 0}, {1, 0, 0});
  JointRuleDef rule = make_rule({{a, {}}}, {{b, {}}}, 0.2, JointKind::kSlider);
  rule.max_distance = 0.5;
  rule.rest_time = 10;
  ASSERT_TRUE(world.add_rule(rule).ok());
  world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  double apart = 0;
  for (int i = 0; i < 100 && world.joint_count() > 0; ++i) {
    apart = norm(world.pose(b).p - world.pose(a).p);
    world.step();
  }
  EXPECT_EQ(count(world, EventKind::kJointReleased), 1);
  EXPECT_GT(apart, 0.5);
  EXPECT_LT(apart, 0.52);
}

TEST(JointRule, ALoadReleases) {
  // 8 kg hang from the world: 78 N
  for (const double bears : {70.0, 90.0}) {
    World world = make_world();
    const BodyHandle b = add_box(world, {0, 0, 0});
    JointRuleDef rule = make_rule({{BodyHandle{}, {}}}, {{b, {}}}, 0.01);
    rule.max_force = bears;
    rule.rest_time = 10;
    ASSERT_TRUE(world.add_rule(rule).ok());
    for (int i = 0; i < 60; ++i) world.step();
    EXPECT_EQ(world.joint_count(), bears > 80 ? 1u : 0u);
    EXPECT_EQ(world.pose(b).p.y < -0.1, bears < 80);
  }
}

TEST(JointRule, TimeReleasesAndRestKeepsApart) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0}), b = add_box(world, {0.1, 0, 0});
  JointRuleDef rule = make_rule({{a, {}}}, {{b, {}}}, 1);
  rule.max_time = 0.5;
  rule.rest_time = 0.25;
  ASSERT_TRUE(world.add_rule(rule).ok());
  std::vector<int> made, released;
  for (int i = 1; i <= 100; ++i) {
    world.step();
    if (count(world, EventKind::kJointMade) > 0) made.push_back(i);
    if (count(world, EventKind::kJointReleased) > 0) released.push_back(i);
  }
  // 30 steps joined, 15 steps apart
  EXPECT_EQ(made, (std::vector<int>{1, 46, 91}));
  EXPECT_EQ(released, (std::vector<int>{31, 76}));
}

TEST(JointRule, ReleasesTheNeighboursOnRequest) {
  for (const bool neighbours : {false, true}) {
    World world = make_world(weightless());
    // three links in a row, hinged, each on its own peg; the first one is moved out of the zone
    std::vector<BodyHandle> links;
    std::vector<RuleAnchor> parents, children;
    for (int i = 0; i < 4; ++i) {
      links.push_back(add_box(world, {0.3 * i, 0, 0}));
      parents.push_back({BodyHandle{}, {{0.3 * i, 0, 0}, {}}});
      children.push_back({links.back(), {}});
      if (i == 0) continue;
      JointDef pin;
      pin.kind = JointKind::kHinge;
      pin.parent = links[links.size() - 2];
      pin.child = links.back();
      pin.X_BP.p = {0.15, 0, 0};
      pin.X_BC.p = {-0.15, 0, 0};
      ASSERT_TRUE(world.create_joint(pin).ok());
    }
    JointRuleDef rule = make_rule(parents, children, 0.01);
    rule.zone = RuleZone{{}, {-0.05, 0, 0}, {1, 0, 0}};
    rule.release_neighbours = neighbours;
    rule.rest_time = 10;
    ASSERT_TRUE(world.add_rule(rule).ok());
    world.step();
    ASSERT_EQ(world.joint_count(), 3u + 4u);
    ASSERT_TRUE(world.set_pose(links[0], {{-0.06, 0, 0}, {}}).ok());
    world.step();
    // the first one, and with neighbours the second as well, which a pin ties to it
    EXPECT_EQ(count(world, EventKind::kJointReleased), neighbours ? 2 : 1);
    EXPECT_EQ(world.joint_count(), 3u + (neighbours ? 2u : 3u));
  }
}

// A ring of links that a turning wheel catches above and drops; below, rods join two at a time.
World make_carousel() {
  World world = make_world(weightless());
  BodyDef wheel = make_box({0, 0, 0}, {0.5, 0.5, 0.05});
  wheel.collision = false;
  const BodyHandle hub = *world.create_body(wheel);
  const Quat about_z = from_axis_angle({0, 1, 0}, kPi / 2);
  JointDef axle;
  axle.kind = JointKind::kHinge;
  axle.child = hub;
  axle.X_BP.q = axle.X_BC.q = about_z;
  axle.axes[3].motor = {Motor::Kind::kVelocity, 3, 1e6, 2, 1};
  EXPECT_TRUE(world.create_joint(axle).ok());
  std::vector<RuleAnchor> teeth, links;
  for (int i = 0; i < 12; ++i) {
    const double t = 2 * kPi * i / 12, u = t + 0.2;
    teeth.push_back({hub, {{tenon::cos(t), tenon::sin(t), 0}, about_z}});
    links.push_back({add_box(world, {1.1 * tenon::cos(u), 1.1 * tenon::sin(u), 0}), {}});
  }
  JointRuleDef rule = make_rule(teeth, links, 0.3, JointKind::kHinge);
  rule.zone = RuleZone{{}, {0, 0.1, 0}, {0, 1, 0}};
  rule.max_time = 0.7;
  rule.rest_time = 0.05;
  EXPECT_TRUE(world.add_rule(rule).ok());
  JointRuleDef rods = make_rule(links, links, 0.8, JointKind::kDistance);
  rods.zone = RuleZone{{}, {0, -0.1, 0}, {0, -1, 0}};
  rods.max_force = 20;
  rods.max_time = 0.35;
  EXPECT_TRUE(world.add_rule(rods).ok());
  return world;
}

TEST(JointRule, ResumingInTheMiddleGivesTheSameBits) {
  World world = make_carousel();
  for (int i = 0; i < 40; ++i) world.step();
  ASSERT_GT(world.joint_count(), 1u) << "there is something to resume";
  const std::vector<std::byte> bytes = world.save_state();
  const Snapshot snapshot = world.snapshot();
  World other = make_carousel();
  ASSERT_TRUE(other.load_state(bytes).ok());
  EXPECT_EQ(other.state_hash(), world.state_hash());
  EXPECT_EQ(other.joints(), world.joints());
  int made = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    other.step();
    made += count(world, EventKind::kJointMade) + count(world, EventKind::kJointReleased);
    ASSERT_EQ(other.state_hash(), world.state_hash()) << "step " << i;
  }
  EXPECT_GT(made, 4);
  // back in time: into a world whose joints are others by now
  ASSERT_TRUE(other.load_state(bytes).ok());
  world.restore(snapshot);
  EXPECT_EQ(other.state_hash(), world.state_hash());
  for (int i = 0; i < 60; ++i) {
    world.step();
    other.step();
    ASSERT_EQ(other.state_hash(), world.state_hash()) << "step " << i;
  }
}

TEST(JointRule, ADamagedStateIsRefusedAndChangesNothing) {
  World world = make_carousel();
  for (int i = 0; i < 40; ++i) world.step();
  const std::vector<std::byte> good = world.save_state();
  for (size_t at = 12; at < good.size(); at += 3) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{0xff};
    const uint64_t before = world.state_hash();
    // what is refused changes nothing; what is not must still be a state that can be stepped
    if (!world.load_state(bad)) {
      EXPECT_EQ(world.state_hash(), before);
    }
    ASSERT_TRUE(world.load_state(good).ok());
    EXPECT_FALSE(world.load_state(std::span(good).first(at)).ok());
  }
}

TEST(JointRule, ManyAnchorsMeetWithoutComparingAllPairs) {
  // a plate of 60 x 60 pegs and as many boxes, each near one peg: the grid finds what comparing
  // all finds, and 13 million pairs would show in the time of this test
  World world = make_world(weightless());
  JointRuleDef rule = make_rule({}, {}, 0.02);
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) {
      rule.parents.push_back({BodyHandle{}, {{0.3 * i, 0.3 * j, 0}, {}}});
      const bool near = (i + j) % 7 == 0;
      rule.children.push_back({add_box(world, {0.3 * i + 0.01, 0.3 * j, near ? 0.01 : 0.05}), {}});
    }
  }
  int expected = 0;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) expected += (i + j) % 7 == 0;
  }
  ASSERT_TRUE(world.add_rule(rule).ok());
  for (int i = 0; i < 3; ++i) world.step();
  EXPECT_EQ(world.joint_count(), static_cast<size_t>(expected));
}

TEST(JointRule, ABodyMayGoAndItsAnchorsWithIt) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0}), b = add_box(world, {0.1, 0, 0});
  ASSERT_TRUE(world.add_rule(make_rule({{a, {}}}, {{b, {}}}, 1)).ok());
  world.step();
  ASSERT_EQ(world.joint_count(), 1u);
  ASSERT_TRUE(world.remove_body(b).ok());
  EXPECT_EQ(world.joint_count(), 0u);
  for (int i = 0; i < 3; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 0u);
}

TEST(JointRule, JointsOfRulesKeepTheirMotorsAndBearNoGears) {
  World world = make_world(weightless());
  const BodyHandle a = add_box(world, {0, 0, 0}), b = add_box(world, {0.1, 0, 0});
  ASSERT_TRUE(world.add_rule(make_rule({{a, {}}}, {{b, {}}}, 1, JointKind::kHinge)).ok());
  world.step();
  const JointHandle joint = world.joints()[0];
  EXPECT_FALSE(world.set_motor(joint, JointAxis::kRx, {}).ok());
  JointDef gear;
  gear.kind = JointKind::kGear;
  gear.first = gear.second = joint;
  const auto made = world.create_joint(gear);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("a rule made"), std::string::npos);
  // switching and removing are the user's
  EXPECT_TRUE(world.set_joint_enabled(joint, false).ok());
  EXPECT_TRUE(world.remove_joint(joint).ok());
}

TEST(JointRule, TakesPointMassesAtTheirCentresOnly) {
  World world = make_world(weightless());
  const BodyHandle box = add_box(world, {0, 0, 0});
  BodyDef def;
  def.mass = MassProperties{1, {}, {}};
  def.X_WB.p = {1, 0, 0};
  def.velocity = {-1, 0, 0};
  const BodyHandle bead = *world.create_body(def);
  const auto refused = [&](const JointRuleDef& rule, const char* part) {
    const auto result = world.add_rule(rule);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(format(result.error()).find(part), std::string::npos) << format(result.error());
  };
  JointRuleDef rule = make_rule({{box, {{0.1, 0, 0}, {}}}}, {{bead, {}}}, 0.05);
  rule.snap = false;
  refused(rule, "must snap");
  rule.snap = true;
  rule.children[0].X_BA.p = {0, 0.2, 0};
  refused(rule, "0.2 m away");
  rule.children[0].X_BA.p = {};
  rule.joint.kind = JointKind::kRigid;
  refused(rule, "point mass");
  rule.joint.kind = JointKind::kPoint;
  ASSERT_TRUE(world.add_rule(rule).ok());
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_EQ(world.joint_count(), 1u);
  EXPECT_LT(world.diagnostics().joint_gap_rel, world.settings().tolerance);
}

TEST(JointRule, RefusesBadDefinitions) {
  World world = make_world();
  const BodyHandle a = add_box(world, {0, 0, 0}), b = add_box(world, {1, 0, 0});
  BodyHandle gone = add_box(world, {2, 0, 0});
  ASSERT_TRUE(world.remove_body(gone).ok());
  const JointRuleDef good = make_rule({{a, {}}}, {{b, {}}}, 0.1);
  const auto refused = [&](const char* part, auto&& spoil) {
    JointRuleDef bad = good;
    spoil(bad);
    const auto result = world.add_rule(bad);
    ASSERT_FALSE(result.ok()) << part;
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused("attach_distance", [](JointRuleDef& r) { r.attach_distance = 0; });
  refused("attach_distance", [&](JointRuleDef& r) { r.attach_distance = nan; });
  refused("max_distance", [](JointRuleDef& r) { r.max_distance = -1; });
  refused("max_distance", [](JointRuleDef& r) { r.max_distance = 0.05; });
  refused("max_force", [&](JointRuleDef& r) { r.max_force = nan; });
  refused("max_torque", [](JointRuleDef& r) { r.max_torque = 0; });
  refused("max_time", [](JointRuleDef& r) { r.max_time = 0; });
  refused("load_time", [](JointRuleDef& r) { r.load_time = kInfinity; });
  refused("rest_time", [](JointRuleDef& r) { r.rest_time = -1; });
  refused("no parent anchors", [](JointRuleDef& r) { r.parents.clear(); });
  refused("no child anchors", [](JointRuleDef& r) { r.children.clear(); });
  refused("on the world", [](JointRuleDef& r) { r.children[0].body = {}; });
  refused("does not exist", [&](JointRuleDef& r) { r.parents[0].body = gone; });
  refused("frame", [&](JointRuleDef& r) { r.children[0].X_BA.p.x = nan; });
  refused("normal", [](JointRuleDef& r) { r.zone = RuleZone{{}, {}, {}}; });
  refused("zone", [&](JointRuleDef& r) { r.zone = RuleZone{gone, {}, {0, 1, 0}}; });
  refused("same body", [&](JointRuleDef& r) { r.children[0].body = a; });
  refused("gears", [](JointRuleDef& r) { r.joint.kind = JointKind::kGear; });
  refused("snap", [](JointRuleDef& r) { r.joint.kind = JointKind::kBlackBox; });
  refused("not free", [](JointRuleDef& r) { r.joint.axes[0].friction = 1; });
  EXPECT_EQ(world.rule_count(), 0u);
  EXPECT_TRUE(world.add_rule(good).ok());
}

}  // namespace
}  // namespace tenon::test
