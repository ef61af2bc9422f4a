// Baked poses put every mesh where the stage has its solid, at every frame.
#include "tenon/render/export/bake.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tenon/render/export/gltf.h"
#include "tenon/render/export/replay.h"
#include "tenon/tests/unit/render/sketch_fixture.h"

namespace tenon::exports {
namespace {

const char* const kScene = R"({
  "tenon": 1, "title": "Zoo",
  "bodies": [
    {"name": "ground", "shape": {"type": "plane"}, "motion": "static"},
    {"name": "a", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 1, 0]},
    {"name": "b", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [3, 1, 0]},
    {"name": "bell", "shape": {"type": "compound", "parts": [
      {"shape": {"type": "sphere", "radius": 0.3}, "position": [0, 0.5, 0]},
      {"shape": {"type": "capsule", "radius": 0.1, "length": 1}, "orientation": {"axis": [1, 0, 0], "angle": 1}},
      {"shape": {"type": "sphere", "radius": 0.3}, "position": [0, -0.5, 0]}]},
      "position": [0, 4, 0]}
  ],
  "connections": [
    {"name": "coil", "type": "spring", "a": "a", "b": "b", "stiffness": 10},
    {"name": "line", "type": "rope", "a": "b", "b": "bell"},
    {"name": "pump", "type": "damper", "a": "a", "b": "bell", "damping": 1}
  ]
})";
const std::vector<std::string> kNames{"ground", "a", "b", "bell"};

std::vector<std::vector<Pose>> make_frames() {
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 20; ++k) {
    const double t = 0.1 * k;
    // half turns per frame of the quaternion's sign, too
    Quat q = exp_map(Vec3{0, 3 * t, 0.5 * t});
    if (k % 2 == 1) q = {-q.w, -q.x, -q.y, -q.z};
    frames.push_back(
        {{}, {{0, 1 + t, 0}, q}, {{3 + t, 1, t}, {}}, {{-t, 4, 1}, exp_map(Vec3{t, 0, 0})}});
  }
  return frames;
}

struct Made {
  test::MadeRecording recording;
  MemorySource source;
  RecordingReader reader;
  explicit Made(const std::vector<std::vector<Pose>>& frames)
      : recording(test::record(kScene, kNames, frames)),
        source(recording.bytes, "made.tenon"),
        reader(RecordingReader::open(source).value()) {}
};

Pose at(const Track& track, size_t frame) {
  return track.poses.size() == 1 ? track.poses[0] : track.poses[frame];
}
Vec3 scale_at(const Track& track, size_t frame) {
  return track.scales.empty() ? Vec3{1, 1, 1} : track.scales[frame];
}

TEST(Bake, EverySolidOfABodyIsWhereTheStageHasIt) {
  Made made(make_frames());
  const auto baked = bake(made.reader);
  ASSERT_TRUE(baked.ok()) << format(baked.error());
  ASSERT_EQ(baked->times.size(), 21u);
  for (size_t f = 0; f < 21; ++f) {
    const auto stage = render::make_stage(made.reader, baked->times[f]);
    ASSERT_TRUE(stage.ok());
    size_t compared = 0;
    for (const render::StageSolid& solid : stage->solids) {
      if (solid.role != render::Role::kBody) continue;
      for (const Piece& piece : baked->pieces) {
        const Track& track = baked->tracks[piece.track];
        if (track.body != solid.body || !(baked->shapes[piece.mesh] == solid.shape)) continue;
        const Pose X = at(track, f) * piece.X_TP;
        if (norm(X.p - solid.X_WS.p) > 1e-9) continue;  // the other ball of the bell
        EXPECT_GT(std::fabs(dot(X.q, solid.X_WS.q)), 1 - 1e-12);
        ++compared;
      }
    }
    EXPECT_EQ(compared, 6u);
  }
}

