// Energy of jointed bodies: no step gains any beyond the work that is booked, at any step length.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

template <class Build>
void check_no_gain(const std::string& name, double seconds, Build build,
                   const std::vector<Integration>& integrations = {Integration::kStable,
                                                                   Integration::kConservative}) {
  for (const double step : {1.0 / 60, 1.0 / 24}) {
    for (const Integration i : integrations) {
      World world = make_world(step, {.integration = i});
      build(world);
      const EnergyRun r = run(world, seconds);
      const std::string title = name + (step < 0.02 ? ", 1/60" : ", 1/24") +
                                (i == Integration::kStable ? "" : ", conservative");
      report(title + ": largest gain in a step, rel.", r.gain, "1e-6");
      report(title + ": loss in the run, rel.", r.loss, "none given");
      report(title + ": relative gap", r.gap_rel, "1e-6");
      report(title + ": bisections", r.bisections, "none given");
      EXPECT_TRUE(r.finite) << title;
      // errors within the tolerance times the forces in the joints are all that may be gained
      EXPECT_LT(r.gain, 1e-6) << title;
      EXPECT_LE(r.gap_rel, 1e-6) << title;
      EXPECT_EQ(r.unconverged, 0u) << title;
    }
  }
}

TEST(JointEnergy, NeverGrowsInAChain) {
  check_no_gain("chain 100", effort(4, 1),
                [](World& w) { add_chain(w, 100, 0.2, JointKind::kPoint); });
}
TEST(JointEnergy, NeverGrowsInAChainWithAHeavyEnd) {
  check_no_gain("chain 100, 1000:1", effort(4, 1),
                [](World& w) { add_chain(w, 100, 0.2, JointKind::kPoint, 1, 1000); });
}
TEST(JointEnergy, NeverGrowsInAChainOfHinges) {
  check_no_gain("chain 30, hinges", effort(4, 1),
                [](World& w) { add_chain(w, 30, 0.2, JointKind::kHinge); });
}
TEST(JointEnergy, NeverGrowsInANet) {
  check_no_gain("net 16 x 16", effort(2.0, 0.2), [](World& w) { add_net(w, 16, 0.2); },
                {Integration::kStable});
}
TEST(JointEnergy, NeverGrowsInFourBars) {
  check_no_gain("four-bars 20", effort(4, 1), [](World& w) { add_four_bars(w, 20); });
}

// -- accounts

// A chain with everything that brings work and momentum from outside: gravity, a motor, a spring,
// friction, drag, applied forces and a kinematic body that drives its other end.
struct Accounts {
  double energy = 0, linear = 0, angular = 0, scale_J = 0, scale_L = 0;
};
Accounts run_accounts(double step, bool lossy) {
  World world = make_world(step, {.tolerance = 1e-10});
  std::vector<BodyHandle> rods;
  BodyDef crank;
  crank.motion = MotionKind::kKinematic;
  crank.script.kind = KinematicMotion::Kind::kTurn;
  crank.script.start.p = {0.3, 0, 0};
  crank.script.axis = {0, 0, 1};
  crank.script.rate = 2;
  const BodyHandle driver = add_body(world, crank);
  for (int i = 0; i < 4; ++i) {
    BodyDef rod = make_rod(1 + 0.3 * i, 0.5, {0.3 + 0.5 * i, 0, 0});
    rod.drag = lossy ? 0.02 : 0;
    rods.push_back(add_body(world, rod));
    const Pose X{{0.3 + 0.5 * i, 0, 0}, i == 1 ? axis_along_y() : axis_along_z()};
    JointDef def = make_joint(world, JointKind::kHinge, i > 0 ? rods[rods.size() - 2] : driver,
                              rods.back(), X);
    JointAxisDef& axis = def.axes[static_cast<size_t>(JointAxis::kRx)];
    if (i == 1) axis.motor = {.kind = Motor::Kind::kForce, .target = 0.5};
    if (i == 2) axis.stiffness = 3;
    if (i == 2 && lossy) axis.damping = 0.1;
    if (i == 3 && lossy) axis.friction = 0.2;
    add_joint(world, def);
  }
  const auto balance = [&] { return energy(world) - world.diagnostics().work_J; };
  const StepDiagnostics& d = world.diagnostics();
  const auto linear = [&] { return world.calc_mechanics().linear_momentum - d.linear_impulse; };
  const auto angular = [&] { return world.calc_mechanics().angular_momentum - d.angular_impulse; };
  world.step();  // the driver takes the chain along
  const double E0 = balance();
  const Vec3 P0 = linear(), L0 = angular();
  Accounts a;
  while (world.time() < 2 - 0.5 * step) {
    EXPECT_TRUE(world.apply_wrench(rods[2], {{0.3, 0.2, 0.5}, {0.1, 0, 0.2}}).ok());
    world.step();
    a.energy = std::max(a.energy, std::fabs(balance() - E0));
    a.linear = std::max(a.linear, norm(linear() - P0));
    a.angular = std::max(a.angular, norm(angular() - L0));
    a.scale_J = std::max(a.scale_J, world.calc_mechanics().kinetic_J);
    a.scale_L = std::max(a.scale_L, norm(world.calc_mechanics().angular_momentum));
  }
  return a;
}

