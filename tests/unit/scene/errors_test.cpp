// Each kind of mistake: its place, and words a person can act on.
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

// A ball whose further members are `more`.
std::string ball(const std::string& more) {
  return "{\"tenon\": 1, \"groups\": {\"g\": {}}, \"bodies\": [\n"
         "{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}, " +
         more + "}]}";
}
constexpr int kMore = 57;  // column of `more`

TEST(SceneErrors, AreAllListedAtOnce) {
  const LoadResult result = load(R"({
  "tenon": 1,
  "world": {"step": 0, "gravty": [0, -9.81, 0]},
  "materials": {"cork": {"density": "3 m"}},
  "bodies": [
    {"name": "a", "shape": {"type": "sphere", "radius": "-5 cm"}, "material": "wood"},
    {"name": "b", "shape": {"type": "spere", "radius": 1}},
    {"name": "c", "shape": {"type": "box", "size": [1, 2]}, "orientation": [0, 0, 0, 0]},
    {"name": "d", "shape": {"type": "sphere", "radius": 1}, "mass": 1e999},
  ],
  "forces": {"x": 1}
})");
  const struct {
    int line, column;
    const char* part;
  } wanted[] = {
      {3, 21, "step must be above 0"},
      {3, 24, "unknown key 'gravty' in a world; did you mean 'gravity'?"},
      {4, 37, "density must be a density, this is a length"},
      {6, 57, "radius must be above 0"},
      {7, 37, "unknown shape 'spere'; did you mean 'sphere'?"},
      {8, 52, "size must be a list of three values"},
      {8, 76, "quaternion of length zero"},
      {9, 69, "number is too large"},
      {11, 13, "forces must be a list of force objects"},
  };
  ASSERT_EQ(result.errors.size(), std::size(wanted)) << all_errors(result.errors);
  for (size_t i = 0; i < result.errors.size(); ++i) {
    const std::string text = format(result.errors[i]);
    EXPECT_EQ(result.errors[i].line, wanted[i].line) << text;
    EXPECT_EQ(result.errors[i].column, wanted[i].column) << text;
    EXPECT_NE(text.find(wanted[i].part), text.npos) << text;
  }
}

TEST(SceneErrors, OfValuesSayWhatIsAccepted) {
  const struct {
    const char* more;
    int column;  // within `more`, from 0
    const char* part;
  } cases[] = {
      {"\"mass\": \"3 m\"", 8,
       "mass must be a mass, this is a length (got \"3 m\"; accepted: 5 or"},
      {"\"mass\": 0", 8, "mass must be above 0"},
      {"\"mass\": -1", 8, "mass must be above 0"},
      {"\"mass\": true", 8, "mass must be a number, not true/false"},
      {"\"mass\": \"2 kg + 1 m\"", 14, "adds a length to a mass"},
      {"\"mass\": \"3 x\"", 11, "unknown unit 'x'"},
      {"\"density\": 0", 11, "density must be above 0"},
      {"\"position\": [1, 2]", 12, "list of three values [x, y, z], each a length"},
      {"\"position\": [1, \"2 s\", 3]", 16, "position[1] must be a length, this is a time"},
      {"\"position\": [1e300, 0, 0]", 13, "position[0] is too large"},
      {"\"velocity\": [\"3 m\", 0, 0]", 13, "velocity[0] must be a velocity"},
      {"\"angular_velocity\": [\"2 Hz\", 0, 0]", 21, "must be an angular velocity"},
      {"\"orientation\": [1, 0, 0]", 15, "orientation must be an orientation"},
      {"\"orientation\": {\"axis\": [0, 0, 0], \"angle\": 1}", 24, "must not be the zero vector"},
      {"\"orientation\": {\"axis\": [0, 1, 0]}", 15, "needs both 'axis' and 'angle'"},
      {"\"orientation\": {\"euler\": [\"1 m\", 0, 0]}", 26, "must be an angle"},
      {"\"color\": \"gren\"", 9, "did you mean 'green'"},
      {"\"color\": [2, 0, 0]", 10, "color[0] is too large"},
      {"\"color\": 7", 9, "must be a colour"},
      {"\"transparency\": 1.5", 16, "transparency is too large"},
      {"\"gravity\": 1", 11, "gravity must be true or false"},
      {"\"material\": \"irn\"", 12, "unknown material 'irn'; did you mean 'iron'?"},
      {"\"material\": 3", 12, "material must be text"},
      {"\"motion\": \"statc\"", 10, "unknown motion; did you mean 'static'?"},
      {"\"colour\": \"red\"", 0, "unknown key 'colour' in a body; did you mean 'color'?"},
      {"\"group\": \"h\"", 9, "unknown group 'h'"},
      {"\"group\": [\"g\", \"h\"]", 15, "unknown group 'h'"},
      {"\"ignores\": [\"x\"]", 12, "unknown group 'x'"},
      {"\"collides_with\": [\"x\"]", 18, "unknown group 'x'"},
      {"\"air\": {\"area\": 1}", 7, "the air has no 'c_w'"},
      {"\"air\": {\"c_w\": -1}", 15, "c_w is too small"},
      {"\"surface_velocity\": 2", 20, "list of three values [x, y, z], each a velocity"},
      {"\"surface_velocity\": [\"1 m\", 0, 0]", 21, "surface_velocity[0] must be a velocity"},
      {"\"surface_velocity\": [1e30, 0, 0]", 21, "surface_velocity[0] is too large"},
      {"\"sensor\": 1", 10, "sensor must be true or false"},
      {"\"one_way\": [0, 0, 0]", 11, "one_way must not be the zero vector"},
      {"\"one_way\": true", 11, "list of three numbers"},
      {"\"oneway\": [0, 1, 0]", 0, "did you mean 'one_way'?"},
  };
  for (const auto& c : cases) expect_error(ball(c.more), 2, kMore + c.column, c.part);
}

