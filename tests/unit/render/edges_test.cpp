// What surfaces look like that are turned, and where they end in front of others.
#include <gtest/gtest.h>

#include <algorithm>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/trace/renderer.h"

namespace tenon::test {
namespace {

using namespace render;  // NOLINT

RenderOptions small() {
  RenderOptions options;
  options.width = 160;
  options.height = 120;
  return options;
}

StageSolid matt(const Shape& shape, const Pose& X_WS, double albedo) {
  StageSolid solid;
  solid.shape = shape;
  solid.X_WS = X_WS;
  solid.look.color = {albedo, albedo, albedo};
  solid.look.reflection = 0;
  solid.look.roughness = 1;
  return solid;
}

// Seen straight down from the origin.
Stage stage_from_above(double sun, double sky) {
  Stage stage;
  stage.lights.push_back({scene::LightType::kAmbient, {0, -1, 0}, {}, Vec3{sky, sky, sky}});
  if (sun > 0)
    stage.lights.push_back({scene::LightType::kSun, {0.6, -0.8, 0}, {}, {sun, sun, sun}});
  StageCamera camera;
  camera.fov_rad = 0.5 * kPi;
  camera.focus_m = 5;
  camera.forward_W = {0, -1, 0};
  camera.up_W = {0, 0, -1};
  stage.cameras.push_back(camera);
  return stage;
}

TEST(Edges, ATurnedBoxIsAsBrightAsAPlaneThatIsTurnedAsFar) {
  Renderer renderer(1);
  const auto level = [&](const Shape& shape, double depth, const Quat& turn) {
    Stage stage = stage_from_above(1, 0);
    stage.solids.push_back(matt(shape, {{0, -5 - depth, 0}, turn}, 0.5));
    return static_cast<int>(renderer.draw(stage, stage.cameras[0], small()).at(80, 60)[1]);
  };
  for (const double angle : {-0.9, -0.4, 0.4, 0.6}) {
    const Quat turn = from_axis_angle({0, 0, 1}, angle);
    const int plane = level(Plane{}, 0, turn);
    EXPECT_GT(plane, 20);
    // 1.5 of 255: rounding, and the sun's disc
    EXPECT_NEAR(level(Box{{3, 0.01, 3}}, 0, turn), plane, 1.5) << angle;
    // and turned once more about its upper face, and lying on its side
    EXPECT_NEAR(level(Box{{3, 0.01, 3}}, 0, turn * from_axis_angle({0, 1, 0}, 1)), plane, 1.5);
    EXPECT_NEAR(level(Box{{0.01, 3, 3}}, 0, turn * from_axis_angle({0, 0, 1}, kPi / 2)), plane,
                1.5);
  }
}

TEST(Edges, NoDotsLieOnThem) {
  // The side of a block in its own shadow, lit by floor and sky: the noisiest light there is. Edges
  // used to be dotted with single paths that met nothing bright. The same picture of 256 samples
  // says how dark anything around a pixel can be.
  Renderer renderer(1);
  Stage stage = stage_from_above(1, 0.3);
  StageCamera& camera = stage.cameras[0];
  camera.forward_W = {0, 0, -1};
  camera.up_W = {0, 1, 0};
  stage.solids.push_back(matt(Plane{}, {{0, -2, 0}, {}}, 0.6));
  stage.solids.push_back(matt(Box{{1, 3, 1}}, {{0, 0, -5}, from_axis_angle({0, 1, 0}, 0.9)}, 0.4));
  const Image image = renderer.draw(stage, camera, small());
  RenderOptions many = small();
  many.samples = 256;
  const Image truth = renderer.draw(stage, camera, many);
  int dots = 0;
  for (int y = 1; y + 1 < image.height; ++y)
    for (int x = 1; x + 1 < image.width; ++x) {
      int darkest = 255;
      for (int k = 0; k < 9; ++k)
        darkest = std::min<int>(darkest, truth.at(x + k % 3 - 1, y + k / 3 - 1)[1]);
      if (image.at(x, y)[1] < darkest - 12) ++dots;  // levels of 255, seen by an eye that looks
    }
  EXPECT_EQ(dots, 0);
}

}  // namespace
}  // namespace tenon::test
