// --set path=value.
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

const char* kScene = R"({"tenon": 1, "parameters": {"n": 2}, "bodies": [
  {"name": "ball", "shape": {"type": "sphere", "radius": 1}, "position": [1, 2, 3]},
  {"name": "big.box", "shape": {"type": "box", "size": [1, 1, 1]}}],
  "arrays": [{"for": {"i": "n"}, "bodies": [{"name": "k{i}", "shape": {"type": "sphere", "radius": 1}}]}]})";

LoadResult load_set(std::vector<std::string> overrides) {
  LoadOptions options;
  options.overrides = std::move(overrides);
  return load(kScene, options);
}

TEST(Override, ChangesValuesBeforeTheyAreRead) {
  const LoadResult result = load_set(
      {"world.step=1/120", "bodies.ball.mass=3", "parameters.n=20", "bodies[0].position[1]=7",
       "bodies[\"big.box\"].material=wood", "bodies.ball.color=[1, 0, 0]", "title=Hello = you",
       "bodies.ball.gravity=false", "bodies.ball.shape.radius=12 cm"});
  ASSERT_TRUE(result.ok()) << all_errors(result.errors);
  EXPECT_EQ(result.flat.world.step, 1.0 / 120);
  EXPECT_EQ(result.flat.bodies[0].mass, 3);
  EXPECT_EQ(result.flat.bodies[0].position, (Vec3{1, 7, 3}));
  EXPECT_EQ(result.flat.bodies[0].color, (Color{1, 0, 0}));
  EXPECT_EQ(result.flat.bodies[0].gravity, false);
  EXPECT_EQ(std::get<SphereShape>(result.flat.bodies[0].shape).radius, 0.12);
  EXPECT_EQ(result.flat.bodies[1].material, "wood");
  EXPECT_EQ(result.flat.bodies.size(), 22u);
  EXPECT_EQ(result.flat.title, "Hello = you");
}

TEST(Override, MistakesNameTheOverride) {
  const struct {
    const char* text;
    const char* part;
  } cases[] = {
      {"world.step", "malformed override"},
      {"=3", "malformed override"},
      {"bodies[x].mass=3", "malformed override"},
      {"bodies[9999999999].mass=3", "malformed override"},
      {"bodies..mass=3", "malformed override"},
      {"bodies.bal.mass=3", "bodies: there is no entry named 'bal'; did you mean 'ball'?"},
      {"bodies[7].mass=3", "bodies: there is no entry [7]; the list has 2"},
      {"bodies.ball.name.x=3", "there is no entry x in this string"},
      {"world.gravity[1]=-9.8", "world.gravity: it is not given in the file"},
      {"world.stpe=3", "unknown key 'stpe' in a world; did you mean 'step'?"},
      {"world.step=-1", "step must be above 0"},
      {"world.step=1 kg", "step must be a time, this is a mass"},
      {"world.step=1/0", "divides by zero"},
  };
  for (const auto& c : cases) {
    const LoadResult result = load_set({"title=ok", c.text});
    ASSERT_EQ(result.errors.size(), 1u) << c.text << all_errors(result.errors);
    const std::string text = format(result.errors[0]);
    EXPECT_NE(text.find(c.part), text.npos) << text;
    EXPECT_EQ(text.find(std::string("--set ") + c.text), 0u) << text;
  }
}

}  // namespace
}  // namespace tenon::scene