TEST(SceneErrors, OfWholeBodiesPointAtTheField) {
  const struct {
    const char* more;
    int column;
    const char* part;
  } cases[] = {
      {"\"mass\": 1, \"density\": 2", 22, "both mass and density"},
      {"\"inertia\": [1, 1, 1]", 11, "inertia needs a mass"},
      {"\"mass\": 1, \"inertia\": [1, 1, 3]", 22, "triangle inequality"},
      {"\"mass\": 1, \"inertia\": [1, 1, -1]", 22, "principal moments above 0"},
      {"\"mass\": 1, \"inertia\": [0, 0, 0]", 22, "principal moments above 0"},
      {"\"mass\": 1, \"inertia\": [1, 1, 1, 5, 0, 0]", 22, "principal moments above 0"},
      {"\"mass\": 1, \"inertia\": [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]", 22, "must be symmetric"},
      {"\"mass\": 1, \"inertia\": [1, 2]", 22, "list of 3, 6 or 3x3"},
      {"\"motion\": \"static\", \"velocity\": [1, 0, 0]", 32, "static body has no velocity"},
      {"\"motion\": \"static\", \"angular_velocity\": [1, 0, 0]", 40, "static body has no angular"},
      {"\"angular_velocity\": [1, 0, 0], \"angular_velocity_body\": [1, 0, 0]", 56, "both angular"},
      {"\"keyframes\": [{\"t\": 0}]", 13, "only for kinematic"},
      {"\"turn\": {\"rate\": 1}", 8, "only for kinematic"},
      {"\"release\": 1", 11, "only for kinematic"},
      {"\"motion\": \"kinematic\", \"keyframes\": []", 36, "keyframes is empty"},
      {"\"motion\": \"kinematic\", \"keyframes\": [{\"t\": 1}, {\"t\": 1}]", 53,
       "times must increase"},
      {"\"motion\": \"kinematic\", \"keyframes\": [{}]", 37, "the keyframe has no 't'"},
      {"\"motion\": \"kinematic\", \"keyframes\": [{\"t\": 1}], \"repeat\": \"loop\"", 58,
       "one keyframe cannot repeat"},
      {"\"motion\": \"kinematic\", \"turn\": {\"rate\": 1}, \"velocity\": [1, 0, 0]", 31,
       "more than one way"},
      {"\"motion\": \"kinematic\", \"turn\": {\"rate\": 1, \"axis\": [0, 0, 0]}", 51,
       "zero vector"},
      {"\"motion\": \"kinematic\", \"turn\": {}", 31, "the turn has no 'rate'"},
      {"\"sensor\": true, \"surface_velocity\": [1, 0, 0]", 36,
       "a sensor pushes nothing, so it has no surface_velocity"},
      {"\"sensor\": true, \"one_way\": [0, 1, 0]", 27, "a sensor pushes nothing"},
  };
  for (const auto& c : cases) expect_error(ball(c.more), 2, kMore + c.column, c.part);
}

