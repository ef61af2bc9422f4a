// Worlds whose joints are solved by sweeps.
#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon::test {
namespace {

bool says(const Error& error, const char* what) {
  return format(error).find(what) != std::string::npos;
}

WorldSettings sweep_settings(double step, int sweeps = 9) {
  WorldSettings s;
  s.step = step;
  s.joint_solver = JointSolver::kSweep;
  s.sweeps = sweeps;
  return s;
}

BodyHandle add_rod(World& world, const Vec3& p, const Vec3& half) {
  BodyDef def = make_box(p, half);
  def.collision = false;
  Result<BodyHandle> body = world.create_body(def);
  EXPECT_TRUE(body.ok());
  return *body;
}

// A joint whose frames meet at a point of the world, axes those of the world turned by q.
JointDef make_def(const World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                  const Vec3& p_W, const Quat& q = {}) {
  JointDef def;
  def.kind = kind;
  def.parent = parent;
  def.child = child;
  def.X_BP = world.contains(parent) ? inverse(world.pose(parent)) * Pose{p_W, q} : Pose{p_W, q};
  def.X_BC = inverse(world.pose(child)) * Pose{p_W, q};
  return def;
}
JointHandle join(World& world, const JointDef& def) {
  Result<JointHandle> joint = world.create_joint(def);
  EXPECT_TRUE(joint.ok()) << (joint.ok() ? "" : format(joint.error()));
  return joint.ok() ? *joint : JointHandle{};
}

// Links of 0.2 m along x, the first one hung up at the origin if so wished.
std::vector<BodyHandle> add_chain(World& world, int links, bool hung) {
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < links; ++i) {
    bodies.push_back(add_rod(world, {0.2 * i + 0.1, 0, 0}, {0.1, 0.02, 0.02}));
    const BodyHandle parent = i == 0 ? BodyHandle{} : bodies[bodies.size() - 2];
    if (i > 0 || hung) {
      join(world, make_def(world, JointKind::kPoint, parent, bodies.back(), {0.2 * i, 0, 0}));
    }
  }
  return bodies;
}

// n x n knots of 20 cm mesh, rods between them, held at its corners.
void add_net(World& world, int n) {
  const auto knot_at = [](int i, int j) { return Vec3{0.2 * i, 0, 0.2 * j}; };
  std::vector<BodyHandle> knots;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      knots.push_back(add_rod(world, knot_at(i, j), {0.03, 0.03, 0.03}));
      if (i % (n - 1) == 0 && j % (n - 1) == 0) {
        join(world, make_def(world, JointKind::kPoint, {}, knots.back(), knot_at(i, j)));
      }
    }
  }
  const auto add = [&](int i, int j, int di, int dj) {
    const Vec3 a = knot_at(i, j), b = knot_at(i + di, j + dj), half{0.01, 0.01, 0.01};
    const BodyHandle rod = add_rod(world, 0.5 * (a + b), half + 0.09 * Vec3(di, 0, dj));
    const auto knot = [&](int k, int l) { return knots[static_cast<size_t>(k * n + l)]; };
    join(world, make_def(world, JointKind::kPoint, knot(i, j), rod, a));
    join(world, make_def(world, JointKind::kPoint, knot(i + di, j + dj), rod, b));
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) add(i, j, 1, 0);
      if (j + 1 < n) add(i, j, 0, 1);
    }
  }
}

double energy_balance(const World& world) {
  const StepDiagnostics& d = world.diagnostics();
  return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
}
Vec3 momentum_balance(const World& world) {
  return world.diagnostics().mechanics.linear_momentum - world.diagnostics().linear_impulse;
}
Vec3 spin_balance(const World& world) {
  return world.diagnostics().mechanics.angular_momentum - world.diagnostics().angular_impulse;
}

TEST(WorldSweep, ErrorOfANetFallsWithSweeps) {
  WorldSettings settings;     // direct, so that the net fits when the sweeps begin
  settings.step = 1.0 / 240;  // beyond the tension limit of the sweep no number of sweeps would do
  World world = make_world(settings);
  add_net(world, 5);
  for (int i = 0; i < 60; ++i) world.step();
  const Snapshot falling = world.snapshot();
  double last = kInfinity, first = 0;
  for (const int sweeps : {1, 3, 9, 27, 81}) {
    world.restore(falling);
    ASSERT_TRUE(world.set_settings(sweep_settings(settings.step, sweeps)).ok());
    world.step();
    const double error = world.diagnostics().joint_gap_rel;
    EXPECT_EQ(world.diagnostics().joint_iterations, static_cast<uint32_t>(sweeps));
    EXPECT_LT(error, last) << sweeps << " sweeps: " << error;
    if (first == 0) first = error;
    last = error;
  }
  EXPECT_LT(last, 0.05 * first);  // and not by rounding only
}

