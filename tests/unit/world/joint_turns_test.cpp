// Angles that count turns, gears whose joints come and go, and what may hang on a point mass.
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

BodyDef make_wheel(const Vec3& center, double spin = 0) {
  BodyDef def = make_body(1, {0.005, 0.005, 0.01}, center);
  def.angular_velocity = {0, 0, spin};
  return def;
}
constexpr size_t kRx = 3;

World make_free_world(JointSolver solver = JointSolver::kDirect) {
  WorldSettings settings;
  settings.gravity = {};
  settings.joint_solver = solver;
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

// -- turns

TEST(Turns, AreCountedWithoutALaw) {
  for (const JointSolver solver : {JointSolver::kDirect, JointSolver::kSweep}) {
    World world = make_free_world(solver), seldom = make_free_world(solver);
    JointHandle j[2];
    for (int i = 0; i < 2; ++i) {
      World& w = i == 0 ? world : seldom;
      j[i] = add_hinge_z(w, {}, add_body(w, make_wheel({}, 10)), {});
    }
    double last = 0;
    for (int i = 0; i < 600; ++i) {
      world.step();
      seldom.step();
      const double now = world.read_joint(j[0]).coordinate[kRx];
      EXPECT_NEAR(now - last, 10.0 / 60, 1e-3);  // a Cayley rotation lags by 2e-3 of the angle
      last = now;
    }
    EXPECT_NEAR(last, 100, 0.3);
    EXPECT_EQ(seldom.read_joint(j[1]).coordinate[kRx], last);
  }
}

TEST(Turns, OfMoreThanHalfARoundAStepAreCounted) {
  for (const double spin : {119.0, -300.0, 700.0}) {  // 2, 5 and 11.7 rad per step
    World world = make_free_world();
    const JointHandle j = add_hinge_z(world, {}, add_body(world, make_wheel({}, spin)), {});
    for (int i = 0; i < 60; ++i) world.step();
    EXPECT_NEAR(world.read_joint(j).coordinate[kRx] / spin, 1, 0.03) << spin;
  }
}

// A rod that hangs on a point of its axis, and a ball on its middle, turn as they would without:
// by the spin times the time, at up to 7.5 rad per step.
TEST(Turns, AboutAnAxisOnWhichAllJointsAreAreExact) {
  for (const double spin : {10.0, 150.0, -300.0, 450.0}) {
    World world = make_free_world();
    BodyDef rod = make_body(1, {0.001, 0.1, 0.1}, {0.5, 0, 0});
    rod.angular_velocity = {spin, 0, 0};
    BodyDef ball = make_body(1, {0.01, 0.01, 0.01}, {0, 3, 0});
    ball.angular_velocity = {0.6 * spin, 0, 0.8 * spin};
    const BodyHandle bodies[] = {add_body(world, rod), add_body(world, ball)};
    add_ball(world, {}, bodies[0], {});
    add_ball(world, {}, bodies[1], {0, 3, 0});
    for (int i = 1; i <= 60; ++i) {
      world.step();
      const Quat turned[] = {from_axis_angle({1, 0, 0}, spin * i / 60.0),
                             from_axis_angle({0.6, 0, 0.8}, spin * i / 60.0)};
      // what the last digits of 450 rad leave
      for (int b = 0; b < 2; ++b) {
        EXPECT_LT(angle_between(world.pose(bodies[b]).q, turned[b]), 1e-9) << spin << " " << b;
      }
    }
  }
}

// An arm with limits is pushed out of a block it starts in by positions alone, after the joints
// were solved, and then turned by hand.
TEST(Turns, AreReadWhereBodiesAreNow) {
  World world = make_free_world();
  BodyDef block;
  block.motion = MotionKind::kStatic;
  block.X_WB.p = {0.8, -0.14, 0};
  block.colliders = {{Box{{0.1, 0.1, 0.1}}, {}, {}, 1000}};
  add_body(world, block);
  BodyDef def = make_body(1, {0.01, 0.1, 0.1}, {0.5, 0, 0});
  def.colliders = {{Box{{0.5, 0.05, 0.05}}, {}, {}, 1000}};
  const BodyHandle arm = add_body(world, def);
  JointDef hinge = make_joint(world, JointKind::kHinge, {}, arm, {{}, axis_along_z()});
  hinge.axes[kRx].min = -3;
  hinge.axes[kRx].max = 3;
  const JointHandle j = add_joint(world, hinge);
  const auto angle = [&] {
    const Vec3 x = world.center_of_mass(arm);
    return std::atan2(x.y, x.x);
  };
  double moved = 0;
  for (int i = 0; i < 10; ++i) {
    const double before = angle();
    world.step();
    moved = std::max(moved, std::fabs(angle() - before));
    EXPECT_NEAR(world.read_joint(j).coordinate[kRx], angle(), 1e-9) << i;
  }
  EXPECT_GT(moved, 1e-3);
  const Quat q = from_axis_angle({0, 0, 1}, 1.2);
  ASSERT_TRUE(world.set_pose(arm, {rotate(q, Vec3{0.5, 0, 0}), q}).ok());
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], 1.2, 1e-9);
}

