#include <gtest/gtest.h>

#include "film_fixture.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::test {
namespace {

using render::Stage;
using render::StageCamera;

std::string with_cameras(const std::string& cameras, const std::string& more = "") {
  return R"({"tenon": 1, "bodies": [{"name": "car", "shape": {"type": "box", "size": [2, 1, 1]}}],
    "cameras": [)" +
         cameras + "]" + more + "}";
}

// A car on a bumpy bend: it turns about all axes.
std::vector<std::vector<Pose>> drive() {
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 30; ++k) {
    const double s = k / 30.0;
    Pose X = turned({10 * s, sin(20 * s), 3 * s * s}, {0, 1, 0}, -2 * s);
    X.q = normalized(X.q * from_axis_angle({1, 0, 0}, 0.4 * sin(30 * s)));
    frames.push_back({X});
  }
  return frames;
}

TEST(Camera, TheCarrierOfAMountedCameraIsStationaryInThePicture) {
  StageMaker maker(with_cameras(R"({"name": "c", "type": "mounted", "body": "car",
                                   "position": [-4, 2, 0.5], "look_at": [0, 0.5, 0]})"),
                   {"car"}, drive());
  const Vec3 corner_B{1, 0.5, -0.5};
  Vec3 first;
  double moved = 0;
  for (int k = 0; k <= 60; ++k) {
    const Stage stage = maker.at(0.05 * k);
    const Pose& X = stage.solids[0].X_WS;
    const Vec3 seen = seen_at(stage.cameras[0], X.p + rotate(X.q, corner_B));
    if (k == 0) first = seen;
    EXPECT_NEAR(norm(seen - first), 0, 1e-9) << "at " << 0.05 * k;  // roundings of poses
    moved = std::max(moved, norm(stage.cameras[0].p_WE - maker.at(0).cameras[0].p_WE));
  }
  EXPECT_GT(moved, 5) << "while the camera goes along";
}

TEST(Camera, AHorizonThatIsLockedStaysLevelAndTurnsWithTheBody) {
  StageMaker maker(with_cameras(R"({"name": "c", "type": "mounted", "body": "car", "horizon": true,
                      "position": [-4, 2, 0], "look_at": [0, 2, 0]})"),
                   {"car"}, drive());
  for (int k = 0; k <= 30; ++k) {
    const StageCamera camera = maker.at(0.1 * k).cameras[0];
    EXPECT_NEAR(camera.right_W.y, 0, 1e-12);
    EXPECT_NEAR(camera.up_W.y, 1, 1e-12);
  }
  // the heading is that of the turn about the vertical: -2 rad at the end
  const StageCamera last = maker.at(3).cameras[0];
  EXPECT_NEAR(last.forward_W.x, cos(-2.0), 0.12);  // the roll of 0.4 rad turns it a little
}

TEST(Camera, SmoothingTakesOutShakingWithoutLag) {
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 100; ++k) frames.push_back({at_point(0.5 * k, k % 2 ? 0.1 : -0.1, 0)});
  StageMaker maker(
      with_cameras(R"({"name": "c", "type": "mounted", "body": "car", "smoothing": "1 s",
                                   "position": [-4, 2, 0], "look_at": [0, 2, 0]})"),
      {"car"}, frames);
  for (const double t : {3.0, 3.1, 5.0, 7.1}) {
    const Vec3 eye = maker.at(t).cameras[0].p_WE;
    EXPECT_NEAR(eye.x, 5 * t - 4, 1e-9);  // uniform motion is kept: no lag
    EXPECT_NEAR(eye.y, 2, 0.02);          // a fifth of the shaking at most
  }
}

TEST(Camera, OneThatFollowsKeepsItsDistanceAndLooksAtTheBody) {
  StageMaker maker(
      with_cameras(R"({"name": "c", "type": "follow", "body": "car", "position": [0, 3, 8]})"),
      {"car"}, drive());
  for (const double t : {0.0, 1.3, 3.0}) {
    const Stage stage = maker.at(t);
    const Vec3 car = stage.solids[0].X_WS.p;
    EXPECT_NEAR(norm(stage.cameras[0].p_WE - car - Vec3{0, 3, 8}), 0, 1e-9);
    EXPECT_NEAR(norm(seen_at(stage.cameras[0], car) - Vec3{0, 0, norm(Vec3{0, 3, 8})}), 0, 1e-9);
  }
}

TEST(Camera, APictureIsTheSameWhicheverPartOfTheRunIsShown) {
  const std::string scene = with_cameras(
      R"({"name": "f", "type": "follow", "body": "car", "position": [0, 3, 8]},
         {"name": "o", "type": "orbit", "body": "car", "position": [0, 3, 8], "period": "9 s"},
         {"name": "m", "type": "mounted", "body": "car", "position": [-3, 2, 0],
          "look_at": [0, 1, 0], "smoothing": "0.35 s"},
         {"name": "s", "type": "orbit", "position": [0, 3, 8], "period": "9 s"})");
  render::StageOptions part;
  part.from_s = 1.1;
  part.to_s = 2.2;
  StageMaker whole(scene, {"car"}, drive()), shown(scene, {"car"}, drive(), part);
  for (const double t : {1.1, 1.17, 1.9, 2.2}) {
    const Stage a = whole.at(t), b = shown.at(t);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(norm(a.cameras[i].p_WE - b.cameras[i].p_WE), 0, 1e-12) << i << " at " << t;
      EXPECT_NEAR(norm(a.cameras[i].forward_W - b.cameras[i].forward_W), 0, 1e-12);
    }
  }
}

