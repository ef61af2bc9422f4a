// What a page looks at and leads by hand: curves, ghosts, contacts, drags without time, drops.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

constexpr const char* kFalling = R"({"tenon": 1, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}},
  {"name": "ball", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [0, "5 m", 0]}]})";

// A pendulum of two rods, given in the coordinates of the scene.
constexpr const char* kArm = R"({"tenon": 1, "bodies": [
  {"name": "upper", "shape": {"type": "box", "size": [0.1, 1, 0.1]}, "position": [0, 1.5, 0]},
  {"name": "lower", "shape": {"type": "box", "size": [0.1, 1, 0.1]}, "position": [0, 0.5, 0]}],
  "joints": [
  {"name": "shoulder", "type": "hinge", "parent": "world", "child": "upper", "at": [0, 2, 0], "axis": [0, 0, 1]},
  {"name": "elbow", "type": "hinge", "parent": "upper", "child": "lower", "at": [0, 1, 0], "axis": [0, 0, 1]}]})";

// Falls for 20 steps, and from step 5 on goes up instead: two takes.
void fall_and_throw_up(Page& page) {
  page.fine(load_request(kFalling));
  page.run(20);
  page.seek(5);
  page.fine(
      R"("do": "edit", "label": "up", "ops": [{"op": "set", "path": ["bodies", "ball", "velocity"], "value": [0, 5, 0]}])");
}

double value(const Json& answer, size_t trace, size_t sample) {
  return answer.find("values")->items[trace].items[sample].number;
}

TEST(Series, OfAFallingBallAreThoseOfFreeFall) {
  Page page;
  page.fine(load_request(kFalling));
  page.run(30);
  const Json s = page.fine(
      R"("do": "series", "quantities": ["body:ball.y", "body:ball.speed", "energy", "distance:ball|floor"])");
  ASSERT_EQ(s.find("steps")->items.size(), 31u);
  for (const size_t i : {size_t{0}, size_t{10}, size_t{30}}) {
    const double t = s.find("times")->items[i].number;
    // frames keep single precision
    EXPECT_NEAR(value(s, 0, i), 5 - 0.5 * 9.81 * t * t, 1e-5);
    EXPECT_NEAR(value(s, 1, i), 9.81 * t, 1e-5);
    EXPECT_NEAR(value(s, 2, i), value(s, 2, 0), 1e-5 * value(s, 2, 0));
    EXPECT_NEAR(value(s, 3, i), value(s, 0, i), 1e-6);
  }
  const Json thin = page.fine(R"("do": "series", "quantities": ["body:nobody.x"], "most": 5)");
  EXPECT_LE(thin.find("steps")->items.size(), 5u);
  EXPECT_TRUE(thin.find("values")->items[0].items[0].is_null());
  const Json error = page.refused(R"("do": "series", "quantities": ["body:ball.colour"])");
  EXPECT_NE(error.find("accepted")->string.find("speed"), std::string::npos);
}

TEST(Series, OfASpringIsItsLengthAndForce) {
  Page page;
  page.fine(load_request(R"({"tenon": 1, "bodies": [
    {"name": "bob", "shape": {"type": "sphere", "radius": 0.1}, "mass": 2, "position": [0, -1, 0]}],
    "connections": [{"name": "spring", "type": "spring", "a": "world", "b": "bob", "point_a": [0, 0, 0],
      "stiffness": 100, "damping": 20, "length": 1}]})"));
  page.run(600);
  const Json s = page.fine(
      R"("do": "series", "quantities": ["joint:spring.length", "joint:spring.force"], "from": 600)");
  // at rest it carries the weight: m g = k (l - 1 m); ten seconds of damping leave 1e-8 of the
  // swing
  EXPECT_NEAR(value(s, 1, 0), 2 * 9.81, 1e-3);
  EXPECT_NEAR(value(s, 0, 0), 1 + 2 * 9.81 / 100, 1e-4);
}