TEST(Turns, AreTheSameWithAndWithoutALaw) {
  double rx[2];
  for (const bool law : {false, true}) {
    World world = make_free_world();
    const BodyHandle b = add_body(world, make_wheel({}, 20));
    JointDef def = make_joint(world, JointKind::kHinge, {}, b, {{}, axis_along_z()});
    if (law) def.axes[kRx].motor = {.kind = Motor::Kind::kForce, .target = 0};
    const JointHandle j = add_joint(world, def);
    for (int i = 0; i < 120; ++i) world.step();
    rx[law] = world.read_joint(j).coordinate[kRx];
  }
  EXPECT_NEAR(rx[0], rx[1], 1e-6);
}

TEST(Turns, SurviveSavingSnapshotsMotorsAndSwitching) {
  World world = make_free_world();
  const BodyHandle b = add_body(world, make_wheel({}, 10));
  const JointHandle j = add_hinge_z(world, {}, b, {});
  const std::vector<std::byte> start = world.save_state();
  for (int i = 0; i < 120; ++i) world.step();
  const double rx = world.read_joint(j).coordinate[kRx];
  EXPECT_NEAR(rx, 20, 0.1);
  const std::vector<std::byte> saved = world.save_state();
  const Snapshot snapshot = world.snapshot();
  ASSERT_TRUE(world.load_state(start).ok());
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], 0, 1e-12);
  ASSERT_TRUE(world.load_state(saved).ok());
  EXPECT_EQ(world.read_joint(j).coordinate[kRx], rx);
  world.restore(snapshot);
  EXPECT_EQ(world.read_joint(j).coordinate[kRx], rx);
  // a motor that comes and goes reads the same angle
  ASSERT_TRUE(
      world.set_motor(j, JointAxis::kRx, {.kind = Motor::Kind::kVelocity, .target = 10}).ok());
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], rx, 1e-12);
  for (int i = 0; i < 60; ++i) world.step();
  const double later = world.read_joint(j).coordinate[kRx];
  EXPECT_NEAR(later, 30, 0.1);
  ASSERT_TRUE(world.set_motor(j, JointAxis::kRx, {}).ok());
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], later, 1e-12);
  // so does a joint that is off for a while
  ASSERT_TRUE(world.set_joint_enabled(j, false).ok());
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], 40, 0.1);
  ASSERT_TRUE(world.set_joint_enabled(j, true).ok());
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_NEAR(world.read_joint(j).coordinate[kRx], 50, 0.1);
}

TEST(Turns, OfALimitedJointStartAgainWithinItsLimits) {
  World world = make_free_world();
  const BodyHandle b = add_body(world, make_wheel({}, 10));
  JointDef def = make_joint(world, JointKind::kHinge, {}, b, {{}, axis_along_z()});
  def.axes[kRx].min = -3;
  def.axes[kRx].max = 3.1;
  def.enabled = false;
  const JointHandle j = add_joint(world, def);
  for (int i = 0; i < 60; ++i) world.step();  // 10 rad: one turn and 3.72
  ASSERT_TRUE(world.set_joint_enabled(j, true).ok());
  world.step();
  const double rx = world.read_joint(j).coordinate[kRx];
  EXPECT_GT(rx, -3 - 1e-3);
  EXPECT_LT(rx, 3.1);
  EXPECT_LT(world.diagnostics().joint_angle_rad, 1e-3);
}