TEST(Bake, EqualShapesAreOneMeshAndWhatNeverMovesHasOnePose) {
  Made made(make_frames());
  const auto baked = bake(made.reader);
  ASSERT_TRUE(baked.ok());
  size_t boxes = 0, balls = 0;
  for (const Shape& shape : baked->shapes) {
    boxes += kind(shape) == ShapeKind::kBox;
    balls += shape == Shape(Sphere{0.3});
  }
  EXPECT_EQ(boxes, 1u);
  EXPECT_EQ(balls, 1u);
  for (const Track& track : baked->tracks)
    EXPECT_EQ(track.poses.size(), track.name == "ground" || track.name == "auto" ? 1u : 21u)
        << track.name;
}

TEST(Bake, JointsStayClosedBetweenKeysOfCoarseRecordings) {
  // an arm of 2 m that turns by half a radian from frame to frame about its end at the origin
  std::vector<std::vector<RecordedBody>> frames;
  for (int k = 0; k < 12; ++k) {
    const Quat q = exp_map(Vec3{0, 0, 0.5 * k});
    frames.push_back({{{rotate(q, {1, 0, 0}), q}, rotate(q, {0, 5, 0}), {0, 0, 5}}});
  }
  const char* const scene =
      R"({"tenon": 1, "bodies": [{"name": "arm", "shape": {"type": "box", "size": [2, 0.1, 0.1]}}]})";
  const auto recording = test::record_moving(scene, {"arm"}, frames);
  MemorySource source(recording.bytes, "made.tenon");
  RecordingReader reader = RecordingReader::open(source).value();
  const Baked baked = bake(reader).value();
  const Track& arm = baked.tracks.front();
  ASSERT_EQ(arm.poses.size(), baked.times.size());
  EXPECT_GT(baked.times.size(), 2 * frames.size());
  double worst = 0;
  for (size_t i = 0; i + 1 < arm.poses.size(); ++i) {
    const Pose &a = arm.poses[i], &b = arm.poses[i + 1];
    // half-way as players have it: the mean place and the mean quaternion
    const Quat q = normalized(Quat{a.q.w + b.q.w, a.q.x + b.q.x, a.q.y + b.q.y, a.q.z + b.q.z});
    worst = std::max(worst, norm(0.5 * (a.p + b.p) + rotate(q, {-1, 0, 0})));
  }
  // one key per frame opens the joint by 31 mm; six by the square of that less
  EXPECT_LT(worst, 1.2e-3);
  BakeOptions few;
  few.every = 2;
  EXPECT_EQ(bake(reader, few)->times.size(), 7u);  // frames 0, 2 ... 10 and 11
}

TEST(Bake, TrianglesOfSpringsFaceTheirNormals) {
  Made made(make_frames());
  const Baked baked = bake(made.reader).value();
  size_t coils = 0;
  for (size_t m = 0; m < baked.meshes.size(); ++m) {
    const auto* sphere = std::get_if<Sphere>(&baked.shapes[m]);
    if (sphere == nullptr || sphere->radius > 0) continue;  // tubes are spheres without size
    ++coils;
    const TriangleMesh& mesh = baked.meshes[m];
    for (const auto& t : mesh.triangles) {
      const Vec3 face =
          cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
      EXPECT_GT(dot(face, mesh.normals[t[0]] + mesh.normals[t[1]] + mesh.normals[t[2]]), 0);
    }
  }
  EXPECT_EQ(coils, 1u);
}

TEST(Bake, QuaternionsOfNeighboursHaveTheSameSign) {
  Made made(make_frames());
  const auto baked = bake(made.reader);
  ASSERT_TRUE(baked.ok());
  for (const Track& track : baked->tracks)
    for (size_t f = 1; f < track.poses.size(); ++f)
      EXPECT_GE(dot(track.poses[f - 1].q, track.poses[f].q), 0) << track.name;
}

