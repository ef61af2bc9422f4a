// Structures that start apart, with the sizes and budgets of [Faure1998].
#include "assembly_kit.h"

namespace tenon {
namespace {

using displacement::Outcome;
using displacement::Solver;
using test::assemble;
using test::load_apart;

uint32_t count_rows(const scene::BuiltScene& scene) {
  uint32_t rows = 0;
  for (const MechanismReport& m : scene.world.calc_mobility()) rows += m.rows;
  return rows;
}

// Mean gap of ball joints and hinges over the mean size of the bodies.
double mean_gap(const scene::BuiltScene& s) {
  double gap = 0, size = 0;
  for (const JointHandle joint : s.joint_handles) {
    const JointDef& def = s.world.joint_def(joint);
    gap += norm((s.world.pose(def.child) * def.X_BC).p - (s.world.pose(def.parent) * def.X_BP).p);
    size += std::min(s.world.mass(def.parent).size, s.world.mass(def.child).size);
  }
  return gap / size;
}

TEST(HandInHand, HasTheConstraintsOfThePaper) {
  EXPECT_EQ(count_rows(load_apart("faure/hand-in-hand")), 758u);
  EXPECT_EQ(count_rows(load_apart("faure/drag")), 261u);
  EXPECT_EQ(count_rows(load_apart("faure/two-disks")), 6u);
}

TEST(HandInHand, ComesTogetherInSixTimesThirtyIterations) {
  scene::BuiltScene s = load_apart("faure/hand-in-hand");
  EXPECT_GT(mean_gap(s), 0.8);  // about a body length
  const AssemblyReport report = assemble(s, 6, 30);
  EXPECT_EQ(report.solver, Solver::kConjugateGradients);
  EXPECT_EQ(report.inner, 180u);
  EXPECT_GT(report.start, 1);
  EXPECT_LT(report.error, 1e-3);
}

TEST(HandInHand, FitsToTheLastDigitsDirectly) {
  scene::BuiltScene s = load_apart("faure/hand-in-hand");
  const AssemblyReport report = assemble(s);
  EXPECT_EQ(report.outcome, Outcome::kAssembled);
  EXPECT_EQ(report.solver, Solver::kDirect);
  EXPECT_LT(report.error, 1e-9);
  EXPECT_FALSE(report.escaped);
  EXPECT_TRUE(report.open.empty());
  // what is reported is true: gaps measured from the frames
  EXPECT_LT(mean_gap(s), 1e-9);
}

TEST(HandInHand, ComesTogetherWithThePapersBiconjugateGradients) {
  scene::BuiltScene s = load_apart("faure/hand-in-hand");
  AssemblyDef def;
  def.effort.solver = Solver::kBiconjugate;
  const AssemblyReport report = assemble(s, 20, 60, def);
  EXPECT_EQ(report.solver, Solver::kBiconjugate);
  EXPECT_LT(report.error, 1e-3);
}

const std::vector<std::string> kApart = {"parameters.apart=0.5", "parameters.turned=0.2"};

TEST(FiftySixSolids, TradeAccuracyForSpeed) {
  double previous = 1e9;
  const struct {
    int geometric, inner;
    double below;
  } budgets[] = {{2, 5, 5e-2}, {3, 50, 1e-4}};
  for (const auto& budget : budgets) {
    scene::BuiltScene s = load_apart("faure/drag", kApart);
    const AssemblyReport report = assemble(s, budget.geometric, budget.inner);
    EXPECT_GT(report.start, 1.2);  // body lengths
    EXPECT_LT(report.error, budget.below);
    EXPECT_LT(report.error, previous);
    previous = report.error;
  }
}

// A four-bar linkage whose bodies are all out of place by 1e-2 of a metre.
const char* const kFourBar = R"({"tenon": 1, "bodies": [
  {"name": "crank", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [0.01, 0.507, 0.004],
   "orientation": {"euler": [0, 0.006, 1.58]}},
  {"name": "coupler", "shape": {"type": "box", "size": [2, 0.1, 0.1]}, "position": [1.005, 0.992, -0.008],
   "orientation": {"euler": [0.007, 0, -0.01]}},
  {"name": "rocker", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [2.006, 0.495, 0.01],
   "orientation": {"euler": [-0.009, 0.003, 1.575]}}],
  "joints": [
  {"name": "a", "type": "hinge", "child": "crank", "parent_frame": {"position": [0, 0, 0], "axis": [0, 0, 1]},
   "child_frame": {"position": [-0.5, 0, 0], "axis": [0, 0, 1]}},
  {"name": "b", "type": "hinge", "parent": "crank", "child": "coupler", "parent_frame": {"position": [0.5, 0, 0],
   "axis": [0, 0, 1]}, "child_frame": {"position": [-1, 0, 0], "axis": [0, 0, 1]}},
  {"name": "c", "type": "hinge", "parent": "coupler", "child": "rocker", "parent_frame": {"position": [1, 0, 0],
   "axis": [0, 0, 1]}, "child_frame": {"position": [0.5, 0, 0], "axis": [0, 0, 1]}},
  {"name": "d", "type": "hinge", "child": "rocker", "parent_frame": {"position": [2, 0, 0], "axis": [0, 0, 1]},
   "child_frame": {"position": [-0.5, 0, 0], "axis": [0, 0, 1]}}]})";

TEST(FourBar, ConvergesQuadratically) {
  // Gauss-Newton: residuals of about 1e-2, 1e-4, 1e-8, round-off
  const double bounds[] = {3e-2, 3e-4, 3e-8, 3e-15};
  for (int iterations = 0; iterations < 4; ++iterations) {
    scene::BuiltScene s = test::build_text(kFourBar);
    AssemblyDef def;
    def.effort.precision = 1e-16;
    const AssemblyReport report = assemble(s, iterations, 2000, def);
    EXPECT_LT(report.error, bounds[iterations]) << iterations;
    EXPECT_GT(report.error, iterations == 0 ? 3e-3 : 0);
  }
}

TEST(Assembly, LeavesVelocitiesAndWhatFitsAlone) {
  scene::BuiltScene s = load_apart("faure/two-disks");
  const BodyHandle bar = test::find_body(s, "bar");
  const Vec3 spin = s.world.angular_velocity(bar);
  EXPECT_EQ(assemble(s).moved.size(), 3u);
  EXPECT_EQ(s.world.angular_velocity(bar), spin);
  const uint64_t hash = s.world.state_hash();
  const AssemblyReport again = assemble(s);
  EXPECT_TRUE(again.moved.empty());
  EXPECT_EQ(again.geometric, 0u);
  EXPECT_EQ(s.world.state_hash(), hash);
}

TEST(Assembly, GivesTheSameBitsEveryTime) {
  std::vector<uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    scene::BuiltScene s = load_apart("faure/hand-in-hand");
    assemble(s, 6, 30);
    hashes.push_back(s.world.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(Assembly, HoldsInTheRunThatFollows) {
  scene::BuiltScene s = test::load_gallery("faure/hand-in-hand", {});
  ASSERT_TRUE(s.assembled.has_value());
  EXPECT_EQ(s.assembled->outcome, Outcome::kAssembled);
  for (int step = 0; step < 30; ++step) s.world.step();
  EXPECT_LT(s.world.diagnostics().joint_gap_rel, 1e-6);  // the world's tolerance
}

}  // namespace
}  // namespace tenon
