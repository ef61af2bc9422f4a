// Prefabs with their instances, materials with their pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

constexpr const char* kScene = R"({"tenon": 1, "parameters": {"d": "1 m"},
  "prefabs": {"crate": {"parameters": {"size": "40 cm"},
    "bodies": [{"name": "box", "shape": {"type": "box", "size": ["size", "size", "size"]}, "position": [0, "size/2", 0], "material": "wood"},
               {"name": "lid", "shape": {"type": "box", "size": ["size", "2 cm", "size"]}, "position": [0, "size + 1 cm", 0]}],
    "joints": [{"name": "hinge", "type": "hinge", "parent": "box", "child": "lid", "at": ["size/2", "size", 0], "axis": [0, 0, 1]}]}},
  "bodies": [{"name": "floor", "shape": {"type": "plane"}},
             {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 2, 0]}],
  "instances": [{"prefab": "crate", "name": "left", "position": ["-d", 0, 0]},
                {"prefab": "crate", "name": "right", "position": ["d", 0, 0], "with": {"size": "60 cm"}, "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}}],
  "connections": [{"name": "rope", "type": "rope", "a": "left/lid", "b": "ball"}]})";

const Json* entry(Page& page, const char* list, const std::string& name) {
  for (const Json& one : page.shown.find(list)->items)
    if (one.find("name")->string == name) return &one;
  return nullptr;
}
Json tree(Page& page) {
  return scene::parse_json(page.fine(R"("do": "text")").find("text")->string, "t").root;
}

TEST(Instances, AreToldWithTheirPlacesEvaluated) {
  Page page;
  page.fine(load_request(kScene));
  const Json* left = entry(page, "instances", "left");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->find("prefab")->string, "crate");
  EXPECT_DOUBLE_EQ(left->find("position")->items[0].number, -1);
  EXPECT_NEAR(entry(page, "instances", "right")->find("orientation")->items[2].number,
              std::sqrt(0.5), 1e-12);
}

TEST(Instances, AreBrokenUpIntoTheSameMotion) {
  Page page;
  page.fine(load_request(kScene));
  page.run(40);
  page.seek(20);
  const std::vector<float> lid = page.pose("left/lid");
  page.seek(40);
  const std::vector<float> later = page.pose("left/lid"), other = page.pose("right/lid");
  // in mid-run: the motion goes on under the plain names
  page.seek(20);
  page.fine(R"("do": "expand", "instance": "left")");
  EXPECT_EQ(page.pose("lid"), lid);
  page.run(20);
  for (size_t i = 0; i < 7; ++i) EXPECT_NEAR(page.pose("lid")[i], later[i], 1e-5) << i;
  for (size_t i = 0; i < 7; ++i) EXPECT_NEAR(page.pose("right/lid")[i], other[i], 1e-5) << i;
  EXPECT_EQ(entry(page, "instances", "left"), nullptr);
  EXPECT_TRUE(entry(page, "bodies", "lid")->find("own")->boolean);
  // what was tied to it from outside still is
  EXPECT_EQ(page.shown.find("document")->find("connections")->items[0].find("a")->string, "lid");
  page.fine(R"("do": "undo")");
  EXPECT_NE(entry(page, "instances", "left"), nullptr);
}

TEST(Instances, KeepTheirWholeNamesWhereTheShortOnesAreTaken) {
  Page page;
  page.fine(load_request(kScene));
  page.fine(R"("do": "expand", "instance": "left")");
  page.fine(R"("do": "expand", "instance": "right")");
  EXPECT_NE(entry(page, "bodies", "lid"), nullptr);
  EXPECT_NE(entry(page, "bodies", "right/lid"), nullptr);
  EXPECT_NE(entry(page, "joints", "right/hinge"), nullptr);
  page.refused(R"("do": "expand", "instance": "middle")");
}

TEST(Instances, AreRenamedWithAllThatNamesTheirParts) {
  Page page;
  page.fine(load_request(kScene));
  page.run(10);
  const std::vector<float> lid = page.pose("left/lid");
  page.fine(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["instances", "left"], "to": "near"}])");
  EXPECT_EQ(page.pose("near/lid"), lid);  // it goes on, and does not begin anew
  EXPECT_EQ(page.shown.find("document")->find("connections")->items[0].find("a")->string,
            "near/lid");
}

TEST(Instances, GoWithWhatHangsOnThem) {
  Page page;
  page.fine(load_request(kScene));
  page.fine(R"("do": "edit", "ops": [{"op": "remove", "path": ["instances", "left"]}])");
  EXPECT_TRUE(tree(page).find("connections")->items.empty());
  EXPECT_EQ(entry(page, "bodies", "left/box"), nullptr);
  EXPECT_NE(entry(page, "bodies", "right/box"), nullptr);
}

TEST(Prefabs, AreRenamedWithTheirInstances) {
  Page page;
  page.fine(load_request(kScene));
  page.fine(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["prefabs", "crate"], "to": "chest"}])");
  EXPECT_EQ(entry(page, "instances", "right")->find("prefab")->string, "chest");
  page.refused(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["prefabs", "crate"], "to": "box"}])");
}

