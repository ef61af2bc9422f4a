// Freedoms, redundant and contradicting joints of known mechanisms.
#include <algorithm>

#include "tenon/engine/math/elementary.h"
#include "world_fixture.h"

namespace tenon {
namespace {

using namespace test;

// A bar of 0.1 m x 0.1 m from a to b, its x axis along it.
BodyHandle add_bar(World& world, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length = norm(along);
  BodyDef def;
  def.colliders = {{Box{{0.5 * length, 0.05, 0.05}}, {}, 0, 1000}};
  def.collision = false;
  const Vec3 axis = cross({1, 0, 0}, along);
  const double angle = atan2(norm(axis), along.x);
  def.X_WB = {0.5 * (a + b), exp_map(angle * normalized(axis, {0, 0, 1}))};
  Result<BodyHandle> body = world.create_body(def);
  EXPECT_TRUE(body.ok());
  return *body;
}

// A joint at a point of the world, with the main axis x along `axis`.
JointDef joint_at(const World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                  const Vec3& point, const Vec3& axis = {0, 0, 1}) {
  const Vec3 side = cross({1, 0, 0}, axis);
  const Pose X_WJ{point, exp_map(atan2(norm(side), axis.x) * normalized(side, {0, 0, 1}))};
  JointDef def;
  def.kind = kind;
  def.parent = parent;
  def.child = child;
  def.X_BP = parent.valid() ? inverse(world.pose(parent)) * X_WJ : X_WJ;
  def.X_BC = inverse(world.pose(child)) * X_WJ;
  return def;
}
JointHandle join(World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                 const Vec3& point, const Vec3& axis = {0, 0, 1}) {
  Result<JointHandle> joint = world.create_joint(joint_at(world, kind, parent, child, point, axis));
  EXPECT_TRUE(joint.ok()) << format(joint.error());
  return *joint;
}

MechanismReport only_report(const World& world) {
  const std::vector<MechanismReport> all = world.calc_mobility();
  EXPECT_EQ(all.size(), 1u);
  EXPECT_TRUE(!all.empty() && all[0].analysed);
  return all.empty() ? MechanismReport{} : all[0];
}

// Bars through the corners, each joined to the next; the first and last corner are on the world.
struct Linkage {
  std::vector<BodyHandle> bars;
  std::vector<JointHandle> joints;
};
Linkage add_linkage(World& world, const std::vector<Vec3>& corners, JointKind kind) {
  Linkage l;
  for (size_t i = 0; i + 1 < corners.size(); ++i)
    l.bars.push_back(add_bar(world, corners[i], corners[i + 1]));
  l.joints.push_back(join(world, kind, {}, l.bars[0], corners[0]));
  for (size_t i = 1; i < l.bars.size(); ++i)
    l.joints.push_back(join(world, kind, l.bars[i - 1], l.bars[i], corners[i]));
  l.joints.push_back(join(world, kind, {}, l.bars.back(), corners.back()));
  return l;
}

TEST(Mobility, OfPendulumsIsOnePerHinge) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  join(world, JointKind::kHinge, {}, a, {0, 0, 0});
  MechanismReport report = only_report(world);
  EXPECT_EQ(report.coordinates, 6u);
  EXPECT_EQ(report.rows, 5u);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.closure, Closure::kClosed);
  const BodyHandle b = add_bar(world, {1, 0, 0}, {2, 0, 0});
  join(world, JointKind::kHinge, a, b, {1, 0, 0});
  report = only_report(world);
  EXPECT_EQ(report.freedoms, 2u);
  EXPECT_EQ(report.freedoms_nearby, 2u);
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_TRUE(report.idle.empty());
  ASSERT_EQ(report.bodies.size(), 2u);
  EXPECT_EQ(report.bodies[1], b.index);
}

TEST(Mobility, OfAChainInSpaceCountsTheSixOfTheWhole) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  const BodyHandle b = add_bar(world, {1, 0, 0}, {2, 0, 0});
  join(world, JointKind::kPoint, a, b, {1, 0, 0});
  EXPECT_EQ(only_report(world).freedoms, 9u);
}