TEST(SceneErrors, OfSurfacesThatAreNotThere) {
  expect_error(R"({"tenon": 1, "bodies": [{"name": "p", "shape": {"type": "point_mass"}, "mass": 1,
"sensor": true}]})",
               2, 11, "a point touches nothing, so it has no sensor");
  expect_error(R"({"tenon": 1, "bodies": [{"name": "p", "shape": {"type": "fixed_point"},
"one_way": [0, 1, 0]}]})",
               2, 12, "a point touches nothing, so it has no one_way");
  expect_error(R"({"tenon": 1, "bodies": [{"name": "c", "shape": {"type": "compound", "parts": [
{"shape": {"type": "sphere", "radius": 1}, "sensor": true, "surface_velocity": [1, 0, 0]}]}}]})",
               2, 80, "a sensor pushes nothing, so it has no surface_velocity");
  EXPECT_EQ(load_good(ball("\"sensor\": true, \"collision\": false")).warnings.size(), 1u);
}

TEST(SceneErrors, OfShapesPointAtTheShape) {
  const struct {
    const char* shape;
    int column;
    const char* part;
  } cases[] = {
      {"{\"type\": \"sphere\"}", 0, "the sphere has no 'radius'"},
      {"{\"radius\": 1}", 0, "the shape has no 'type'"},
      {"7", 0, "a shape must be an object"},
      {"{\"type\": \"sphere\", \"radius\": 0}", 29, "radius must be above 0"},
      {"{\"type\": \"sphere\", \"radius\": 1e-12}", 29, "radius is too small"},
      {"{\"type\": \"sphere\", \"raduis\": 1, \"radius\": 1}", 19, "did you mean 'radius'"},
      {"{\"type\": \"box\", \"size\": [1, 0, 1]}", 28, "size[1] must be above 0"},
      {"{\"type\": \"capsule\", \"radius\": 1, \"length\": -1}", 43, "length is too small"},
      {"{\"type\": \"mesh\", \"scale\": 2}", 0,
       "a mesh has neither a file nor a form nor triangles"},
      {"{\"type\": \"plane\", \"normal\": [0, 0, 0]}", 28, "must not be the zero vector"},
      {"{\"type\": \"hull\", \"points\": [[0, 0, 0]]}", 27, "too few entries"},
      {"{\"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}", 27,
       "must not lie in one plane"},
      {"{\"type\": \"compound\", \"parts\": []}", 30, "too few entries"},
      {"{\"type\": \"compound\", \"parts\": [{\"shape\": {\"type\": \"plane\"}}]}", 50,
       "unknown shape 'plane'"},
      {"{\"type\": \"compound\", \"parts\": [{\"shape\": {\"type\": \"point_mass\"}}]}", 41,
       "needs a mass"},
      {"{\"type\": \"point_mass\"}", 0, "needs a mass"},
  };
  for (const auto& c : cases) {
    const std::string text =
        "{\"tenon\": 1, \"bodies\": [\n{\"name\": \"b\", \"shape\": " + std::string(c.shape) +
        "}]}";
    expect_error(text, 2, 24 + c.column, c.part);
  }
}