TEST(Turns, OfUniversalJointsAreCountedOnBothAxes) {
  for (const size_t axis : {kRx, kRx + 1}) {
    World world = make_free_world();
    BodyDef def = make_body(1, {0.01, 0.01, 0.01});
    (axis == kRx ? def.angular_velocity.x : def.angular_velocity.y) = 10;
    const BodyHandle b = add_body(world, def);
    const JointHandle j = add_joint(world, make_joint(world, JointKind::kUniversal, {}, b, Pose{}));
    for (int i = 0; i < 120; ++i) world.step();
    EXPECT_NEAR(world.read_joint(j).coordinate[axis], 20, 0.1) << axis;
  }
}

// -- gears

// A motor at 5 rad/s turns by 5/60 rad in a step, whose Cayley rate is 2 tan(5/120) 60.
constexpr double kCayley = 0.003;

struct Wheels {
  World world = make_free_world();
  BodyHandle a, b;
  JointHandle first, second, gear;
  explicit Wheels(double break_force = kInfinity) {
    a = add_body(world, make_wheel({}));
    b = add_body(world, make_wheel({0.2, 0, 0}));
    JointDef hinge = make_joint(world, JointKind::kHinge, {}, a, {{}, axis_along_z()});
    hinge.axes[kRx].motor = {.kind = Motor::Kind::kVelocity, .target = 5, .max_force = 10};
    first = add_joint(world, hinge);
    JointDef other = make_joint(world, JointKind::kHinge, {}, b, {{0.2, 0, 0}, axis_along_z()});
    other.break_force = break_force;
    second = add_joint(world, other);
    JointDef def;
    def.kind = JointKind::kGear;
    def.first = first;
    def.second = second;
    gear = add_joint(world, def);
  }
  double spin(BodyHandle w) { return world.angular_velocity(w).z; }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.step();
  }
};

TEST(Gears, RestWhileOneOfTheirJointsIsOffAndMeshWhereTheyAre) {
  Wheels w;
  ASSERT_TRUE(w.world.set_joint_enabled(w.second, false).ok());
  w.run(60);
  EXPECT_NEAR(w.spin(w.a), 5, kCayley);
  EXPECT_EQ(w.spin(w.b), 0);
  EXPECT_EQ(w.world.read_joint(w.gear).torque, Vec3{});
  EXPECT_LT(w.world.diagnostics().joint_angle_rad, 1e-9);  // nothing is said to be off
  const Quat before = w.world.pose(w.b).q;
  ASSERT_TRUE(w.world.set_joint_enabled(w.second, true).ok());
  w.run(1);
  // half of its end speed for one step, and no jump
  EXPECT_LT(norm(log_map(w.world.pose(w.b).q * conjugate(before))), 5.0 / 60);
  w.run(60);
  EXPECT_NEAR(w.spin(w.a), 5, kCayley);
  EXPECT_NEAR(w.spin(w.b), -w.spin(w.a), 1e-9);
  EXPECT_LT(w.world.diagnostics().joint_angle_rad, 1e-6);
}

TEST(Gears, KeepTheirMeshInSavedStates) {
  Wheels w;
  ASSERT_TRUE(w.world.set_joint_enabled(w.second, false).ok());
  w.run(31);
  ASSERT_TRUE(w.world.set_joint_enabled(w.second, true).ok());
  w.run(31);
  Wheels copy;
  const Status loaded = copy.world.load_state(w.world.save_state());
  ASSERT_TRUE(loaded.ok()) << format(loaded.error());
  w.run(31);
  copy.run(31);
  EXPECT_EQ(w.world.save_state(), copy.world.save_state());
}

TEST(Gears, RestWhenOneOfTheirJointsHasBroken) {
  Wheels w(0.001);
  ASSERT_TRUE(w.world.set_velocity(w.b, {0, 1, 0}).ok());
  w.run(2);
  EXPECT_TRUE(w.world.read_joint(w.second).broken);
  const double spin = w.spin(w.b);
  w.run(60);
  EXPECT_NEAR(w.spin(w.a), 5, kCayley);
  EXPECT_NEAR(w.spin(w.b), spin, 1e-12);
  EXPECT_EQ(w.world.calc_mobility().size(), 1u);  // the wheel on its hinge
}

// -- folded over: where a twist changes without bound