TEST(Camera, AnOrbitIsACircleOfItsPeriod) {
  StageMaker maker(with_cameras(R"({"name": "c", "type": "orbit", "position": [0, 2, 5],
                                   "look_at": [0, 0.5, 0], "period": "8 s"})"),
                   {"car"},
                   {{at_point(0, 0, 0)},
                    {at_point(0, 0, 0)},
                    {at_point(0, 0, 0)},
                    {at_point(0, 0, 0)},
                    {at_point(0, 0, 0)}});
  const Vec3 p = maker.at(0.4).cameras[0].p_WE;  // a twentieth of a turn
  EXPECT_NEAR(norm(p - Vec3{5 * sin(0.1 * kPi), 2, 5 * cos(0.1 * kPi)}), 0, 1e-9);
  EXPECT_NEAR(seen_at(maker.at(0.4).cameras[0], {0, 0.5, 0}).x, 0, 1e-12);
}

TEST(Camera, APathGoesThroughItsKeysAndRestsAtItsEnds) {
  StageMaker maker(
      with_cameras(R"({"name": "c", "type": "path", "look_at": [0, 0, 0], "keyframes": [
                     {"t": 0.1, "position": [0, 1, 5]}, {"t": 0.2, "position": [3, 1, 5], "fov": "30 deg"},
                     {"t": 0.4, "position": [5, 1, 0]}]})"),
      {"car"},
      {{at_point(0, 0, 0)},
       {at_point(0, 0, 0)},
       {at_point(0, 0, 0)},
       {at_point(0, 0, 0)},
       {at_point(0, 0, 0)}});
  EXPECT_NEAR(norm(maker.at(0).cameras[0].p_WE - Vec3{0, 1, 5}), 0, 1e-12);
  EXPECT_NEAR(norm(maker.at(0.2).cameras[0].p_WE - Vec3{3, 1, 5}), 0, 1e-9);
  EXPECT_NEAR(maker.at(0.2).cameras[0].fov_rad, kPi / 6, 1e-9);
  EXPECT_NEAR(norm(maker.at(0.4).cameras[0].p_WE - Vec3{5, 1, 0}), 0, 1e-9);
  // no jump of the velocity at the key in the middle
  const auto x = [&](double t) { return maker.at(t).cameras[0].p_WE.x; };
  EXPECT_NEAR((x(0.2) - x(0.1999)) / 1e-4, (x(0.2001) - x(0.2)) / 1e-4, 0.2);
}

TEST(Camera, ShotsCutFromOneToTheNext) {
  StageMaker maker(with_cameras(R"({"name": "a"}, {"name": "b", "position": [9, 9, 9]})",
                                R"(, "shots": [{"t": 0, "camera": "b"}, {"t": 0.1, "camera": "a"},
                                  {"t": 0.15, "camera": "auto"}])"),
                   {"car"}, {{at_point(0, 0, 0)}, {at_point(0, 0, 0)}, {at_point(0, 0, 0)}});
  const auto shown = [&](double t) {
    const Stage stage = maker.at(t);
    return stage.cameras[stage.camera].name;
  };
  EXPECT_EQ(shown(0), "b");
  EXPECT_EQ(shown(0.0999), "b");
  EXPECT_EQ(shown(0.1), "a");
  EXPECT_EQ(shown(0.2), "auto");
}

TEST(Camera, OneThatSitsInsideItsBodySeesOut) {
  StageMaker maker(with_cameras(R"({"name": "c", "type": "mounted", "body": "car",
                                   "position": [0, 0, 0], "look_at": [1, 0, 0]})"),
                   {"car"}, {{at_point(0, 0, 0)}});
  const Stage stage = maker.at(0);
  EXPECT_TRUE(stage.solids.empty());
  EXPECT_EQ(stage.cameras[0].carrier, 0u);
}

TEST(Camera, SketchesSeeWhatAMountedCameraSees) {
  // the car is 5 m to the right and turned by 90 degrees: its -x is the world's +z
  const std::vector<std::vector<Pose>> frames = {{at_point(0, 0, 0)},
                                                 {turned({5, 0, 0}, {0, 1, 0}, 0.5 * kPi)}};
  render::SketchOptions options;
  options.at_s = 0.1;
  const std::string mounted = record(with_cameras(R"({"name": "c", "type": "mounted", "body": "car",
                             "position": [-6, 2, 0], "look_at": [0, 0, 0]})"),
                                     {"car"}, frames)
                                  .svg(options);
  const std::string fixed =
      record(with_cameras(R"({"name": "c", "position": [5, 2, 6], "look_at": [5, 0, 0]})"), {"car"},
             frames)
          .svg(options);
  EXPECT_EQ(mounted, fixed);
}

// A man of two metres who runs twelve and then lies for long: most frames are where he lies.
TEST(Camera, TheAutomaticOneKeepsAWayThatAllGoTogether) {
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 60; ++k) {
    const double x = std::min(k, 15) * 0.8;
    frames.push_back({Pose{{x, 1.5, 0}, {}}, Pose{{x, 0.5, 0}, {}}});
  }
  StageMaker maker(R"({"tenon": 1, "bodies": [
      {"name": "upper", "shape": {"type": "box", "size": [0.4, 1, 0.4]}},
      {"name": "lower", "shape": {"type": "box", "size": [0.4, 1, 0.4]}}]})",
                   {"upper", "lower"}, frames);
  for (const double t : {0.0, 0.5, 6.0}) {
    const Stage stage = maker.at(t);
    const Vec3 seen = seen_at(stage.cameras[stage.camera], stage.solids[0].X_WS.p);
    EXPECT_GT(seen.z, 0) << t;
    EXPECT_LT(std::fabs(seen.x), 16.0 / 9) << t;
    EXPECT_LT(std::fabs(seen.y), 1) << t;
  }
}

}  // namespace
}  // namespace tenon::test
