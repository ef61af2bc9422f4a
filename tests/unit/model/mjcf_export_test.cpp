// MJCF out: what is written reads back as what it was, and what cannot be said is named.
#include "tenon/scene/mjcf/export_mjcf.h"

#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

mjcf::MjcfText write(const Document& document, const mjcf::MjcfExportOptions& options = {}) {
  const LoadResult loaded = load_scene(save_scene(document), "scene.json");
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : tenon::format(loaded.errors.front()));
  Result<mjcf::MjcfText> made = mjcf::export_mjcf(loaded.flat, options);
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return made.ok() ? std::move(*made) : mjcf::MjcfText{};
}

Document parse(const std::string& text) {
  const LoadResult loaded = load_scene(text, "scene.json");
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : tenon::format(loaded.errors.front()));
  return loaded.flat;
}

std::string warnings_of(const mjcf::MjcfText& text) {
  std::string all;
  for (const Error& w : text.warnings) all += tenon::format(w) + "\n";
  return all;
}

// In, out and in again: the same bytes.
void expect_same(const std::string& text, const model::Files& files = test::memory({})) {
  const Document first = test::mjcf(text, {}, files).document;
  const mjcf::MjcfText out = write(first);
  EXPECT_EQ(out.inexact, 0u) << out.text;
  const Document second = test::mjcf(out.text, {}, files).document;
  EXPECT_EQ(save_scene(second), save_scene(first)) << out.text;
  EXPECT_EQ(write(second).text, out.text);
}

// Two documents move alike: poses of bodies of the same name after some steps.
void expect_same_motion(const Document& a, const Document& b, int steps, double within) {
  BuiltScene one = test::build_scene(a), two = test::build_scene(b);
  for (int i = 0; i < steps; ++i) {
    one.world.step();
    two.world.step();
  }
  for (size_t i = 0; i < one.names.size(); ++i) {
    for (size_t j = 0; j < two.names.size(); ++j) {
      if (one.names[i] != two.names[j]) continue;
      const Pose p = one.world.pose(one.handles[i]), q = two.world.pose(two.handles[j]);
      EXPECT_NEAR(norm(p.p - q.p), 0, within) << one.names[i];
      EXPECT_NEAR(norm((conjugate(p.q) * q.q).vec()), 0, within) << one.names[i];
    }
  }
}

std::string arm(const std::string& joints, const std::string& more = "") {
  return "<mujoco model='m'><compiler angle='degree'/><option timestep='0.004'/><worldbody>"
         "<geom name='floor' type='plane' size='1 1 1' friction='.7' condim='4'/>"
         "<body name='a' pos='0.1 0.2 1.3' euler='10 20 30'><geom type='box' size='.1 .2 .3'/>" +
         joints +
         "<body name='b' pos='.3 0 .1' quat='.7071 0 .7071 0'><joint name='elbow' pos='-.1 0 0' "
         "axis='0 .6 .8' range='-30 60' damping='.2' stiffness='2' springref='10' "
         "frictionloss='.1'/><geom fromto='0 0 0 .1 .2 .3' size='.05' type='capsule' rgba='1 0 0 "
         "1'/></body></body></worldbody>" +
         more + "</mujoco>";
}

TEST(MjcfExport, ExportingAndImportingAgainChangesNothing) {
  expect_same(arm("<joint name='x'/>"));
  expect_same(arm("<freejoint/>"));
  expect_same(arm("<joint name='ball' type='ball' pos='.1 0 0' range='0 40' damping='1'/>"));
  expect_same(arm(""));
}

TEST(MjcfExport, SeveralFreedomsOfOneBodyAreOneBodyAgain) {
  expect_same(arm("<joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/>"));
  expect_same(
      arm("<joint name='x' axis='1 0 0'/><joint name='z' axis='0 0 1'/>"
          "<joint name='y' axis='0 1 0' range='-10 10'/>"));
  expect_same(
      arm("<joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' "
          "axis='0 0 1'/><joint name='y' axis='0 -1 0'/>"));
  expect_same(arm("<joint name='s' type='slide' axis='0 .6 .8'/><joint name='h' axis='0 .6 .8'/>"));
}

