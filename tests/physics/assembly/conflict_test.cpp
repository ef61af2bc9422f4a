// Joints that cannot all fit: the nearest miss in the sense of least squares, and who is to blame.
#include <cmath>

#include "assembly_kit.h"

namespace tenon {
namespace {

using displacement::Outcome;
using test::assemble;
using test::load_apart;

TEST(ImpossibleTriangle, SharesTheMissingMetreAmongItsCorners) {
  scene::BuiltScene s = load_apart("faure/impossible-triangle");
  const AssemblyReport report = assemble(s);
  EXPECT_EQ(report.outcome, Outcome::kConflict);
  ASSERT_EQ(report.open.size(), 3u);
  // by symmetry: rods of 1, 1 and 3 m in a line leave 1 m, squares of the gaps are least if equal
  for (const OpenJoint& open : report.open) EXPECT_NEAR(open.gap_m, 1.0 / 3, 1e-6);
  const Vec3 x = test::point_of(s, "long", {0, 1.5, 0}) - test::point_of(s, "long", {0, -1.5, 0});
  for (const char* rod : {"short left", "short right"}) {
    const Vec3 y = test::point_of(s, rod, {0, 0.5, 0}) - test::point_of(s, rod, {0, -0.5, 0});
    EXPECT_LT(norm(cross(x, y)), 1e-3) << rod;  // flat valley: gaps grow with the square of it
  }
}

TEST(ImpossibleTriangle, PutsTheGapWhereImportanceIsLeast) {
  scene::BuiltScene s = load_apart("faure/impossible-triangle");
  AssemblyDef def;
  def.importance = {{test::find_joint(s, "left corner"), 10},
                    {test::find_joint(s, "right corner"), 10}};
  const AssemblyReport report = assemble(s, 200, 0, def);
  EXPECT_EQ(report.outcome, Outcome::kConflict);
  EXPECT_EQ(report.open[0].joint, test::find_joint(s, "top"));
  // least 100 a^2 + 100 b^2 + c^2 with a + b + c = 1: c = 100 / 102
  EXPECT_NEAR(report.open[0].gap_m, 100.0 / 102, 1e-5);
  EXPECT_NEAR(report.open[1].gap_m, 1.0 / 102, 1e-5);
}

// The door in its plane: shifted by (x, y), turned by a. Squares of the gaps and of the angles
// times the size of the door, which is what makes an angle a length.
double door_error(double x, double y, double a, double lean, double size) {
  const double s = 0.8 * std::sin(a), c = 0.8 * (1 - std::cos(a));
  const double upper = (x - s) * (x - s) + (y - c) * (y - c);
  const double lower = (x + s) * (x + s) + (y + c) * (y + c);
  return upper + lower + size * size * (a * a + (lean - a) * (lean - a));
}

TEST(TwoHinges, StandWhereBruteForceFindsTheLeastSquares) {
  const double lean = 8 * 3.14159265358979 / 180, size = std::sqrt(0.9 * 0.9 + 4 + 0.04 * 0.04);
  // a grid that is refined about its best point
  double x = 0, y = 0, a = 0, width = 0.2;
  for (int round = 0; round < 40; ++round, width *= 0.6) {
    const double x0 = x, y0 = y, a0 = a;
    double best = 1e9;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        for (int k = -4; k <= 4; ++k) {
          const double u = x0 + width * i / 4, v = y0 + width * j / 4, w = a0 + width * k / 4;
          const double error = door_error(u, v, w, lean, size);
          if (error >= best) continue;
          best = error;
          x = u, y = v, a = w;
        }
      }
    }
  }
  scene::BuiltScene s = load_apart("faure/two-hinges");
  const AssemblyReport report = assemble(s);
  EXPECT_EQ(report.outcome, Outcome::kConflict);
  ASSERT_EQ(report.open.size(), 2u);
  // worst first: the lower one has more of the angle
  EXPECT_EQ(report.open[0].joint, test::find_joint(s, "lower hinge"));
  // the minimum is as wide as the root of the round-off of its value
  EXPECT_NEAR(report.open[0].angle_rad, lean - a, 1e-6);
  EXPECT_NEAR(report.open[1].angle_rad, a, 1e-6);
  EXPECT_NEAR(report.open[0].gap_m, 1.6 * std::sin(a / 2), 1e-6);
  EXPECT_NEAR(x, 0, 1e-6);
}