TEST(Until, StopsWhereAValueIsCrossedAndWhereAllRests) {
  Page page;
  page.fine(load_request(kFalling));
  page.fine(R"("do": "until", "kind": "value", "quantity": "body:ball.y", "value": 3)");
  for (int i = 0; i < 2000 && page.state.find("mode")->string != "paused"; ++i) {
    page.session.advance(1.0 / 60);
    page.collect();
  }
  EXPECT_EQ(page.state.find("stopped_by")->string, "event");
  // y = 3 after sqrt(2 * 2 / 9.81) s = 38.3 steps
  EXPECT_EQ(page.number("step"), 39);
  page.fine(R"("do": "until", "kind": "rest")");
  for (int i = 0; i < 5000 && page.state.find("mode")->string != "paused"; ++i) {
    page.session.advance(1.0 / 60);
    page.collect();
  }
  EXPECT_EQ(page.state.find("stopped_by")->string, "event");
  EXPECT_NEAR(page.pose("ball")[1], 0.1f, 1e-3f);
}

TEST(Drag, LeadsAMechanismByAHandWhileTimeStandsStill) {
  for (const int at : {0, 20}) {
    Page page;
    page.fine(load_request(kArm));
    page.run(at);
    page.fine(R"("do": "drag", "body": "lower", "point": [0, -0.5, 0])");
    Json report;
    for (int i = 1; i <= 20; ++i) {
      report = page.fine("\"do\": \"drag_move\", \"target\": [" + std::to_string(0.06 * i) + ", " +
                         std::to_string(0.04 * i) + ", 0]");
    }
    EXPECT_LT(report.find("miss")->number, 1e-3);  // 1.2, 0.8 is within reach of two metres
    EXPECT_NE(page.frame.flags & 16u, 0u);
    page.fine(R"("do": "drag_end")");
    EXPECT_EQ(page.number("edits"), 1);
    // joints still meet, as the length of the way from shoulder to hand shows after some steps
    page.run(30);
    const Json s = page.fine(
        R"("do": "series", "quantities": ["joint:shoulder.gap", "joint:elbow.gap"], "from": )" +
        std::to_string(at + 30));
    EXPECT_LT(value(s, 0, 0), 1e-5);
    EXPECT_LT(value(s, 1, 0), 1e-5);
    page.seek(at);
    // single precision of frames
    const std::vector<float> lower = page.pose("lower"), upper = page.pose("upper");
    const auto end = [](const std::vector<float>& X, double y) {
      const Quat q{X[3], X[4], X[5], X[6]};
      return Vec3{X[0], X[1], X[2]} + rotate(q, {0, y, 0});
    };
    EXPECT_LT(norm(end(lower, -0.5) - Vec3{1.2, 0.8, 0}), 2e-3) << at;
    EXPECT_LT(norm(end(lower, 0.5) - end(upper, -0.5)), 1e-5) << at;
    EXPECT_LT(norm(end(upper, 0.5) - Vec3{0, 2, 0}), 1e-5) << at;
    page.fine(R"("do": "undo")");
    EXPECT_EQ(page.number("edits"), 0);
  }
}

constexpr const char* kOverFloor = R"({"tenon": 1, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}},
  {"name": "wall", "motion": "static", "shape": {"type": "box", "size": [0.2, 4, 4]}, "position": [3, 2, 0]},
  {"name": "arm", "shape": {"type": "capsule", "radius": 0.05, "length": 0.8}, "position": [0, 1, 0]},
  {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [-2, 1, 0]}],
  "joints": [{"name": "hinge", "type": "hinge", "parent": "world", "child": "arm", "at": [0, 0.6, 0], "axis": [0, 0, 1]}]})";

TEST(Drag, LeadsNothingThroughTheFloorOrAWall) {
  Page page;
  page.fine(load_request(kOverFloor));
  const auto move = [&](double x, double y) {
    return page.fine("\"do\": \"drag_move\", \"target\": [" + std::to_string(x) + ", " +
                     std::to_string(y) + ", 0]");
  };
  page.fine(R"("do": "drag", "body": "ball", "point": [0, 0, 0])");
  Json answer;
  for (int i = 1; i <= 10; ++i) answer = move(-2, 1 - 0.2 * i);
  // a hundredth of the last way is left at most
  EXPECT_NEAR(page.pose("ball")[1], 0.1, 3e-3);
  EXPECT_GT(answer.find("miss")->number, 1);
  // along the floor it goes on, and stops at the wall
  move(-1, -1);
  EXPECT_NEAR(page.pose("ball")[0], -1, 1e-2);
  EXPECT_NEAR(page.pose("ball")[1], 0.1, 3e-3);
  page.fine(R"("do": "drag_end")");
  page.fine(R"("do": "drag", "body": "ball", "point": [0, 0, 0])");
  for (int i = 0; i <= 40; ++i) move(-1 + 0.2 * i, 1.5);
  EXPECT_NEAR(page.pose("ball")[0], 2.8, 5e-3);
  page.fine(R"("do": "drag_end")");
}