TEST(MjcfExport, LoopsGearsMotorsTendonsAndFiltersComeBack) {
  expect_same(arm(
      "<joint name='x'/><site name='s' pos='.1 .1 .1'/>",
      "<contact><exclude body1='b' body2='a'/></contact>"
      "<equality><connect name='c' body1='b' anchor='.1 .2 .3'/><weld body1='a' body2='b' "
      "active='false'/><joint name='g' joint1='x' joint2='elbow' polycoef='0 2 0 0 0'/></equality>"
      "<actuator><motor joint='x' gear='5'/><position joint='elbow' kp='3'/></actuator>"));
  const std::string two =
      "<mujoco><worldbody><site name='w' pos='0 0 2'/><body name='a' pos='0 0 1'><freejoint/>"
      "<geom size='.1' contype='2' conaffinity='4' solref='.02 .3'/><site name='s'/></body>"
      "<body name='b' pos='0 1 1'><freejoint/><geom type='ellipsoid' size='.1 .2 .3' condim='6' "
      "friction='1 .1 .01'/></body></worldbody><tendon><spatial name='rope' limited='true' "
      "range='0 1.5'><site site='w'/><site site='s'/></spatial><spatial name='rod'><site site='w'/>"
      "<site site='s'/></spatial></tendon><equality><tendon tendon1='rod'/></equality></mujoco>";
  expect_same(two);
  EXPECT_EQ(test::mjcf(two).document.connections.size(), 2u);
}

TEST(MjcfExport, AScrewIsASlideThatFollowsItsHinge) {
  const std::string text = arm(
      "<joint name='s' type='slide' axis='0 0 1'/><joint name='h' axis='0 0 1'/>",
      "<equality><joint name='thread' joint1='s' joint2='h' polycoef='0 .25 0 0 0'/></equality>");
  const Document d = test::mjcf(text).document;
  ASSERT_NE(find_joint(d, "s+h"), nullptr);
  EXPECT_EQ(find_joint(d, "s+h")->type, JointType::kScrew);
  EXPECT_NEAR(find_joint(d, "s+h")->pitch.value_or(0), 0.5 * kPi, 1e-15);
  expect_same(text);
}

TEST(MjcfExport, MeshesAndHullsStandInTheModelOrBesideIt) {
  const std::string tet =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const std::string model =
      "<mujoco><asset><mesh name='t' file='t.obj' scale='.1 .2 .3'/><mesh name='p' vertex='0 0 0  "
      "1 0 0  0 1 0  0 0 1'/><mesh name='f' vertex='0 0 0  1 0 0  0 1 0  0 0 1' face='0 2 1  0 1 3 "
      " 1 2 3  0 3 2'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='t'/></body>"
      "<body pos='2 0 0'><freejoint/><geom type='mesh' mesh='p'/></body><body pos='4 0 0'>"
      "<freejoint/><geom type='mesh' mesh='f'/></body></worldbody></mujoco>";
  expect_same(model, test::memory({{"t.obj", tet}}));
  // what MuJoCo does not read becomes a file of its own
  const Document form = parse(
      R"({"tenon": 1, "bodies": [{"name": "g", "shape": {"type": "mesh", "form": {"type": "gear",
          "teeth": 8, "module": 0.1, "width": 0.2}}}]})");
  const mjcf::MjcfText out = write(form, {.read = {}, .mesh_folder = "robot_meshes/"});
  ASSERT_EQ(out.meshes.size(), 1u);
  EXPECT_EQ(out.meshes[0].name, "robot_meshes/mesh.obj");
  const Document again =
      test::mjcf(out.text, {}, test::memory({{out.meshes[0].name, out.meshes[0].text}})).document;
  const BuiltScene built = test::build_scene(form);
  EXPECT_NEAR(*again.bodies[0].mass, 1 / built.world.mass(built.handles[0]).inv_mass, 1e-9);
}

// A joint whose parent hangs on its child, and joints that do not start at 0.
TEST(MjcfExport, TreesThatASceneSaysTheOtherWayMoveAlike) {
  const Document scene = parse(R"({"tenon": 1, "world": {"step": 0.005}, "bodies": [
      {"name": "a", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [0.5, 2, 0]},
      {"name": "b", "shape": {"type": "box", "size": [1, 0.1, 0.2]}, "position": [1.5, 2, 0]}],
    "joints": [
      {"name": "h", "type": "hinge", "parent": "b", "child": "a", "at": [1, 2, 0],
       "axis": [0, 0, 1], "limits": [-0.5, 2], "spring": {"damping": 0.01}},
      {"name": "w", "type": "universal", "child": "a", "at": [0, 2, 0], "axis": [0, 0, 1],
       "axis2": [0, 1, 0]}]})");
  const mjcf::MjcfText out = write(scene);
  const Document again = test::mjcf(out.text).document;
  EXPECT_EQ(again.joints.size(), 2u) << out.text;
  // round-off, grown over a swinging double pendulum's 100 steps
  expect_same_motion(scene, again, 100, 1e-7);
}

