// Mistakes in joints: their places, and words a person can act on.
#include "tenon/tests/unit/scene/scene_test_help.h"

#include "tenon/scene/formats/expression.h"

namespace tenon::scene {
namespace {

// One joint on line 2, which begins with `more` in column 15, after name and child.
std::string joint(const std::string& more) {
  return R"({"tenon": 1, "bodies": [
{"name": "arm", "shape": {"type": "sphere", "radius": 1}},
{"name": "leg", "shape": {"type": "sphere", "radius": 1}},
{"name": "wall", "shape": {"type": "plane"}}], "joints": [
{"name": "j", )" +
         more + "}]}";
}
constexpr int kLine = 5, kMore = 15;

TEST(JointErrors, SayWhereAndWhatWouldDo) {
  const struct {
    const char* more;
    int column;  // within `more`, from 0; -1: the joint's name; -2: the joint itself
    const char* part;
  } cases[] = {
      {R"("child": "arm", "type": "hing", "axis": [1, 0, 0])", 24, "did you mean 'hinge'"},
      {R"("child": "amr", "type": "point")", 9, "unknown body 'amr'; did you mean 'arm'?"},
      {R"("child": "arm", "parent": "lg", "type": "point")", 26, "did you mean 'leg'"},
      {R"("child": "arm", "parent": "arm", "type": "point")", 9, "joins 'arm' to itself"},
      {R"("child": "world", "type": "point")", 9, "the child of a joint cannot be the world"},
      {R"("child": "wall", "type": "point")", -1, "neither end of the joint can move"},
      {R"("type": "point")", -2, "the joint has no 'child'"},
      {R"("child": "arm")", -2, "the joint has no 'type'"},
      {R"("child": "arm", "type": "hinge")", -2, "a joint of type 'hinge' has no 'axis'"},
      {R"("child": "arm", "type": "hinge", "axis": [0, 0, 0])", 41, "must not be the zero vector"},
      {R"("child": "arm", "type": "point", "length": 1)", 43,
       "a joint of type 'point' has no 'length' (got 1; accepted: types with it: distance)"},
      {R"("child": "arm", "type": "screw", "axis": [1, 0, 0])", -2, "a screw has no 'pitch'"},
      {R"("child": "arm", "type": "rigid", "friction": 1)", 45, "has no freedom for a friction"},
      {R"("child": "arm", "type": "point", "limits": [0, 1])", 43,
       "has several freedoms; limits must say which it is for"},
      {R"("child": "arm", "type": "point", "limits": {"x": [0, 1]})", 44,
       "a joint of type 'point' is not free along 'x' (got [0, 1]; accepted: rx, ry, rz)"},
      {R"("child": "arm", "type": "point", "limits": {"rw": [0, 1]})", 44, "unknown axis 'rw'"},
      {R"("child": "arm", "type": "point", "limits": {"rx": [1, 0]})", 50,
       "minimum above its maximum"},
      {R"("child": "arm", "type": "point", "limits": {"rx": [null, null]})", 50, "limits nothing"},
      {R"("child": "arm", "type": "point", "limits": {"rx": ["3 m", 1]})", 51,
       "limits[0] must be an angle, this is a length"},
      {R"("child": "arm", "type": "point", "swing": 4)", 42, "swing is too large"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "motor": {"velocity": "3 m/s"})", 74,
       "velocity must be an angular velocity, this is a velocity"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "motor": {})", 61,
       "the motor is not told what to do"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "motor": {"force": 1, "velocity": 2})",
       61, "several aims"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "motor": {"force": 1, "max": 2})", 81,
       "max means nothing to this motor"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "motor": {"velcity": 1})", 62,
       "did you mean 'velocity'"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "spring": {"stiffness": "1 N/m"})",
       76, "must be a stiffness against turning, this is a stiffness"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "axis2": [2, 0, 0])", 61,
       "axis2 runs along axis"},
      {R"("child": "arm", "type": "universal", "axis": [1, 0, 0], "axis2": [1, 1, 0])", 65,
       "must be at right angles"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "child_frame": {})", 41,
       "both axis and child_frame are given"},
      {R"("child": "arm", "type": "rigid", "child_frame": {"axis": [1, 0, 0], "orientation": [1, 0, 0, 0]})",
       57, "both orientation and axis are given"},
      {R"("child": "arm", "type": "distance", "length": 1, "limits": [0, 1])", 46,
       "a rod of fixed length has no limits"},
      {R"("child": "arm", "type": "gear", "first": "j", "second": "j")", 9,
       "a gear couples two joints"},
      {R"("type": "gear", "first": "q", "second": "j")", 25, "unknown joint 'q'"},
      {R"("child": "arm", "type": "hinge", "axis": [1, 0, 0], "break_force": 0)", 67,
       "break_force must be above 0"},
      {R"("child": "arm", "type": "six_axis", "locked": ["x", "q"])", 52, "unknown locked"},
      {R"("child": "arm", "type": "point", "chid": 3)", 33, "did you mean 'child'"},
  };
  for (const auto& c : cases) {
    const LoadResult result = load(joint(c.more));
    ASSERT_FALSE(result.errors.empty()) << c.more;
    const Error& e = result.errors[0];
    const int column = c.column == -1 ? 10 : c.column == -2 ? 1 : kMore + c.column;
    EXPECT_EQ(e.line, kLine) << format(e);
    EXPECT_EQ(e.column, column) << format(e) << "\n" << c.more;
    EXPECT_NE(format(e).find(c.part), std::string::npos) << format(e) << "\nlacks: " << c.part;
  }
}

