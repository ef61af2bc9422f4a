#include <gtest/gtest.h>

#include "film_fixture.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/render/daylight.h"

namespace tenon::test {
namespace {

using render::Pattern;
using render::Stage;
using render::StageCamera;
using render::StageOptions;

const std::string kBall =
    R"({"tenon": 1, "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.5}}]})";
constexpr double kTiny = 1e-12;  // a few roundings

TEST(Stage, PosesBetweenFramesAreInterpolated) {
  StageMaker maker(kBall, {"ball"}, {{at_point(0, 0, 0)}, {turned({1, 2, 0}, {0, 0, 1}, 0.8)}});
  const Stage stage = maker.at(0.025);
  ASSERT_EQ(stage.solids.size(), 1u);
  EXPECT_NEAR(norm(stage.solids[0].X_WS.p - Vec3{0.25, 0.5, 0}), 0, kTiny);
  EXPECT_NEAR(stage.solids[0].X_WS.q.z, sin(0.5 * 0.2), kTiny);
  // outside of the recording: its first and last frame
  EXPECT_EQ(maker.at(-1).solids[0].X_WS.p.x, 0);
  EXPECT_EQ(maker.at(9).solids[0].X_WS.p.x, 1);
}

TEST(Stage, LooksComeFromMaterialBodyAndPart) {
  StageMaker maker(
      R"({"tenon": 1, "bodies": [
        {"name": "a", "shape": {"type": "box", "size": [1, 1, 1]}, "material": "wood"},
        {"name": "b", "shape": {"type": "compound", "parts": [
          {"shape": {"type": "sphere", "radius": 1}, "material": "glass"},
          {"shape": {"type": "sphere", "radius": 1}, "color": [1, 0, 0]}]},
          "material": "iron", "roughness": 0.1}]})",
      {"a", "b"}, {{at_point(0, 0, 0), at_point(5, 0, 0)}});
  const Stage stage = maker.at(0);
  ASSERT_EQ(stage.solids.size(), 3u);
  EXPECT_EQ(stage.solids[0].look.pattern, Pattern::kWood);
  EXPECT_EQ(stage.solids[1].look.pattern, Pattern::kGlass);
  EXPECT_GT(stage.solids[1].look.transparency, 0.5);
  EXPECT_EQ(stage.solids[2].look.color, (Vec3{1, 0, 0}));
  EXPECT_EQ(stage.solids[2].look.roughness, 0.1);
  EXPECT_EQ(stage.solids[2].look.metallic, 1);
  // sRGB 0.63 is 0.3547 in linear light (IEC 61966-2-1)
  EXPECT_NEAR(stage.solids[0].look.color.x, 0.3547, 1e-4);
}

TEST(Stage, WhatHasNoColourIsGreyWhereItStandsAndColouredInTurnWhereItMoves) {
  StageMaker maker(
      R"({"tenon": 1, "materials": {"cork": {"density": 200}, "coal": {"look": {"color": [0, 0, 0]}}},
        "bodies": [{"name": "floor", "shape": {"type": "plane"}},
          {"name": "a", "shape": {"type": "sphere", "radius": 1}},
          {"name": "b", "shape": {"type": "sphere", "radius": 1}, "material": "cork"},
          {"name": "wall", "shape": {"type": "sphere", "radius": 1}, "motion": "static"},
          {"name": "c", "shape": {"type": "sphere", "radius": 1}, "material": "coal"},
          {"name": "d", "shape": {"type": "sphere", "radius": 1}, "color": [1, 0, 0]}]})",
      {"floor", "a", "b", "wall", "c", "d"},
      {{at_point(0, 0, 0), at_point(0, 0, 0), at_point(0, 0, 0), at_point(0, 0, 0),
        at_point(0, 0, 0), at_point(0, 0, 0)}});
  const Stage stage = maker.at(0);
  ASSERT_EQ(stage.solids.size(), 6u);
  const auto spread = [&](size_t i) {
    const Vec3& c = stage.solids[i].look.color;
    return max_component(c) - std::min({c.x, c.y, c.z});
  };
  EXPECT_LT(spread(0), 0.05);
  EXPECT_LT(spread(3), 0.05);
  EXPECT_GT(spread(1), 0.2);
  EXPECT_GT(spread(2), 0.2);
  EXPECT_GT(norm(stage.solids[1].look.color - stage.solids[2].look.color), 0.3);
  EXPECT_EQ(stage.solids[4].look.color, (Vec3{0, 0, 0}));
  EXPECT_EQ(stage.solids[5].look.color, (Vec3{1, 0, 0}));
}

