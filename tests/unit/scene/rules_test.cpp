// Rules by which joints come and go: reading, expanding, mistakes.
#include "scene_test_help.h"

namespace tenon::scene {
namespace {

const char* const kBodies = R"("bodies": [
  {"name": "a", "shape": {"type": "sphere", "radius": "10 cm"}},
  {"name": "b", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [1, 0, 0]}],)";

std::string with_rule(const std::string& rule) {
  return std::string("{\"tenon\": 1, ") + kBodies + "\n\"rules\": [" + rule + "]}";
}

TEST(SceneRule, IsReadWithUnitsAndDefaults) {
  const LoadResult result = load_good(with_rule(R"({
    "name": "hook", "type": "hinge", "attach_distance": "2 cm", "snap": true, "at_closest": true,
    "one_per_child": false, "max_distance": "5 cm", "max_force": "2 kN", "max_torque": "3 N m",
    "load_time": "50 ms", "max_time": "1 min", "release_neighbours": true, "rest_time": "0.5 s",
    "limits": [0, "90 deg"],
    "zone": {"body": "a", "point": [0, "10 cm", 0], "normal": [0, 2, 0]},
    "parents": [{"body": "world", "position": [0, "1 m", 0], "axis": [0, 0, 1]}, {"body": "a"}],
    "children": [{"body": "b", "orientation": [1, 0, 0, 0]}]})"));
  ASSERT_EQ(result.flat.rules.size(), 1u);
  const Rule& r = result.flat.rules[0];
  EXPECT_EQ(r.joint.type, JointType::kHinge);
  EXPECT_EQ(r.attach_distance, 0.02);
  EXPECT_TRUE(r.snap);
  EXPECT_TRUE(r.at_closest);
  EXPECT_TRUE(r.one_per_parent);
  EXPECT_FALSE(r.one_per_child);
  EXPECT_EQ(r.max_force, 2000);
  EXPECT_EQ(r.max_time, 60);
  EXPECT_EQ(r.load_time, 0.05);
  EXPECT_EQ(r.parents.size(), 2u);
  EXPECT_EQ(r.children[0].body.name, "b");
  EXPECT_EQ(r.zone->point.y, 0.1);
  EXPECT_NEAR(*r.joint.laws[3].limits->max, 1.5707963267948966, 1e-15);
}

TEST(SceneRule, SurvivesSavingAndExpandingAgain) {
  const LoadResult first = load_good(with_rule(
      R"({"name": "r", "type": "slider", "attach_distance": 0.1, "limits": [0, 1],
          "parents": [{"body": "a", "axis": [0, 1, 0]}], "children": [{"body": "b"}]})"));
  const LoadResult again = load_good(save_scene(first.document));
  EXPECT_EQ(again.document, first.document);
  const LoadResult flat = load_good(save_scene(first.flat));
  EXPECT_EQ(flat.flat, first.flat);
}

TEST(SceneRule, TakesAnchorsFromArraysAndPrefabs) {
  const LoadResult result = load_good(R"({"tenon": 1,
    "prefabs": {"wheel": {
      "bodies": [{"name": "disc", "shape": {"type": "sphere", "radius": 1}}],
      "rules": [{"name": "teeth", "type": "point", "attach_distance": 0.1,
                 "zone": {"point": [0, 1, 0], "normal": [1, 0, 0]}}],
      "arrays": [{"for": {"k": 4}, "anchors": [
        {"rule": "teeth", "side": "parent", "body": "disc", "position": ["k", 0, 0]}]}],
      "anchors": [{"rule": "teeth", "side": "parent", "body": "world", "position": [1, 0, 0]}]}},
    "instances": [{"prefab": "wheel", "name": "left", "position": [5, 0, 0],
                   "orientation": {"axis": [0, 0, 1], "angle": "90 deg"}}],
    "arrays": [{"for": {"i": 3},
      "bodies": [{"name": "link_{i}", "shape": {"type": "sphere", "radius": 1}}],
      "anchors": [{"rule": "left/teeth", "body": "link_{i}"}]}]})");
  ASSERT_EQ(result.flat.rules.size(), 1u);
  EXPECT_TRUE(result.flat.anchors.empty());
  const Rule& r = result.flat.rules[0];
  EXPECT_EQ(r.name, "left/teeth");
  ASSERT_EQ(r.parents.size(), 5u);
  ASSERT_EQ(r.children.size(), 3u);
  EXPECT_EQ(r.children[2].body.name, "link_2");
  // what is in the world's frame moves along with the instance: a quarter turn and 5 m
  EXPECT_NEAR(r.zone->normal.y, 1, 1e-15);
  EXPECT_NEAR(r.zone->point.x, 4, 1e-15);
  for (const RuleAnchor& a : r.parents) {
    if (a.body.name != "world") continue;
    EXPECT_NEAR(a.frame.position.x, 5, 1e-15);
    EXPECT_NEAR(a.frame.position.y, 1, 1e-15);
  }
}

TEST(SceneRule, MistakesAreTold) {
  const std::string ends = R"("parents": [{"body": "a"}], "children": [{"body": "b"}]})";
  const auto refuse = [&](const std::string& rule, const std::string& part) {
    const LoadResult result = load(with_rule(rule));
    ASSERT_FALSE(result.errors.empty()) << rule;
    EXPECT_NE(all_errors(result.errors).find(part), std::string::npos)
        << all_errors(result.errors) << "lacks: " << part;
  };
  const std::string head = R"({"name": "r", "type": "hinge", "attach_distance": 0.1, )";
  refuse(R"({"name": "r", "type": "hinge", )" + ends, "no 'attach_distance'");
  refuse(R"({"name": "r", "type": "gear", "attach_distance": 0.1, )" + ends, "cannot make gears");
  refuse(R"({"name": "r", "type": "hinge", "attach_distance": 0, )" + ends, "attach_distance");
  refuse(R"({"name": "r", "type": "hinge", "attach_distance": "1 s", )" + ends, "length");
  refuse(head + R"("max_distance": 0.05, )" + ends, "max_distance is below");
  refuse(head + R"("pitch": 1, )" + ends, "has no 'pitch'");
  refuse(head + R"("distance": 1, )" + ends, "unknown key 'distance'");
  refuse(head + R"("zone": {"body": "c"}, )" + ends, "unknown body 'c'");
  refuse(head + R"("zone": {"normal": [0, 0, 0]}, )" + ends, "normal");
  refuse(head + R"("parents": [{"body": "a"}], "children": [{"body": "world"}]})", "on the world");
  refuse(head + R"("parents": [{"body": "x"}], "children": [{"body": "b"}]})", "unknown body 'x'");
  refuse(head + R"("parents": [{"body": "a"}]})", "no child anchors");
  refuse(head + R"("children": [{"body": "a"}]})", "no parent anchors");
  refuse(head + ends + ", " + head + ends, "already taken");
  refuse(R"({"name": "r", "type": "black_box", "black_box": {"type": "shoulder"},
             "attach_distance": 0.1, )" +
             ends,
         "must snap");
  expect_error(std::string("{\"tenon\": 1, ") + kBodies +
                   "\n\"anchors\": [{\"rule\": \"r\", \"body\": \"a\"}]}",
               4, 22, "unknown rule 'r'");
}

}  // namespace
}  // namespace tenon::scene
