// The integration 'rattle' in a world: what is accepted, what is said about it, and that the same
// input gives the same bits.
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon::test {
namespace {

WorldSettings rattle_settings(int threads = 1) {
  WorldSettings s;
  s.integration = Integration::kRattle;
  s.threads = threads;
  return s;
}

BodyHandle add_link(World& world, const Vec3& center, double mass = 1) {
  BodyDef def;
  def.mass = MassProperties{mass, {}, Mat3::diagonal(mass * Vec3{1e-3, 4e-3, 4e-3})};
  def.X_WB.p = center;
  return *world.create_body(def);
}

JointHandle add_joint(World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                      const Vec3& p_W, const JointAxisDef& rx = {}) {
  JointDef def;
  def.kind = kind;
  def.parent = parent;
  def.child = child;
  const Pose X{p_W, exp_map({0, -0.5 * kPi, 0})};
  def.X_BP = parent.valid() ? inverse(world.pose(parent)) * X : X;
  def.X_BC = inverse(world.pose(child)) * X;
  def.axes[static_cast<size_t>(JointAxis::kRx)] = rx;
  return *world.create_joint(def);
}

// Chains of several kinds with a motor, a limit, friction and a spring in them.
World make_busy_world(int threads = 1) {
  World world = make_world(rattle_settings(threads));
  for (int chain = 0; chain < 4; ++chain) {
    BodyHandle last;
    for (int i = 0; i < 6 + chain; ++i) {
      const double z = chain;
      const BodyHandle link = add_link(world, {0.2 * i + 0.1, 0, z});
      JointAxisDef rx;
      if (chain == 1 && i == 0) {
        rx.motor = {.kind = Motor::Kind::kVelocity, .target = 3, .max_force = 40};
      }
      if (chain == 1 && i == 2) {
        rx.min = -0.4;
        rx.max = 0.4;
        rx.friction = 0.1;
      }
      if (chain == 2 && i == 1) rx.stiffness = 20;
      add_joint(world, chain % 2 == 0 ? JointKind::kPoint : JointKind::kHinge, last, link,
                {0.2 * i, 0, z}, chain % 2 == 0 ? JointAxisDef{} : rx);
      last = link;
    }
  }
  return world;
}

TEST(RattleSettings, AreAcceptedWithTheDirectSolverOnly) {
  EXPECT_TRUE(World::make(rattle_settings()).ok());
  WorldSettings sweep = rattle_settings();
  sweep.joint_solver = JointSolver::kSweep;
  const Result<World> refused = World::make(sweep);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().value, "rattle");
}

TEST(RattleSettings, CanBeChangedInMidRun) {
  World world = make_busy_world();
  for (const Integration i : {Integration::kRattle, Integration::kStable, Integration::kRattle,
                              Integration::kConservative}) {
    WorldSettings s = world.settings();
    s.integration = i;
    ASSERT_TRUE(world.set_settings(s).ok());
    for (int k = 0; k < 10; ++k) world.step();
    EXPECT_EQ(world.diagnostics().substeps > 0, i == Integration::kRattle);
    EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
  }
}

TEST(RattleBits, DoNotDependOnThreads) {
  World one = make_busy_world(1), two = make_busy_world(2);
  for (int i = 0; i < 90; ++i) {
    one.step();
    two.step();
    ASSERT_EQ(one.state_hash(), two.state_hash()) << "step " << i;
  }
}

TEST(RattleBits, AreTheSameAfterASnapshotAndAfterLoading) {
  World world = make_busy_world();
  for (int i = 0; i < 40; ++i) world.step();
  const Snapshot kept = world.snapshot();
  const std::vector<std::byte> bytes = world.save_state();
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 40; ++i) {
    world.step();
    hashes.push_back(world.state_hash());
  }
  World loaded = make_busy_world(2);
  loaded.step();
  ASSERT_TRUE(loaded.load_state(bytes).ok());
  world.restore(kept);
  for (size_t i = 0; i < hashes.size(); ++i) {
    world.step();
    loaded.step();
    ASSERT_EQ(world.state_hash(), hashes[i]) << "step " << i;
    ASSERT_EQ(loaded.state_hash(), hashes[i]) << "step " << i;
  }
}

TEST(RattleDiagnostics, CountTheSubstepsOfTension) {
  World world = make_world(rattle_settings());
  BodyHandle last;
  for (int i = 0; i < 20; ++i) {
    const BodyHandle link = add_link(world, {0, -0.2 * i - 0.1, 0}, i == 19 ? 1000 : 1);
    JointDef def;
    def.parent = last;
    def.child = link;
    def.X_BP.p = last.valid() ? Vec3{0, -0.1, 0} : Vec3{};
    def.X_BC.p = {0, 0.1, 0};
    ASSERT_TRUE(world.create_joint(def).ok());
    last = link;
  }
  world.step();
  world.step();  // the first one has measured the tension
  // s of theory/joints.md (5): both ends pull with 1000 g on levers of 0.1 m; across the chain the
  // moments are 1e-3 and 4e-3 kg m^2
  const double omega2 = 2 * 9.81e3 * 0.1 * (1 / 1e-3 + 1 / 4e-3) / 2;
  const double parts = std::sqrt(omega2) / 60 / 2 / 0.5;
  EXPECT_GE(world.diagnostics().substeps, parts);
  EXPECT_LE(world.diagnostics().substeps, 2 * parts);  // counts are 1, 2, 3, 4, 6, 8, 12 ...
  EXPECT_EQ(world.diagnostics().fallbacks, 0u);
}

TEST(RattleDiagnostics, NameStepsThatTheDefaultHadToDo) {
  World world = make_world(rattle_settings());
  const BodyHandle link = add_link(world, {0.1, 0, 0});
  add_joint(world, JointKind::kPoint, {}, link, {0, 0, 0});
  JointDef other;  // asks for a place that the first joint forbids
  other.child = link;
  other.X_BP.p = {0.5, 0, 0};
  other.X_BC.p = {0.1, 0, 0};
  ASSERT_TRUE(world.create_joint(other).ok());
  for (int i = 0; i < 20; ++i) {
    world.step();
    EXPECT_EQ(world.diagnostics().fallbacks, 1u);
    EXPECT_EQ(world.diagnostics().substeps, 0u);
    EXPECT_GT(world.diagnostics().unconverged_joints, 0u);
    EXPECT_LT(norm(world.velocity(link)), 10.0);
  }
}

TEST(RattlePointMasses, SwingOnRods) {
  // a point mass has no inertia to turn; small swings have the period 2 pi sqrt(l/g)
  WorldSettings s = rattle_settings();
  s.step = 1e-3;
  World world = make_world(s);
  BodyDef def;
  def.mass = MassProperties{2, {}, {}};
  def.X_WB.p = {1e-4, -1, 0};
  const BodyHandle mass = *world.create_body(def);
  JointDef rod;
  rod.kind = JointKind::kDistance;
  rod.child = mass;
  rod.length = 1;
  ASSERT_TRUE(world.create_joint(rod).ok());
  const double period = 2 * kPi / std::sqrt(9.81);
  while (world.time() < period - 5e-4) world.step();
  EXPECT_NEAR(world.center_of_mass(mass).x, 1e-4, 1e-7);
}

}  // namespace
}  // namespace tenon::test
