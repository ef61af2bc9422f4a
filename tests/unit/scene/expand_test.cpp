// Prefabs, instances and arrays.
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

const char* kNet = R"({"tenon": 1, "parameters": {"n": 15, "d": "20 cm"},
  "arrays": [{"for": {"i": "n", "j": "n"}, "bodies": [
    {"name": "knot_{i}_{j}", "shape": {"type": "sphere", "radius": "2 cm"},
     "position": ["i*d - 1 m", "2 m", "j*d"]}]}]})";

TEST(Expand, ANetFitsOnAPage) {
  const LoadResult result = load_good(kNet);
  ASSERT_EQ(result.flat.bodies.size(), 225u);
  EXPECT_TRUE(result.flat.arrays.empty());
  EXPECT_EQ(result.document.bodies.size(), 0u);
  EXPECT_EQ(result.flat.bodies[16].name, "knot_1_1");
  const Body* b = find_body(result.flat, "knot_14_3");
  ASSERT_TRUE(b);
  EXPECT_NEAR(b->position.x, 1.8, 1e-15);
  EXPECT_NEAR(b->position.z, 0.6, 1e-15);
}

TEST(Expand, ThreeHundredSixtyRingsOfSixLinks) {
  const LoadResult result = load_good(R"json({"tenon": 1, "parameters": {"r": "5 cm"},
    "prefabs": {"ring": {"parameters": {"links": 6}, "arrays": [{"for": {"k": "links"}, "bodies": [
      {"name": "link_{k}", "shape": {"type": "capsule", "radius": "4 mm", "length": "r"},
       "position": ["r*cos(2*pi*k/links)", 0, "r*sin(2*pi*k/links)"],
       "orientation": {"axis": [1, 0, 0], "angle": "90 deg"}}]}]}},
    "arrays": [{"for": {"p": 25, "row": {"from": 1, "to": 15}}, "where": "p*15 + row <= 360",
      "instances": [{"prefab": "ring", "name": "ring_{p}_{row}",
        "position": ["(p % 5)*30 cm", "row*2 cm", "floor(p/5)*30 cm"]}]}]})json");
  EXPECT_EQ(result.flat.bodies.size(), 2160u);
  const Body* b = find_body(result.flat, "ring_7_3/link_3");
  ASSERT_TRUE(b);
  EXPECT_NEAR(b->position.x, 2 * 0.3 - 0.05, 1e-15);
  EXPECT_NEAR(b->position.y, 0.06, 1e-15);
  EXPECT_NEAR(b->position.z, 0.3, 1e-15);
}