TEST(Conflicts, OfIterativeSolversStayFiniteAndNear) {
  for (const displacement::Solver solver :
       {displacement::Solver::kConjugateGradients, displacement::Solver::kBiconjugate}) {
    scene::BuiltScene s = load_apart("faure/impossible-triangle");
    AssemblyDef def;
    def.effort.solver = solver;
    const AssemblyReport report = assemble(s, 40, 30, def);
    EXPECT_NE(report.outcome, Outcome::kAssembled);
    EXPECT_TRUE(std::isfinite(report.error));
    EXPECT_LT(report.error, 1);
    for (const BodyHandle body : s.handles) EXPECT_TRUE(is_finite(s.world.pose(body)));
  }
}

TEST(LockedBodies, StayAndTheirJointsAreNamed) {
  scene::BuiltScene s = load_apart("faure/two-disks");
  AssemblyDef def;
  def.locked = s.handles;
  const uint64_t hash = s.world.state_hash();
  const AssemblyReport all = assemble(s, 200, 0, def);
  EXPECT_EQ(all.outcome, Outcome::kConflict);
  EXPECT_EQ(all.open.size(), 2u);
  EXPECT_EQ(s.world.state_hash(), hash);
  def.locked = {test::find_body(s, "bar"), test::find_body(s, "left")};
  const AssemblyReport two = assemble(s, 200, 0, def);
  EXPECT_EQ(two.outcome, Outcome::kConflict);
  ASSERT_EQ(two.open.size(), 1u);
  EXPECT_EQ(two.open[0].joint, test::find_joint(s, "left end"));
  ASSERT_EQ(two.moved.size(), 1u);
  EXPECT_EQ(two.moved[0].body, test::find_body(s, "right"));
}

TEST(BadInput, IsRefusedAndChangesNothing) {
  scene::BuiltScene s = load_apart("faure/two-disks");
  const uint64_t hash = s.world.state_hash();
  const BodyHandle bar = test::find_body(s, "bar");
  const auto refuses = [&](const AssemblyDef& def) { return !s.world.assemble(def).ok(); };
  AssemblyDef def;
  def.wants = {test::want_to_reach(bar, {std::nan(""), 0, 0})};
  EXPECT_TRUE(refuses(def));
  def.wants = {test::want_to_reach(bar, {kInfinity, 0, 0})};
  EXPECT_TRUE(refuses(def));
  def.wants = {test::want_to_reach(bar, {}, {}, 0)};
  EXPECT_TRUE(refuses(def));
  def = {};
  def.locked = {BodyHandle{}};
  EXPECT_TRUE(refuses(def));
  def = {};
  def.effort.precision = -1;
  EXPECT_TRUE(refuses(def));
  def = {};
  def.budget_ms = 1;  // this world has no clock
  EXPECT_TRUE(refuses(def));
  EXPECT_EQ(s.world.state_hash(), hash);
}

// Point masses do not turn; rods between them close a triangle from far away.
TEST(PointMasses, AreAssembledByRods) {
  scene::BuiltScene s = test::build_text(R"({"tenon": 1, "bodies": [
    {"name": "a", "shape": {"type": "point_mass"}, "mass": 1, "position": [0, 0, 0]},
    {"name": "b", "shape": {"type": "point_mass"}, "mass": 1e-6, "position": [0.1, 0, 0]},
    {"name": "c", "shape": {"type": "point_mass"}, "mass": 1e6, "position": [0, 3, 0]}],
    "joints": [
    {"name": "ab", "type": "distance", "parent": "a", "child": "b", "length": 1},
    {"name": "bc", "type": "distance", "parent": "b", "child": "c", "length": 1},
    {"name": "ca", "type": "distance", "parent": "c", "child": "a", "length": 1}]})");
  EXPECT_EQ(assemble(s).outcome, Outcome::kAssembled);
  for (const auto& [p, q] : {std::pair{0, 1}, {1, 2}, {2, 0}}) {
    const Vec3 way = s.world.pose(s.handles[static_cast<size_t>(p)]).p -
                     s.world.pose(s.handles[static_cast<size_t>(q)]).p;
    EXPECT_NEAR(norm(way), 1, 1e-8);
  }
}

}  // namespace
}  // namespace tenon
