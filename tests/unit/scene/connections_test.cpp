// Connections in scene files: what they say, copies of them, and mistakes.
#include "tenon/scene/document/builder.h"
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

// One connection on line 5, which begins with `more` in column 15, after the name.
std::string connection(const std::string& more) {
  return R"({"tenon": 1, "bodies": [
{"name": "car", "shape": {"type": "sphere", "radius": 1}, "position": [0, 2, 0]},
{"name": "wheel", "shape": {"type": "sphere", "radius": 1}},
{"name": "wall", "shape": {"type": "plane"}}], "connections": [
{"name": "c", )" +
         more + "}]}";
}
constexpr int kLine = 5, kMore = 15;

TEST(Connections, SayEverythingOnce) {
  const LoadResult result = load_good(connection(
      R"("type": "shock_absorber", "a": "car", "b": "world", "point_a": [0, "-50 cm", 0],
"to": [0, 1, 0], "stiffness": "20 N/mm", "damping": "1.5 kN s/m", "length": "60 cm", "min_separation": "20 cm",
"break_force": "5 kN", "break_time": "10 ms", "enabled": false, "bodies_collide": false)"));
  ASSERT_EQ(result.flat.connections.size(), 1u);
  const Connection& c = result.flat.connections[0];
  EXPECT_EQ(c.type, ConnectionType::kShockAbsorber);
  EXPECT_EQ(c.a.name, "car");
  EXPECT_EQ(c.b.name, "world");
  EXPECT_EQ(c.point_a, (Vec3{0, -0.5, 0}));
  EXPECT_FALSE(c.at || c.point_b);
  EXPECT_EQ(c.to, (Vec3{0, 1, 0}));
  EXPECT_NEAR(c.stiffness, 2e4, 1e-9);
  EXPECT_NEAR(c.damping, 1500, 1e-9);
  EXPECT_NEAR(*c.length, 0.6, 1e-15);
  EXPECT_NEAR(c.min_separation, 0.2, 1e-15);
  EXPECT_EQ(c.break_force, 5000);
  EXPECT_NEAR(c.break_time, 0.01, 1e-15);
  EXPECT_FALSE(c.enabled);
  EXPECT_EQ(c.bodies_collide, false);
  EXPECT_EQ(find_connection(result.flat, "c"), &c);
  EXPECT_EQ(find_connection(result.flat, "d"), nullptr);
}

TEST(Connections, SurviveSavingAndLoading) {
  for (const char* more :
       {R"("type": "spring", "a": "car", "b": "wheel", "stiffness": 100, "min_separation": 0.5)",
        R"("type": "rope", "a": "world", "b": "wheel", "at": [0, 3, 0], "length": 4)",
        R"("type": "rigid", "a": "car", "b": "wheel", "bodies_collide": true)",
        R"("type": "ball", "a": "car", "b": "world", "at": [0, 1, 0])"}) {
    const LoadResult first = load_good(connection(more));
    const LoadResult again = load_good(save_scene(first.document));
    ASSERT_EQ(again.document.connections.size(), 1u);
    Connection a = first.document.connections[0], b = again.document.connections[0];
    a.place = b.place = a.a.place = b.a.place = a.b.place = b.b.place = {};
    EXPECT_EQ(a, b) << more;
  }
}

TEST(Connections, GoWithTheirPrefabsAndArrays) {
  const LoadResult result = load_good(R"({"tenon": 1,
"prefabs": {"swing": {"parameters": {"k": "10 N/m"},
  "bodies": [{"name": "seat", "shape": {"type": "sphere", "radius": 0.1}}],
  "connections": [
    {"name": "left", "type": "spring", "a": "world", "b": "seat", "at": [-1, 2, 0], "stiffness": "k"},
    {"name": "right", "type": "rope", "a": "seat", "b": "world", "point_a": [0.1, 0, 0], "point_b": [1, 2, 0]}]}},
"instances": [{"prefab": "swing", "name": "s", "position": [10, 0, 0],
  "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}, "with": {"k": "20 N/m"}}],
"arrays": [{"for": {"i": 3}, "bodies": [{"name": "b{i}", "shape": {"type": "sphere", "radius": 0.1}, "position": ["i", 0, 0]}]},
  {"for": {"i": 2}, "connections": [{"name": "r{i}", "type": "rod", "a": "b{i}", "b": "b{i+1}"}]}]})");
  ASSERT_EQ(result.flat.connections.size(), 4u);
  const Connection* left = find_connection(result.flat, "s/left");
  const Connection* right = find_connection(result.flat, "s/right");
  ASSERT_TRUE(left && right);
  EXPECT_EQ(left->b.name, "s/seat");
  EXPECT_NEAR(norm(*left->at - Vec3{10, 2, 1}), 0, 1e-14);
  EXPECT_NEAR(left->stiffness, 20, 1e-14);
  EXPECT_NEAR(norm(*right->point_a - Vec3{0.1, 0, 0}), 0, 1e-15);  // stays in its body
  EXPECT_NEAR(norm(*right->point_b - Vec3{10, 2, -1}), 0, 1e-14);  // the world's does not
  EXPECT_EQ(find_connection(result.flat, "r1")->b.name, "b2");
}

TEST(Connections, MistakesHaveAPlaceAndAWayOut) {
  const struct {
    const char* more;
    int column;  // within `more`, from 0; -1: the name; -2: the connection itself
    const char* part;
  } cases[] = {
      {R"("a": "car", "b": "wheel", "type": "sprng", "stiffness": 1)", 34, "did you mean 'spring'"},
      {R"("a": "car", "b": "whel", "type": "rod")", 17,
       "unknown body 'whel'; did you mean 'wheel'"},
      {R"("a": "car", "b": "car", "type": "rod")", 17, "connects 'car' with itself"},
      {R"("a": "world", "b": "world", "at": [0, 0, 0], "to": [1, 0, 0], "type": "rod")", 19,
       "connects 'world' with itself"},
      {R"("a": "world", "b": "wall", "at": [0, 0, 0], "type": "rod")", -1,
       "neither end of the connection can move"},
      {R"("a": "car", "type": "rod")", -2, "the connection has no 'b'"},
      {R"("a": "car", "b": "wheel")", -2, "the connection has no 'type'"},
      {R"("a": "world", "b": "car", "type": "rod")", 5, "does not say where it holds the world"},
      {R"("a": "car", "b": "wheel", "at": [0, 0, 0], "point_a": [0, 0, 0], "type": "rod")", 54,
       "both at and point_a are given"},
      {R"("a": "car", "b": "wheel", "type": "spring")", -2, "'spring' has no 'stiffness'"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": -5)", 57,
       "stiffness is too small"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": 0)", 57, "more than 0"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": "nan")", 58,
       "unknown name 'nan'"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": "5 N s/m")", 57,
       "stiffness must be"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": 1, "length": -1)", 70,
       "length is too small"},
      {R"("a": "car", "b": "wheel", "type": "spring", "stiffness": 1, "min_separation": -1)", 78,
       "min_separation is too small"},
      {R"("a": "car", "b": "wheel", "type": "shock_absorber", "stiffness": 1)", -2,
       "'shock_absorber' has no 'damping'"},
      {R"("a": "car", "b": "wheel", "type": "damper", "damping": 1, "stiffness": 1)", 71,
       "'damper' has no 'stiffness'"},
      {R"("a": "car", "b": "wheel", "type": "rod", "damping": 1)", 52, "a stiffness as well"},
      {R"("a": "car", "b": "wheel", "type": "rope", "length": 0)", 52, "needs a length"},
      {R"("a": "car", "b": "wheel", "type": "ball", "length": 1)", 52, "'ball' has no 'length'"},
      {R"("a": "car", "b": "wheel", "type": "ball", "swing": 1)", 42, "unknown key 'swing'"},
  };
  for (const auto& c : cases) {
    const int column = c.column == -1 ? 10 : c.column == -2 ? 1 : kMore + c.column;
    expect_error(connection(c.more), kLine, column, c.part);
  }
}

TEST(Connections, ShareTheirNamesWithJoints) {
  expect_error(R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}],
"joints": [{"name": "j", "type": "point", "child": "b"}],
"connections": [{"name": "j", "type": "rope", "a": "world", "b": "b", "at": [0, 5, 0]}]})",
               3, 26, "the connection name 'j' is already taken");
  // and are no joints that a gear could couple
  const LoadResult result =
      load(R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}],
"connections": [{"name": "r", "type": "rope", "a": "world", "b": "b", "at": [0, 5, 0]}],
"joints": [{"name": "g", "type": "gear", "first": "r", "second": "r"}]})");
  EXPECT_FALSE(result.ok());
}

TEST(Connections, ComeFromCppAsWell) {
  SceneBuilder s("two");
  s.add(box("a", {1, 1, 1}).at({0, 2, 0}));
  s.add(box("b", {1, 1, 1}));
  s.add(ConnectionBuilder("c", ConnectionType::kShockAbsorber, "a", "b")
            .at({0, 1.5, 0})
            .to({0, 0.5, 0})
            .stiff(100, 3)
            .of_length(1.2));
  const LoadResult result = check_scene(s.document());
  ASSERT_TRUE(result.ok()) << all_errors(result.errors);
  ASSERT_EQ(result.flat.connections.size(), 1u);
  EXPECT_EQ(result.flat.connections[0].damping, 3);
  EXPECT_EQ(result.flat.connections[0].length, 1.2);
}

}  // namespace
}  // namespace tenon::scene