TEST(JointErrors, OfGearsNameTheFreedoms) {
  const char* kJoints = R"({"tenon": 1, "bodies": [
{"name": "a", "shape": {"type": "sphere", "radius": 1}},
{"name": "b", "shape": {"type": "sphere", "radius": 1}}], "joints": [
{"name": "h", "type": "hinge", "child": "a", "axis": [1, 0, 0]},
{"name": "c", "type": "cylindrical", "child": "b", "axis": [1, 0, 0]},
{"name": "r", "type": "rigid", "parent": "a", "child": "b"},
{"name": "g", "type": "gear", )";
  const struct {
    const char* more;
    int column;
    const char* part;
  } cases[] = {
      {R"("first": "h", "second": "c")", 24, "'c' has several freedoms"},
      {R"("first": "h", "second": "r")", 24, "'r' has no freedom to couple"},
      {R"("first": "h", "first_axis": "x", "second": "c", "second_axis": "x")", 9,
       "'h' is not free along 'x'"},
      {R"("first": "h", "second": "h")", 24, "couples a freedom with itself"},
      {R"("first": "h", "second": "g")", 24, "unknown joint 'g'"},
      {R"("first": "h", "second": "c", "second_axis": "x", "ratio": 0)", 58, "must not be 0"},
      {R"("first": "h", "second": "c", "second_axis": "x", "ratio": "1 kg")", 58, "plain number"},
  };
  for (const auto& c : cases) {
    expect_error(std::string(kJoints) + c.more + "}]}", 7, 31 + c.column, c.part);
  }
}

