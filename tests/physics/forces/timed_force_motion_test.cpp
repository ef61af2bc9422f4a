// What forces on a timeline do to bodies, in both schedules of the impulse method.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon {
namespace {

using namespace test;

constexpr JointSolver kSolvers[] = {JointSolver::kDirect, JointSolver::kSweep};

World make_solver_world(JointSolver solver, double step, const Vec3& gravity = {},
                        int threads = 1) {
  WorldSettings s;
  s.step = step;
  s.gravity = gravity;
  s.joint_solver = solver;
  s.threads = threads;
  Result<World> world = World::make(s);
  return std::move(*world);
}

ForceHandle add_force(World& world, const TimedForceDef& def) {
  const Result<ForceHandle> force = world.add_force(def);
  EXPECT_TRUE(force.ok()) << (force.ok() ? "" : format(force.error()));
  return force.ok() ? *force : ForceHandle{};
}

TEST(TimedForces, TwoOpposedOnesAreACouple) {
  for (const JointSolver solver : kSolvers) {
    World world = make_solver_world(solver, kFrame);
    const BodyHandle body = add_body(world, make_body(2, {0.3, 0.4, 0.5}, {1, 2, 3}));
    const Vec3 r{0, 0.4, 0}, F{3, 0, 0};
    for (const double side : {1.0, -1.0}) {
      TimedForceDef def;
      def.body = body;
      def.frame = ForceFrame::kBody;
      def.point = side * r;
      def.force = side * F;
      add_force(world, def);
    }
    for (int i = 1; i <= 120; ++i) {
      world.step();
      // 2 r x F, which stays along the axis that the body turns about
      EXPECT_LT(norm(world.angular_momentum(body) - world.time() * (2 * cross(r, F))), 1e-12);
    }
    EXPECT_EQ(world.velocity(body), Vec3{});
    EXPECT_EQ(world.center_of_mass(body), (Vec3{1, 2, 3}));
    EXPECT_NEAR(world.angular_velocity(body).z, -2.4 / 0.5 * 2, 1e-12);
  }
}

TEST(TimedForces, TorquesDoWhatTheirCoupleDoes) {
  const auto run = [](bool couple) {
    World world = make_solver_world(JointSolver::kDirect, kFrame);
    BodyDef box = make_body(2, {0.3, 0.4, 0.5});
    box.angular_velocity = {1, 2, -1};
    const BodyHandle body = add_body(world, box);
    TimedForceDef def;
    def.body = body;
    def.frame = ForceFrame::kBody;
    def.begin = 0.2;
    def.end = 1.3;
    if (couple) {
      def.point = Vec3{0, 0.5, 0};
      def.force = {0, 0, 2};
      add_force(world, def);
      def.point = Vec3{0, -0.5, 0};
      def.force = {0, 0, -2};
    } else {
      def.torque = {2, 0, 0};
    }
    add_force(world, def);
    for (int i = 0; i < 120; ++i) world.step();
    return world.angular_momentum(body);
  };
  EXPECT_LT(norm(run(true) - run(false)), 1e-12);
  EXPECT_GT(norm(run(true)), 1);
}

// m v = the integral of the curve, whatever the step, also where it begins inside one.
TEST(TimedForces, GiveExactlyTheImpulseOfTheirCurve) {
  for (const JointSolver solver : kSolvers) {
    for (const double step : {1.0 / 60, 1.0 / 37, 0.3, 1e-3}) {
      World world = make_solver_world(solver, step);
      TimedForceDef def;
      def.body = add_body(world, make_body(2, {1, 1, 1}));
      def.force = {10, -4, 1};
      def.begin = 0.013;
      def.end = 1.777;
      def.curve = {{-1, 0}, {0.1, 0.3}, {0.5, 2}, {0.51, -1}, {1.2, -0.2}, {3, 7}};
      add_force(world, def);
      const BodyHandle ramped = add_body(world, make_body(3, {1, 1, 1}));
      def.body = ramped;
      def.curve = make_ramp(def.begin, def.end, 0, 1);
      add_force(world, def);
      const BodyHandle constant = add_body(world, make_body(0.5, {1, 1, 1}));
      def.body = constant;
      def.curve.clear();
      add_force(world, def);
      while (world.time() < 2) world.step();
      // the first by hand: trapezia between 0.013, 0.1, 0.5, 0.51, 1.2, 1.777
      const auto line = [](double t, double t0, double a, double t1, double b) {
        return a + (b - a) * (t - t0) / (t1 - t0);
      };
      const double at_begin = line(0.013, -1, 0, 0.1, 0.3), at_end = line(1.777, 1.2, -0.2, 3, 7);
      const double area = 0.5 * (0.087 * (at_begin + 0.3) + 0.4 * 2.3 + 0.01 * 1.0 - 0.69 * 1.2 +
                                 0.577 * (-0.2 + at_end));
      const Vec3 F{10, -4, 1};
      EXPECT_LT(norm(2 * world.velocity(world.bodies()[0]) - area * F), 1e-12) << step;
      EXPECT_LT(norm(3 * world.velocity(ramped) - 0.5 * 1.764 * F), 1e-12) << step;
      EXPECT_LT(norm(0.5 * world.velocity(constant) - 1.764 * F), 1e-12) << step;
    }
  }
}

// A body is pulled towards another one that goes round it.
double chase(double step, JointSolver solver, Vec3* end) {
  World world = make_solver_world(solver, step);
  BodyDef target;
  target.motion = MotionKind::kKinematic;
  target.script.kind = KinematicMotion::Kind::kTurn;
  target.script.start.p = {2, 0, 0};
  target.script.rate = 3;
  TimedForceDef def;
  def.target = add_body(world, target);
  def.body = add_body(world, make_body(1, {1, 1, 1}, {0.5, 0, 0}));
  def.frame = ForceFrame::kToward;
  def.magnitude = 2;
  const ForceHandle pull = add_force(world, def);
  double worst = 0;
  for (int i = 0; i < static_cast<int>(2 / step + 0.5); ++i) {
    world.step();
    const ForceReading now = world.read_force(pull);
    const Vec3 way = world.pose(def.target).p - world.center_of_mass(def.body);
    worst = std::max(worst, norm(now.force - 2 * normalized(way)));
  }
  *end = world.center_of_mass(def.body);
  return worst;
}

TEST(TimedForces, TowardsAMovingBodyFollowIt) {
  Vec3 reference, coarse, fine;
  EXPECT_LT(chase(1e-4, JointSolver::kDirect, &reference), 1e-12);
  chase(1.0 / 60, JointSolver::kDirect, &coarse);
  chase(1.0 / 120, JointSolver::kDirect, &fine);
  EXPECT_LT(norm(coarse - reference), 1e-3);
  EXPECT_NEAR(std::log2(norm(coarse - reference) / norm(fine - reference)), 2, 0.2);
  chase(1.0 / 60, JointSolver::kSweep, &coarse);
  chase(1.0 / 120, JointSolver::kSweep, &fine);
  EXPECT_NEAR(std::log2(norm(coarse - reference) / norm(fine - reference)), 1, 0.3);
}

TEST(TimedForces, TowardsEachOtherMakeTwoBodiesCircle) {
  World world = make_solver_world(JointSolver::kDirect, 1e-3);
  BodyDef a = make_body(1, {1, 1, 1}, {1, 0, 0}), b = make_body(1, {1, 1, 1}, {-1, 0, 0});
  a.velocity = {0, 2, 0};
  b.velocity = {0, -2, 0};
  TimedForceDef def;
  def.body = add_body(world, a);
  def.target = add_body(world, b);
  def.frame = ForceFrame::kToward;
  def.magnitude = 4;  // m v^2 / r
  add_force(world, def);
  std::swap(def.body, def.target);
  add_force(world, def);
  for (int i = 0; i < 3142; ++i) world.step();  // a turn takes pi
  EXPECT_LT(norm(world.center_of_mass(def.target) - Vec3{std::cos(6.284), std::sin(6.284), 0}),
            1e-4);
  EXPECT_LT(norm(world.calc_mechanics().linear_momentum), 1e-12);
}

// F = mu m g / 2 does nothing to a box on the floor; 2 mu m g accelerates it by mu g.
TEST(TimedForces, ArePassedOnToContacts) {
  World world = test::make_world(kFrame);
  const MaterialId rough = add_surface(world, {.friction = 0.5});
  add_floor(world, rough);
  const BodyHandle box = add_solid(world, Box{{0.5, 0.2, 0.5}}, 10, {0, 0.2, 0}, rough);
  TimedForceDef def;
  def.body = box;
  def.force = {0.25 * 10 * kG, 0, 0};
  def.begin = 0.1;
  def.end = 1.1;
  add_force(world, def);
  def.force = {10 * kG, 0, 0};
  def.begin = 2;
  def.end = 3;
  add_force(world, def);
  while (world.time() < 1.99) world.step();
  EXPECT_LT(norm(world.center_of_mass(box) - Vec3{0, 0.2, 0}), 1e-6);
  while (world.time() < 2.999) world.step();
  EXPECT_NEAR(world.velocity(box).x, 0.5 * kG, 1e-3 * kG);
}

TEST(TimedForces, WakeWhatSleeps) {
  World world = test::make_world(kFrame, {.sleeping = true});
  const MaterialId rough = add_surface(world, {.friction = 0.5});
  add_floor(world, rough);
  const BodyHandle box = add_solid(world, Box{{0.5, 0.2, 0.5}}, 10, {0, 0.2, 0}, rough);
  TimedForceDef def;
  def.body = box;
  def.force = {0, 200, 0};
  def.begin = 3;
  def.end = 3.5;
  add_force(world, def);
  while (world.time() < 2.5) world.step();
  EXPECT_TRUE(world.asleep(box));
  while (world.time() < 3.5) world.step();
  EXPECT_FALSE(world.asleep(box));
  EXPECT_NEAR(world.velocity(box).y, 0.5 * (20 - kG), 1e-9);
}

// 5000 m/s^2 for a tenth of a second would take the ball half a metre in the first step.
TEST(TimedForces, DoNotPushBodiesThroughThinWalls) {
  World world = test::make_world(kFrame, {.gravity = {}});
  const MaterialId smooth = add_surface(world, {});
  BodyDef wall;
  wall.motion = MotionKind::kStatic;
  wall.X_WB.p = {0.3, 0, 0};
  wall.colliders = {{Box{{0.005, 2, 2}}, {}, smooth, 1000}};
  add_body(world, wall);
  const BodyHandle ball = add_solid(world, Sphere{0.05}, 1, {}, smooth);
  TimedForceDef def;
  def.body = ball;
  def.force = {5000, 0, 0};
  def.begin = 0.5;
  def.end = 0.6;
  add_force(world, def);
  while (world.time() < 1) world.step();
  EXPECT_LT(world.center_of_mass(ball).x, 0.3 - 0.005);
}

// A rod on a hinge, pushed at its tip across: I a = F l with I = m l^2 / 3.
TEST(TimedForces, TurnMechanisms) {
  World world = make_solver_world(JointSolver::kDirect, kFrame);
  const BodyHandle rod = add_body(world, make_rod(3, 2, {}));
  ASSERT_TRUE(
      world.create_joint(make_joint(world, JointKind::kHinge, {}, rod, {{}, axis_along_z()})).ok());
  TimedForceDef def;
  def.body = rod;
  def.frame = ForceFrame::kBody;
  def.point = Vec3{1, 0, 0};
  def.force = {0, 1.5, 0};
  def.end = 2;
  add_force(world, def);
  while (world.time() < 2.5) world.step();
  // the direction is that of the predicted middle of each step, with an error of h^2
  EXPECT_NEAR(world.angular_velocity(rod).z, 1.5 * 2 / (3 * 4 / 3.0) * 2, kFrame * kFrame / 5);
}

TEST(TimedForces, AreBookedAsWork) {
  for (const JointSolver solver : kSolvers) {
    World world = make_solver_world(solver, kFrame, {0, -kG, 0});
    BodyDef box = make_body(2, {0.3, 0.4, 0.5});
    box.angular_velocity = {0, 0, 4};
    TimedForceDef def;
    def.body = add_body(world, box);
    def.force = {3, 1, 0};
    def.point = Vec3{0.2, 0.1, 0};
    def.frame = ForceFrame::kBody;
    def.begin = 0.313;
    def.end = 1.47;
    add_force(world, def);
    const auto balance = [&] {
      const StepDiagnostics& d = world.diagnostics();
      return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
    };
    const double start = balance();
    for (int i = 0; i < 120; ++i) {
      world.step();
      // the step of sweeps is first order: its gravity gains and loses a little
      const double error = solver == JointSolver::kDirect ? 1e-9 : 0.5 * 2 * kG * kG * kFrame * 2.1;
      EXPECT_NEAR(balance(), start, error);
    }
    EXPECT_LT(
        norm(world.diagnostics().mechanics.linear_momentum - world.diagnostics().linear_impulse),
        1e-10);
  }
}

// Forces, random gravity and wind on all bodies of a cloud that touch each other.
World make_cloud(int threads, JointSolver solver) {
  WorldSettings s;
  s.threads = threads;
  s.joint_solver = solver;
  s.gravity_noise = {0.3, 12};
  s.wind = {3, 0, 1};
  Result<World> made = World::make(s);
  World world = std::move(*made);
  Rng rng(5);
  std::vector<BodyHandle> bodies;
  const MaterialId m = add_surface(world, {.friction = 0.4, .restitution = 0.3});
  for (int i = 0; i < 60; ++i) {
    BodyDef def = make_solid(any_shape(rng), rng.uniform(0.5, 3), random_vec(rng, 1.2), m);
    def.drag = i % 3 == 0 ? 0.05 : 0;
    bodies.push_back(add_body(world, def));
  }
  for (uint32_t i = 0; i < 60; ++i) {
    TimedForceDef def;
    def.body = bodies[i];
    def.begin = rng.uniform(0, 0.3);
    def.end = def.begin + rng.uniform(0.1, 0.5);
    if (i % 3 == 0) {
      def.frame = ForceFrame::kToward;
      def.target = bodies[(i + 7) % 60];
      def.magnitude = rng.uniform(-20, 20);
    } else {
      def.frame = i % 3 == 1 ? ForceFrame::kBody : ForceFrame::kWorld;
      def.force = random_vec(rng, 20);
      def.torque = random_vec(rng, 2);
      def.point = random_vec(rng, 0.2);
      def.curve = {{0.1, 0}, {0.3, 2}, {0.7, -1}};
    }
    add_force(world, def);
  }
  return world;
}

TEST(TimedForces, GiveTheSameBitsWithAnyNumberOfThreads) {
  for (const JointSolver solver : kSolvers) {
    World one = make_cloud(1, solver), four = make_cloud(4, solver);
    for (int i = 0; i < 40; ++i) {
      one.step();
      four.step();
      ASSERT_EQ(one.state_hash(), four.state_hash()) << i;
    }
  }
}

TEST(TimedForces, GoOnWithTheSameBitsFromASavedState) {
  for (const JointSolver solver : kSolvers) {
    World whole = make_cloud(1, solver), resumed = make_cloud(1, solver);
    for (int i = 0; i < 15; ++i) whole.step();
    ASSERT_TRUE(resumed.load_state(whole.save_state()).ok());
    const Snapshot snapshot = whole.snapshot();
    for (int i = 0; i < 15; ++i) {
      whole.step();
      resumed.step();
      ASSERT_EQ(whole.state_hash(), resumed.state_hash()) << i;
    }
    whole.restore(snapshot);
    for (int i = 0; i < 15; ++i) whole.step();
    EXPECT_EQ(whole.state_hash(), resumed.state_hash());
    // a state belongs to the forces it was saved with
    World other = make_cloud(1, solver);
    ASSERT_TRUE(other.remove_force(other.forces()[3]).ok());
    EXPECT_FALSE(other.load_state(whole.save_state()).ok());
  }
}

TEST(TimedForces, GoWithTheirBodies) {
  World world = make_solver_world(JointSolver::kDirect, kFrame);
  const BodyHandle a = add_body(world, make_body(1, {1, 1, 1}));
  const BodyHandle b = add_body(world, make_body(1, {1, 1, 1}, {1, 0, 0}));
  TimedForceDef def;
  def.body = a;
  def.force = {1, 0, 0};
  const ForceHandle push = add_force(world, def);
  def.force = {};
  def.frame = ForceFrame::kToward;
  def.magnitude = 1;
  def.target = b;
  const ForceHandle pull = add_force(world, def);
  EXPECT_EQ(world.force_count(), 2u);
  EXPECT_EQ(world.force_def(pull).target, b);
  ASSERT_TRUE(world.remove_body(b).ok());
  EXPECT_TRUE(world.contains(push));
  EXPECT_FALSE(world.contains(pull));
  EXPECT_FALSE(world.remove_force(pull).ok());
  ASSERT_TRUE(world.remove_body(a).ok());
  EXPECT_EQ(world.force_count(), 0u);
  world.step();
}

TEST(TimedForces, OnWhatCannotMoveAreRefusedByName) {
  World world = make_solver_world(JointSolver::kDirect, kFrame);
  BodyDef def = make_body(1, {1, 1, 1});
  def.motion = MotionKind::kStatic;
  const BodyHandle still = add_body(world, def);
  def.motion = MotionKind::kKinematic;
  const BodyHandle driven = add_body(world, def);
  const BodyHandle bead = add_body(world, make_body(1, {}));
  TimedForceDef push;
  push.force = {1, 0, 0};
  const auto expect_refused = [&](const TimedForceDef& wrong, const std::string& part) {
    const Result<ForceHandle> made = world.add_force(wrong);
    ASSERT_FALSE(made.ok()) << part;
    EXPECT_NE(format(made.error()).find(part), std::string::npos) << format(made.error());
  };
  expect_refused(push, "no such body");
  push.body = still;
  expect_refused(push, "a static body");
  push.body = driven;
  expect_refused(push, "a kinematic body");
  push.body = bead;
  push.torque = {0, 1, 0};
  expect_refused(push, "point mass");
  push.torque = {};
  push.point = Vec3{0, 1, 0};
  expect_refused(push, "point mass");
  push.point = Vec3{};
  EXPECT_TRUE(world.add_force(push).ok());
  push.frame = ForceFrame::kToward;
  push.force = {};
  push.magnitude = 1;
  push.target = {77, 0};
  expect_refused(push, "to point to");
  push.target = bead;
  expect_refused(push, "towards itself");
  push.target = still;
  EXPECT_TRUE(world.add_force(push).ok());
}

}  // namespace
}  // namespace tenon
