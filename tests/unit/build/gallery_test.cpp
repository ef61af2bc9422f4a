// The scenes of the gallery are sound where they start.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/tests/effort.h"

namespace tenon::scene {
namespace {

const std::filesystem::path kGallery = std::filesystem::path(TENON_SOURCE_DIR) / "gallery";

// Distance fields of many meshes take minutes where a sanitizer watches; tests of meshes make some.
bool takes_too_long(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return test::kShortTests && text.str().find("\"type\": \"mesh\"") != std::string::npos;
}

std::vector<std::filesystem::path> gallery_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kGallery)) {
    if (file.path().extension() != ".json" || takes_too_long(file.path())) continue;
    files.push_back(file.path());
  }
  return files;
}

BuildResult build_file(const std::filesystem::path& path, std::vector<std::string> changes = {}) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  LoadOptions options;
  options.overrides = std::move(changes);
  // scenes of millions of triangles have a factor for them; a quarter of them do here
  if (text.str().find("\"fine\": 1") != std::string::npos) {
    options.overrides.push_back("parameters.fine=0.5");
  }
  const LoadResult loaded = load_scene(text.str(), path.filename().string(), options);
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

// Scenes of joints that contradict each other: what they are there for.
bool contradicts(const std::filesystem::path& file) {
  return file.stem() == "impossible-triangle" || file.stem() == "two-hinges";
}

TEST(Gallery, BuildsAndStartsWithClosedJoints) {
  int jointed = 0;
  for (const auto& file : gallery_files()) {
    const BuildResult result = build_file(file);
    ASSERT_TRUE(result.ok()) << file << format(result.errors[0]);
    const BuiltScene& scene = result.scene[0];
    jointed += !scene.joint_names.empty();
    if (contradicts(file)) continue;
    // round-off of formulas in the file, at coordinates of up to 40 m; or what assembling promises
    const double tolerance = scene.assembled ? 1e-9 : 1e-13;
    for (size_t i = 0; i < scene.joint_handles.size(); ++i) {
      const JointDef& def = scene.world.joint_def(scene.joint_handles[i]);
      if (!holds_points(def.kind)) continue;
      const Pose P = end_of(scene.world, def.parent, def.X_BP);
      const Pose C = end_of(scene.world, def.child, def.X_BC);
      EXPECT_LT(norm(P.p - C.p), tolerance) << file << " " << scene.joint_names[i];
      if (def.kind == JointKind::kPoint || def.kind == JointKind::kUniversal) continue;
      EXPECT_LT(norm(rotate(P.q, {1, 0, 0}) - rotate(C.q, {1, 0, 0})), tolerance)
          << file << " " << scene.joint_names[i];
    }
  }
  EXPECT_GE(jointed, 26);
}