TEST(MjcfExport, ModelsStandAsTheSceneStarts) {
  model::ImportOptions options;
  options.start = {{"elbow", 0.4}, {"x", -0.3}};
  const Document scene = test::mjcf(arm("<joint name='x' axis='0 1 0'/>"), options).document;
  const mjcf::MjcfText out = write(scene);
  EXPECT_TRUE(test::has(out.text, " ref=\"")) << out.text;
  expect_same_motion(scene, test::mjcf(out.text).document, 100, 1e-7);
}

TEST(MjcfExport, VelocitiesAndTargetsAreInAKeyFrame) {
  const Document scene = parse(R"({"tenon": 1, "world": {"gravity": [0, 0, 0]}, "bodies": [
      {"name": "a", "shape": {"type": "box", "size": [1, 1, 1]}, "velocity": [1, 2, 3], "angular_velocity": [0, 1, 0]}]})");
  const mjcf::MjcfText out = write(scene);
  EXPECT_EQ(out.key, "start");
  model::ImportOptions options;
  options.keyframe = out.key;
  const Document again = test::mjcf(out.text, options).document;
  EXPECT_NEAR(norm(again.bodies[0].velocity - Vec3{1, 2, 3}), 0, 1e-12);
  EXPECT_NEAR(norm(again.bodies[0].angular_velocity - Vec3{0, 1, 0}), 0, 1e-12);
}

TEST(MjcfExport, NamesWhatItCannotSay) {
  const Document scene = parse(R"({"tenon": 1, "bodies": [
      {"name": "a", "shape": {"type": "box", "size": [1, 1, 1]}, "air": {"c_w": 1}},
      {"name": "b", "shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0], "material": "rubber"}],
    "joints": [{"name": "j", "type": "hinge", "child": "a", "axis": [0, 0, 1],
     "break_force": 5}],
    "forces": [{"name": "push", "body": "b", "force": [1, 0, 0]}]})");
  const std::string all = warnings_of(write(scene));
  for (const char* words : {"air resistance", "do not break", "forces on a timeline",
                            "where two materials meet", "one friction"}) {
    EXPECT_TRUE(test::has(all, words)) << all;
  }
  EXPECT_TRUE(test::has(all, "scene.json:4:14: air")) << all;  // with their places
}

TEST(MjcfExport, NothingIsNoModel) {
  const Result<mjcf::MjcfText> made = mjcf::export_mjcf(Document{});
  ASSERT_FALSE(made.ok());
  EXPECT_TRUE(test::has(made.error().message, "no body"));
}

// Trees of the gallery: after one round nothing moves any more but digits that round off.
class GalleryTree : public testing::TestWithParam<const char*> {};

TEST_P(GalleryTree, SurvivesRoundsAndMovesAlike) {
  const std::string path = std::string(TENON_SOURCE_DIR) + "/gallery/" + GetParam() + ".json";
  const LoadResult loaded = load_scene(test::read_file(path), path);
  ASSERT_TRUE(loaded.ok());
  const Result<mjcf::MjcfText> out = mjcf::export_mjcf(loaded.flat);
  ASSERT_TRUE(out.ok());
  model::ImportOptions options;
  options.keyframe = out->key;
  const Document once = test::mjcf(out->text, options).document;
  const mjcf::MjcfText text = write(once);
  options.keyframe = text.key;
  const Document twice = test::mjcf(text.text, options).document;
  EXPECT_EQ(once.bodies.size(), twice.bodies.size());
  EXPECT_EQ(once.joints.size(), twice.joints.size());
  expect_same_motion(once, twice, 10, 1e-8);
}
INSTANTIATE_TEST_SUITE_P(All, GalleryTree,
                         testing::Values("double-pendulum", "imported-gripper", "imported-humanoid",
                                         "pendulum", "slider-crank", "imported-arm"),
                         [](const auto& of) {
                           std::string name = of.param;
                           for (char& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace tenon::scene