TEST(Prefabs, AreMadeOfBodiesThatGoOnMoving) {
  Page page;
  page.fine(load_request(kScene));
  page.run(12);
  const std::vector<float> ball = page.pose("ball");
  page.fine(
      R"("do": "edit", "ops": [
        {"op": "set", "path": ["prefabs", "toy"], "value": {"bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0.1, 0]}]}},
        {"op": "add", "path": ["instances"], "value": {"prefab": "toy", "name": "toy 1", "position": [0, 1.9, 0]}},
        {"op": "rename", "path": ["bodies", "ball"], "to": "toy 1/ball", "entry": false},
        {"op": "remove", "path": ["bodies", "ball"]}])");
  EXPECT_EQ(page.pose("toy 1/ball"), ball);
  EXPECT_EQ(page.shown.find("document")->find("connections")->items[0].find("b")->string,
            "toy 1/ball");
}

TEST(Expanding, IsOneEditWithWhatItIsDoneForAndLeavesAsWrittenWhatWasWritten) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "parameters": {"r": "5 cm"}, "world": {"step": "1/240", "duration": "3 s"},
          "bodies": [{"name": "lead", "shape": {"type": "sphere", "radius": "2*r"}, "position": [0, "1 m", 0]}],
          "arrays": [{"for": {"i": {"from": 0, "to": 2}}, "bodies": [
            {"name": "ball_{i}", "shape": {"type": "sphere", "radius": "r"}, "position": ["i + 1", 1, 0]}]}]})"));
  page.run(8);
  const std::string before = page.hash(8);
  page.fine(
      R"("do": "expand", "label": "iron", "ops": [{"op": "set", "path": ["bodies", "ball_1", "material"], "value": "iron"}])");
  EXPECT_EQ(page.state.find("undo")->string, "iron");
  EXPECT_EQ(entry(page, "bodies", "ball_1")->find("material")->string, "iron");
  const Json& tree = *page.shown.find("document");
  EXPECT_EQ(tree.find("world")->find("step")->string, "1/240");
  EXPECT_EQ(tree.find("world")->find("duration")->string, "3 s");
  EXPECT_EQ(tree.find("bodies")->items[0].find("shape")->find("radius")->string, "2*r");
  EXPECT_EQ(tree.find("arrays"), nullptr);
  page.fine(R"("do": "undo")");
  EXPECT_EQ(page.hash(8), before);
  EXPECT_NE(page.shown.find("document")->find("arrays"), nullptr);
}

const Json* find_pair(const Json& answer, const std::string& a, const std::string& b) {
  for (const Json& one : answer.find("pairs")->items) {
    const std::string &x = one.find("a")->string, &y = one.find("b")->string;
    if ((x == a && y == b) || (x == b && y == a)) return &one;
  }
  return nullptr;
}

TEST(Pairs, AreMixedWhereTheSceneGivesNothing) {
  Page page;
  page.fine(load_request(kScene));
  const Json answer = page.fine(R"("do": "pairs")");
  // the geometric mean of 0.70 and 0.45 (docs/scene-format.md)
  const Json* pair = find_pair(answer, "iron", "wood");
  ASSERT_NE(pair, nullptr);
  EXPECT_NEAR(pair->find("static_friction")->number, std::sqrt(0.70 * 0.45), 1e-12);
  EXPECT_TRUE(pair->find("given")->items.empty());
  EXPECT_DOUBLE_EQ(find_pair(answer, "ice", "ice")->find("sliding_friction")->number, 0.02);
}

TEST(Pairs, SayWhatTheSceneGivesAndBendTheOtherFriction) {
  Page page;
  page.fine(load_request(kScene));
  page.fine(
      R"("do": "edit", "ops": [{"op": "set", "path": ["materials", "felt"], "value": {"sliding_friction": 0.9, "static_friction": 1.1}},
         {"op": "add", "path": ["pairs"], "value": {"materials": ["wood", "felt"], "sliding_friction": 1.3, "restitution": 0}}])");
  const Json answer = page.fine(R"("do": "pairs")");
  const Json* pair = find_pair(answer, "felt", "wood");
  ASSERT_NE(pair, nullptr);
  EXPECT_DOUBLE_EQ(pair->find("sliding_friction")->number, 1.3);
  EXPECT_DOUBLE_EQ(pair->find("static_friction")->number, 1.3);  // never below sliding friction
  EXPECT_EQ(pair->find("given")->items.size(), 2u);
}

TEST(DropTest, BouncesByTheRestitutionOfThePairInTheScenesOwnGravity) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "world": {"gravity": [0, -3, 0]}, "materials": {"toy": {"restitution": 0.8}, "mat": {"restitution": 0.5}},
          "pairs": [{"materials": ["toy", "mat"], "restitution": 0.6}]})"));
  const Json answer = page.fine(R"("do": "drop_test", "material": "toy", "on": "mat")");
  // e^2 of the height; the instant of the turn lies between two steps of 1/240 s
  EXPECT_NEAR(answer.find("bounce")->number, 0.36, 0.01);
  const std::vector<Json>& heights = answer.find("heights")->items;
  const double t = 30.0 / 60;
  EXPECT_NEAR(heights[30].number, 1 - 0.5 * 3 * t * t, 1e-3);
  page.refused(R"("do": "drop_test", "material": "nothing", "on": "mat")");
}

TEST(Materials, AreRenamedWhereverSomethingIsMadeOfThem) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "materials": {"felt": {}}, "pairs": [{"materials": ["felt", "ice"], "restitution": 0}],
          "prefabs": {"p": {"bodies": [{"name": "x", "shape": {"type": "sphere", "radius": 1}, "material": "felt"}]}},
          "instances": [{"prefab": "p", "name": "i"}],
          "bodies": [{"name": "b", "material": "felt", "shape": {"type": "compound", "parts": [{"shape": {"type": "sphere", "radius": 1}, "material": "felt"}]}, "position": [9, 0, 0]}]})"));
  page.fine(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["materials", "felt"], "to": "cloth"}])");
  const std::string text = page.fine(R"("do": "text")").find("text")->string;
  EXPECT_EQ(text.find("felt"), std::string::npos) << text;
}

}  // namespace
}  // namespace tenon::test