TEST(Gallery, HasTheCountsThatDescriptionsTell) {
  const struct {
    const char* file;
    size_t bodies, joints;
  } wanted[] = {
      {"chain-100.json", 100, 100},
      {"chain-100-heavy.json", 100, 100},
      {"net-free.json", 736, 964},
      {"four-bars-40.json", 81, 121},
      {"bricard.json", 6, 6},
      {"tread.json", 37, 36},
      // the published sizes, and what stands around: the ground, banks, poles, a refrigerator
      {"bridge.json", 102 + 2 * 81 + 3, 129 + 81},
      {"net.json", 736 + 20 + 1, 964},
      {"rings.json", 360 * 6 + 25 + 1, 2160},
      {"ragdolls-20.json", 20 * 21 + 1, 20 * 20},
      {"ragdolls-200.json", 200 * 21 + 1, 200 * 20},
      {"magnets.json", 210 + 6, 210},
      {"tank.json", 2 * 77 + 3, 2 * (68 + 6 + 2 + 2)},
      {"fig10.json", 3, 1},
      // the same with triangle meshes
      {"rings-nonconvex.json", 360 * 6 + 25 + 1, 2160},
      {"bridge-chains.json", 102 + 60 * 6 + 3, 129 + 60 * 6},
      {"skeletons.json", 20 * 21 + 1, 20 * 20},
      {"letters.json", 210 + 6, 210},
      {"tank-meshes.json", 77 + 2, 68 + 6 + 2 + 2},
      {"bowl-of-nuts.json", 96 + 2, 0},
      {"chainmail.json", 400 + 1, 0},
      {"gear-train.json", 6, 4},
      {"figure-from-bvh.json", 23 + 1 + 6 + 5 + 1, 22},
      {"stack-10.json", 11, 0},
      {"pyramid-20.json", 211, 0},
      {"wall.json", 138 + 1 + 6 + 2, 7},
      {"dominoes.json", 101, 0},
      {"card-house.json", 20 + 3 + 2, 0},
      {"cradle.json", 6, 10},
      {"can-toss.json", 13, 0},
      {"conveyor.json", 21, 0},
      // the same bodies as in the programs that run the peers
      {"bench/s2.json", 757, 964},
      {"bench/s3.json", 265, 210},
      {"bench/s4.json", 2186, 2160},
      {"bench/s5-20.json", 421, 400},
      {"bench/s5-200.json", 4201, 4000},
      {"bench/s6a.json", 11, 0},
      {"bench/s6b.json", 211, 0},
      {"bench/s7.json", 81, 121},
      // the numbers of Faure 1998
      {"faure/hand-in-hand.json", 160 + 1, 10 * 15 + 16},
      {"faure/drag.json", 57, 56},
  };
  for (const auto& w : wanted) {
    if (takes_too_long(kGallery / w.file)) continue;
    const BuildResult result = build_file(kGallery / w.file);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.scene[0].names.size(), w.bodies) << w.file;
    EXPECT_EQ(result.scene[0].joint_names.size(), w.joints) << w.file;
  }
}

// A scene that starts with bodies inside each other bursts apart at its first step; here the step
// is so short that nothing else can move anything.
TEST(Gallery, StartsWithoutOverlaps) {
  const double h = 1e-6;
  for (const auto& file : gallery_files()) {
    if (file.parent_path().stem() == "health") continue;  // what they are there for
    if (contradicts(file)) continue;
    BuildResult result = build_file(file, {"world.step=1e-6"});
    ASSERT_TRUE(result.ok()) << file;
    BuiltScene& scene = result.scene[0];
    std::vector<Vec3> before;
    for (const BodyHandle body : scene.handles) before.push_back(scene.world.pose(body).p);
    scene.world.step();
    // what touches may sink by round-off of formulas in the file, at coordinates of up to 40 m
    EXPECT_LT(scene.world.diagnostics().penetration_m, 1e-9) << file;
    for (size_t i = 0; i < before.size(); ++i) {
      const Vec3 moved = scene.world.pose(scene.handles[i]).p - before[i];
      EXPECT_LT(norm(moved), 40 * h) << file << " " << scene.names[i];  // 40 m/s
    }
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

TEST(Gallery, TheConnectionsHaveEveryType) {
  const BuildResult result = build_file(kGallery / "connections.json");
  ASSERT_TRUE(result.ok());
  const BuiltScene& scene = result.scene[0];
  size_t springs = 0, held = 0, ropes = 0, rigid = 0, balls = 0, without_length = 0;
  for (const JointHandle joint : scene.joint_handles) {
    const JointDef& def = scene.world.joint_def(joint);
    springs += scene.world.calc_vibration(joint).has_spring;
    held += def.kind == JointKind::kDistance && !def.axes[0].has_law();
    ropes += def.axes[0].max < kInfinity;
    rigid += def.kind == JointKind::kRigid;
    balls += def.kind == JointKind::kPoint;
    without_length += def.kind == JointKind::kSixAxis;
  }
  EXPECT_EQ(springs, 1u + 1 + 1 + 1 + 1 + 1 + 12 + 4);  // soft rod and elastic rope among them
  EXPECT_EQ(held, 9u);
  EXPECT_EQ(ropes, 1u);
  EXPECT_EQ(rigid + balls + without_length, 3u);
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