TEST(Stage, SlackRopesHangWhereGravityPulls) {
  StageMaker maker(
      R"({"tenon": 1, "world": {"gravity": [0, 0, -9.81]},
        "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 0.1}}],
        "connections": [{"name": "r", "type": "rope", "a": "world", "b": "b", "at": [2, 0, 0], "length": 3}]})",
      {"b"}, {{at_point(0, 0, 0)}});
  const Vec3 middle = maker.at(0).tubes.at(0).points_W[12];
  EXPECT_NEAR(middle.y, 0, kTiny);
  EXPECT_LT(middle.z, -0.3);
}

TEST(Stage, SpringsAreCoilsFromPointToPointWhateverTheirLength) {
  const std::string scene =
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 0.1}}],
        "connections": [
          {"name": "s", "type": "spring", "a": "world", "b": "b", "at": [0, 2, 0], "stiffness": 10},
          {"name": "d", "type": "damper", "a": "world", "b": "b", "at": [1, 2, 0], "damping": 1},
          {"name": "r", "type": "rope", "a": "world", "b": "b", "at": [-1, 2, 0], "length": 3}]})";
  StageMaker maker(scene, {"b"}, {{at_point(0, 0, 0)}, {at_point(0, -3, 0)}});
  const Stage first = maker.at(0), last = maker.at(0.1);
  ASSERT_EQ(first.links.size(), 3u);
  ASSERT_EQ(first.tubes.size(), 2u);  // coil and rope
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(first.tubes[i].points_W.size(), last.tubes[i].points_W.size());
  const auto& coil = last.tubes[0].points_W;
  EXPECT_NEAR(norm(coil.front() - Vec3{0, 2, 0}), 0, kTiny);
  EXPECT_NEAR(norm(coil.back() - Vec3{0, -3, 0}), 0, kTiny);
  // a slack rope hangs below the line between its ends, a taut one is straight
  const auto middle = [](const Stage& s) { return s.tubes[1].points_W[12]; };
  EXPECT_LT(middle(first).y, 0.5 * (2 + 0) - 0.2);
  EXPECT_NEAR(middle(last).y, 0.5 * (2 - 3), kTiny);
  // the cylinder of the damper
  EXPECT_EQ(std::count_if(first.solids.begin(), first.solids.end(),
                          [](const auto& s) { return s.role == render::Role::kLink; }),
            2);
}

TEST(Stage, TheAutomaticCameraNeverCropsWhatMoves) {
  const std::string scene =
      R"({"tenon": 1, "bodies": [{"name": "ground", "shape": {"type": "plane"}},
        {"name": "box", "shape": {"type": "box", "size": [2, 0.4, 1]}},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.7}}]})";
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 40; ++k) {
    const double s = k / 40.0;
    frames.push_back({at_point(0, 0, 0),
                      turned({8 * s, 1 + 3 * s * (1 - s), -2 * s}, {0, 1, 0}, 5 * s),
                      at_point(-3 * s, 0.7, 4 * s)});
  }
  for (const double aspect : {16.0 / 9, 1.0, 0.5}) {
    StageOptions options;
    options.aspect = aspect;
    StageMaker maker(scene, {"ground", "box", "ball"}, frames, options);
    double widest = 0;
    for (int k = 0; k <= 40; ++k) {
      const Stage stage = maker.at(0.1 * k);
      const StageCamera& camera = stage.cameras[stage.camera];
      EXPECT_EQ(camera.name, "auto");
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p{corner & 1 ? 1.0 : -1.0, corner & 2 ? 0.2 : -0.2, corner & 4 ? 0.5 : -0.5};
        const Pose& X = stage.solids[1].X_WS;
        const Vec3 seen = seen_at(camera, X.p + rotate(X.q, p));
        EXPECT_LT(std::fabs(seen.x), aspect);
        EXPECT_LT(std::fabs(seen.y), 1);
        widest = std::max({widest, std::fabs(seen.x) / aspect, std::fabs(seen.y)});
      }
      // the edge of a ball of this radius in any direction
      const Vec3 ball = stage.solids[2].X_WS.p;
      for (const Vec3& side : {camera.right_W, -camera.right_W, camera.up_W, -camera.up_W}) {
        const Vec3 seen = seen_at(camera, ball + 0.7 * side);
        EXPECT_LT(std::fabs(seen.x), aspect);
        EXPECT_LT(std::fabs(seen.y), 1);
      }
    }
    EXPECT_GT(widest, 0.6) << "and does not stand too far away";
  }
}

