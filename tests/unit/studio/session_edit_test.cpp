// Edits: at the start, in mid-run, undone, branched, restored.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

constexpr const char* kScene = R"({"tenon": 1, "parameters": {"height": "2 m"}, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}, "material": "stone"},
  {"name": "ball", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [0, "height", 0], "material": "rubber"},
  {"name": "hook", "shape": {"type": "fixed_point"}, "position": [2, 2, 0]},
  {"name": "bob", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [3, 2, 0], "mass": "1 kg"}],
  "connections": [{"name": "rod", "type": "rod", "a": "hook", "b": "bob"}]})";

Page open() {
  Page page;
  page.fine(load_request(kScene));
  return page;
}
std::string set(const std::string& path, const std::string& value) {
  return R"("do": "edit", "label": "Set", "ops": [{"op": "set", "path": )" + path +
         ", \"value\": " + value + "}]";
}

TEST(Edit, KeepsExpressionsAsTheyWereWritten) {
  Page page = open();
  page.fine(set(R"(["bodies", "ball", "position"])", R"([0, "height + 50 cm", 0])"));
  EXPECT_NEAR(page.pose("ball")[1], 2.5, 1e-6);
  const std::string text = page.fine(R"("do": "text")").find("text")->string;
  EXPECT_NE(text.find("\"height + 50 cm\""), std::string::npos) << text;
}

TEST(Edit, IsRefusedWithPlaceValueAndWhatWouldBeAccepted) {
  Page page = open();
  const Json error = page.refused(set(R"(["bodies", "ball", "mass"])", R"("3 m")"));
  EXPECT_NE(error.find("message")->string.find("mass"), std::string::npos);
  EXPECT_NE(error.find("value"), nullptr);
  EXPECT_NE(error.find("accepted"), nullptr);
  const Json nobody = page.refused(set(R"(["bodies", "bal", "mass"])", "3"));
  EXPECT_NE(nobody.find("accepted")->string.find("ball"), std::string::npos);
  EXPECT_EQ(page.number("edits"), 0);
  // in mid-run as well, and the run is as it was
  page.run(10);
  const std::string before = page.hash(10);
  page.refused(set(R"(["bodies", "ball", "position"])", R"(["1 kg", 0, 0])"));
  EXPECT_EQ(page.hash(10), before);
}

TEST(Edit, InMidRunKeepsThePastAndBranchesTheFuture) {
  Page page = open();
  page.run(60);
  std::vector<std::vector<float>> past;
  for (int step = 0; step <= 30; ++step) {
    page.seek(step);
    past.push_back(page.frame.poses);
  }
  const std::string old_end = page.hash(60);
  const Json answer = page.fine(set(R"(["bodies", "ball", "material"])", R"("iron")"));
  EXPECT_TRUE(answer.find("cut")->boolean);
  EXPECT_EQ(page.frame.poses, past[30]) << "nothing moves when a material changes";
  page.run(30);
  EXPECT_NE(page.hash(60), old_end);
  for (int step = 0; step < 30; ++step) {
    page.seek(step);
    EXPECT_EQ(page.frame.poses, past[step]) << step;
  }
  // the old future is a take, whole
  ASSERT_EQ(page.takes.find("takes")->items.size(), 2u);
  page.fine(R"("do": "take", "take": 0)");
  EXPECT_EQ(page.number("end"), 60);
  EXPECT_EQ(page.hash(60), old_end);
}

TEST(Edit, InMidRunMovesBodiesWhereTheyAreAndLeavesTheSceneItsStart) {
  Page page = open();
  page.run(20);
  const float y = page.pose("ball")[1];
  page.fine(set(R"(["bodies", "ball", "position"])", R"([1, 5, 0])"));
  EXPECT_EQ(page.pose("ball")[0], 1);
  EXPECT_EQ(page.pose("ball")[1], 5);
  page.run(1);
  // its speed of 20 steps of fall goes on: 20/60 g
  EXPECT_NEAR(page.pose("ball")[1], 5 - 20.5 / 60 * 9.81 / 60, 2e-3);
  const std::string text = page.fine(R"("do": "text")").find("text")->string;
  EXPECT_NE(text.find("\"height\""), std::string::npos);
  page.seek(0);
  EXPECT_EQ(page.pose("ball")[1], 2);
  page.seek(20);
  page.fine(R"("do": "undo")");
  EXPECT_EQ(page.pose("ball")[1], y);
}