TEST(SceneErrors, OfSectionsPointAtTheEntry) {
  const struct {
    const char* text;
    int column;
    const char* part;
  } cases[] = {
      {"{}", 1, "no format version"},
      {"{\"tenon\": 2}", 11, "unknown format version (got 2; accepted: \"tenon\": 1)"},
      {"[]", 1, "must be an object"},
      {"{\"tenon\": 1, \"boddies\": []}", 14, "did you mean 'bodies'"},
      {"{\"tenon\": 1, \"bodies\": {}}", 24, "must be a list of body objects"},
      {"{\"tenon\": 1, \"bodies\": [3]}", 25, "a body must be an object"},
      {"{\"tenon\": 1, \"world\": {\"tolerance\": 1}}", 37, "tolerance is too large"},
      {"{\"tenon\": 1, \"world\": {\"seed\": 1.5}}", 32, "must be a whole number"},
      {"{\"tenon\": 1, \"world\": {\"method\": \"magic\"}}", 34, "impulse, displacement, force"},
      {"{\"tenon\": 1, \"parameters\": {\"m\": 3}}", 29, "is the unit metre"},
      {"{\"tenon\": 1, \"parameters\": {\"a\": \"b\", \"b\": 1}}", 35, "unknown name 'b'"},
      {"{\"tenon\": 1, \"parameters\": {\"a\": [1]}}", 34, "a parameter must be a number"},
      {"{\"tenon\": 1, \"materials\": {\"x\": {\"restitution\": 2}}}", 49,
       "restitution is too large"},
      {"{\"tenon\": 1, \"materials\": {\"x\": {\"sliding_friction\": 0.9}}}", 54, "above static"},
      {"{\"tenon\": 1, \"pairs\": [{\"materials\": [\"iron\", \"irn\"]}]}", 47,
       "did you mean 'iron'"},
      {"{\"tenon\": 1, \"pairs\": [{\"materials\": [\"iron\"]}]}", 38, "list of two names"},
      {"{\"tenon\": 1, \"pairs\": [{\"materials\": [\"ice\", \"iron\"]}, "
       "{\"materials\": [\"iron\", \"ice\"]}]}",
       56, "stands twice"},
      {"{\"tenon\": 1, \"groups\": {\"a\": {\"ignores\": \"b\"}}}", 42, "unknown group 'b'"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"fov\": \"200 deg\"}]}", 47,
       "fov is too large"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"position\": [0, 0, 0]}]}", 26,
       "own position"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"type\": \"mounted\"}]}", 48,
       "needs a body"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"type\": \"follow\", \"body\": \"x\"}]}",
       66, "a body that is not there"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"period\": 3}]}", 50,
       "camera of type orbit"},
      {"{\"tenon\": 1, \"cameras\": [{\"name\": \"c\", \"type\": \"path\"}]}", 26,
       "needs keyframes"},
      {"{\"tenon\": 1, \"shots\": [{\"t\": 0, \"camera\": \"atuo\"}]}", 43, "did you mean 'auto'"},
      {"{\"tenon\": 1, \"shots\": [{\"t\": 1, \"camera\": \"auto\"}, {\"t\": 1, \"camera\": "
       "\"auto\"}]}",
       52, "not in order of time"},
      {"{\"tenon\": 1, \"lights\": [{\"type\": \"son\"}]}", 34, "did you mean 'sun'"},
      {"{\"tenon\": 1, \"forces\": {\"f\": 1}}", 24, "forces must be a list"},
      {"{\"tenon\": 1, \"instances\": [{\"prefab\": \"p\", \"name\": \"x\"}]}", 39,
       "unknown prefab 'p'"},
      {"{\"tenon\": 1, \"arrays\": [{\"bodies\": []}]}", 25, "the array has no 'for'"},
  };
  for (const auto& c : cases) expect_error(c.text, 1, c.column, c.part);
}

TEST(SceneErrors, DuplicateNamesNameTheFirst) {
  const std::string one = "{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}}";
  expect_error(with_bodies("\n" + one + ",\n" + one), 3, 10,
               "the name 'b' is already taken (accepted: another name (the first is in line 2))");
}

TEST(SceneErrors, AnExplicitlyDynamicPlaneIsRefused) {
  expect_error(
      with_bodies("{\"name\": \"p\", \"shape\": {\"type\": \"plane\"}, \"motion\": \"dynamic\"}"),
      1, 77, "cannot be dynamic");
}

TEST(SceneErrors, StopAtTheLimit) {
  std::string bodies;
  for (int i = 0; i < 500; ++i) bodies += "\n{\"name\": 1},";
  EXPECT_EQ(load(with_bodies(bodies)).errors.size(), 100u);
}

TEST(SceneWarnings, SayWhatHasNoEffect) {
  const LoadResult result = load_good(ball("\"motion\": \"static\", \"mass\": 3"));
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0].line, 2);
  EXPECT_EQ(load_good(ball("\"orientation\": [2, 0, 0, 0]")).warnings.size(), 1u);
}

}  // namespace
}  // namespace tenon::scene
