// Forces of scene documents become the forces they describe.
#include <gtest/gtest.h>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

BuildResult build_text(const std::string& text) {
  const LoadResult loaded = load_scene(text, "scene.json");
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  return build(loaded.flat, {.threads = 1});
}

TEST(BuildForces, CarriesEverythingOver) {
  const BuildResult result = build_text(R"({"tenon": 1,
    "world": {"gravity_noise": 0.1, "seed": 5, "wind": [1, 2, 3]},
    "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}},
               {"name": "b", "shape": {"type": "sphere", "radius": 1}, "position": [5, 0, 0]}],
    "forces": [
      {"name": "spin", "body": "a", "frame": "body", "torque": [0, 2, 0], "from": 1, "until": 3,
       "ramp": {"from": 1, "to": 0}},
      {"name": "pull", "body": "b", "toward": {"body": "a", "point": [0, 1, 0]}, "magnitude": 4,
       "point": [0, 0, 1], "curve": [{"t": 0, "scale": 1}, {"t": 2, "scale": 3}]}]})");
  for (const Error& e : result.errors) ADD_FAILURE() << format(e);
  ASSERT_TRUE(result.ok());
  const BuiltScene& scene = result.scene[0];
  EXPECT_EQ(scene.world.settings().gravity_noise.share, 0.1);
  EXPECT_EQ(scene.world.settings().gravity_noise.seed, 5u);
  EXPECT_EQ(scene.world.settings().wind, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.force_names, (std::vector<std::string>{"spin", "pull"}));
  const TimedForceDef& spin = scene.world.force_def(scene.force_handles[0]);
  EXPECT_EQ(spin.frame, tenon::ForceFrame::kBody);
  EXPECT_EQ(spin.torque, (Vec3{0, 2, 0}));
  EXPECT_EQ(spin.begin, 1);
  EXPECT_EQ(spin.end, 3);
  ASSERT_EQ(spin.curve.size(), 2u);
  EXPECT_EQ(spin.curve[1].time, 3);
  EXPECT_EQ(spin.curve[1].scale, 0);
  const TimedForceDef& pull = scene.world.force_def(scene.force_handles[1]);
  EXPECT_EQ(pull.frame, tenon::ForceFrame::kToward);
  EXPECT_EQ(pull.body, scene.handles[1]);
  EXPECT_EQ(pull.target, scene.handles[0]);
  EXPECT_EQ(pull.target_point->y, 1);
  EXPECT_EQ(pull.magnitude, 4);
  EXPECT_EQ(pull.end, 2);
  EXPECT_EQ(pull.curve[1].scale, 3);
}

TEST(BuildForces, ThatWouldTurnAPointMassAreRefusedByName) {
  const BuildResult result = build_text(R"({"tenon": 1,
    "bodies": [{"name": "a", "shape": {"type": "point_mass"}, "mass": 1}],
    "forces": [{"name": "spin", "body": "a", "torque": [0, 2, 0]}]})");
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_NE(format(result.errors[0]).find("force \"spin\": a point mass"), std::string::npos)
      << format(result.errors[0]);
  EXPECT_EQ(result.errors[0].line, 3);
}

}  // namespace
}  // namespace tenon::scene
