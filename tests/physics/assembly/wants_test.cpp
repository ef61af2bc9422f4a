// Inverse kinematics: what bodies should do where their joints leave them room.
#include <cmath>

#include "assembly_kit.h"

namespace tenon {
namespace {

using displacement::Outcome;
using Kind = displacement::Want::Kind;
using test::assemble;

// Two links of 1 m on hinges about z at the origin; the elbow is bent by `elbow` rad.
std::string arm_text(double shoulder, double elbow) {
  const double c = std::cos(shoulder), s = std::sin(shoulder), t = shoulder + elbow;
  const auto number = [](double x) { return std::to_string(x); };
  return R"({"tenon": 1, "bodies": [
    {"name": "upper", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [)" +
         number(c / 2) + "," + number(s / 2) + R"(, 0], "orientation": {"euler": [0, 0, )" +
         number(shoulder) + R"(]}},
    {"name": "lower", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [)" +
         number(c + std::cos(t) / 2) + "," + number(s + std::sin(t) / 2) +
         R"(, 0], "orientation": {"euler": [0, 0, )" + number(t) + R"(]}}],
    "joints": [
    {"name": "shoulder", "type": "hinge", "child": "upper", "parent_frame": {"axis": [0, 0, 1]},
     "child_frame": {"position": [-0.5, 0, 0], "axis": [0, 0, 1]}},
    {"name": "elbow", "type": "hinge", "parent": "upper", "child": "lower",
     "parent_frame": {"position": [0.5, 0, 0], "axis": [0, 0, 1]},
     "child_frame": {"position": [-0.5, 0, 0], "axis": [0, 0, 1]}}]})";
}

AssemblyReport reach(scene::BuiltScene& s, const Vec3& target) {
  AssemblyDef def;
  def.wants.push_back(test::want_to_reach(test::find_body(s, "lower"), target, {0.5, 0, 0}));
  return assemble(s, 200, 0, def);
}

double bend(const scene::BuiltScene& s) {
  const Vec3 a = test::point_of(s, "upper", {1, 0, 0}) - test::point_of(s, "upper", {0, 0, 0});
  const Vec3 b = test::point_of(s, "lower", {1, 0, 0}) - test::point_of(s, "lower", {0, 0, 0});
  return cross(a, b).z;
}

TEST(Reach, KeepsTheElbowOnItsSide) {
  for (const double elbow : {1.2, -1.2}) {
    for (int k = 0; k < 12; ++k) {
      scene::BuiltScene s = test::build_text(arm_text(0.3, elbow));
      const double angle = 2 * 3.14159265358979 * k / 12;
      const Vec3 target{1.3 * std::cos(angle), 1.3 * std::sin(angle), 0};
      // the pointer moves there in small steps, as a hand does
      const Vec3 start = test::point_of(s, "lower", {0.5, 0, 0});
      const double from = std::atan2(start.y, start.x), r = norm(start);
      for (int i = 1; i <= 20; ++i) {
        const double u = i / 20.0, a = from + u * (angle - from), d = r + u * (1.3 - r);
        const AssemblyReport report = reach(s, {d * std::cos(a), d * std::sin(a), 0});
        EXPECT_EQ(report.outcome, Outcome::kAssembled);
        EXPECT_FALSE(report.escaped);
        EXPECT_GT(bend(s) * elbow, 0) << k << " " << i;
      }
      EXPECT_LT(norm(test::point_of(s, "lower", {0.5, 0, 0}) - target), 1e-6);
    }
  }
}

TEST(Reach, StretchesTowardsWhatIsTooFarAway) {
  for (const double far : {2.5, 30.0, 1e6}) {
    scene::BuiltScene s = test::build_text(arm_text(0.3, 0.7));
    const AssemblyReport report = reach(s, {0, far, 0});
    EXPECT_EQ(report.outcome, Outcome::kAssembled) << far;  // the joints are not to blame
    EXPECT_NEAR(report.misses[0] / (far - 2), 1, 1e-3) << far;
    const Vec3 tip = test::point_of(s, "lower", {0.5, 0, 0});
    EXPECT_NEAR(tip.y, 2, 1e-3) << far;
    EXPECT_LT(std::fabs(tip.x), 0.05) << far;
  }
}

TEST(Reach, LeavesADeadPointAndSaysSo) {
  scene::BuiltScene s = test::build_text(arm_text(0, 0));
  const AssemblyReport report = reach(s, {1.2, 0, 0});
  EXPECT_EQ(report.outcome, Outcome::kAssembled);
  EXPECT_LT(report.misses[0], 1e-6);
  EXPECT_TRUE(report.escaped);
}

TEST(Wants, GiveWayByTheSquareOfTheirWeights) {
  // one free ball drawn to two places: the mean weighted with the squares
  scene::BuiltScene s = test::build_text(R"({"tenon": 1, "bodies": [
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}}]})");
  AssemblyDef def;
  def.wants = {test::want_to_reach(s.handles[0], {0, 0, 0}, {}, 2),
               test::want_to_reach(s.handles[0], {5, 0, 0})};
  const AssemblyReport report = assemble(s, 200, 0, def);
  EXPECT_NEAR(report.misses[0], 1, 1e-5);
  EXPECT_NEAR(report.misses[1], 4, 1e-5);
}

TEST(Wants, TurnBodiesAsTheyShouldBe) {
  scene::BuiltScene s = test::build_text(R"({"tenon": 1, "bodies": [
    {"name": "a", "shape": {"type": "box", "size": [1, 2, 3]}},
    {"name": "b", "shape": {"type": "box", "size": [1, 2, 3]}, "position": [5, 0, 0],
     "orientation": {"euler": [2.9, 0.3, 0.1]}}]})");
  const Quat q = normalized(Quat{0.1, 0.9, -0.3, 0.2});
  AssemblyDef def;
  def.wants.resize(2);
  def.wants[0].kind = Kind::kOrient;
  def.wants[0].body = s.handles[0];
  def.wants[0].X_WB.q = q;
  def.wants[1].kind = Kind::kUpright;
  def.wants[1].body = s.handles[1];
  def.wants[1].direction_W = {0, 3, 0};
  const AssemblyReport report = assemble(s, 200, 0, def);
  EXPECT_EQ(report.outcome, Outcome::kAssembled);
  const Quat is = s.world.pose(s.handles[0]).q;
  EXPECT_NEAR(std::fabs(is.w * q.w + is.x * q.x + is.y * q.y + is.z * q.z), 1, 1e-9);
  EXPECT_NEAR(rotate(s.world.pose(s.handles[1]).q, {0, 1, 0}).y, 1, 1e-9);
}

TEST(Wants, ObeyTheLimitsOfJoints) {
  std::string text = arm_text(0.3, 0.5);
  text.replace(text.find("\"elbow\", \"type\""), 7, "\"elbow\", \"limits\": [0.2, 1]");
  scene::BuiltScene s = test::build_text(text);
  const AssemblyReport report = reach(s, {0.4, 0, 0});  // needs a bend of 2.7 rad
  EXPECT_EQ(report.outcome, Outcome::kAssembled);
  EXPECT_GT(report.misses[0], 0.5);
  EXPECT_NEAR(bend(s), std::sin(1.0), 1e-6);
}

}  // namespace
}  // namespace tenon
