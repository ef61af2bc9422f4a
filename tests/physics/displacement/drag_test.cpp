// Dragging bodies by trackers: kinematic, and within dynamics.
#include "displacement_kit.h"

namespace tenon {
namespace {

using namespace displacement_kit;

// A bar of length l from a to b in the plane z = 0, its x axis along it.
BodyHandle add_bar(World& world, const Vec3& a, const Vec3& b) {
  const double length = norm(b - a);
  BodyDef bar;
  bar.colliders = make_collider(Box{.half = {0.5 * length, 0.02, 0.02}});
  bar.collision = false;
  bar.X_WB = {0.5 * (a + b), from_axis_angle({0, 0, 1}, std::atan2(b.y - a.y, b.x - a.x))};
  return add(world, bar);
}

Vec3 end_of(const World& world, BodyHandle bar, double x) {
  const Pose X = world.pose(bar);
  return X.p + rotate(X.q, {x, 0, 0});
}

struct FourBar {
  World world;
  BodyHandle crank, coupler, rocker;
  double crank_length = 1, coupler_length = 3, rocker_length = 2.5;
};

// Ground of 3 m from the origin along x; the crank turns fully (Grashof).
FourBar make_four_bar() {
  FourBar f{make_world({}), {}, {}, {}};
  const Vec3 O{0, 0, 0}, A{0, 1, 0}, C{3, 0, 0};
  // B: 3 m from A, 2.5 m from C, above the ground
  const double d = norm(C - A), a = (9 - 6.25 + d * d) / (2 * d), h = std::sqrt(9 - a * a);
  const Vec3 u = (1 / d) * (C - A), n{-u.y, u.x, 0};
  const Vec3 B = A + a * u + h * n;
  f.crank = add_bar(f.world, O, A);
  f.coupler = add_bar(f.world, A, B);
  f.rocker = add_bar(f.world, C, B);
  add_hinge_z(f.world, {}, O, f.crank, {-0.5, 0, 0});
  add_hinge_z(f.world, f.crank, {0.5, 0, 0}, f.coupler, {-1.5, 0, 0});
  add_hinge_z(f.world, {}, C, f.rocker, {-1.25, 0, 0});
  add_hinge_z(f.world, f.coupler, {1.5, 0, 0}, f.rocker, {1.25, 0, 0});
  return f;
}

// The branch of a four-bar: on which side of the line from the crank's end to the rocker's foot the
// coupler's end is.
double side(const FourBar& f) {
  const Vec3 A = end_of(f.world, f.crank, 0.5), B = end_of(f.world, f.coupler, 1.5), C{3, 0, 0};
  return cross(C - A, B - A).z;
}

TEST(Drag, AFourBarIsTurnedTwiceAroundAndStaysOnItsBranch) {
  FourBar f = make_four_bar();
  ASSERT_GT(side(f), 0);
  const DragHandle drag = *f.world.begin_drag({.body = f.crank, .point_B = {0.5, 0, 0}});
  for (int i = 1; i <= 200; ++i) {
    const double angle = kPi / 2 + 4 * kPi * i / 200;
    const Result<DragReport> r = f.world.move_drag(
        drag, {.position_W = {std::cos(angle), std::sin(angle), 0}, .orientation_W = {}});
    ASSERT_TRUE(r.ok());
    EXPECT_LT(r->error, 1e-6) << i;
    EXPECT_LT(r->miss_m, 1e-3) << i;
    EXPECT_FALSE(r->jumped) << i;
    ASSERT_GT(side(f), 0) << i;
  }
  const Result<DragReport> end = f.world.end_drag(drag);
  ASSERT_TRUE(end.ok());
  EXPECT_LT(end->error, 1e-9);
  EXPECT_FALSE(f.world.contains(drag));
}

// All bars can lie in one line: there a parallelogram may turn into an antiparallelogram.
TEST(Drag, AParallelogramPassesItsFlatPositionsWithoutFolding) {
  World world = make_world({});
  const BodyHandle crank = add_bar(world, {0, 0, 0}, {0, 1, 0});
  const BodyHandle coupler = add_bar(world, {0, 1, 0}, {2, 1, 0});
  const BodyHandle rocker = add_bar(world, {2, 0, 0}, {2, 1, 0});
  add_hinge_z(world, {}, {0, 0, 0}, crank, {-0.5, 0, 0});
  add_hinge_z(world, crank, {0.5, 0, 0}, coupler, {-1, 0, 0});
  add_hinge_z(world, {}, {2, 0, 0}, rocker, {-0.5, 0, 0});
  add_hinge_z(world, coupler, {1, 0, 0}, rocker, {0.5, 0, 0});
  const DragHandle drag = *world.begin_drag({.body = crank, .point_B = {0.5, 0, 0}});
  for (int i = 1; i <= 160; ++i) {
    const double angle = kPi / 2 + 4 * kPi * (i + 0.37) / 160;  // never exactly flat
    ASSERT_TRUE(world.move_drag(drag, {{std::cos(angle), std::sin(angle), 0}, {}}).ok());
    // the coupler of a parallelogram never turns
    ASSERT_NEAR(rotate(world.pose(coupler).q, {1, 0, 0}).y, 0, 1e-3) << i;
  }
}

TEST(Drag, ATargetOutOfReachIsApproachedAndJointsHold) {
  World world = make_world({});
  std::vector<BodyHandle> arm;
  for (int i = 0; i < 3; ++i) {
    arm.push_back(add(world, make_rod({0.5 + i, 0, 0})));
    add_hinge_z(world, i == 0 ? BodyHandle{} : arm[static_cast<size_t>(i - 1)],
                i == 0 ? Vec3{0, 0, 0} : Vec3{0.5, 0, 0}, arm.back(), {-0.5, 0, 0});
  }
  const DragHandle drag = *world.begin_drag({.body = arm.back(), .point_B = {0.5, 0, 0}});
  DragReport last;
  for (int i = 1; i <= 40; ++i) last = *world.move_drag(drag, {{0, 0.25 * i, 0}, {}});
  last = *world.settle_drag(drag);
  EXPECT_LT(last.error, 1e-6);
  // 10 m away, an arm of 3 m: 7 m are missing, and it points there
  EXPECT_NEAR(last.miss_m, 7, 1e-2);
  EXPECT_NEAR(end_of(world, arm.back(), 0.5).y, 3, 1e-2);
}

TEST(Drag, SeveralTrackersAndOrientationsAreFollowedTogether) {
  World world = make_world({});
  std::vector<BodyHandle> arm;
  for (int i = 0; i < 8; ++i) {
    arm.push_back(add(world, make_rod({0.5 + i, 0, 0})));
    if (i == 0) continue;
    JointDef ball;
    ball.parent = arm[static_cast<size_t>(i - 1)];
    ball.child = arm.back();
    ball.X_BP.p = {0.5, 0, 0};
    ball.X_BC.p = {-0.5, 0, 0};
    ASSERT_TRUE(world.create_joint(ball).ok());
  }
  DragDef grip{.body = arm.front(), .point_B = {-0.5, 0, 0}};
  grip.orientation = true;
  const DragHandle left = *world.begin_drag(grip);
  const DragHandle right = *world.begin_drag({.body = arm.back(), .point_B = {0.5, 0, 0}});
  const Quat turned = from_axis_angle({0, 0, 1}, 1.0);
  for (int i = 1; i <= 30; ++i) {
    const double s = i / 30.0;
    ASSERT_TRUE(world.move_drag(left, {{0, s, 0}, from_axis_angle({0, 0, 1}, s)}).ok());
    ASSERT_TRUE(world.move_drag(right, {{8 - 2 * s, 0, s}, {}}).ok());
  }
  const DragReport a = *world.settle_drag(left), b = *world.settle_drag(right);
  EXPECT_LT(std::max(a.miss_m, b.miss_m), 1e-4);
  EXPECT_LT(a.miss_rad, 1e-4);
  EXPECT_LT(b.error, 1e-8);
  EXPECT_LT(norm(log_map(world.pose(arm.front()).q * conjugate(turned))), 1e-4);
}

TEST(Drag, LimitsOfJointsAreObeyed) {
  World world = make_world({});
  const BodyHandle rod = add(world, make_rod({0.5, 0, 0}));
  JointDef hinge;
  hinge.kind = JointKind::kHinge;
  hinge.child = rod;
  hinge.X_BP = {{0, 0, 0}, along_z()};
  hinge.X_BC = {{-0.5, 0, 0}, along_z()};
  hinge.axes[3].min = -0.4;
  hinge.axes[3].max = 0.4;
  const JointHandle joint = *world.create_joint(hinge);
  const DragHandle drag = *world.begin_drag({.body = rod, .point_B = {0.5, 0, 0}});
  for (int i = 1; i <= 20; ++i) {
    const double a = 0.1 * i;
    ASSERT_TRUE(world.move_drag(drag, {{std::cos(a), std::sin(a), 0}, {}}).ok());
  }
  ASSERT_TRUE(world.settle_drag(drag).ok());
  EXPECT_NEAR(world.read_joint(joint).coordinate[3], 0.4, 1e-5);
}

// The paper's budget while moving and at rest, of conjugate gradients.
TEST(Drag, PrecisionComesBackWhenMotionStops) {
  FourBar f = make_four_bar();
  const DragHandle drag = *f.world.begin_drag({.body = f.coupler, .point_B = {0, 0, 0}});
  DragEffort moving, resting;
  moving.effort = {.solver = displacement::Solver::kConjugateGradients, .geometric = 2, .inner = 5};
  resting.effort = {
      .solver = displacement::Solver::kConjugateGradients, .geometric = 3, .inner = 50};
  const Vec3 begin = f.world.pose(f.coupler).p;
  double worst = 0;
  for (int i = 1; i <= 20; ++i) {
    const DragReport r = *f.world.move_drag(drag, {begin + Vec3{-0.02 * i, 0, 0}, {}}, moving);
    worst = std::max(worst, r.error);
  }
  EXPECT_LT(worst, 5e-2);
  EXPECT_LT(f.world.settle_drag(drag, resting)->error, 1e-2);
  EXPECT_LT(f.world.end_drag(drag)->error, 1e-9);
}

TEST(Drag, ADynamicDragIsStoppedByAWall) {
  World world = make_world({.step = 1.0 / 60, .tolerance = 1e-6, .method = Method::kImpulse});
  BodyDef wall;
  wall.motion = MotionKind::kStatic;
  wall.colliders = make_collider(Box{.half = {0.1, 2, 2}});
  wall.X_WB.p = {2, 0, 0};
  add(world, wall);
  BodyDef ball;
  ball.colliders = make_collider(Sphere{.radius = 0.2});
  const BodyHandle body = add(world, ball);
  DragDef def{.mode = DragDef::Mode::kDynamic, .body = body, .point_B = {}};
  const DragHandle drag = *world.begin_drag(def);
  for (int n = 0; n < 240; ++n) {
    ASSERT_TRUE(world.move_drag(drag, {{std::min(4.0, 0.03 * n), 0, 0}, {}}).ok());
    world.step();
    ASSERT_LT(world.pose(body).p.x, 1.7 + 0.01) << n;
  }
  EXPECT_NEAR(world.pose(body).p.x, 1.7, 0.01);
  ASSERT_TRUE(world.end_drag(drag).ok());
  EXPECT_EQ(world.joint_count(), 0u);
}

TEST(Drag, ADynamicDragLeadsPositionAndOrientation) {
  for (const Method method : {Method::kImpulse, Method::kDisplacement}) {
    World world = make_world(
        {.step = 1.0 / 60, .gravity = {0, -9.81, 0}, .tolerance = 1e-6, .method = method});
    const BodyHandle rod = add(world, make_rod({0, 0, 0}));
    DragDef def{.mode = DragDef::Mode::kDynamic, .body = rod, .point_B = {0.5, 0, 0}};
    def.orientation = true;
    const DragHandle drag = *world.begin_drag(def);
    const Quat turned = from_axis_angle({0, 1, 0}, 1.2);
    for (int n = 0; n < 300; ++n) {
      if (n < 60) {
        ASSERT_TRUE(
            world.move_drag(drag, {{1, 0.02 * n, 0}, from_axis_angle({0, 1, 0}, 0.02 * n)}).ok());
      } else if (n == 60) {
        ASSERT_TRUE(world.move_drag(drag, {{1, 1.2, 0}, turned}).ok());
      }
      world.step();
    }
    const Pose X = world.pose(rod);
    EXPECT_LT(norm(X.p + rotate(X.q, {0.5, 0, 0}) - Vec3{1, 1.2, 0}), 0.05);
    EXPECT_LT(norm(log_map(X.q * conjugate(turned))), 0.05);
  }
}

TEST(Drag, ABudgetTooSmallForAnythingLeavesTheMechanismWhole) {
  FourBar f = make_four_bar();
  WorldSettings s = f.world.settings();
  static double ticks = 0;
  s.clock = [] { return ticks += 1; };  // every look at it is a second later
  ASSERT_TRUE(f.world.set_settings(s).ok());
  const DragHandle drag = *f.world.begin_drag({.body = f.crank, .point_B = {0.5, 0, 0}});
  DragEffort effort = kDragMoving;
  effort.budget_ms = 1e-3;
  for (int i = 1; i <= 200; ++i) {
    const double angle = kPi / 2 + 2 * kPi * i / 200;
    ASSERT_TRUE(f.world.move_drag(drag, {{std::cos(angle), std::sin(angle), 0}, {}}, effort).ok());
    ASSERT_LT(f.world.diagnostics().joint_gap_rel, 0.1) << i;
  }
}

TEST(Drag, RestoringAWorldEndsItsDragsAndTouchesNoJoint) {
  FourBar f = make_four_bar();
  const Snapshot before = f.world.snapshot();
  DragDef def{.mode = DragDef::Mode::kDynamic, .body = f.crank, .point_B = {}};
  const DragHandle drag = *f.world.begin_drag(def);
  f.world.restore(before);
  EXPECT_FALSE(f.world.contains(drag));
  const size_t joints = f.world.joint_count();
  JointDef ball;
  ball.child = f.rocker;
  ASSERT_TRUE(f.world.create_joint(ball).ok());
  EXPECT_FALSE(f.world.end_drag(drag).ok());
  EXPECT_EQ(f.world.joint_count(), joints + 1);
}

TEST(Drag, BadDragsAreRefusedWithAReason) {
  World world = make_world({});
  const BodyHandle rod = add(world, make_rod({0, 0, 0}));
  DragDef nothing{.body = rod, .point_B = {}};
  nothing.position = false;
  EXPECT_FALSE(world.begin_drag(nothing).ok());
  EXPECT_FALSE(world.begin_drag({.body = {}, .point_B = {}}).ok());
  const DragHandle drag = *world.begin_drag({.body = rod, .point_B = {}});
  EXPECT_FALSE(world.move_drag(drag, {{std::nan(""), 0, 0}, {}}).ok());
  EXPECT_FALSE(world.move_drag(drag, {{1e12, 0, 0}, {}}).ok());
  DragEffort frozen = kDragMoving;
  frozen.effort.damping = 0;
  EXPECT_FALSE(world.move_drag(drag, {{1, 0, 0}, {}}, frozen).ok());
  // a flick across the world ends where the tracker is
  EXPECT_TRUE(world.move_drag(drag, {{1e5, 0, 0}, {}}).ok());
  EXPECT_TRUE(is_finite(world.pose(rod).p));
  ASSERT_TRUE(world.remove_body(rod).ok());
  EXPECT_FALSE(world.move_drag(drag, {{1, 0, 0}, {}}).ok());
  EXPECT_FALSE(world.contains(drag));
}

}  // namespace
}  // namespace tenon