TEST(Expand, PosesComposeAndVelocitiesTurnAlong) {
  const LoadResult result = load_good(R"({"tenon": 1, "prefabs": {
    "inner": {"bodies": [
      {"name": "a", "shape": {"type": "sphere", "radius": 1}, "position": [1, 0, 0],
       "velocity": [1, 0, 0], "angular_velocity": [0, 0, 1]},
      {"name": "k", "shape": {"type": "sphere", "radius": 1}, "motion": "kinematic",
       "turn": {"about": [1, 0, 0], "axis": [1, 0, 0], "rate": 1}},
      {"name": "f", "shape": {"type": "sphere", "radius": 1}, "motion": "kinematic",
       "keyframes": [{"t": 0, "position": [2, 0, 0]}]}]},
    "outer": {"instances": [{"prefab": "inner", "name": "in", "position": [0, 0, 1],
      "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}}]}},
    "instances": [{"prefab": "outer", "name": "out", "position": [0, 5, 0],
      "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}, "velocity": [0, 3, 0]}]})");
  ASSERT_EQ(result.flat.bodies.size(), 3u);
  // half a turn about y in all: x -> -x; the inner offset (0, 0, 1) -> (1, 0, 0)
  const Body& a = result.flat.bodies[0];
  EXPECT_EQ(a.name, "out/in/a");
  EXPECT_NEAR(norm(a.position - Vec3{0, 5, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(a.velocity - Vec3{-1, 3, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(a.angular_velocity - Vec3{0, 0, -1}), 0, 1e-15);
  EXPECT_NEAR(a.orientation.y, 1, 1e-15);
  const Body& k = result.flat.bodies[1];
  EXPECT_NEAR(norm(k.turn->about - Vec3{0, 5, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(k.turn->axis - Vec3{-1, 0, 0}), 0, 1e-15);
  EXPECT_EQ(k.velocity, Vec3{});  // an instance's velocity is for what moves freely
  const Body& f = result.flat.bodies[2];
  EXPECT_NEAR(norm(*f.keyframes[0].position - Vec3{-1, 5, 0}), 0, 1e-15);
  EXPECT_NEAR(f.keyframes[0].orientation->y, 1, 1e-15);
}

TEST(Expand, PrefabParametersHaveDefaultsAndTakeValuesFromTheCaller) {
  const LoadResult result = load_good(R"({"tenon": 1, "parameters": {"base": "10 cm"},
    "prefabs": {"p": {"parameters": {"r": "base", "twice": "2*r"}, "bodies": [
      {"name": "s", "shape": {"type": "sphere", "radius": "twice"}}]}},
    "instances": [{"prefab": "p", "name": "x"}],
    "arrays": [{"for": {"i": {"from": 1, "to": 2}}, "instances": [
      {"prefab": "p", "name": "y{i}", "with": {"r": "i*1 m"}}]}]})");
  ASSERT_EQ(result.flat.bodies.size(), 3u);
  EXPECT_EQ(std::get<SphereShape>(result.flat.bodies[0].shape).radius, 0.2);
  EXPECT_EQ(std::get<SphereShape>(result.flat.bodies[2].shape).radius, 4);
  EXPECT_EQ(result.flat.bodies[2].name, "y2/s");
}

TEST(Expand, RangesListsAndNestedArrays) {
  const LoadResult result = load_good(R"({"tenon": 1, "arrays": [
    {"for": {"i": {"from": 4, "to": 0, "step": -2}, "j": {"from": 0, "to": "i"}}, "where": "j % 2 == 0",
     "arrays": [{"for": {"r": ["10 cm", "20 cm"]}, "bodies": [
       {"name": "b{i}_{j}_{r*10}", "shape": {"type": "sphere", "radius": "r"}, "gravity": "i > 0"}]}]}]})");
  // i = 4: j = 0, 2, 4; i = 2: j = 0, 2; i = 0: j = 0; each twice
  ASSERT_EQ(result.flat.bodies.size(), 12u);
  EXPECT_EQ(result.flat.bodies[0].name, "b4_0_1");
  EXPECT_EQ(result.flat.bodies[11].name, "b0_0_2");
  EXPECT_TRUE(result.flat.bodies[0].gravity);
  EXPECT_FALSE(result.flat.bodies[11].gravity);
}

TEST(Expand, MistakesInArraysAreReportedOnceWithTheRound) {
  const LoadResult result = load(R"({"tenon": 1, "arrays": [{"for": {"i": 5}, "bodies": [
    {"name": "b{i}", "shape": {"type": "sphere", "radius": "(i - 2)*1 m"}}]}]})");
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_EQ(result.errors[0].line, 2);
  EXPECT_EQ(result.errors[0].column, 60);
  EXPECT_NE(result.errors[0].message.find("(with i = 0)"), std::string::npos);
}

TEST(Expand, RefusesWhatDoesNotFitTogether) {
  const struct {
    const char* rest;
    const char* part;
  } cases[] = {
      {R"("arrays": [{"for": {"i": 2}, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}]}])",
       "already taken"},
      {R"("prefabs": {"p": {"instances": [{"prefab": "p", "name": "x"}]}}, "instances": [{"prefab": "p", "name": "y"}])",
       "contains itself"},
      {R"("prefabs": {"p": {"parameters": {"r": "1 m"}}}, "instances": [{"prefab": "p", "name": "y", "with": {"q": 1}}])",
       "unknown parameter of prefab 'p'"},
      {R"("prefabs": {"p": {"parameters": {"r": "1 m"}}}, "instances": [{"prefab": "p", "name": "y", "with": {"r": "1 kg"}}])",
       "r must be a length, this is a mass"},
      {R"("prefabs": {"p": {"bodies": [{"name": "unused", "shape": {"type": "spher"}}]}})",
       "did you mean 'sphere'"},
      {R"("prefabs": {"p": {"boddies": []}})", "did you mean 'bodies'"},
      {R"("prefabs": {"p": {"forces": [{"name": "f"}]}})", "the force has no 'body'"},
      {R"("arrays": [{"for": {"m": 2}}])", "is the unit metre"},
      {R"("parameters": {"i": 1}, "arrays": [{"for": {"i": 2}}])", "already in use"},
      {R"("arrays": [{"for": {"i": -1}}])", "too small"},
      {R"("arrays": [{"for": {"i": 1.5}}])", "whole number"},
      {R"("arrays": [{"for": {"i": "2 m"}}])", "plain number"},
      {R"("arrays": [{"for": {"i": {"from": 0, "to": 5, "step": 0}}}])", "step must not be 0"},
      {R"("arrays": [{"for": {"i": {"from": 0}}}])", "the range has no 'to'"},
      {R"("arrays": [{"for": [1]}])", "for must be an object"},
      {R"("arrays": [{"for": {"i": 2}, "where": "j > 0"}])", "unknown name 'j'"},
      {R"("arrays": [{"for": {"i": 2}, "bodies": [{"name": "b{j}", "shape": {"type": "sphere", "radius": 1}}]}])",
       "unknown name 'j'"},
  };
  for (const auto& c : cases) {
    const LoadResult result = load(std::string("{\"tenon\": 1, ") + c.rest + "}");
    ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors) << c.rest;
    EXPECT_NE(format(result.errors[0]).find(c.part), std::string::npos) << format(result.errors[0]);
    EXPECT_EQ(result.errors[0].line, 1) << format(result.errors[0]);
    EXPECT_GT(result.errors[0].column, 13) << format(result.errors[0]);
  }
}

TEST(Expand, ExpandingADocumentGivesTheSameAsLoading) {
  const LoadResult result = load_good(kNet);
  const Result<Document> flat = expand(result.document);
  ASSERT_TRUE(flat.ok()) << format(flat.error());
  EXPECT_EQ(*flat, result.flat);
  EXPECT_EQ(*expand(*flat), result.flat);  // flat already
}

}  // namespace
}  // namespace tenon::scene