// A ball joint at the middle of a round body, its x axes apart by `fold`; what slows the body down
// in one short step, over the step.
Vec3 resisting_torque(Method method, double fold, const Vec3& w, double damping, double friction) {
  World world = make_world(1e-5, {.gravity = {}, .method = method});
  BodyDef def = make_body(1, {0.01, 0.01, 0.01});
  def.angular_velocity = w;
  const BodyHandle ball = add_body(world, def);
  JointDef joint = make_joint(world, JointKind::kPoint, {}, ball, {});
  joint.X_BC.q = from_axis_angle({0, 0, 1}, fold);
  joint.axes[kRx].damping = damping;
  joint.axes[kRx].friction = friction;
  add_joint(world, joint);
  world.step();
  return 0.01 / 1e-5 * (world.angular_velocity(ball) - w);
}

TEST(FoldedJoints, AreDampedAlongTheLineBetweenTheirAxes) {
  const Vec3 w{0.3, -0.2, 1.1};
  for (const Method method : {Method::kImpulse, Method::kForce}) {
    for (const double fold : {0.0, 1.0, 2.5, 3.1, 3.139}) {
      const Vec3 t{std::cos(0.5 * fold), std::sin(0.5 * fold), 0};
      // t turns in the step, the faster the nearer to the pole
      const double bound = 0.02 * (1e-4 + 2e-5 * norm(w) / (kPi - fold));
      const Vec3 damper = resisting_torque(method, fold, w, 0.02, 0);
      EXPECT_LT(norm(damper + 0.02 * dot(w, t) * t), bound) << fold;
      const Vec3 friction = resisting_torque(method, fold, w, 0, 0.02);
      EXPECT_LT(norm(friction + (dot(w, t) > 0 ? 0.02 : -0.02) * t), bound) << fold;
    }
    // no direction left
    EXPECT_LT(norm(resisting_torque(method, 3.1415, w, 0.02, 0)), 1e-6);
    EXPECT_LT(norm(resisting_torque(method, 3.1415, w, 0, 0.02)), 1e-6);
  }
}

// A board on a ball, begun upright, hangs folded over from then on and swings past the pole of its
// twist again and again: nothing keeps it there.
World make_board(double step, const WorldOptions& options, const Vec3& w, double damping,
                 double friction) {
  World world = make_world(step, options);
  BodyDef def = make_body(1, {0.001, 0.0085, 0.0077}, {0, 0.3, 0}, axis_along_y());
  def.angular_velocity = w;
  def.velocity = cross(w, Vec3{0, 0.3, 0});
  const BodyHandle board = add_body(world, def);
  JointDef joint = make_joint(world, JointKind::kPoint, {}, board, {{}, axis_along_y()});
  joint.axes[kRx].damping = damping;
  joint.axes[kRx].friction = friction;
  add_joint(world, joint);
  return world;
}

struct Swing {
  double lost = 0, most_gained = 0, fastest = 0;  // J; of a step; kinetic in the last second
  uint32_t softened = 0;
};
Swing let_swing(World world) {
  Swing s;
  const double start = energy(world);
  while (world.time() < 4) {
    const double before = energy(world);
    world.step();
    s.softened += world.diagnostics().softened_steps;
    s.most_gained = std::max(s.most_gained, energy(world) - before);
    if (world.time() > 3) s.fastest = std::max(s.fastest, world.calc_mechanics().kinetic_J);
  }
  s.lost = start - energy(world);
  return s;
}

TEST(FoldedJoints, SwingOnWithDampers) {
  const Vec3 w{0.2, 0.1, 1};
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    const Swing s = let_swing(make_board(step, {}, w, 0.02, 0));
    const Swing exact = let_swing(make_board(step, {.method = Method::kForce}, w, 0.02, 0));
    EXPECT_LT(s.softened, 4u);
    report("folded board: energy lost, of the exact loss", s.lost / exact.lost, "0.7 to 1.3");
    EXPECT_NEAR(s.lost / exact.lost, 1, 0.3);
    EXPECT_GT(s.fastest, 3);  // at the bottom it has nearly 6
  }
}