TEST(Edit, InMidRunKeepsJointsWhereTheyHold) {
  Page page = open();
  page.run(40);
  page.fine(set(R"(["bodies", "bob", "mass"])", R"("5 kg")"));
  page.run(60);
  const std::vector<float> bob = page.pose("bob"), hook = page.pose("hook");
  // the rod keeps its metre, to the tolerance of the solver
  EXPECT_NEAR(std::hypot(bob[0] - hook[0], bob[1] - hook[1]), 1, 1e-5);
  // a pendulum's swing does not depend on its mass: the other take is at the same place
  page.fine(R"("do": "take", "take": 0)");
  page.seek(40);
  page.run(60);
  EXPECT_NEAR(page.pose("bob")[0], bob[0], 1e-4);
  EXPECT_NEAR(page.pose("bob")[1], bob[1], 1e-4);
}

TEST(Edit, OfLooksAloneChangesNoBit) {
  Page page = open();
  page.run(60);
  const std::string end = page.hash(60);
  page.seek(25);
  page.fine(set(R"(["bodies", "ball", "color"])", R"("red")"));
  page.run(35);
  EXPECT_EQ(page.hash(60), end);
}

TEST(Edit, UndoneManyTimesAcrossTwoRunsEndsAtTheEmptyScene) {
  Page page;
  page.fine(R"("do": "load")");
  for (int i = 0; i < 10; ++i) {
    page.fine(R"("do": "edit", "ops": [{"op": "add", "path": ["bodies"], "value": {"name": "b)" +
              std::to_string(i) +
              R"(", "shape": {"type": "sphere", "radius": 0.1}, "position": [)" +
              std::to_string(i) + R"(, 1, 0]}}])");
  }
  page.run(50);
  for (int i = 0; i < 5; ++i)
    page.fine(set("[\"bodies\", \"b" + std::to_string(i) + "\", \"material\"]", "\"iron\""));
  page.run(50);
  for (int i = 5; i < 10; ++i)
    page.fine(set("[\"bodies\", \"b" + std::to_string(i) + "\", \"velocity\"]", "[0, 3, 0]"));
  EXPECT_EQ(page.number("edits"), 20);
  const std::string last = page.hash(100);
  std::vector<double> steps;
  for (int i = 0; i < 20; ++i) {
    page.fine(R"("do": "undo")");
    steps.push_back(page.frame.step);
  }
  EXPECT_EQ(page.shown.find("bodies")->items.size(), 1u);
  EXPECT_EQ(steps[0], 100);  // undoing returns to the moment of the edit
  EXPECT_EQ(steps[5], 50);
  EXPECT_EQ(steps[19], 0);
  page.refused(R"("do": "undo")");
  for (int i = 0; i < 20; ++i) page.fine(R"("do": "redo")");
  EXPECT_EQ(page.hash(100), last);
  page.refused(R"("do": "redo")");
}

TEST(Edit, NudgesOfOneKeyAreUndoneTogether) {
  Page page = open();
  for (int i = 1; i <= 5; ++i) {
    page.fine(
        R"("do": "edit", "merge": "nudge ball", "ops": [{"op": "set", "path": ["bodies", "ball", "position"], "value": [)" +
        std::to_string(i) + ", 2, 0]}]");
  }
  EXPECT_EQ(page.pose("ball")[0], 5);
  page.fine(R"("do": "undo")");
  EXPECT_EQ(page.pose("ball")[0], 0);
}

TEST(Edit, RemovingABodyTakesItsConnectionsWithItAndRenamingFollows) {
  Page page = open();
  page.fine(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["bodies", "bob"], "to": "weight"}])");
  EXPECT_EQ(page.shown.find("joints")->items.at(0).find("b")->string, "weight");
  page.run(30);
  const float x = page.pose("weight")[0];
  page.fine(
      R"("do": "edit", "ops": [{"op": "rename", "path": ["bodies", "weight"], "to": "moon"}])");
  EXPECT_EQ(page.pose("moon")[0], x) << "a new name is no new body";
  page.fine(R"("do": "edit", "ops": [{"op": "remove", "path": ["bodies", "moon"]}])");
  EXPECT_TRUE(page.shown.find("joints")->items.empty());
  EXPECT_EQ(page.shown.find("bodies")->items.size(), 3u);
  page.run(5);
}

