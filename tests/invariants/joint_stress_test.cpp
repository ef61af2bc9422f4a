// Mechanisms at and beyond the edge: slender, tiny, very unequal, contradictory, out of reach. The
// state stays finite, what cannot be met is said, and the world recovers when it is let go.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

struct Health {
  bool finite = true;
  double gap_rel = 0, gain = 0;  // gain: of energy in a step, of the scale
  uint32_t unconverged = 0;
  bool honest = true;  // every step that misses the tolerance says so, and which joint is worst
};

bool says_what_it_misses(const World& world) {
  const StepDiagnostics& d = world.diagnostics();
  const double worst = std::max(d.joint_gap_rel, d.joint_angle_rad);
  return (worst > world.settings().tolerance) == (d.unconverged_joints > 0) &&
         d.worst_joint != 0xffffffffu;
}

Health run(World& world, double seconds) {
  Health h;
  double last = energy(world), scale = 1e-9;
  const double end = world.time() + seconds;
  while (world.time() < end - 0.5 * world.settings().step) {
    world.step();
    const StepDiagnostics& d = world.diagnostics();
    h.gap_rel = std::max(h.gap_rel, std::max(d.joint_gap_rel, d.joint_angle_rad));
    h.unconverged += d.unconverged_joints;
    const double now = energy(world);
    scale = std::max(scale, d.mechanics.kinetic_J);
    h.gain = std::max(h.gain, (now - last) / scale);
    last = now;
    h.finite = h.finite && all_finite(world);
    h.honest = h.honest && says_what_it_misses(world);
  }
  return h;
}

void check_healthy(const std::string& name, World& world, double seconds) {
  const Health h = run(world, seconds);
  report(name + ": relative gap", h.gap_rel, "1e-6");
  report(name + ": largest gain in a step, rel.", h.gain, "1e-6");
  report(name + ": joints that missed the tolerance", h.unconverged, "0");
  EXPECT_TRUE(h.finite) << name;
  EXPECT_LE(h.gap_rel, 1e-6) << name;
  EXPECT_LT(h.gain, 1e-6) << name;
  EXPECT_EQ(h.unconverged, 0u) << name;
}

TEST(SlenderLinks, HoldTogetherWhileTheySpinAboutTheirAxes) {
  for (const JointKind kind : {JointKind::kPoint, JointKind::kUniversal}) {
    World world = make_world(1.0 / 60);
    BodyHandle last;
    for (int i = 0; i < 10; ++i) {
      // radius : length = 1 : 1000
      BodyDef rod = make_body(1, {0.5e-6, 1.0 / 12, 1.0 / 12}, {i + 0.5, 0, 0});
      rod.angular_velocity = {i % 2 == 0 ? 20.0 : -20.0, 0, 0};
      if (kind == JointKind::kUniversal) rod.angular_velocity.x = 20;
      const BodyHandle body = add_body(world, rod);
      const Pose X{{1.0 * i, 0, 0}, {}};
      add_joint(world, make_joint(world, i == 0 ? JointKind::kPoint : kind, last, body, X));
      last = body;
    }
    check_healthy(kind == JointKind::kPoint ? "slender, balls" : "slender, universal", world, 3);
  }
}

TEST(TinyInertia, HoldsInAChain) {
  for (const double size : {1e-3, 3e-5, 1e-6}) {  // m: radius of gyration of a body held at 0.1 m
    World world = make_world(1.0 / 60);
    const double I = size * size;
    BodyHandle last;
    for (int i = 0; i < 10; ++i) {
      const BodyHandle body = add_body(world, make_body(1, {I, I, I}, {0.2 * i + 0.1, 0, 0}));
      add_ball(world, last, body, {0.2 * i, 0, 0});
      last = body;
    }
    const Health h = run(world, effort(3.0, 0.5));
    const std::string name = "radius of gyration " + std::to_string(size * 1e6) + " um";
    report(name + ": gap at the end, m", world.diagnostics().joint_gap_m, "2e-7");
    report(name + ": largest gain in a step, rel.", h.gain, "1e-6");
    EXPECT_TRUE(h.finite) << name;
    EXPECT_TRUE(h.honest) << name;
    // beyond a ratio of 1e10 between a lever's inertia and the body's own, digits run out
    if (size < 1e-5) continue;
    EXPECT_LT(world.diagnostics().joint_gap_m, 2e-7) << name;
    EXPECT_LT(h.gain, 1e-6) << name;
  }
}

