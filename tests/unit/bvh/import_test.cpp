// Scenes from motions: they follow them, with joints in place, and fall when they are let go.
#include <algorithm>
#include <cmath>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/tests/unit/bvh/bvh_test_help.h"

namespace tenon::scene::bvh {
namespace {

using test::kArm;
using test::parse_good;
using test::read_file;
using test::replaced;

const std::string kWalk = std::string(TENON_SOURCE_DIR) + "/gallery/figures/walk.bvh";

Imported import_good(const std::string& text, const ImportOptions& options = {}) {
  Result<Imported> made = import_motion(text, "test.bvh", options);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : tenon::format(made.error()));
  return std::move(*made);
}

BuiltScene build_good(const Document& document) {
  const Result<Document> flat = expand(document);
  EXPECT_TRUE(flat.ok()) << (flat.ok() ? "" : tenon::format(flat.error()));
  BuildResult built = build(*flat, {.threads = 1});
  EXPECT_TRUE(built.ok()) << (built.ok() ? "" : tenon::format(built.errors.front()));
  return std::move(built.scene.front());
}

TEST(ImportedMotions, HoldTheirJointsInEveryKeyFrame) {
  const Imported walk = import_good(read_file(kWalk));
  EXPECT_EQ(walk.report.nodes, 23u);
  EXPECT_EQ(walk.report.frames, 73u);
  EXPECT_EQ(walk.report.keys, 73u);
  // what is promised
  EXPECT_LE(walk.report.gap_rel, 1e-8);
  EXPECT_LE(walk.report.angle_rad, 1e-8);
  // joints that do what the file says leave the figure where the file has it
  EXPECT_LT(walk.report.moved_m, 1e-6);
}

TEST(ImportedMotions, AreFollowedToTheFrame) {
  const std::string text = read_file(kWalk);
  ImportOptions options;
  options.figure.scale = 0.01;
  const Imported walk = import_good(text, options);
  const MotionFile motion = parse_good(text);
  BuiltScene scene = build_good(walk.document);
  for (int step = 0; step < 120; ++step) {
    scene.world.step();
    if (step % 2 == 0) continue;  // steps of 1/60 s, frames of 1/30 s
    const std::vector<Pose> expected = poses_at(motion, scene.world.time());
    for (size_t b = 0; b < scene.handles.size(); ++b) {
      const Pose at = scene.world.pose(scene.handles[b]);
      // frame times have nine digits in the file
      ASSERT_LT(norm(at.p - 0.01 * expected[b].p), 1e-6) << scene.names[b];
      ASSERT_LT(norm(log_map(at.q * conjugate(expected[b].q))), 1e-5) << scene.names[b];
    }
  }
}

// The Shows of figures: follows, is released, falls, and the joints hold to the tolerance.
TEST(ImportedMotions, FallWithTheirJointsInPlace) {
  ImportOptions options;
  options.release = 1.5;
  options.floor = true;
  const Imported walk = import_good(read_file(kWalk), options);
  BuiltScene scene = build_good(walk.document);
  World& world = scene.world;
  const auto find = [&](const char* name) {
    return scene.handles[static_cast<size_t>(
        std::find(scene.names.begin(), scene.names.end(), name) - scene.names.begin())];
  };
  const BodyHandle head = find("Head"), hips = find("Hips");
  size_t released = 0;
  for (int step = 0; step < 240; ++step) {
    world.step();
    for (const Event& e : world.events()) released += e.kind == EventKind::kBodyReleased;
    if (step < 90) continue;
    ASSERT_LE(world.diagnostics().joint_gap_rel, 1e-6) << step;  // the scene's tolerance
    for (const BodyHandle body : scene.handles) ASSERT_FALSE(world.frozen(body));
    if (step == 92) {
      // it goes on with the walk's speed at first: 1.05 m/s less what the joints take
      EXPECT_NEAR(world.velocity(hips).z, 1.05, 0.3);
    }
  }
  EXPECT_EQ(released, 23u);
  EXPECT_LT(world.pose(head).p.y, 0.6);  // 2.5 s later it lies down
  EXPECT_GT(world.pose(head).p.y, 0.0);
}

TEST(ImportedMotions, SaveToTextAndBackUnchanged) {
  const Imported arm = import_good(kArm);
  const LoadResult again = load_scene(save_scene(arm.document), "arm.json");
  ASSERT_TRUE(again.ok()) << tenon::format(again.errors.front());
  EXPECT_TRUE(again.document == arm.document);
  EXPECT_TRUE(again.warnings.empty());
}

TEST(ImportedMotions, StandOnTheFloorThatIsAskedFor) {
  ImportOptions options;
  options.floor = true;
  const Imported walk = import_good(read_file(kWalk), options);
  BuiltScene scene = build_good(walk.document);
  double deepest = 0;
  for (int step = 0; step < 60; ++step) {
    scene.world.step();
    for (const Contact& c : scene.world.contacts()) {
      deepest = std::max(deepest, -c.manifold.distance);
    }
  }
  EXPECT_EQ(walk.document.bodies.back().name, "floor");
  // scripted feet and the floor do not push each other; between key frames they may dip
  EXPECT_LT(deepest, 1e-3);
}

TEST(ImportedMotions, ThatAreOnlyFollowedHaveNoJointsAndNeverFall) {
  ImportOptions options;
  options.follow_only = true;
  const Imported walk = import_good(read_file(kWalk), options);
  EXPECT_TRUE(walk.document.joints.empty());
  BuiltScene scene = build_good(walk.document);
  for (int step = 0; step < 200; ++step) scene.world.step();
  EXPECT_EQ(scene.world.motion(scene.handles[0]), MotionKind::kKinematic);
}

TEST(ImportedMotions, KeyFramesComeAsOftenAsAskedFor) {
  ImportOptions options;
  options.fps = 10;
  const Imported walk = import_good(read_file(kWalk), options);
  EXPECT_EQ(walk.report.keys, 25u);
  EXPECT_LE(walk.report.gap_rel, 1e-8);
  options.fps = 7;  // the end of the motion is kept
  const std::vector<Keyframe> keys =
      import_good(read_file(kWalk), options).document.bodies[0].keyframes;
  EXPECT_NEAR(keys.back().t, 2.4, 1e-6);
}

TEST(ImportedMotions, HaveAKeyFrameWhereTheyAreReleased) {
  ImportOptions options;
  options.fps = 10;
  options.release = 0.83;  // between keys, and between steps of 1/60 s
  const Imported walk = import_good(read_file(kWalk), options);
  EXPECT_EQ(walk.report.keys, 26u);
  BuiltScene scene = build_good(walk.document);
  while (scene.world.time() < 50.0 / 60 - 1e-9) scene.world.step();
  ASSERT_EQ(scene.world.motion(scene.handles[0]), MotionKind::kKinematic);
  for (const JointHandle joint : scene.joint_handles) {
    EXPECT_LT(scene.world.read_joint(joint).gap_m, 1e-8);
  }
  scene.world.step();
  EXPECT_EQ(scene.world.motion(scene.handles[0]), MotionKind::kDynamic);
}

TEST(ImportedMotions, ThatStretchTheirBonesAreHeldTogetherAndSaySo) {
  // an elbow with positions, 2 units to and fro about 30
  std::string text = replaced(kArm, "OFFSET 30 0 0\n      CHANNELS 3 ",
                              "OFFSET 30 0 0\n      CHANNELS 6 Xposition Yposition Zposition ");
  text = replaced(text, "1 2 3 0 0 0 0 0 0 0 0 0", "1 2 3 0 0 0 0 0 0 28 0 0 0 0 0");
  text = replaced(text, "10 20 30 0 -40 0", "10 20 30 30 0 0 0 -40 0");
  text = replaced(text, "20 40 60 0 -90 0", "20 40 60 32 0 0 0 -90 0");
  ImportOptions options;
  options.figure.scale = 0.01;
  const Imported arm = import_good(text, options);
  EXPECT_LE(arm.report.gap_rel, 1e-8);
  EXPECT_GT(arm.report.moved_m, 1e-3);
  EXPECT_LT(arm.report.moved_m, 0.03);
  bool said = false;
  for (const JointFit& j : arm.report.joints) {
    for (const std::string& note : j.notes) said = said || note.find("slides") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST(ImportedMotions, OfOneFrameStandAndFall) {
  std::string text = replaced(kArm, "Frames: 3", "Frames: 1");
  text = text.substr(0, text.find("1 2 3 90"));
  const Imported arm = import_good(text);
  EXPECT_EQ(arm.report.release, 0.0);
  BuiltScene scene = build_good(arm.document);
  for (int step = 0; step < 30; ++step) scene.world.step();
  EXPECT_LT(scene.world.velocity(scene.handles[0]).y, -4);
}

TEST(ImportedMotions, BadOptionsAreRefused) {
  ImportOptions options;
  options.release = -1;
  EXPECT_FALSE(import_motion(kArm, "test.bvh", options).ok());
  options.release = 1;
  options.follow_only = true;
  EXPECT_FALSE(import_motion(kArm, "test.bvh", options).ok());
  options = {};
  options.fps = -2;
  EXPECT_FALSE(import_motion(kArm, "test.bvh", options).ok());
  options.fps = 1e5;
  const std::string long_one = replaced(kArm, "Frame Time: 0.1", "Frame Time: 10");
  EXPECT_FALSE(import_motion(long_one, "test.bvh", options).ok());
}

}  // namespace
}  // namespace tenon::scene::bvh