TEST(Edit, OfABodyOfAnArrayNeedsTheArrayExpanded) {
  Page page;
  page.fine(load_request(gallery_text("wall")));
  const std::string name = [&] {
    for (const Json& body : page.shown.find("bodies")->items)
      if (!body.find("own")->boolean) return body.find("name")->string;
    return std::string();
  }();
  ASSERT_FALSE(name.empty());
  page.refused(set("[\"bodies\", \"" + name + "\", \"material\"]", "\"iron\""));
  const std::string start = page.hash(0);
  page.fine(R"("do": "expand")");
  EXPECT_EQ(page.hash(0), start);
  page.fine(set("[\"bodies\", \"" + name + "\", \"material\"]", "\"iron\""));
}

TEST(Edit, MendsASceneWithMistakes) {
  Page page;
  const Json answer = page.fine(load_request(R"({"tenon": 1, "bodies": [
    {"name": "good", "shape": {"type": "sphere", "radius": 1}},
    {"name": "bad", "shape": {"type": "sphere", "radius": "3 kg"}, "mass": "2 m"}]})"));
  EXPECT_EQ(answer.find("errors")->items.size(), 2u);
  EXPECT_EQ(page.shown.find("bodies")->items.size(), 2u);
  page.refused(R"("do": "play")");
  page.fine(set(R"(["bodies", "bad", "mass"])", "2"));
  EXPECT_EQ(page.shown.find("errors")->items.size(), 1u);
  page.fine(set(R"(["bodies", "bad", "shape", "radius"])", R"("3 cm")"));
  EXPECT_TRUE(page.shown.find("errors")->items.empty());
  page.run(3);
}

TEST(Grab, PullsABodyIsRecordedAndUndone) {
  Page page = open();
  page.run(10);
  page.fine(R"("do": "play")");
  page.fine(R"("do": "grab", "body": "ball", "point": [0, 0, 0], "target": [0, 4, 0])");
  for (int i = 0; i < 60; ++i) {
    page.fine(R"("do": "grab_move", "target": [1.5, 4, 0])");
    page.session.advance(1.0 / 60);
  }
  page.collect();
  EXPECT_NEAR(page.pose("ball")[1], 4, 0.2);
  EXPECT_NEAR(page.pose("ball")[0], 1.5, 0.2);
  page.fine(R"("do": "grab_end")");
  page.fine(R"("do": "pause")");
  const int end = static_cast<int>(page.number("end"));
  page.run(20);
  const std::string last = page.hash(end + 20);
  // computed again from the hand's path, the same
  page.hash(0);
  EXPECT_EQ(page.hash(end + 20), last);
  page.fine(R"("do": "undo")");
  EXPECT_EQ(page.frame.step, 10);
  EXPECT_EQ(page.number("take"), 0);
}

TEST(Project, OpensAgainWithTakesPlayheadAndHistory) {
  Page page = open();
  page.run(40);
  page.seek(20);
  page.fine(set(R"(["bodies", "ball", "velocity"])", R"([2, 0, 0])"));
  page.run(50);
  page.fine(R"("do": "sync", "name": "here")");
  page.seek(33);
  const std::string hash = page.hash(33), end = page.hash(70);
  const std::string project =
      scene::format_compact(*page.fine(R"("do": "project")").find("project"));
  Page again;
  again.fine("\"do\": \"load\", \"project\": " + project);
  EXPECT_EQ(again.frame.step, 33);
  EXPECT_EQ(again.hash(33), hash);
  while (again.session.busy()) again.session.advance(0.01);
  again.collect();
  EXPECT_EQ(again.number("end"), 70);
  EXPECT_EQ(again.hash(70), end);
  EXPECT_EQ(again.takes.find("syncs")->items.size(), 1u);
  again.fine(R"("do": "undo")");  // of the sync point
  EXPECT_EQ(again.takes.find("syncs")->items.size(), 0u);
  again.fine(R"("do": "undo")");
  EXPECT_EQ(again.frame.step, 20);
  EXPECT_EQ(again.number("end"), 40);
}

}  // namespace
}  // namespace tenon::test
