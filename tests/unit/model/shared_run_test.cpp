// Every URDF and MJCF beside the project runs.
#include <algorithm>

#include "tenon/scene/mjcf/export_mjcf.h"
#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

const std::string kModels = TENON_MODELS;

Result<model::Imported> import_path(const std::string& path,
                                    const model::ImportOptions& options = {}) {
  const std::string text = test::read_file(path);
  if (path.ends_with(".urdf")) return urdf::import_urdf(text, path, test::disk(), options);
  return mjcf::import_mjcf(text, path, test::disk(), options);
}

const char* kFiles[] = {
    "urdf/cartpole.urdf",        "urdf/door.urdf",      "urdf/TwoJointRobot_w_fixedJoints.urdf",
    "urdf/kuka_iiwa/model.urdf", "urdf/r2d2/r2d2.urdf", "mjcf/humanoid.xml",
    "mjcf/newton_cradle.xml",    "mjcf/acrobot.xml",    "mjcf/walker.xml",
    "mjcf/swimmer.xml"};

class SharedModel : public testing::TestWithParam<const char*> {};

TEST_P(SharedModel, RunsForFiveSeconds) {
  const auto made = import_path(kModels + "/" + GetParam());
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  BuiltScene scene = test::build_scene(made->document);
  double gap = 0;
  while (scene.world.time() < 5) {
    scene.world.step();
    gap = std::max(gap, scene.world.diagnostics().joint_gap_rel);
    for (const BodyHandle b : scene.handles) {
      ASSERT_TRUE(is_finite(scene.world.pose(b))) << scene.world.time();
      ASSERT_FALSE(scene.world.frozen(b)) << scene.world.time();
    }
  }
  EXPECT_LE(gap, 1e-6);  // the scene's tolerance
  std::printf("%s: gap %.2g of body size\n", GetParam(), gap);
}
INSTANTIATE_TEST_SUITE_P(All, SharedModel, testing::ValuesIn(kFiles), [](const auto& of) {
  std::string name = of.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(SharedHumanoid, HasItsCounts) {
  const auto made = import_path(kModels + "/mjcf/humanoid.xml");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->report.freedoms, 21u);  // and six of the root, which no joint holds
  EXPECT_EQ(made->report.motors, 21u);
}

// From the pose of the file at Tenon's own step, and from all its key frames at the file's. From
// the pose of the file the figure comes down on its knees, balances there for seconds and topples
// when it likes, for its fall is symmetric to the last digits: it is looked at after 10 s, not 5.
TEST(SharedHumanoid, IsDroppedAndComesToRest) {
  for (const char* key : {"", "squat", "stand_on_left_leg", "prone", "supine"}) {
    model::ImportOptions options;
    options.keyframe = key;
    auto made = import_path(kModels + "/mjcf/humanoid.xml", options);
    ASSERT_TRUE(made.ok());
    if (options.keyframe.empty()) made->document.world.step = 1.0 / 60;
    BuiltScene scene = test::build_scene(made->document);
    double gap = 0;
    while (scene.world.time() < (options.keyframe.empty() ? 10 : 5)) {
      scene.world.step();
      gap = std::max(gap, scene.world.diagnostics().joint_gap_m);
    }
    const double rest = scene.world.calc_mechanics().kinetic_J / made->report.mass_kg;
    EXPECT_LE(gap, 1e-6) << key;
    EXPECT_LT(rest, 1e-3) << key;
    std::printf("humanoid '%s': gap %.3g m, kinetic energy %.3g J/kg\n", key, gap, rest);
  }
}

TEST(SharedModels, UrdfsSurviveARoundTripWithoutAChangedBit) {
  for (const std::string name : kFiles) {
    if (!name.ends_with(".urdf")) continue;
    const std::string path = kModels + "/" + name;
    const auto first = import_path(path);
    ASSERT_TRUE(first.ok());
    const auto text = urdf::export_urdf(first->document);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text->inexact, 0u) << name;
    const auto second = urdf::import_urdf(text->text, path, test::disk());
    ASSERT_TRUE(second.ok()) << tenon::format(second.error());
    EXPECT_EQ(save_scene(second->document), save_scene(first->document)) << name;
  }
}

TEST(SharedModels, MjcfsSurviveARoundTripWithoutAChangedBit) {
  for (const std::string name : kFiles) {
    if (!name.ends_with(".xml")) continue;
    const std::string path = kModels + "/" + name;
    const auto first = import_path(path);
    ASSERT_TRUE(first.ok());
    const LoadResult loaded = load_scene(save_scene(first->document), path);
    ASSERT_TRUE(loaded.ok());
    const auto text = mjcf::export_mjcf(loaded.flat);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text->inexact, 0u) << name;
    const auto second = mjcf::import_mjcf(text->text, path, test::disk());
    ASSERT_TRUE(second.ok()) << tenon::format(second.error());
    EXPECT_EQ(save_scene(second->document), save_scene(first->document)) << name;
  }
}

// What the files say that Tenon does not use is told.
TEST(SharedModels, ListWhatIsNotUsed) {
  const auto swimmer = import_path(kModels + "/mjcf/swimmer.xml");
  ASSERT_TRUE(swimmer.ok());
  const std::string text = format(swimmer->report);
  EXPECT_TRUE(test::has(text, "<option> density, 1 time")) << text;
  EXPECT_TRUE(test::has(text, "<joint> armature")) << text;
  const auto robot = import_path(kModels + "/urdf/TwoJointRobot_w_fixedJoints.urdf");
  ASSERT_TRUE(robot.ok());
  EXPECT_EQ(robot->report.warnings.size(), 2u);
  EXPECT_TRUE(test::has(format(robot->report), "no body has this inertia"))
      << format(robot->report);
}

}  // namespace
}  // namespace tenon::scene