TEST(UnequalMasses, StayFiniteAndHonestAtAMillionToOne) {
  for (const double ratio : {1e6, 1e-6}) {
    for (const double step : {1.0 / 60, 1.0 / 24}) {
      World world = make_world(step);
      add_chain(world, 20, 0.2, JointKind::kPoint, 1, ratio);
      const Health h = run(world, 3);
      const std::string name = std::string("chain 20, last mass ") + (ratio > 1 ? "1e6" : "1e-6") +
                               (step < 0.02 ? ", 1/60" : ", 1/24");
      report(name + ": relative gap", h.gap_rel, "1e-6 wished, honest asked");
      report(name + ": largest gain in a step, rel.", h.gain, "1e-4");
      report(name + ": joints that missed the tolerance", h.unconverged, "honest");
      EXPECT_TRUE(h.finite) << name;
      EXPECT_TRUE(h.honest) << name;
      EXPECT_LT(h.gap_rel, 1e-3) << name;
      EXPECT_LT(h.gain, 1e-4) << name;
    }
  }
}

TEST(ALineAtItsExactReach, StaysAndGainsNothing) {
  // sixteen rods between two points as far apart as the rods are long: no tension is enough to
  // carry their weight, only the tolerance lets them sag
  World world = make_world(1.0 / 60);
  const std::vector<BodyHandle> rods = add_chain(world, 16, 0.2, JointKind::kPoint);
  add_ball(world, {}, rods.back(), {3.2, 0, 0});
  const double E0 = energy(world), scale = 16 * 9.81 * 3.2;
  double highest = E0, gain = 0, last = E0, lowest_y = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    highest = std::max(highest, energy(world));
    gain = std::max(gain, energy(world) - last);
    last = energy(world);
    EXPECT_TRUE(says_what_it_misses(world)) << "step " << i;
    for (const BodyHandle b : rods) lowest_y = std::min(lowest_y, world.center_of_mass(b).y);
  }
  report("line at its reach: largest gain in a step, J", gain, "1e-4 of 502 J");
  report("line at its reach: sag, m", -lowest_y, "1e-2");
  EXPECT_TRUE(all_finite(world));
  EXPECT_LT(highest, E0 + 1e-4 * scale);
  // tension grows without end at the reach; what the tolerance leaves of the gaps does work with it
  EXPECT_LT(gain, 1e-4 * scale);
  EXPECT_GT(lowest_y, -1e-2);  // a stretch of 1e-6 lets 3.2 m sag by 2 mm
}

// -- what cannot be met

void expect_says_so(const World& world, const std::string& name) {
  const StepDiagnostics& d = world.diagnostics();
  report(name + ": joints that miss the tolerance", d.unconverged_joints, ">= 1");
  report(name + ": gap, m", d.joint_gap_m, "> 0");
  EXPECT_GT(d.unconverged_joints, 0u) << name;
  EXPECT_NE(d.worst_joint, 0xffffffffu) << name;
  EXPECT_TRUE(all_finite(world)) << name;
}

double fastest(const World& world) {
  double v = 0;
  for (const BodyHandle b : world.bodies()) {
    if (world.motion(b) == MotionKind::kDynamic) v = std::max(v, norm(world.velocity(b)));
  }
  return v;
}

// Steps that must stay finite and must not gain more energy than is booked. Returns the largest
// rise of the balance over its start.
double step_watched(World& world, int steps) {
  const auto balance = [&] { return energy(world) - world.diagnostics().work_J; };
  const double start = balance();
  double rise = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (!all_finite(world)) {
      ADD_FAILURE() << "not finite at step " << world.step_count();
      return rise;
    }
    rise = std::max(rise, balance() - start);
  }
  return rise;
}

TEST(LoopsThatCannotClose, AreReportedAndRecover) {
  World world = make_world(1.0 / 60);
  // three rods of 1 m between points 4 m apart
  const std::vector<BodyHandle> rods = add_chain(world, 3, 1, JointKind::kPoint);
  JointDef far = make_joint(world, JointKind::kPoint, {}, rods[2], {{3, 0, 0}, {}});
  far.X_BP.p = {4, 0, 0};
  const JointHandle impossible = add_joint(world, far);
  step_watched(world, 60);
  expect_says_so(world, "loop that cannot close");
  EXPECT_LT(world.diagnostics().joint_gap_m, 1.1);  // no more than what is missing
  EXPECT_LT(fastest(world), 10);
  ASSERT_TRUE(world.remove_joint(impossible).ok());
  world.step();
  const double rise = step_watched(world, 60);
  report("loop let go: energy gained in 1 s, J", rise, "1e-3");
  EXPECT_EQ(world.diagnostics().unconverged_joints, 0u);
  EXPECT_LT(rise, 1e-3);  // of 130 J that it falls by
}

