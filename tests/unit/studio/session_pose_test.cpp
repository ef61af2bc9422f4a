// Joints that are set to a coordinate while time stands still, and forces that no step has told
// yet.
#include <cmath>

#include "page_kit.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::test {
namespace {

constexpr const char* kTwoLinks = R"({"tenon": 1, "bodies": [
  {"name": "upper", "shape": {"type": "box", "size": [0.1, 1, 0.1]}, "position": [0, 1.5, 0]},
  {"name": "lower", "shape": {"type": "box", "size": [0.1, 1, 0.1]}, "position": [0, 0.5, 0]}],
  "joints": [
  {"name": "shoulder", "type": "hinge", "parent": "world", "child": "upper", "at": [0, 2, 0], "axis": [0, 0, 1]},
  {"name": "elbow", "type": "hinge", "parent": "upper", "child": "lower", "at": [0, 1, 0], "axis": [0, 0, 1],
   "limits": ["-10 deg", "120 deg"]}]})";

// A crank of 0.2 m and a rod of 0.5 m on a slide along x.
constexpr const char* kCrank = R"({"tenon": 1, "bodies": [
  {"name": "crank", "shape": {"type": "box", "size": [0.2, 0.02, 0.02]}, "position": [0.1, 0, 0]},
  {"name": "rod", "shape": {"type": "box", "size": [0.5, 0.02, 0.02]}, "position": [0.45, 0, 0]},
  {"name": "piston", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0.7, 0, 0]}],
  "joints": [
  {"name": "shaft", "type": "hinge", "child": "crank", "at": [0, 0, 0], "axis": [0, 0, 1]},
  {"name": "pin", "type": "hinge", "parent": "crank", "child": "rod", "at": [0.2, 0, 0], "axis": [0, 0, 1]},
  {"name": "wrist", "type": "hinge", "parent": "rod", "child": "piston", "at": [0.7, 0, 0], "axis": [0, 0, 1]},
  {"name": "bore", "type": "slider", "child": "piston", "at": [0.7, 0, 0], "axis": [1, 0, 0]}]})";

double gap(Page& page, const char* joint, int step) {
  const Json s = page.fine(std::string("\"do\": \"series\", \"quantities\": [\"joint:") + joint +
                           ".gap\"], \"from\": " + std::to_string(step));
  return s.find("values")->items[0].items[0].number;
}

TEST(Pose, TurnsOneJointOfATreeAndLeavesTheOthers) {
  for (const int at : {0, 20}) {
    Page page;
    page.fine(load_request(kTwoLinks));
    page.run(at);
    const std::vector<float> before = page.pose("upper");
    page.fine(R"("do": "drag", "joint": "elbow", "axis": "rx")");
    const Json said = page.fine(R"("do": "drag_move", "value": 1.5707963267948966)");
    EXPECT_NEAR(said.find("value")->number, kPi / 2, 1e-9);
    page.fine(R"("do": "drag_end")");
    EXPECT_EQ(page.number("edits"), 1);
    EXPECT_EQ(page.pose("upper"), before) << at;
    if (at == 0) {
      // hung down, now it points along x from the elbow at y = 1; single precision of frames
      EXPECT_NEAR(page.pose("lower")[0], 0.5, 1e-6);
      EXPECT_NEAR(page.pose("lower")[1], 1.0, 1e-6);
    }
    page.run(5);
    EXPECT_LT(gap(page, "elbow", at + 5), 1e-6);
    page.fine(R"("do": "undo")");
    EXPECT_EQ(page.number("edits"), 0);
  }
}

TEST(Pose, StopsAtLimits) {
  Page page;
  page.fine(load_request(kTwoLinks));
  page.fine(R"("do": "drag", "joint": "elbow", "axis": "rx")");
  const Json said = page.fine(R"("do": "drag_move", "value": 3)");
  EXPECT_NEAR(said.find("value")->number, 2 * kPi / 3, 1e-9);
  EXPECT_NEAR(said.find("miss")->number, 3 - 2 * kPi / 3, 1e-9);
}

TEST(Pose, LeadsAMechanismThatClosesByTheDisplacementMethod) {
  Page page;
  page.fine(load_request(kCrank));
  page.fine(R"("do": "drag", "joint": "shaft", "axis": "rx")");
  for (const double angle : {0.5, 2.0, 4.0}) {
    const Json said = page.fine("\"do\": \"drag_move\", \"value\": " + std::to_string(angle));
    EXPECT_NEAR(said.find("value")->number, angle, 1e-6);
  }
  page.fine(R"("do": "drag_end")");
  // r cos a + sqrt(l^2 - r^2 sin^2 a), single precision of frames
  const double c = 0.2 * std::cos(4.0), s = 0.2 * std::sin(4.0);
  EXPECT_NEAR(page.pose("piston")[0], c + std::sqrt(0.25 - s * s), 1e-5);
  page.run(3);
  for (const char* joint : {"shaft", "pin", "wrist"}) EXPECT_LT(gap(page, joint, 3), 1e-6);
}

TEST(Pose, RefusesWhatCannotMove) {
  Page page;
  page.fine(load_request(kTwoLinks));
  const Json error = page.refused(R"("do": "drag", "joint": "elbow", "axis": "x")");
  EXPECT_EQ(error.find("accepted")->string, "rx");
  page.refused(R"("do": "drag", "joint": "knee", "axis": "rx")");
  page.refused(R"("do": "drag_move", "value": 1)");
  page.fine(R"("do": "drag", "joint": "elbow", "axis": "rx")");
  page.refused(R"("do": "drag_move", "target": [1, 1, 0])");
  page.refused(R"("do": "drag_move", "value": "far")");
  page.fine(R"("do": "drag_end", "keep": false)");
  EXPECT_EQ(page.number("edits"), 0);
}

TEST(Series, HasNoForceOfAJointBeforeTheFirstStep) {
  Page page;
  page.fine(load_request(kTwoLinks));
  page.run(2);
  const Json s = page.fine(R"("do": "series", "quantities": ["joint:shoulder.force"])");
  const std::vector<Json>& force = s.find("values")->items[0].items;
  EXPECT_TRUE(force[0].is_null());
  // two beams of plastic (1050 kg/m^3), 10.5 kg each, hang on it; single precision of frames
  EXPECT_NEAR(force[1].number, 21 * 9.81, 1e-4);
}

}  // namespace
}  // namespace tenon::test