TEST(JointErrors, InArraysAndPrefabsTellTheRoundAndComeOnce) {
  const LoadResult chain = load(R"json({"tenon": 1, "arrays": [{"for": {"i": 9},
"bodies": [{"name": "link_{i}", "shape": {"type": "sphere", "radius": 1}}],
"joints": [{"name": "j{i}", "type": "point", "parent": "link_{i - 1}", "child": "link_{i}"}]}]})json");
  ASSERT_EQ(chain.errors.size(), 1u) << all_errors(chain.errors);
  EXPECT_EQ(chain.errors[0].line, 3);
  EXPECT_EQ(chain.errors[0].column, 56);
  EXPECT_NE(format(chain.errors[0]).find("unknown body 'link_-1'"), std::string::npos);
  EXPECT_NE(format(chain.errors[0]).find("with i = 0"), std::string::npos);
  // a prefab nobody uses is checked as well, and what it has itself is known there
  load_good(R"json({"tenon": 1, "prefabs": {"p": {
    "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}],
    "joints": [{"name": "j", "type": "point", "child": "b"}]}}})json");
  const LoadResult unused = load(R"json({"tenon": 1, "prefabs": {"p": {
    "joints": [{"name": "j", "type": "point", "child": "b"}]}}})json");
  ASSERT_EQ(unused.errors.size(), 1u) << all_errors(unused.errors);
  EXPECT_NE(format(unused.errors[0]).find("unknown body 'b'"), std::string::npos);
  // documents that programs made have no places; nothing is told twice all the same
  Document d;
  d.instances.push_back(Json::object().set("prefab", "x").set("name", "y"));
  d.prefabs.push_back({"p",
                       Json::object().set("joints", Json::array({Json::object()
                                                                     .set("name", "g")
                                                                     .set("type", "gear")
                                                                     .set("first", "h")
                                                                     .set("second", "i")})),
                       {}});
  const LoadResult made = check_scene(d);
  EXPECT_EQ(made.errors.size(), 3u) << all_errors(made.errors);
}

TEST(JointErrors, NamesAreTakenOnceAndTheWorldIsNoBody) {
  const LoadResult twice = load(R"({"tenon": 1, "bodies": [
{"name": "a", "shape": {"type": "sphere", "radius": 1}}], "joints": [
{"name": "j", "type": "point", "child": "a"}, {"name": "j", "type": "point", "child": "a"}]})");
  ASSERT_EQ(twice.errors.size(), 1u) << all_errors(twice.errors);
  EXPECT_EQ(twice.errors[0].column, 56);
  EXPECT_NE(format(twice.errors[0]).find("'j' is already taken"), std::string::npos);
  expect_error(with_bodies(R"({"name": "world", "shape": {"type": "plane"}})"), 1, 34,
               "'world' is what joints call the world itself");
}

TEST(JointErrors, TooManyJointsAreRefusedBeforeTheyAreMade) {
  LoadOptions options;
  options.max_bodies = 10;
  const LoadResult result = load(R"json({"tenon": 1,
    "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}}],
    "arrays": [{"for": {"i": 50}, "joints": [{"name": "j{i}", "type": "point", "child": "a"}]}]})json",
                                 options);
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_NE(format(result.errors[0]).find("too many joints"), std::string::npos);
}

TEST(TextChoices, ChooseNestAndComplain) {
  Scope scope;
  scope.set("i", {2, kNumber});
  EXPECT_EQ(substitute("{i > 0 ? 'link_{i - 1}' : 'world'}", scope).text, "link_1");
  EXPECT_EQ(substitute("{i > 5 ? 'link_{i - 1}' : 'world'}!", scope).text, "world!");
  EXPECT_EQ(substitute("{i == 0 ? 'a' : i == 1 ? 'b' : i}", scope).text, "2");
  EXPECT_EQ(substitute("a{i > 0 ? 'b{i > 1 ? 'c{i}' : 'd'}' : ''}", scope).text, "abc2");
  EXPECT_EQ(substitute("{(i > 0 ? 1 : 2) == 1 ? ' x (y' : 'z'}", scope).text, " x (y");
  EXPECT_EQ(substitute("it's {i}", scope).text, "it's 2");
  for (const char* bad : {"{'a'}b{", "{i ? 'a'}", "{i + 'a'}", "{i ? 'a : 'b'}", "{j ? 'a' : 'b'}",
                          "{i ? 'a{j}' : 'b'}", "{i ? 'a' 'b' : 'c'}"}) {
    const Substitution s = substitute(bad, scope);
    EXPECT_FALSE(s.ok) << bad << " -> " << s.text;
    EXPECT_FALSE(s.message.empty()) << bad;
  }
}

}  // namespace
}  // namespace tenon::scene