TEST(Drag, PosesNoJointThroughTheFloor) {
  Page page;
  page.fine(load_request(kOverFloor));
  page.fine(R"("do": "drag", "joint": "hinge", "axis": "rx")");
  // hanging upside down it would reach a quarter of a metre below the floor
  double reached = 0;
  for (int i = 1; i <= 30; ++i)
    reached = page.fine("\"do\": \"drag_move\", \"value\": " + std::to_string(0.1 * i))
                  .find("value")
                  ->number;
  EXPECT_GT(reached, 1.5);
  EXPECT_LT(reached, 2.9);
  const std::vector<float> arm = page.pose("arm");
  const Vec3 axis = rotate(Quat{arm[3], arm[4], arm[5], arm[6]}, {0, 0.4, 0});
  EXPECT_GT(std::min(arm[1] + axis.y, arm[1] - axis.y), 0.05 - 2e-3);
  page.fine(R"("do": "drag_end")");
}

TEST(Drag, IsNoEditWhenItIsGivenUp) {
  Page page;
  page.fine(load_request(kArm));
  page.run(7);
  const std::string hash = page.hash(7);
  page.fine(R"("do": "drag", "body": "lower", "point": [0, 0, 0])");
  page.fine(R"("do": "drag_move", "target": [1, 1, 0])");
  page.fine(R"("do": "drag_end", "keep": false)");
  EXPECT_EQ(page.hash(7), hash);
  EXPECT_EQ(page.number("edits"), 0);
  page.refused(R"("do": "drag_move", "target": [1, 1, 0])");
  page.refused(R"("do": "drag", "body": "nobody", "point": [0, 0, 0])");
}

TEST(Drop, PutsBodiesOnWhatIsBelow) {
  Page page;
  page.fine(load_request(R"({"tenon": 1, "bodies": [
    {"name": "floor", "shape": {"type": "plane"}},
    {"name": "table", "shape": {"type": "box", "size": [1, 0.5, 1]}, "position": [0, 0.25, 0], "motion": "static"},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 3, 0]},
    {"name": "beside", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [2, 1, 0]}]})"));
  page.fine(R"("do": "drop", "bodies": ["ball"])");
  // the promise of calc_time_of_impact: within 1e-4 of the smaller shape above it
  EXPECT_NEAR(page.pose("ball")[1], 0.6f, 3e-5f);
  page.fine(R"("do": "drop", "bodies": ["beside"])");
  EXPECT_NEAR(page.pose("beside")[1], 0.1f, 3e-5f);
  page.refused(R"("do": "drop", "bodies": ["nobody"])");
  page.fine(load_request(
      R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}}]})"));
  EXPECT_NE(page.refused(R"("do": "drop", "bodies": ["a"])").find("message")->string.find("below"),
            std::string::npos);
}

TEST(Contacts, CarryTheWeightOfWhatRests) {
  Page page;
  page.fine(load_request(R"({"tenon": 1, "bodies": [{"name": "floor", "shape": {"type": "plane"}},
    {"name": "box", "shape": {"type": "box", "size": [1, 1, 1]}, "mass": 3, "position": [0, 0.5, 0]}]})"));
  page.run(60);
  const Json answer = page.fine(R"("do": "contacts")");
  double force = 0;
  for (const Json& c : answer.find("contacts")->items) {
    force += c.find("force")->items[1].number;
    EXPECT_NEAR(c.find("point")->items[1].number, 0, 1e-3);
  }
  EXPECT_GE(answer.find("contacts")->items.size(), 4u);
  EXPECT_NEAR(force, 3 * 9.81, 1e-3 * 3 * 9.81);
}

TEST(Ghost, ShowsAnotherTakeAtTheSameInstant) {
  Page page;
  fall_and_throw_up(page);
  page.run(15);
  page.refused(R"("do": "ghost", "take": 99)");
  page.fine(R"("do": "ghost", "take": 0)");
  // the last frame that came is the ghost's: that of free fall
  EXPECT_EQ(page.frame.flags, 8u);
  const double t = 20.0 / 60;
  EXPECT_NEAR(page.pose("ball")[1], 5 - 0.5 * 9.81 * t * t, 1e-5);
  page.fine(R"("do": "ghost", "take": null)");
  page.seek(20);
  EXPECT_NE(page.frame.flags, 8u);
  EXPECT_GT(page.pose("ball")[1], 5.0f);
}