TEST(Bake, SpringsRopesAndDampersReachFromEndToEnd) {
  Made made(make_frames());
  const auto baked = bake(made.reader);
  ASSERT_TRUE(baked.ok());
  size_t coils = 0, ropes = 0, dampers = 0;
  for (const Piece& piece : baked->pieces) {
    const Track& track = baked->tracks[piece.track];
    coils += track.name == "coil";
    ropes += track.name == "line";
    dampers += track.name == "pump";
    if (track.name != "coil") continue;
    // the ends of the coil are where the stage has those of the spring
    const TriangleMesh& mesh = baked->meshes[piece.mesh];
    for (const size_t f : {size_t{0}, size_t{7}, size_t{20}}) {
      const auto stage = render::make_stage(made.reader, baked->times[f]);
      ASSERT_TRUE(stage.ok());
      ASSERT_FALSE(stage->links.empty());
      Vec3 first, last;  // middles of the first and last ring of 8 points
      for (size_t i = 0; i < 8; ++i) {
        first += mesh.points[i] / 8.0;
        last += mesh.points[mesh.points.size() - 1 - i] / 8.0;
      }
      const Pose X = at(track, f);
      const Vec3 s = scale_at(track, f);
      EXPECT_LT(norm(X.p + rotate(X.q, cwise_mul(s, first)) - stage->links[0].from_W), 1e-9);
      EXPECT_LT(norm(X.p + rotate(X.q, cwise_mul(s, last)) - stage->links[0].to_W), 1e-9);
    }
  }
  EXPECT_EQ(coils, 1u);
  EXPECT_EQ(ropes, 24u);
  EXPECT_EQ(dampers, 2u);
}

TEST(Bake, ABodyWhosePoseIsNoNumberVanishesForThatTime) {
  auto frames = make_frames();
  frames[5][1].p.x = std::numeric_limits<double>::quiet_NaN();
  Made made(frames);
  const auto baked = bake(made.reader);
  ASSERT_TRUE(baked.ok()) << format(baked.error());
  for (const Track& track : baked->tracks) {
    if (track.name != "a") continue;
    ASSERT_EQ(track.scales.size(), 21u);
    EXPECT_EQ(track.scales[5], Vec3{});
    EXPECT_EQ(track.scales[6], (Vec3{1, 1, 1}));
    for (const Pose& pose : track.poses) EXPECT_TRUE(std::isfinite(pose.p.x));
  }
  EXPECT_TRUE(to_glb(*baked).ok());
}

TEST(Bake, OneBodyFarAwayDoesNotMakeAllElseTiny) {
  // many that stay: enough of them that one is a rare exception
  std::string text = R"({"tenon": 1, "bodies": [)";
  std::vector<std::string> names;
  std::vector<Pose> poses;
  for (int i = 0; i < 30; ++i) {
    names.push_back("b" + std::to_string(i));
    text += (i > 0 ? "," : "") + std::string(R"({"name": ")") + names.back() +
            R"(", "shape": {"type": "sphere", "radius": 0.5}})";
    poses.push_back({{1.0 * i, 0, 0}, {}});
  }
  auto lost = poses;
  lost[7].p = {0, 1e12, 0};
  const test::MadeRecording made = test::record(text + "]}", names, {poses, lost});
  MemorySource source(made.bytes, "made.tenon");
  auto reader = RecordingReader::open(source);
  const auto baked = bake(*reader);
  ASSERT_TRUE(baked.ok()) << format(baked.error());
  EXPECT_LT(norm(baked->bounds.hi - baked->bounds.lo), 40);
  EXPECT_GT(baked->bounds.hi.x, 29);
  EXPECT_TRUE(to_glb(*baked).ok());
  EXPECT_TRUE(to_replay_html(*baked).ok());
}

TEST(Bake, BadOptionsAreRefused) {
  Made made(make_frames());
  BakeOptions options;
  options.every = 0;
  EXPECT_FALSE(bake(made.reader, options).ok());
  options = {};
  options.from_s = 100;
  EXPECT_FALSE(bake(made.reader, options).ok());
  options = {};
  options.camera = "nope";
  EXPECT_FALSE(bake(made.reader, options).ok());
}

}  // namespace
}  // namespace tenon::exports