TEST(Mobility, LimitsAndMotorsTakeNoFreedomButEqualLimitsDo) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  JointDef def = joint_at(world, JointKind::kHinge, {}, a, {0, 0, 0});
  def.axes[3].min = -1;
  def.axes[3].max = 1;
  const JointHandle limited = *world.create_joint(def);
  EXPECT_EQ(only_report(world).freedoms, 1u);
  ASSERT_TRUE(world.remove_joint(limited).ok());
  def.axes[3].min = def.axes[3].max = 0;
  ASSERT_TRUE(world.create_joint(def).ok());
  EXPECT_EQ(only_report(world).freedoms, 0u);
}

TEST(Mobility, FourHingesInAPlaneSayThreeThingsTwice) {
  World world = make_world();
  const Linkage l =
      add_linkage(world, {{0, 0, 0}, {0.2, 0.5, 0}, {1.1, 0.9, 0}, {1.0, 0, 0}}, JointKind::kHinge);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.freedoms_nearby, 1u);
  EXPECT_EQ(report.closure, Closure::kClosed);
  // 18 coordinates, 20 rows, rank 17
  ASSERT_EQ(report.redundant.size(), 1u);
  EXPECT_EQ(report.redundant[0].joint, l.joints[3].index);
  EXPECT_EQ(report.redundant[0].rows, 3u);
  EXPECT_EQ(report.redundant[0].held, 5u);
  EXPECT_EQ(report.redundant[0].circuit.size(), 4u);
}

TEST(Mobility, AStraightFourBarHasOneFreedomBesideIt) {
  // a = 1, b = 2, c = 2, ground = 1: all bars on one line
  World world = make_world();
  add_linkage(world, {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {1, 0, 0}}, JointKind::kHinge);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 2u);
  EXPECT_EQ(report.freedoms_nearby, 1u);
  ASSERT_EQ(report.redundant.size(), 1u);
  EXPECT_EQ(report.redundant[0].rows, 3u);
}

TEST(Mobility, ATautStringOfTwoBarsDoesNotMove) {
  // two hinged bars between walls exactly as far apart as they are long: the middle is free to
  // first order only
  World world = make_world();
  add_linkage(world, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, JointKind::kHinge);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.freedoms_nearby, 0u);
  EXPECT_EQ(report.closure, Closure::kClosed);
}

TEST(Mobility, BricardsSixHingesMoveAlthoughTheCountSaysNo) {
  // the hexagon of six edges of a cube [Bricard's orthogonal linkage]; axes at right angles to both
  // edges at a corner, one edge is the world
  const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  World world = make_world();
  std::vector<BodyHandle> bars;
  for (size_t i = 0; i < 5; ++i) bars.push_back(add_bar(world, p[i], p[i + 1]));
  const auto axis = [&](size_t i) { return cross(p[i] - p[(i + 5) % 6], p[(i + 1) % 6] - p[i]); };
  join(world, JointKind::kHinge, {}, bars[0], p[0], axis(0));
  for (size_t i = 1; i < 5; ++i)
    join(world, JointKind::kHinge, bars[i - 1], bars[i], p[i], axis(i));
  const JointHandle last = join(world, JointKind::kHinge, {}, bars[4], p[5], axis(5));
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.coordinates, 30u);
  EXPECT_EQ(report.rows, 30u);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.freedoms_nearby, 1u);
  ASSERT_EQ(report.redundant.size(), 1u);
  EXPECT_EQ(report.redundant[0].joint, last.index);
  EXPECT_EQ(report.redundant[0].rows, 1u);
  EXPECT_EQ(report.redundant[0].circuit.size(), 6u);
}