TEST(Scene, TellsForcesCamerasShotsAndLights) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}}],
    "forces": [{"name": "push", "body": "a", "force": ["3 N", 0, 0], "from": "1 s", "until": "2 s"}],
    "cameras": [{"name": "near", "type": "mounted", "body": "a", "position": [0, 1, 3]}],
    "shots": [{"t": "1 s", "camera": "near"}], "lights": [{"type": "point", "position": [0, 2, 0]}]})"));
  const Json& force = page.shown.find("forces")->items.at(0);
  EXPECT_EQ(force.find("from")->number, 1);
  EXPECT_EQ(force.find("until")->number, 2);
  EXPECT_EQ(force.find("force")->items[0].number, 3);
  EXPECT_EQ(page.shown.find("cameras")->items.at(0).find("type")->string, "mounted");
  EXPECT_EQ(page.shown.find("shots")->items.at(0).find("t")->number, 1);
  EXPECT_EQ(page.shown.find("lights")->items.at(0).find("type")->string, "point");
}

TEST(Scene, HasAnotherNumberAfterEveryOpeningSoThatFramesAreNotMistaken) {
  Page page;
  page.fine(load_request(kFalling));
  const double first = page.shown.find("scene")->number;
  EXPECT_EQ(page.frame.scene, first);
  page.fine(load_request(kArm));
  EXPECT_NE(page.shown.find("scene")->number, first);
  EXPECT_EQ(page.frame.scene, page.shown.find("scene")->number);
}

TEST(Scene, TellsTheTrianglesOfAMeshOnce) {
  Page page;
  page.fine(load_request(R"({"tenon": 1, "bodies": [{"name": "nut", "shape": {"type": "mesh",
    "form": {"type": "nut", "across": "3 cm", "height": "1.5 cm", "bore": "9 mm"}}}]})"));
  const Json& first = page.shown.find("meshes")->items.at(0);
  EXPECT_FALSE(first.find("vertices")->items.empty());
  const std::string id = first.find("id")->string;
  page.fine(
      R"("do": "edit", "label": "x", "ops": [{"op": "set", "path": ["bodies", "nut", "color"], "value": "#ff0000"}])");
  const Json& again = page.shown.find("meshes")->items.at(0);
  EXPECT_EQ(again.find("id")->string, id);
  EXPECT_EQ(again.find("vertices"), nullptr);
  page.session.announce();  // to a page that knows nothing
  page.collect();
  EXPECT_NE(page.shown.find("meshes")->items.at(0).find("vertices"), nullptr);
}

TEST(Edit, OfCamerasAndShotsIsOfTheWholeRunAndKeepsIt) {
  Page page;
  fall_and_throw_up(page);
  page.run(10);
  const std::string hash = page.hash(15);
  const Json answer = page.fine(R"("do": "edit", "label": "cameras", "ops": [
    {"op": "add", "path": ["cameras"], "value": {"name": "near", "position": [0, 1, 3]}},
    {"op": "set", "path": ["shots"], "value": [{"t": 0, "camera": "near"}]}])");
  EXPECT_FALSE(answer.find("cut")->boolean);
  EXPECT_EQ(page.number("end"), 15);
  EXPECT_EQ(page.hash(15), hash);
  EXPECT_EQ(page.shown.find("cameras")->items.size(), 1u);
  page.seek(2);  // before the change of the ball as well
  EXPECT_EQ(page.shown.find("cameras")->items.size(), 1u);
  EXPECT_NE(page.fine(R"("do": "text")").find("text")->string.find("near"), std::string::npos);
  // refused as a whole: a shot of a camera that is not there
  page.refused(
      R"("do": "edit", "label": "bad", "ops": [{"op": "set", "path": ["shots"], "value": [{"t": 0, "camera": "far"}]}])");
  EXPECT_EQ(page.shown.find("shots")->items.size(), 1u);
  page.fine(R"("do": "undo")");
  EXPECT_TRUE(page.shown.find("cameras")->items.empty());
  page.fine(R"("do": "redo")");
  EXPECT_EQ(page.shown.find("cameras")->items.size(), 1u);
}

}  // namespace
}  // namespace tenon::test
