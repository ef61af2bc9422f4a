// The scenes of the gallery that come from models are what the models say.
#include <algorithm>

#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

const std::string kGallery = std::string(TENON_SOURCE_DIR) + "/gallery/";

Document load(const std::string& name) {
  const LoadResult loaded = load_scene(test::read_file(kGallery + name + ".json"), name);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : tenon::format(loaded.errors.front()));
  return loaded.document;
}

// Title, cameras and duration are the gallery's own.
void expect_same(const Document& scene, const Document& model) {
  const Document again = load_scene(save_scene(model), "model").document;
  EXPECT_EQ(scene.bodies, again.bodies);
  EXPECT_EQ(scene.joints, again.joints);
  EXPECT_EQ(scene.materials, again.materials);
  EXPECT_EQ(scene.pairs, again.pairs);
  EXPECT_EQ(scene.groups, again.groups);
  EXPECT_EQ(scene.connections, again.connections);
  EXPECT_EQ(scene.world.gravity, again.world.gravity);
  EXPECT_EQ(scene.world.step, again.world.step);
}

TEST(GalleryModels, TheArmIsTheOneOfTheUrdf) {
  const std::string file = kGallery + "models/arm.urdf";
  model::ImportOptions options;
  options.floor = options.hold = true;
  options.start = {{"lift", -0.6}, {"elbow", 2.0}, {"nod", 0.2}};
  options.target = {{"turn", 0.9}, {"lift", 0.7}, {"elbow", 0.9}, {"nod", 1.2}, {"grip", 0.03}};
  const auto made = urdf::import_urdf(test::read_file(file), file, test::disk(), options);
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  expect_same(load("imported-arm"), made->document);
}

TEST(GalleryModels, TheHumanoidIsTheOneOfTheMjcf) {
  const std::string file = kGallery + "models/humanoid.xml";
  const auto made = mjcf::import_mjcf(test::read_file(file), file, test::disk());
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  expect_same(load("imported-humanoid"), made->document);
  EXPECT_EQ(made->report.freedoms, 21u);
}

TEST(GalleryModels, TheLoopsOfTheGripperStayClosed) {
  const std::string file = kGallery + "models/gripper.xml";
  model::ImportOptions options;
  options.keyframe = "grip";
  const auto made = mjcf::import_mjcf(test::read_file(file), file, test::disk(), options);
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  EXPECT_EQ(made->report.loops, 4u);
  expect_same(load("imported-gripper"), made->document);
  BuiltScene scene = test::build_scene(made->document);
  double gap = 0;
  while (scene.world.time() < 5) {
    scene.world.step();
    for (const char* name : {"right_loop", "left_loop", "bar_loop"}) {
      gap = std::max(gap, scene.world.read_joint(test::joint(scene, name)).gap_m);
    }
  }
  EXPECT_LE(gap, 1e-6);
  std::printf("largest gap of three closed loops in 5 s: %.3g m\n", gap);
}

// Import, export, import of the arm, with its gears, visuals and capsules.
TEST(GalleryModels, TheArmSurvivesARoundTrip) {
  const std::string file = kGallery + "models/arm.urdf";
  const Document first = test::urdf(test::read_file(file)).document;
  const auto text = urdf::export_urdf(first);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->inexact, 0u);
  EXPECT_EQ(save_scene(test::urdf(text->text).document), save_scene(first));
}

}  // namespace
}  // namespace tenon::scene