TEST(Mobility, ARodBetweenTwoBallsTurnsIdly) {
  World world = make_world();
  const std::vector<Vec3> c{{0, 0, 0}, {0.2, 0.5, 0}, {1.1, 0.9, 0}, {1.0, 0, 0}};
  const BodyHandle crank = add_bar(world, c[0], c[1]), rod = add_bar(world, c[1], c[2]);
  const BodyHandle rocker = add_bar(world, c[2], c[3]);
  join(world, JointKind::kHinge, {}, crank, c[0]);
  join(world, JointKind::kPoint, crank, rod, c[1]);
  join(world, JointKind::kPoint, rod, rocker, c[2]);
  join(world, JointKind::kHinge, {}, rocker, c[3]);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 2u);
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_EQ(report.idle, std::vector<uint32_t>{rod.index});
}

TEST(Mobility, ADoubledCouplerIsRedundantAsAWhole) {
  // a parallelogram with a second coupler half way: it moves only because the lengths agree
  World world = make_world();
  const BodyHandle left = add_bar(world, {0, 0, 0}, {0.3, 1, 0});
  const BodyHandle right = add_bar(world, {2, 0, 0}, {2.3, 1, 0});
  const BodyHandle top = add_bar(world, {0.3, 1, 0}, {2.3, 1, 0});
  const BodyHandle middle = add_bar(world, {0.15, 0.5, 0}, {2.15, 0.5, 0});
  join(world, JointKind::kHinge, {}, left, {0, 0, 0});
  join(world, JointKind::kHinge, {}, right, {2, 0, 0});
  join(world, JointKind::kHinge, left, top, {0.3, 1, 0});
  join(world, JointKind::kHinge, right, top, {2.3, 1, 0});
  join(world, JointKind::kHinge, left, middle, {0.15, 0.5, 0});
  const JointHandle last = join(world, JointKind::kHinge, right, middle, {2.15, 0.5, 0});
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.freedoms_nearby, 1u);
  ASSERT_EQ(report.redundant.size(), 2u);
  EXPECT_EQ(report.redundant[0].rows, 3u);
  EXPECT_EQ(report.redundant[1].joint, last.index);
  EXPECT_EQ(report.redundant[1].rows, 4u);  // 3 of the plane, 1 of the length
  EXPECT_EQ(report.redundant[1].circuit.size(), 6u);
}

TEST(Mobility, TwoRigidJointsThatDisagreeContradict) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  const BodyHandle b = add_bar(world, {1, 0, 0}, {2, 0, 0});
  join(world, JointKind::kHinge, {}, a, {0, 0, 0});
  const JointHandle first = join(world, JointKind::kRigid, a, b, {1, 0, 0});
  JointDef def = joint_at(world, JointKind::kRigid, a, b, {1, 0, 0});
  def.X_BC.p += Vec3{0, 0.01, 0};
  const JointHandle second = *world.create_joint(def);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.closure, Closure::kContradiction);
  EXPECT_EQ(report.freedoms, 1u);
  ASSERT_EQ(report.conflicts.size(), 2u);
  EXPECT_EQ(report.conflicts[0].joint, first.index);
  EXPECT_EQ(report.conflicts[1].joint, second.index);
  // least squares share the centimetre
  EXPECT_NEAR(report.conflicts[0].gap_m + report.conflicts[1].gap_m, 0.01, 1e-5);
  ASSERT_EQ(report.open.size(), 1u);
  EXPECT_NEAR(report.open[0].gap_m, 0.01, 1e-12);
}

TEST(Mobility, ATriangleOfTooShortRodsIsOutOfReach) {
  // bars of 1 m and 1 m between points that are 2.5 m apart
  for (const JointKind kind : {JointKind::kHinge, JointKind::kPoint}) {
    World world = make_world();
    const BodyHandle a = add_bar(world, {0, 0, 0}, {0.6, 0.8, 0});
    const BodyHandle b = add_bar(world, {0.6, 0.8, 0}, {1.2, 0, 0});
    join(world, kind, {}, a, {0, 0, 0});
    join(world, kind, a, b, {0.6, 0.8, 0});
    JointDef def = joint_at(world, kind, {}, b, {1.2, 0, 0});
    def.X_BP.p = {2.5, 0, 0};
    ASSERT_TRUE(world.create_joint(def).ok());
    const MechanismReport report = only_report(world);
    EXPECT_EQ(report.closure, Closure::kOutOfReach) << name(kind);
    double gap = 0;
    for (const JointGap& c : report.conflicts) gap += c.gap_m;
    EXPECT_NEAR(gap, 0.5, 1e-4) << name(kind);
  }
}