TEST(FoldedJoints, GainNothingByDampers) {
  for (const double damping : {0.02, 0.2, 1.0, 2.0, 20.0}) {
    for (const Vec3& w : {Vec3{0.2, 0.1, 1}, Vec3{0.5, -0.3, 2}, Vec3{0.02, 0.3, 1.5}}) {
      EXPECT_LT(let_swing(make_board(1.0 / 60, {}, w, damping, 0)).most_gained, 1e-5) << damping;
    }
  }
}

// Friction that cannot make up its mind near the fold would hold with any force.
TEST(FoldedJoints, RubNoMoreThanTheirFriction) {
  const Vec3 w{0.2, 0.1, 1};
  for (const Integration integration : {Integration::kStable, Integration::kRattle}) {
    for (const double step : {1.0 / 60, 1.0 / 240}) {
      const Swing s = let_swing(make_board(step, {.integration = integration}, w, 0, 0.02));
      const Swing exact = let_swing(make_board(step, {.method = Method::kForce}, w, 0, 0.02));
      report("folded board with friction: energy lost too much, J", s.lost - exact.lost, "0.05");
      EXPECT_NEAR(s.lost, exact.lost, 0.05);
    }
  }
}

// -- point masses

Result<JointHandle> try_joint(JointKind kind, const Vec3& at, bool from_world, bool law = false,
                              bool point_is_parent = false) {
  World world = make_world(1.0 / 60);
  const BodyHandle point = add_body(world, make_body(1, {}, {1, 0, 0}));
  const BodyHandle rod = add_body(world, make_rod(1, 1, {}));
  const BodyHandle other = from_world ? BodyHandle{} : rod;
  JointDef def = make_joint(world, kind, point_is_parent ? point : other,
                            point_is_parent ? rod : point, {at, {}});
  if (kind == JointKind::kDistance) def.length = 0.5;
  if (law) def.axes[kRx].damping = 1;
  return world.create_joint(def);
}

TEST(PointMasses, HangOnPointsRodsAndRails) {
  const Vec3 center{1, 0, 0};
  for (const JointKind kind : {JointKind::kPoint, JointKind::kDistance, JointKind::kBallInTube,
                               JointKind::kPointOnPlane}) {
    EXPECT_TRUE(try_joint(kind, center, true).ok()) << name(kind);
    EXPECT_TRUE(try_joint(kind, center, false).ok()) << name(kind);
  }
  // the world does not turn: what holds a rotation to it holds nothing that could move
  for (const JointKind kind : {JointKind::kSlider, JointKind::kSlider2, JointKind::kSlider3,
                               JointKind::kRigid, JointKind::kHinge}) {
    EXPECT_TRUE(try_joint(kind, center, true).ok()) << name(kind);
  }
  EXPECT_TRUE(try_joint(JointKind::kPoint, center, false, false, true).ok());
}

TEST(PointMasses, RefuseWhatWouldTurnThem) {
  const Vec3 center{1, 0, 0};
  const auto expect_refused = [](const Result<JointHandle>& joint, const std::string& part) {
    ASSERT_FALSE(joint.ok());
    const std::string text = format(joint.error());
    EXPECT_NE(text.find("point mass"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("accepted"), std::string::npos) << text;
  };
  expect_refused(try_joint(JointKind::kHinge, {0, 0, 0}, true), "1 m away");
  expect_refused(try_joint(JointKind::kPoint, {0.5, 0, 0}, false), "0.5 m away");
  expect_refused(try_joint(JointKind::kRigid, center, false), "hold or drive its rotation");
  expect_refused(try_joint(JointKind::kHinge, center, true, true), "rx");
  expect_refused(try_joint(JointKind::kBallInTube, center, false, false, true), "axes");
}

TEST(PointMasses, SlideOnARailOfTheWorld) {
  World world = make_world(1.0 / 60);
  BodyDef def = make_body(2, {}, {1, 0, 0});
  def.velocity = {3, 0, 0};
  const BodyHandle bead = add_body(world, def);
  const JointHandle j =
      add_joint(world, make_joint(world, JointKind::kSlider, {}, bead, {{1, 0, 0}, {}}));
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_LT(norm(world.center_of_mass(bead) - Vec3{4, 0, 0}), 1e-9);
  EXPECT_LT(norm(world.read_joint(j).force - Vec3{0, 2 * 9.81, 0}), 1e-9);
}

}  // namespace
}  // namespace tenon::test