TEST(WorldSweep, AChainOfFiveHoldsAtSmallSteps) {
  World world = make_world(sweep_settings(1.0 / 240));
  add_chain(world, 5, true);
  const double start = energy_balance(world);
  for (int i = 0; i < 480; ++i) {
    world.step();
    // of a link; the same bound as for the sweep alone, which an independent program backs
    ASSERT_LT(world.diagnostics().joint_gap_m, 4e-3 * 0.2) << i;
  }
  // first order in the step: a few per cent of the 20 J and more that the chain swings through
  EXPECT_NEAR(energy_balance(world), start, 1.5);
}

// Momentum is booked for forces, drag and bodies that do not move by themselves, at the points
// where they act: the rest is round-off, converged joints or not.
TEST(WorldSweep, BooksMomentumToRoundOff) {
  World world = make_world(sweep_settings(1.0 / 60, 3));
  const std::vector<BodyHandle> hung = add_chain(world, 4, true);
  BodyDef turning;
  turning.motion = MotionKind::kKinematic;
  turning.colliders = {{Box{{0.1, 0.1, 0.1}}, {}, 0, 1000}};
  turning.collision = false;
  turning.script.start.p = {0, 3, 0};
  turning.script.angular_velocity = {0, 2, 0.5};
  turning.script.velocity = {0.3, 0, 0};
  const Result<BodyHandle> arm = world.create_body(turning);
  ASSERT_TRUE(arm.ok()) << format(arm.error());
  const BodyHandle load = add_rod(world, {0.5, 3, 0}, {0.4, 0.05, 0.05});
  join(world, make_def(world, JointKind::kHinge, *arm, load, {0.1, 3, 0}, exp_map({0, 0, 0.4})));
  const Vec3 p = momentum_balance(world), L = spin_balance(world);
  double scale = 1;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(world.apply_force(hung[2], {1, 2, 3}, {0.1, 0.2, 0.3}).ok());
    world.step();
    scale = std::max({scale, norm(world.diagnostics().linear_impulse),
                      norm(world.diagnostics().angular_impulse)});
    ASSERT_LT(norm(momentum_balance(world) - p), 1e-11 * scale) << i;
    ASSERT_LT(norm(spin_balance(world) - L), 1e-11 * scale) << i;
  }
}

// Forces and moved bodies do the work that is booked for them: what is left over belongs to the
// step and falls with it, at first order.
TEST(WorldSweep, EnergyBalanceErrorFallsWithTheStep) {
  const auto drift = [](int steps) {
    World world = make_world(sweep_settings(0.5 / steps, 30));
    BodyDef crank;
    crank.motion = MotionKind::kKinematic;
    crank.colliders = {{Box{{0.1, 0.1, 0.1}}, {}, 0, 1000}};
    crank.collision = false;
    crank.script.angular_velocity = {0, 0, 3};
    const Result<BodyHandle> arm = world.create_body(crank);
    EXPECT_TRUE(arm.ok());
    const BodyHandle load = add_rod(world, {0.5, 0, 0}, {0.4, 0.05, 0.05});
    join(world, make_def(world, JointKind::kPoint, *arm, load, {0.1, 0, 0}));
    // as fast as the crank: an impact would lose energy at any step
    EXPECT_TRUE(world.set_velocity(load, {0, 1.5, 0}).ok());
    EXPECT_TRUE(world.set_angular_velocity(load, {0, 0, 3}).ok());
    const double start = energy_balance(world);
    double largest_work = 0, largest = 0;
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(world.apply_wrench(load, {{20, 30, 5}, {0.5, 1, 2}}).ok());
      world.step();
      largest_work = std::max(largest_work, std::fabs(world.diagnostics().work_J));
      largest = std::max(largest, std::fabs(energy_balance(world) - start));
    }
    EXPECT_GT(largest_work, 5);  // J, so that a wrong booking would show
    return largest;
  };
  const double coarse = drift(100), fine = drift(400);
  EXPECT_LT(fine, 0.35 * coarse);
  EXPECT_LT(fine, 0.15);
}

TEST(WorldSweep, JointsReadWhatTheyCarry) {
  World world = make_world(sweep_settings(1.0 / 120));
  const BodyHandle hinged = add_rod(world, {0, -0.5, 0}, {0.1, 0.5, 0.1});
  const BodyHandle sliding = add_rod(world, {2, 0, 0}, {0.1, 0.1, 0.1});
  const BodyHandle boxed = add_rod(world, {4, 0, 0}, {0.1, 0.1, 0.1});
  const Quat up = from_axis_angle({0, 0, 1}, 0.5 * kPi);  // the joint's x along the world's y
  const JointHandle hinge = join(world, make_def(world, JointKind::kHinge, {}, hinged, {}));
  JointDef def = make_def(world, JointKind::kSlider, {}, sliding, {2, 0.3, 0}, up);
  def.axes[0].min = -0.05;
  const JointHandle slider = join(world, def);
  // a shoulder whose arm hangs down inside its cone
  def = make_def(world, JointKind::kBlackBox, {}, boxed, {4, 0.3, 0}, conjugate(up));
  def.black_box = *make_reach_cone({});
  const JointHandle box = join(world, def);
  for (int i = 0; i < 240; ++i) world.step();
  const auto weight = [&](BodyHandle b) { return 9.81 * world.mass(b).mass; };
  const JointReading h = world.read_joint(hinge);
  EXPECT_NEAR(h.force.y, weight(hinged), 1e-9 * weight(hinged));
  EXPECT_NEAR(norm(h.torque), 0, 1e-9 * weight(hinged));
  const JointReading s = world.read_joint(slider);
  EXPECT_NEAR(s.coordinate[0], -0.05, 1e-9);
  EXPECT_NEAR(s.axis_force[0], weight(sliding), 1e-6 * weight(sliding));
  EXPECT_NEAR(norm(s.torque), 0, 1e-9 * weight(sliding));
  const JointReading b = world.read_joint(box);
  EXPECT_NEAR(b.force.y, weight(boxed), 1e-9 * weight(boxed));
  EXPECT_LT(b.angle_rad, 1e-9);
  EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-9);
}

