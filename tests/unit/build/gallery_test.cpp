// The scenes of the gallery are sound where they start.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

const std::filesystem::path kGallery = std::filesystem::path(TENON_SOURCE_DIR) / "gallery";

BuildResult build_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const LoadResult loaded = load_scene(text.str(), path.filename().string());
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  for (const Error& e : loaded.warnings) ADD_FAILURE() << format(e);
  return build(loaded.flat, {.threads = 1});
}

Pose end_of(const World& world, BodyHandle body, const Pose& X_BF) {
  return body.valid() ? world.pose(body) * X_BF : X_BF;
}

bool holds_points(JointKind kind) {
  return kind == JointKind::kPoint || kind == JointKind::kHinge || kind == JointKind::kTwist ||
         kind == JointKind::kRigid || kind == JointKind::kUniversal;
}

TEST(Gallery, BuildsAndStartsWithClosedJoints) {
  int jointed = 0;
  for (const auto& file : std::filesystem::directory_iterator(kGallery)) {
    if (file.path().extension() != ".json") continue;
    const BuildResult result = build_file(file.path());
    ASSERT_TRUE(result.ok()) << file.path() << format(result.errors[0]);
    const BuiltScene& scene = result.scene[0];
    jointed += !scene.joint_names.empty();
    for (size_t i = 0; i < scene.joint_handles.size(); ++i) {
      const JointDef& def = scene.world.joint_def(scene.joint_handles[i]);
      if (!holds_points(def.kind)) continue;
      const Pose P = end_of(scene.world, def.parent, def.X_BP);
      const Pose C = end_of(scene.world, def.child, def.X_BC);
      // round-off of formulas in the file, at coordinates of up to 40 m
      EXPECT_LT(norm(P.p - C.p), 1e-13) << file.path() << " " << scene.joint_names[i];
      if (def.kind == JointKind::kPoint || def.kind == JointKind::kUniversal) continue;
      EXPECT_LT(norm(rotate(P.q, {1, 0, 0}) - rotate(C.q, {1, 0, 0})), 1e-13)
          << file.path() << " " << scene.joint_names[i];
    }
  }
  EXPECT_GE(jointed, 12);
}

TEST(Gallery, HasTheCountsThatDescriptionsTell) {
  const struct {
    const char* file;
    size_t bodies, joints;
  } wanted[] = {
      {"chain-100.json", 100, 100}, {"chain-100-heavy.json", 100, 100},
      {"net-free.json", 736, 964},  {"four-bars-40.json", 81, 121},
      {"bricard.json", 6, 6},       {"tread.json", 37, 36},
  };
  for (const auto& w : wanted) {
    const BuildResult result = build_file(kGallery / w.file);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.scene[0].names.size(), w.bodies) << w.file;
    EXPECT_EQ(result.scene[0].joint_names.size(), w.joints) << w.file;
  }
}

TEST(Gallery, TheZooHasEveryTypeOfJoint) {
  const BuildResult result = build_file(kGallery / "joint-zoo.json");
  ASSERT_TRUE(result.ok());
  std::vector<bool> seen(kJointKindCount, false);
  for (const JointHandle joint : result.scene[0].joint_handles) {
    seen[static_cast<size_t>(result.scene[0].world.joint_def(joint).kind)] = true;
  }
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_TRUE(seen[i]) << i;
}

// Two neighbouring knots are a link's length apart, so the net is what its description says.
TEST(Gallery, LinksOfTheNetHaveTheirLength) {
  const BuildResult result = build_file(kGallery / "net-free.json");
  ASSERT_TRUE(result.ok());
  const BuiltScene& scene = result.scene[0];
  for (size_t i = 0; i + 1 < 256; ++i) {
    if (i % 16 == 15) continue;
    const Vec3 a = scene.world.pose(scene.handles[i]).p,
               b = scene.world.pose(scene.handles[i + 1]).p;
    EXPECT_NEAR(norm(a - b), 0.3, 1e-14) << scene.names[i];
  }
}

}  // namespace
}  // namespace tenon::scene