TEST(Stage, ABodyThatFliesAwayDoesNotMakeTheRestTiny) {
  const std::string scene =
      R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}},
        {"name": "b", "shape": {"type": "sphere", "radius": 1}},
        {"name": "c", "shape": {"type": "sphere", "radius": 1}}]})";
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k < 20; ++k)
    frames.push_back({at_point(0, 0, 0), at_point(3, 0, 0), at_point(-3, std::pow(10.0, k), 0)});
  StageMaker maker(scene, {"a", "b", "c"}, frames);
  const StageCamera camera = maker.at(0).cameras.back();
  EXPECT_LT(norm(camera.p_WE), 200);
  const double size = seen_at(camera, {0, 1, 0}).y - seen_at(camera, {0, -1, 0}).y;
  EXPECT_GT(size, 0.05) << "a ball is at least 2.5 % of the height";
}

TEST(Stage, ABodyThatBeginsFarAwayIsLeftOutAndNamed) {
  const std::string scene =
      R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}},
        {"name": "b", "shape": {"type": "sphere", "radius": 1}},
        {"name": "c", "shape": {"type": "sphere", "radius": 1}},
        {"name": "far", "shape": {"type": "sphere", "radius": 1}}]})";
  StageMaker maker(
      scene, {"a", "b", "c", "far"},
      {{at_point(0, 0, 0), at_point(3, 0, 0), at_point(-3, 0, 0), at_point(1e5, 0, 0)}});
  const StageCamera camera = maker.at(0).cameras.back();
  EXPECT_GT(seen_at(camera, {0, 1, 0}).y - seen_at(camera, {0, -1, 0}).y, 0.2);
  EXPECT_EQ(maker.strays(), std::vector<std::string>{"far"});
}

TEST(Stage, TheAutomaticCameraSeesEveryFrameOfLongRuns) {
  // a rod that lies the same way in all frames but one of a thousand
  std::vector<std::vector<Pose>> frames(1000, {turned({0, 0, 0}, {0, 0, 1}, 0)});
  frames[501] = {turned({0, 0, 0}, {0, 0, 1}, 0.5 * kPi)};
  StageMaker maker(
      R"({"tenon": 1, "bodies": [{"name": "rod", "shape": {"type": "box", "size": [2, 0.1, 0.1]}}]})",
      {"rod"}, frames);
  const StageCamera camera = maker.at(0).cameras.back();
  for (const double end : {-1.0, 1.0}) EXPECT_LT(std::fabs(seen_at(camera, {0, end, 0}).y), 1);
  EXPECT_TRUE(maker.strays().empty());
}

TEST(Stage, BodiesThatAreNowhereAreLeftOut) {
  const double inf = std::numeric_limits<double>::infinity();
  StageMaker maker(kBall, {"ball", "stranger"}, {{at_point(inf, 0, 0), at_point(0, 0, 0)}});
  const Stage stage = maker.at(0);
  EXPECT_TRUE(stage.solids.empty());
  EXPECT_TRUE(is_finite(stage.cameras[stage.camera].p_WE));
}

TEST(Stage, WhereTheSunShinesThereIsASky) {
  const auto lights = [](const std::string& list) {
    StageMaker maker(R"({"tenon": 1, "lights": [)" + list + R"(], "bodies": []})", {}, {{}});
    return maker.at(0).lights;
  };
  EXPECT_EQ(lights("").size(), 2u);
  const auto sun = lights(R"({"type": "sun"})"), lamp = lights(R"({"type": "point"})");
  ASSERT_EQ(sun.size(), 2u);
  EXPECT_EQ(sun[1].type, scene::LightType::kAmbient);
  ASSERT_EQ(lamp.size(), 2u);
  EXPECT_LT(lamp[1].rgb.x, sun[1].rgb.x);
  EXPECT_EQ(lights(R"({"type": "ambient", "intensity": 0})").size(), 1u) << "as the scene says";
}

TEST(Daylight, ExposureFollowsSunAndSkyButNightStaysNight) {
  using scene::LightType;
  const render::StageLight sun{LightType::kSun, {0, -1, 0}, {}, {90, 80, 70}},
      sky{LightType::kAmbient, {0, -1, 0}, {}, {10, 10, 10}},
      dim{LightType::kAmbient, {0, -1, 0}, {}, {0.1, 0.1, 0.1}},
      lamp{LightType::kPoint, {0, -1, 0}, {}, {50, 50, 50}};
  const render::Subject far{{0, 0, 10}, 5}, near{{0, 0, 1}, 5};  // from the lamp
  EXPECT_NEAR(render::find_exposure(std::vector{sun, sky}, far), 0.01, 1e-12);
  EXPECT_EQ(render::find_exposure(std::vector{dim, lamp}, far), 1);
  EXPECT_NEAR(render::find_exposure(std::vector{dim, lamp}, near), 1 / 50.1, 1e-12);
  EXPECT_NEAR(render::find_exposure(std::vector{sky}, far), 0.1, 1e-12);
}