TEST(WorldSweep, JointsBreakUnderTheirLoad) {
  World world = make_world(sweep_settings(1.0 / 120));
  const BodyHandle body = add_rod(world, {0, -0.5, 0}, {0.1, 0.5, 0.1});
  JointDef def = make_def(world, JointKind::kPoint, {}, body, {});
  def.break_force = 0.9 * 9.81 * world.mass(body).mass;
  const JointHandle joint = join(world, def);
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_TRUE(world.read_joint(joint).broken);
  EXPECT_LT(world.velocity(body).y, -2);  // it falls
}

TEST(WorldSweep, ThreadsDoNotChangeABit) {
  uint64_t hash[2] = {};
  for (const int threads : {1, 2}) {
    WorldSettings settings = sweep_settings(1.0 / 120, 5);
    settings.threads = threads;
    World world = make_world(settings);
    add_chain(world, 6, true);
    add_chain(world, 5, false);
    add_net(world, 3);
    for (int i = 0; i < 40; ++i) world.step();
    hash[threads - 1] = world.state_hash();
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST(WorldSweep, RefusesWhatItCannotHonour) {
  WorldSettings direct;
  World world = make_world(direct);
  const BodyHandle a = add_rod(world, {0.5, 0, 0}, {0.4, 0.1, 0.1});
  const BodyHandle b = add_rod(world, {0.5, 1, 0}, {0.4, 0.1, 0.1});
  const JointDef plain = make_def(world, JointKind::kHinge, {}, a, {});
  const auto refused = [&](const JointDef& def, const char* what) {
    const Snapshot before = world.snapshot();
    // while the sweep is on
    ASSERT_TRUE(world.set_settings(sweep_settings(0.01)).ok()) << what;
    const Result<JointHandle> joint = world.create_joint(def);
    ASSERT_FALSE(joint.ok()) << what;
    EXPECT_TRUE(says(joint.error(), what)) << format(joint.error());
    EXPECT_TRUE(says(joint.error(), "'direct'")) << format(joint.error());
    // and when it is to be switched on
    world.restore(before);
    ASSERT_TRUE(world.create_joint(def).ok()) << what;
    const Status status = world.set_settings(sweep_settings(0.01));
    ASSERT_FALSE(status.ok()) << what;
    EXPECT_TRUE(says(status.error(), what)) << format(status.error());
    EXPECT_EQ(world.settings().joint_solver, JointSolver::kDirect);
    world.restore(before);
  };
  JointDef def = plain;
  def.axes[3].motor = {.kind = Motor::Kind::kVelocity, .target = 1};
  refused(def, "a motor on rx (hinge joint)");
  def = plain;
  def.axes[3].stiffness = 1;
  refused(def, "a spring on rx");
  def = plain;
  def.axes[3].damping = 1;
  refused(def, "a damper on rx");
  def = plain;
  def.axes[3].friction = 1;
  refused(def, "friction on rx");
  def = plain;
  def.axes[3].max = 1;
  def.axes[3].restitution = 0.5;
  refused(def, "restitution at a limit on rx");
  const JointHandle first = join(world, plain);
  def = {};
  def.kind = JointKind::kGear;
  def.first = first;
  def.second = join(world, make_def(world, JointKind::kHinge, {}, b, {0, 1, 0}));
  refused(def, "gears");
  ASSERT_TRUE(world.set_settings(sweep_settings(0.01)).ok());
  EXPECT_FALSE(world.set_motor(first, JointAxis::kRx, {.kind = Motor::Kind::kForce}).ok());
  // settings that only the direct solver reads
  WorldSettings odd = sweep_settings(0.01);
  odd.integration = Integration::kConservative;
  EXPECT_FALSE(world.set_settings(odd).ok());
  odd = sweep_settings(0.01);
  odd.budget_ms = 1;
  EXPECT_FALSE(world.set_settings(odd).ok());
}

}  // namespace
}  // namespace tenon::test
