// Forces on a timeline and effects of the world: reading, expanding, mistakes.
#include "scene_test_help.h"

namespace tenon::scene {
namespace {

const char* const kBodies = R"("bodies": [
  {"name": "a", "shape": {"type": "sphere", "radius": "10 cm"}},
  {"name": "b", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [1, 0, 0]},
  {"name": "wall", "shape": {"type": "plane"}}],)";

std::string with_force(const std::string& force) {
  return std::string("{\"tenon\": 1, ") + kBodies + "\n\"forces\": [" + force + "]}";
}

TEST(SceneForce, IsReadWithUnitsAndDefaults) {
  const LoadResult result = load_good(with_force(R"(
    {"name": "push", "body": "a", "point": [0, "10 cm", 0], "frame": "body", "force": ["1 kN", 0, 0],
     "torque": [0, "3 N m", 0], "from": "500 ms", "until": "2 s", "ramp": {"to": 2}},
    {"name": "pull", "body": "a", "toward": {"body": "b", "point": [0, 0, "5 mm"]},
     "magnitude": "-2 N", "curve": [{"t": 1, "scale": 0}, {"t": "3 s", "scale": 1}]},
    {"name": "home", "body": "b", "toward": {}, "magnitude": 1},
    {"name": "lift", "body": "b", "force": [0, 1, 0]})"));
  ASSERT_EQ(result.flat.forces.size(), 4u);
  const Force& push = result.flat.forces[0];
  EXPECT_EQ(push.body.name, "a");
  EXPECT_EQ(push.point->y, 0.1);
  EXPECT_EQ(push.frame, ForceFrame::kBody);
  EXPECT_EQ(push.force.x, 1000);
  EXPECT_EQ(push.torque.y, 3);
  EXPECT_EQ(begin_of(push), 0.5);
  EXPECT_EQ(end_of(push), 2);
  EXPECT_EQ(push.ramp->from, 0);
  EXPECT_EQ(push.ramp->to, 2);
  const Force& pull = result.flat.forces[1];
  EXPECT_EQ(pull.toward->body.name, "b");
  EXPECT_EQ(pull.toward->point->z, 0.005);
  EXPECT_EQ(pull.magnitude, -2);
  EXPECT_EQ(begin_of(pull), 1);  // as long as its curve
  EXPECT_EQ(end_of(pull), 3);
  EXPECT_EQ(result.flat.forces[2].toward->body.name, "world");
  EXPECT_EQ(begin_of(result.flat.forces[3]), 0);
  EXPECT_FALSE(end_of(result.flat.forces[3]));
}

TEST(SceneForce, SurvivesSavingAndExpandingAgain) {
  const LoadResult first = load_good(with_force(R"(
    {"name": "push", "body": "a", "point": [0, 0.1, 0], "frame": "body", "force": [1, 2, 3],
     "from": 0.3, "until": 2, "ramp": {"from": 1, "to": 0}},
    {"name": "pull", "body": "a", "toward": {"body": "b"}, "magnitude": 2, "until": 9,
     "curve": [{"t": 1, "scale": 0}, {"t": 3, "scale": 1}]},
    {"name": "home", "body": "b", "toward": {}, "magnitude": 1})"));
  const LoadResult again = load_good(save_scene(first.document));
  EXPECT_EQ(again.document, first.document);
  const LoadResult flat = load_good(save_scene(first.flat));
  EXPECT_EQ(flat.flat, first.flat);
}

TEST(SceneForce, StandsInPrefabsAndArrays) {
  const LoadResult result = load_good(R"({"tenon": 1,
    "bodies": [{"name": "sun", "shape": {"type": "sphere", "radius": 1}}],
    "prefabs": {"boat": {
      "parameters": {"thrust": "5 N"},
      "bodies": [{"name": "hull", "shape": {"type": "sphere", "radius": 1}}],
      "forces": [
        {"name": "motor", "body": "hull", "frame": "body", "force": ["thrust", 0, 0]},
        {"name": "drift", "body": "hull", "force": [1, 0, 0], "torque": [0, 0, 2]},
        {"name": "anchor", "body": "hull", "toward": {"point": [1, 0, 0]}, "magnitude": 1},
        {"name": "light", "body": "hull", "toward": {"body": "sun"}, "magnitude": 1}]}},
    "instances": [{"prefab": "boat", "name": "left", "position": [0, 5, 0], "with": {"thrust": 7},
                   "orientation": {"axis": [0, 0, 1], "angle": "90 deg"}}],
    "arrays": [{"for": {"i": 3},
      "bodies": [{"name": "ball_{i}", "shape": {"type": "sphere", "radius": 1}}],
      "forces": [{"name": "kick_{i}", "body": "ball_{i}", "force": [0, "i + 1", 0], "from": "i*1 s",
                  "until": "i*1 s + 1 s"}]}]})");
  ASSERT_EQ(result.flat.forces.size(), 7u);
  const Force& motor = result.flat.forces[0];
  EXPECT_EQ(motor.name, "left/motor");
  EXPECT_EQ(motor.body.name, "left/hull");
  EXPECT_EQ(motor.force, (Vec3{7, 0, 0}));
  // vectors of the world turn with the instance; the world's points move along
  EXPECT_NEAR(norm(result.flat.forces[1].force - Vec3{0, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(result.flat.forces[1].torque - Vec3{0, 0, 2}), 0, 1e-15);
  EXPECT_NEAR(norm(*result.flat.forces[2].toward->point - Vec3{0, 6, 0}), 0, 1e-15);
  EXPECT_EQ(result.flat.forces[3].toward->body.name, "sun");
  EXPECT_EQ(result.flat.forces[6].name, "kick_2");
  EXPECT_EQ(result.flat.forces[6].force.y, 3);
  EXPECT_EQ(result.flat.forces[6].until, 3);
}

TEST(SceneForce, MistakesAreToldWithTheirPlace) {
  const auto at = [](const std::string& force, int column, const std::string& part) {
    expect_error(with_force(force), 5, column, part);
  };
  // "forces": [ ends in column 11
  at(R"({"name": "f", "body": "c", "force": [1, 0, 0]})", 34, "unknown body 'c'");
  at(R"({"name": "f", "body": "wall", "force": [1, 0, 0]})", 34, "is not moved by forces");
  at(R"({"name": "f", "body": "world", "force": [1, 0, 0]})", 34, "on the world");
  at(R"({"name": "f", "body": "a", "force": [1, 0]})", 48, "force");
  at(R"({"name": "f", "body": "a", "force": ["1 kg", 0, 0]})", 49, "a force");
  at(R"({"name": "f", "body": "a"})", 21, "neither force nor torque");
  at(R"({"name": "f", "body": "a", "magnitude": 3})", 52, "towards something");
  at(R"({"name": "f", "body": "a", "toward": {"body": "a"}, "magnitude": 1})", 58, "to itself");
  at(R"({"name": "f", "body": "a", "toward": {"body": "b"}})", 49, "needs a magnitude");
  at(R"({"name": "f", "body": "a", "toward": {"body": "b"}, "magnitude": 0})", 77, "not 0");
  at(R"({"name": "f", "body": "a", "toward": {"body": "b"}, "magnitude": 1, "frame": "body"})", 89,
     "has no 'frame'");
  at(R"({"name": "f", "body": "a", "toward": {"body": "x"}, "magnitude": 1})", 58,
     "unknown body 'x'");
  at(R"({"name": "f", "body": "a", "force": [1, 0, 0], "from": 2, "until": 1})", 79,
     "ends before it begins");
  at(R"({"name": "f", "body": "a", "force": [1, 0, 0], "until": 0})", 68, "ends before it begins");
  at(R"({"name": "f", "body": "a", "force": [1, 0, 0], "ramp": {}})", 67, "needs an end");
  at(R"({"name": "f", "body": "a", "force": [1, 0, 0], "curve": []})", 68, "too few");
  at(R"({"name": "f", "body": "a", "force": [1, 0, 0], "curve": [{"t": 1, "scale": 1}]})", 68,
     "one key");
}

TEST(SceneForce, CurvesMustIncrease) {
  const LoadResult result = load(with_force(
      R"({"name": "f", "body": "a", "force": [1, 0, 0], "curve": [{"t": 1, "scale": 1}, {"t": 1, "scale": 2}]})"));
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_NE(result.errors[0].message.find("must increase"), std::string::npos);
  const LoadResult both = load(with_force(
      R"({"name": "f", "body": "a", "force": [1, 0, 0], "until": 3, "ramp": {}, "curve": [{"t": 1, "scale": 1}, {"t": 2, "scale": 2}]})"));
  ASSERT_EQ(both.errors.size(), 1u) << all_errors(both.errors);
  EXPECT_NE(both.errors[0].message.find("both ramp and curve"), std::string::npos);
  const LoadResult twice = load(with_force(
      R"({"name": "f", "body": "a", "force": [1, 0, 0]}, {"name": "f", "body": "b", "force": [1, 0, 0]})"));
  ASSERT_EQ(twice.errors.size(), 1u) << all_errors(twice.errors);
  EXPECT_NE(twice.errors[0].message.find("already taken"), std::string::npos);
}

TEST(SceneWorld, HasRandomGravityAndWind) {
  const LoadResult result = load_good(
      R"({"tenon": 1, "world": {"gravity_noise": "5/100", "seed": 7, "wind": ["36 km/h", 0, 0]}})");
  EXPECT_EQ(result.flat.world.gravity_noise, 0.05);
  EXPECT_EQ(result.flat.world.seed, 7u);
  EXPECT_NEAR(result.flat.world.wind.x, 10, 1e-14);
  expect_error(R"({"tenon": 1, "world": {"gravity_noise": 5}})", 1, 41, "gravity_noise");
  expect_error(R"({"tenon": 1, "world": {"gravity_noise": -0.1}})", 1, 41, "gravity_noise");
  expect_error(R"({"tenon": 1, "world": {"wind": ["3 m", 0, 0]}})", 1, 33, "a velocity");
}

}  // namespace
}  // namespace tenon::scene
