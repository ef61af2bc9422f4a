// The integration 'rattle' against the default one: joints of every kind and laws of every kind do
// the same in both, as the step falls.
#include <gtest/gtest.h>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

// Two boxes, the first held by `kind` to the world or to a moved body, the second hanging on the
// first by a ball joint. `change` sets laws.
template <class Change>
World make_pair(double step, Integration integration, JointKind kind, bool moved, Change&& change) {
  World world = make_world(step, {.tolerance = 1e-10, .integration = integration});
  BodyHandle driver;
  if (moved) {
    BodyDef crank;
    crank.motion = MotionKind::kKinematic;
    crank.script.kind = KinematicMotion::Kind::kTurn;
    crank.script.axis = {0.6, 0, 0.8};
    crank.script.rate = 1.5;
    driver = add_body(world, crank);
  }
  BodyDef first = make_body(1.5, {0.02, 0.03, 0.04}, {0.4, -0.1, 0.05});
  BodyDef second = make_body(0.8, {0.01, 0.015, 0.02}, {0.8, -0.2, 0.1});
  second.velocity = {0, 0.3, 0.4};
  second.angular_velocity = {1, -2, 0.5};
  second.drag = 0.05;
  const BodyHandle a = add_body(world, first), b = add_body(world, second);
  JointDef def = make_joint(world, kind, driver, a, {{0.1, 0, 0}, exp_map({0.3, 0.5, -0.4})});
  if (kind == JointKind::kDistance) def.X_BP.p += Vec3{-0.3, 0.2, 0.1};
  if (kind == JointKind::kScrew) def.pitch = 0.2;
  if (kind == JointKind::kSixAxis) def.locked = {true, false, true, false, true, false};
  if (kind == JointKind::kBlackBox) {  // a magnet that starts at the tip of an ellipsoid
    def.black_box = *make_ellipsoid_magnet({});
    def.X_BP.p -= rotate(def.X_BP.q, {0.5, 0, 0});
  }
  change(def);
  add_joint(world, def);
  add_ball(world, a, b, {0.6, -0.15, 0.075});
  return world;
}

struct Difference {
  double pose = 0, work_J = 0, momentum = 0;
  uint32_t fallbacks = 0;
};

template <class Change>
Difference compare(double step, double until, JointKind kind, bool moved, Change&& change) {
  World fine = make_pair(2.5e-4, Integration::kStable, kind, moved, change);
  World rattle = make_pair(step, Integration::kRattle, kind, moved, change);
  Difference d;
  const auto open = [](const World& w) {  // what the accounts leave open
    const Mechanics m = w.calc_mechanics();
    return std::pair{m.linear_momentum - w.diagnostics().linear_impulse,
                     m.angular_momentum - w.diagnostics().angular_impulse};
  };
  const auto begin = open(rattle);
  while (rattle.time() < until - 0.5 * step) {
    rattle.step();
    d.fallbacks += rattle.diagnostics().fallbacks;
    EXPECT_EQ(rattle.diagnostics().unconverged_joints, 0u);
  }
  step_to(fine, until);
  const auto end = open(rattle);
  d.momentum = std::max(norm(end.first - begin.first), norm(end.second - begin.second));
  for (const BodyHandle b : fine.bodies()) {
    d.pose = std::max(d.pose, norm(fine.pose(b).p - rattle.pose(b).p));
    d.pose = std::max(d.pose, angle_between(fine.pose(b).q, rattle.pose(b).q));
  }
  d.work_J = std::fabs(fine.diagnostics().work_J - rattle.diagnostics().work_J);
  return d;
}

// Gears couple two joints and have a test of their own below.
std::vector<JointKind> kinds_of_one_joint() {
  std::vector<JointKind> kinds;
  for (int i = 0; i < kJointKindCount; ++i) {
    if (static_cast<JointKind>(i) != JointKind::kGear) kinds.push_back(static_cast<JointKind>(i));
  }
  return kinds;
}

class RattleKinds : public testing::TestWithParam<JointKind> {};

TEST_P(RattleKinds, MoveAsTheDefaultDoes) {
  const JointKind kind = GetParam();
  for (const bool moved : {false, true}) {
    const Difference d = compare(1e-3, 0.5, kind, moved, [](JointDef&) {});
    report(std::string("rattle, ") + name(kind) + (moved ? ", moved: pose" : ": pose"), d.pose,
           "1e-4");
    EXPECT_LT(d.pose, 1e-4);      // second order: some 10 (rad/s)^2 times 1e-6 s^2
    EXPECT_LT(d.momentum, 1e-9);  // sums of five hundred impulses
    EXPECT_LE(d.fallbacks, 1u);   // the start: velocities that do not fit the joints are a jerk
  }
}
INSTANTIATE_TEST_SUITE_P(AllKinds, RattleKinds, testing::ValuesIn(kinds_of_one_joint()));