TEST(Mobility, AnOpenLoopThatCanBeClosedIsSaidToBe) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {0.6, 0.8, 0});
  const BodyHandle b = add_bar(world, {0.6, 0.8, 0}, {1.2, 0, 0});
  join(world, JointKind::kHinge, {}, a, {0, 0, 0});
  join(world, JointKind::kHinge, a, b, {0.6, 0.8, 0});
  JointDef def = joint_at(world, JointKind::kHinge, {}, b, {1.2, 0, 0});
  def.X_BP.p = {1.5, 0, 0};
  const JointHandle last = *world.create_joint(def);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.closure, Closure::kClosable);
  EXPECT_EQ(report.freedoms, 0u);
  ASSERT_EQ(report.open.size(), 1u);
  EXPECT_EQ(report.open[0].joint, last.index);
  EXPECT_NEAR(report.open[0].gap_m, 0.3, 1e-12);
  EXPECT_TRUE(report.conflicts.empty());
  EXPECT_GT(report.moved_m, 0.05);
  // nothing was moved in the world itself
  EXPECT_NEAR(world.center_of_mass(a).x, 0.3, 1e-15);
}

TEST(Mobility, GearsTakeOneFreedomAlsoAfterManyTurns) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  const BodyHandle b = add_bar(world, {3, 0, 0}, {4, 0, 0});
  const JointHandle first = join(world, JointKind::kHinge, {}, a, {0.5, 0, 0});
  const JointHandle second = join(world, JointKind::kHinge, {}, b, {3.5, 0, 0});
  EXPECT_EQ(world.calc_mobility().size(), 2u);
  JointDef gear;
  gear.kind = JointKind::kGear;
  gear.first = first;
  gear.second = second;
  gear.ratio = 0.37;
  ASSERT_TRUE(world.create_joint(gear).ok());
  ASSERT_TRUE(world.set_angular_velocity(a, {0, 0, 9}).ok());
  ASSERT_TRUE(world.set_angular_velocity(b, {0, 0, -9 / 0.37}).ok());
  for (int i = 0; i < 100; ++i) world.step();
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.freedoms, 1u);
  EXPECT_EQ(report.closure, Closure::kClosed);
}

TEST(Mobility, OfALongChainBetweenTwoWallsIsFound) {
  World world = make_world();
  std::vector<Vec3> corners;
  for (int i = 0; i <= 300; ++i) corners.push_back({0.1 * i, i % 2 ? 0.05 : 0.0, 0});
  add_linkage(world, corners, JointKind::kPoint);
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.coordinates, 1800u);
  EXPECT_EQ(report.freedoms, 1800u - 903u);
  EXPECT_EQ(report.idle.size(), 300u);
}

TEST(Mobility, ARopeHoldsNothing) {
  World world = make_world();
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  JointDef def = joint_at(world, JointKind::kDistance, {}, a, {0, 0, 0});
  def.X_BP.p = {0, 1, 0};
  def.axes[0].max = 2;
  ASSERT_TRUE(world.create_joint(def).ok());
  const MechanismReport report = only_report(world);
  EXPECT_EQ(report.rows, 0u);
  EXPECT_EQ(report.freedoms, 6u);
}

TEST(Mobility, OfNothingIsNothingAndDisabledJointsDoNotCount) {
  World world = make_world();
  EXPECT_TRUE(world.calc_mobility().empty());
  const BodyHandle a = add_bar(world, {0, 0, 0}, {1, 0, 0});
  EXPECT_TRUE(world.calc_mobility().empty());
  const JointHandle joint = join(world, JointKind::kRigid, {}, a, {0, 0, 0});
  EXPECT_EQ(only_report(world).freedoms, 0u);
  ASSERT_TRUE(world.set_joint_enabled(joint, false).ok());
  EXPECT_TRUE(world.calc_mobility().empty());
}

}  // namespace
}  // namespace tenon
