// A recorded motion of the CMU library (mocap.cs.cmu.edu, subject 106, trial 1), where it lies
// beside the project.
#include <algorithm>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/tests/unit/bvh/bvh_test_help.h"

namespace tenon::scene::bvh {
namespace {

const std::string kFile = std::string(TENON_MODELS) + "/bvh/cmu_106_01.bvh";

TEST(CmuFigure, HasTheCountsOfTheFile) {
  const MotionFile m = test::parse_good(test::read_file(kFile));
  EXPECT_EQ(m.nodes.size(), 31u);
  EXPECT_EQ(m.frames, 75u);
  EXPECT_NEAR(1 / m.frame_time, 120, 0.01);
  EXPECT_EQ(m.channels, 96u);
}

TEST(CmuFigure, AssemblesInEveryFrame) {
  const Result<Imported> made = import_motion(test::read_file(kFile), kFile, {});
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  EXPECT_EQ(made->report.keys, 75u);
  EXPECT_LE(made->report.gap_rel, 1e-8);
  EXPECT_LE(made->report.angle_rad, 1e-8);
}

// Released at any time: the first frame, in the middle, at the end.
TEST(CmuFigure, FollowsIsReleasedAndFallsWithJointsInPlace) {
  for (const double release : {0.0, 0.3, 0.6}) {
    ImportOptions options;
    options.release = release;
    options.floor = true;
    const Result<Imported> made = import_motion(test::read_file(kFile), kFile, options);
    ASSERT_TRUE(made.ok());
    const Result<Document> flat = expand(made->document);
    ASSERT_TRUE(flat.ok()) << tenon::format(flat.error());
    BuildResult built = build(*flat, {.threads = 1});
    ASSERT_TRUE(built.ok()) << tenon::format(built.errors.front());
    BuiltScene& scene = built.scene.front();
    World& world = scene.world;
    size_t released = 0;
    double worst = 0;
    while (world.time() < release + 3) {
      world.step();
      for (const Event& e : world.events()) released += e.kind == EventKind::kBodyReleased;
      worst = std::max(worst, world.diagnostics().joint_gap_rel);
      for (const BodyHandle body : scene.handles) {
        ASSERT_TRUE(is_finite(world.pose(body))) << world.time();
        ASSERT_FALSE(world.frozen(body)) << world.time();
      }
    }
    EXPECT_EQ(released, scene.handles.size() - 1);  // all but the floor
    EXPECT_LE(worst, 1e-6) << release;              // the scene's tolerance
    for (size_t b = 0; b < scene.handles.size(); ++b) {
      if (scene.names[b] != "Head") continue;
      EXPECT_LT(world.pose(scene.handles[b]).p.y, 0.8) << release;
    }
  }
}

}  // namespace
}  // namespace tenon::scene::bvh