TEST(JointAccounts, CloseForMomentum) {
  for (const bool lossy : {false, true}) {
    const Accounts a = run_accounts(1.0 / 60, lossy);
    report("momentum account at 1/60, kg m/s", a.linear, "1e-9");
    report("angular momentum account at 1/60, kg m^2/s", a.angular, "1e-9");
    EXPECT_LT(a.linear, 1e-9);   // sums of a hundred impulses of some N s
    EXPECT_LT(a.angular, 1e-9);  // the same with levers of some m
  }
}

TEST(JointAccounts, CloseForEnergyWithKinematicDrivers) {
  // what is missing is the loss in the velocity projection: second order at least
  for (const bool lossy : {false, true}) {
    const Accounts coarse = run_accounts(4e-3, lossy), fine = run_accounts(2e-3, lossy);
    const std::string name = lossy ? "with friction and drag" : "without losses";
    report("energy account " + name + " at 2e-3, rel.", fine.energy / fine.scale_J, "1e-4");
    report("energy account " + name + ": order", std::log2(coarse.energy / fine.energy), ">= 1.9");
    EXPECT_LT(fine.energy / fine.scale_J, 1e-4);
    EXPECT_GT(std::log2(coarse.energy / fine.energy), 1.9);
  }
}

// -- joints that are made open

double balance(const World& world) { return energy(world) - world.diagnostics().work_J; }

// What closes 10 cm in a step works on both bodies, and what comes of it is stopped: all of it is
// booked, and nothing is left that the account does not explain.
TEST(JointsMadeOpen, BookWhatClosingThemDoes) {
  for (const JointKind kind : {JointKind::kPoint, JointKind::kHinge}) {
    for (const bool hangs : {true, false}) {
      World world = make_world(1.0 / 60);
      const BodyHandle a = add_body(world, make_rod(1, 1, {0, 0, 0}));
      const BodyHandle b = add_body(world, make_rod(1, 1, {1, 0, 0}));
      if (hangs) add_ball(world, {}, a, {});
      JointDef def = make_joint(world, kind, a, b, {{1, 0, 0}, axis_along_z()});
      def.X_BC.p += Vec3{0.06, 0.08, 0};
      add_joint(world, def);
      const double before = balance(world), at = world.calc_mechanics().kinetic_J;
      world.step();
      EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
      EXPECT_NEAR(balance(world), before, 1e-9) << name(kind) << hangs;
      // no more speed than a step of gravity gives
      EXPECT_LT(world.calc_mechanics().kinetic_J - at, 1);
    }
  }
}

TEST(BodiesPutOffTheirJoints, BookWhatClosingThemDoes) {
  World world = make_world(1.0 / 60);
  const std::vector<BodyHandle> links = add_chain(world, 4, 0.5, JointKind::kHinge);
  for (int i = 0; i < 20; ++i) world.step();
  const double before = balance(world);
  Pose X = world.pose(links[2]);
  X.p += Vec3{0.07, 0.05, 0.02};
  ASSERT_TRUE(world.set_pose(links[2], X).ok());
  EXPECT_NEAR(balance(world), before, 1e-9);
  world.step();
  EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
  // the second half of this step is one as all others, which take some 1e-5 J
  EXPECT_NEAR(balance(world), before, 1e-4);
}

}  // namespace
}  // namespace tenon::test