TEST(ContradictingJoints, AreReportedAndRecover) {
  World world = make_world(1.0 / 60);
  const BodyHandle a = add_body(world, make_rod(1, 1, {0, 0, 0}));
  const BodyHandle b = add_body(world, make_rod(1, 1, {1, 0, 0}));
  add_hinge_z(world, {}, a, {0, 0, 0});
  add_joint(world, make_joint(world, JointKind::kRigid, a, b, {{1, 0, 0}, {}}));
  JointDef other = make_joint(world, JointKind::kRigid, a, b, {{1, 0, 0}, {}});
  other.X_BC.p = other.X_BC.p + Vec3{0, 0.2, 0};
  other.X_BC.q = from_axis_angle({0, 0, 1}, 0.3);
  const JointHandle second = add_joint(world, other);
  step_watched(world, 30);
  expect_says_so(world, "two rigid joints that disagree");
  EXPECT_LT(fastest(world), 20);
  ASSERT_TRUE(world.remove_joint(second).ok());
  world.step();
  const double rise = step_watched(world, 60);
  report("contradiction removed: energy gained in 1 s, J", rise, "1e-3");
  EXPECT_EQ(world.diagnostics().unconverged_joints, 0u);
  EXPECT_LT(rise, 1e-3);
}

TEST(AChainPulledBeyondItsReach, IsReportedAndRecovers) {
  World world = make_world(1.0 / 60);
  // ten rods of 0.2 m between two kinematic bodies that part to 3 m and come back within 4 s
  const auto mover = [&](double side) {
    BodyDef def;
    def.motion = MotionKind::kKinematic;
    def.script.kind = KinematicMotion::Kind::kKeyframes;
    const double x0 = side < 0 ? 0 : 2;
    def.script.keys = {{0, {{x0, 0, 0}, {}}},
                       {2, {{x0 + side * 0.5, 0, 0}, {}}},
                       {4, {{x0 - side * 0.3, 0, 0}, {}}}};
    return add_body(world, def);
  };
  const BodyHandle left = mover(-1), right = mover(1);
  BodyHandle last = left;
  for (int i = 0; i < 10; ++i) {
    const BodyHandle rod = add_body(world, make_rod(1, 0.2, {0.2 * i, 0, 0}));
    add_ball(world, last, rod, {0.2 * i, 0, 0});
    last = rod;
  }
  add_ball(world, last, right, {2, 0, 0});
  while (world.time() < 2) {
    world.step();
    ASSERT_TRUE(all_finite(world)) << world.time();
  }
  expect_says_so(world, "chain pulled beyond its reach");
  report("chain pulled beyond its reach: fastest, m/s", fastest(world), "10");
  EXPECT_LT(fastest(world), 10);
  while (world.time() < 5) {
    world.step();
    ASSERT_TRUE(all_finite(world)) << world.time();
  }
  report("chain let go: gap, rel.", world.diagnostics().joint_gap_rel, "1e-6");
  EXPECT_EQ(world.diagnostics().unconverged_joints, 0u);
  EXPECT_LT(fastest(world), 10);
}

TEST(BodiesFarFromTheirJoint, AreBroughtTogetherWithoutGainingSpeed) {
  for (const double far : {1e-3, 0.1, 1.0}) {  // gaps of 0.4 mm to 0.4 m between rods of 1 m
    World world = make_world(1.0 / 60, {.gravity = {}});
    const BodyHandle a = add_body(world, make_rod(1, 1, {0, 0, 0}));
    const Vec3 offset = far * Vec3{0.3, 0.2, 0.1};
    const BodyHandle b = add_body(world, make_rod(1, 1, Vec3{1, 0, 0} + offset, 0.4 * far));
    JointDef def;
    def.parent = a;
    def.child = b;
    def.X_BP.p = {0.5, 0, 0};
    def.X_BC.p = {-0.5, 0, 0};
    add_joint(world, def);
    world.step();
    const std::string name = "joined at " + std::to_string(norm(offset)) + " m";
    report(name + ": gap after a step, m", world.diagnostics().joint_gap_m, "1e-6");
    report(name + ": fastest, m/s", fastest(world), "1e-3");
    EXPECT_LT(world.diagnostics().joint_gap_m, 1e-6) << name;
    EXPECT_LT(fastest(world), 1e-3) << name;
  }
}

}  // namespace
}  // namespace tenon::test