JointAxisDef& axis_of(JointDef& def) { return def.axes[static_cast<size_t>(JointAxis::kRx)]; }

template <class Change>
void check_law(const std::string& title, double allowed, Change&& change) {
  for (const bool moved : {false, true}) {
    const Difference d = compare(1e-3, 0.6, JointKind::kHinge, moved, change);
    report("rattle, " + title + (moved ? ", moved: pose" : ": pose"), d.pose, "small");
    report("rattle, " + title + (moved ? ", moved: work, J" : ": work, J"), d.work_J, "small");
    EXPECT_LT(d.pose, allowed);
    EXPECT_LT(d.work_J, 10 * allowed);  // forces of some 10 N
    EXPECT_LT(d.momentum, 1e-9);
    EXPECT_LE(d.fallbacks, 1u);  // the start: velocities that do not fit the joints are a jerk
  }
}

TEST(RattleLaws, SpringsActAsInTheDefault) {
  check_law("spring", 1e-4, [](JointDef& def) { axis_of(def).stiffness = 30; });
}
TEST(RattleLaws, DampersActAsInTheDefault) {
  check_law("damper", 1e-4, [](JointDef& def) { axis_of(def).damping = 0.5; });
}
TEST(RattleLaws, FrictionActsAsInTheDefault) {
  // first order where it comes to rest
  check_law("friction", 2e-3, [](JointDef& def) { axis_of(def).friction = 1.5; });
}
TEST(RattleLaws, ForceMotorsActAsInTheDefault) {
  check_law("torque", 2e-4,
            [](JointDef& def) { axis_of(def).motor = {.kind = Motor::Kind::kForce, .target = 2}; });
}
TEST(RattleLaws, SpeedMotorsActAsInTheDefault) {
  // the jerk at the start, where the motor takes hold, is first order
  check_law("speed", 5e-3, [](JointDef& def) {
    axis_of(def).motor = {.kind = Motor::Kind::kVelocity, .target = 4};
  });
}
TEST(RattleLaws, PositionMotorsActAsInTheDefault) {
  // a law of limited force looks ahead by a step: first order in both
  check_law("position", 2e-2, [](JointDef& def) {
    axis_of(def).motor = {.kind = Motor::Kind::kPosition, .target = 1, .max_force = 30};
  });
}
TEST(RattleLaws, LimitsActAsInTheDefault) {
  // the time of the hit is known to a step: speeds of some rad/s times 1e-3 s
  check_law("limit", 1e-2, [](JointDef& def) {
    axis_of(def).min = -0.3;
    axis_of(def).max = 0.3;
    axis_of(def).restitution = 0.5;
  });
}

// Two wheels on the ground with a gear between them, one of them driven.
World make_gears(double step, Integration integration) {
  World world = make_world(step, {.tolerance = 1e-10, .integration = integration});
  const BodyHandle a = add_body(world, make_body(1, {0.02, 0.01, 0.01}));
  const BodyHandle b = add_body(world, make_body(1, {0.02, 0.01, 0.01}, {1, 0, 0}));
  JointDef first = make_joint(world, JointKind::kHinge, {}, a, {});
  axis_of(first).motor = {.kind = Motor::Kind::kForce, .target = 0.1};
  JointDef gear;
  gear.kind = JointKind::kGear;
  gear.first = add_joint(world, first);
  gear.second = add_joint(world, make_joint(world, JointKind::kHinge, {}, b, {{1, 0.02, 0}, {}}));
  gear.ratio = 0.5;
  add_joint(world, gear);
  return world;
}

TEST(RattleGears, TurnAsTheDefaultDoes) {
  World fine = make_gears(1.25e-4, Integration::kStable);
  World rattle = make_gears(1e-3, Integration::kRattle);
  step_to(fine, 1);
  step_to(rattle, 1);
  for (const BodyHandle b : fine.bodies()) {
    EXPECT_LT(angle_between(fine.pose(b).q, rattle.pose(b).q), 1e-4);
  }
}

}  // namespace
}  // namespace tenon::test