TEST(Daylight, ALevelWhiteSurfaceUnderTheSkyIsAsBrightAsTheAmbientLight) {
  double sum = 0;
  constexpr int kSteps = 1000;
  for (int i = 0; i < kSteps; ++i) {
    const double y = (i + 0.5) / kSteps;
    const Vec3 g = render::sky_tint(y);
    // luminance of sRGB (IEC 61966-2-1)
    sum += (0.2126 * g.x + 0.7152 * g.y + 0.0722 * g.z) * 2 * y / kSteps;
  }
  EXPECT_NEAR(sum, 1, 0.002);
}

TEST(Stage, EmptyRecordingsAndUnknownWordsAreRefused) {
  StageMaker empty(kBall, {"ball"}, {});
  EXPECT_NE(format(empty.error).find("no frame"), std::string::npos);
  StageOptions options;
  options.camera = "frnt";
  StageMaker maker(R"({"tenon": 1, "cameras": [{"name": "front"}], "bodies": []})", {}, {{}},
                   options);
  EXPECT_NE(format(maker.error).find("did you mean 'front'"), std::string::npos);
  options = {};
  options.from_s = 5;
  StageMaker late(kBall, {"ball"}, {{at_point(0, 0, 0)}}, options);
  EXPECT_NE(format(late.error).find("holds no frame"), std::string::npos);
  const auto show = render::parse_show("joints,tim");
  ASSERT_FALSE(show.ok());
  EXPECT_NE(format(show.error()).find("did you mean 'time'"), std::string::npos);
  EXPECT_TRUE(render::parse_show("labels,energy")->labels);
}

TEST(Stage, VelocityArrowsBeginWhereThePathOfTheMassCentreLeavesTheBody) {
  StageOptions options;
  options.show = *render::parse_show("velocities");
  // the mass centre is 0.3 m along x from the body's origin; the body is turned by a quarter
  StageMaker maker(
      record_moving(
          R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "box", "size": [2, 0.4, 0.4]},
            "center_of_mass": [0.3, 0, 0]}]})",
          {"b"}, {{{turned({1, 2, 3}, {0, 0, 1}, 0.5 * kPi), {-2, 0, 0}, {}}}}),
      options);
  const Stage stage = maker.at(0);
  ASSERT_GT(stage.solids.size(), 1u);
  const auto& shaft = std::get<Cylinder>(stage.solids[1].shape);
  const Vec3 along = rotate(stage.solids[1].X_WS.q, {0, 1, 0});
  const Vec3 begin = stage.solids[1].X_WS.p - shaft.half_height * along;
  EXPECT_NEAR(norm(begin - Vec3{1 - 0.2, 2 + 0.3, 3}), 0, 1e-9);
}

TEST(Stage, OverlaysAreDrawnOnRequest) {
  StageOptions options;
  options.show = *render::parse_show("joints,frames,velocities,trails,labels,time");
  StageMaker maker(
      R"({"tenon": 1, "bodies": [{"name": "arm", "shape": {"type": "box", "size": [1, 0.1, 0.1]}}],
        "joints": [{"name": "pin", "type": "hinge", "child": "arm", "at": [-0.5, 0, 0], "axis": [0, 0, 1]}]})",
      {"arm"}, {{at_point(0, 0, 0)}, {at_point(0.1, 0, 0)}, {at_point(0.3, 0, 0)}}, options);
  const Stage stage = maker.at(0.2);
  EXPECT_TRUE(stage.show_time);
  ASSERT_EQ(stage.labels.size(), 1u);
  EXPECT_EQ(stage.labels[0].text, "arm");
  const auto count = [&](render::Role role) {
    return std::count_if(stage.solids.begin(), stage.solids.end(),
                         [&](const auto& s) { return s.role == role; });
  };
  EXPECT_EQ(count(render::Role::kJoint), 1);
  EXPECT_GE(count(render::Role::kOverlay), 9);  // three frames of three axes
  ASSERT_EQ(stage.tubes.size(), 1u);
  EXPECT_EQ(stage.tubes[0].points_W.front().x, 0);
  EXPECT_NEAR(stage.tubes[0].points_W.back().x, 0.3, kTiny);
}

}  // namespace
}  // namespace tenon::test
