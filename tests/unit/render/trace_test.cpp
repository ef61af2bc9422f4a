// The ray tracer against geometry and optics that are known exactly.
#include <gtest/gtest.h>

#include "film_fixture.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/render/color.h"
#include "tenon/render/image/text.h"
#include "tenon/render/trace/caption.h"
#include "tenon/render/trace/renderer.h"
#include "tenon/render/trace/round_shapes.h"
#include "tenon/render/trace/stereo.h"
#include "tenon/render/trace/surface.h"

namespace tenon::test {
namespace {

using namespace render;  // NOLINT

constexpr double kGlow = 0.8;

StageSolid glowing(const Shape& shape, const Vec3& p) {
  StageSolid solid;
  solid.shape = shape;
  solid.X_WS = {p, {}};
  solid.look.color = {1, 1, 1};
  solid.look.glow = kGlow;
  return solid;
}

// Darkness, seen from the origin along -z with 90 degrees.
Stage dark_stage() {
  Stage stage;
  stage.lights.push_back({scene::LightType::kAmbient, {0, -1, 0}, {}, {0, 0, 0}});
  StageCamera camera;
  camera.fov_rad = 0.5 * kPi;
  camera.focus_m = 5;
  stage.cameras.push_back(camera);
  return stage;
}

RenderOptions small(Quality quality = Quality::kFilm) {
  RenderOptions options;
  options.width = 160;
  options.height = 120;
  options.quality = quality;
  return options;
}

// The level of pixels that a glowing solid covers by half, whatever the tone curve is.
uint8_t half_level() {
  static const uint8_t level = [] {
    Stage stage = dark_stage();
    stage.solids.push_back(glowing(Box{{50, 50, 1}}, {0, 0, -5}));
    stage.solids[0].look.glow = 0.5 * kGlow;
    return Renderer(1).draw(stage, stage.cameras[0], small()).at(80, 60)[0];
  }();
  return level;
}

// Middle and area of what is covered by half or more, in pixels.
struct Spot {
  double x = 0, y = 0, area = 0;
};
Spot find_spot(const Image& image, int channel = 0) {
  Spot spot;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (image.at(x, y)[channel] < half_level()) continue;
      spot.x += x + 0.5;
      spot.y += y + 0.5;
      spot.area += 1;
    }
  spot.x /= spot.area;
  spot.y /= spot.area;
  return spot;
}

TEST(Tracer, SolidsAreWhereGeometryPutsThem) {
  // a sphere on the axis: its outline is a circle of tan(asin(r / d)) of half the height
  Renderer renderer(1);
  Stage stage = dark_stage();
  stage.solids.push_back(glowing(Sphere{1}, {0, 0, -5}));
  const Spot sphere = find_spot(renderer.draw(stage, stage.cameras[0], small()));
  const double radius = 60 * tan(asin(0.2));
  EXPECT_NEAR(sphere.area, kPi * radius * radius,
              0.02 * kPi * radius * radius);  // pixels at the edge
  EXPECT_NEAR(sphere.x, 80, 0.1);
  EXPECT_NEAR(sphere.y, 60, 0.1);
  // a box far to the right and up: x/z = 0.5, y/z = 0.25 of half the height
  stage.solids = {glowing(Box{{0.2, 0.2, 1e-3}}, {2, 1, -4})};
  const Spot box = find_spot(renderer.draw(stage, stage.cameras[0], small()));
  EXPECT_NEAR(box.x, 80 + 60 * 0.5, 0.1);
  EXPECT_NEAR(box.y, 60 - 60 * 0.25, 0.1);
  EXPECT_NEAR(box.area, 6 * 6, 4);  // its edges are those of pixels
}

TEST(Tracer, EveryShapeCoversItsShadowArea) {
  Renderer renderer(1);
  // far away, so that the picture is nearly parallel: 1 m is 60 / 40 * 10 px
  const auto area = [&](const Shape& shape) {
    Stage stage = dark_stage();
    stage.cameras[0].fov_rad = 2 * atan(0.1);
    stage.solids.push_back(glowing(shape, {0, 0, -40}));
    return find_spot(renderer.draw(stage, stage.cameras[0], small())).area / (15.0 * 15.0);
  };
  EXPECT_NEAR(area(Cylinder{1, 1.5}), 2 * 3, 0.06 * 6);  // its near end is larger by 1/40 twice
  EXPECT_NEAR(area(Capsule{1, 1}), 4 + kPi, 0.06 * 7);
  EXPECT_NEAR(area(Box{{1, 2, 0.1}}), 8, 0.06 * 8);
}

TEST(Tracer, AMattFloorFollowsLamberts) {
  // radiance of the floor relative to one that faces the sun is the cosine; read back through the
  // picture of a floor of half the albedo in full light, which needs no knowledge of the tone curve
  Renderer renderer(1);
  const auto level = [&](double cosine, double albedo) {
    Stage stage = dark_stage();
    const double sine = std::sqrt(1 - cosine * cosine);
    stage.lights.push_back({scene::LightType::kSun, {sine, -cosine, 0}, {}, {1, 1, 1}});
    StageSolid floor;
    floor.shape = Plane{};
    floor.X_WS.p = {0, -1, 0};
    floor.look.color = {albedo, albedo, albedo};
    floor.look.reflection = 0;
    floor.look.roughness = 1;
    stage.solids.push_back(floor);
    stage.cameras[0].forward_W = {0, -1, 0};
    stage.cameras[0].up_W = {0, 0, -1};
    return static_cast<int>(renderer.draw(stage, stage.cameras[0], small()).at(80, 60)[1]);
  };
  // 1.5 of 255: rounding, and the sun's disc
  EXPECT_NEAR(level(0.5, 0.6), level(1, 0.3), 1.5);
  EXPECT_NEAR(level(0.25, 0.8), level(1, 0.2), 1.5);
}

// A white matt floor from above, under the sky alone or with a sun.
Stage white_floor(double sun, double sky) {
  Stage stage = dark_stage();
  stage.lights = {{scene::LightType::kAmbient, {0, -1, 0}, {}, Vec3{sky, sky, sky}}};
  if (sun > 0) stage.lights.push_back({scene::LightType::kSun, {0, -1, 0}, {}, {sun, sun, sun}});
  StageSolid floor;
  floor.shape = Plane{};
  floor.X_WS.p = {0, -5, 0};
  floor.look.color = {1, 1, 1};
  floor.look.reflection = 0;
  floor.look.roughness = 1;
  stage.solids.push_back(floor);
  stage.cameras[0].forward_W = {0, -1, 0};
  stage.cameras[0].up_W = {0, 0, -1};
  return stage;
}

// Mean of a channel, 0 ... 255.
double mean_level(const Image& image, size_t channel) {
  double sum = 0;
  for (size_t i = channel; i < image.rgb.size(); i += 3) sum += image.rgb[i];
  return 3 * sum / static_cast<double>(image.rgb.size());
}

TEST(Tracer, TheSkyLightsALevelFloorAsMuchAsItSays) {
  // sky of 1, and a sun of 1 that shines straight down: both make a white floor as bright. Green
  // stands for luminance here; the sky is 2 % brighter in it than in luminance.
  Renderer renderer(1);
  const auto level = [&](double sun, double sky, Quality quality) {
    const Stage stage = white_floor(sun, sky);
    return mean_level(renderer.draw(stage, stage.cameras[0], small(quality)), 1);
  };
  const double sun = level(1, 0, Quality::kFilm);
  EXPECT_NEAR(level(0, 1, Quality::kFilm), sun, 0.02 * sun);
  EXPECT_NEAR(level(0, 1, Quality::kDraft), sun, 0.02 * sun);
}

TEST(Tracer, MoreOfAllLightsIsThePictureOfAShorterExposure) {
  Renderer renderer(1);
  Stage stage = white_floor(1, 0.4);
  StageSolid ball;
  ball.shape = Sphere{1};
  ball.X_WS.p = {0, -4, 0};
  ball.look.metallic = 1;
  ball.look.roughness = 0.2;
  stage.solids.push_back(ball);
  Stage bright = stage;
  for (StageLight& light : bright.lights) light.rgb = 100.0 * light.rgb;
  const Image a = renderer.draw(stage, stage.cameras[0], small());
  const Image b = renderer.draw(bright, bright.cameras[0], small());
  for (const size_t channel : {0, 1, 2})
    EXPECT_NEAR(mean_level(a, channel), mean_level(b, channel), 0.5);  // round-off of levels
}

TEST(Tracer, PolishedMetalIsBrightWhereItMirrorsPolishedMetal) {
  // two metal balls side by side under an even sky: each is seen in the other, and what is seen
  // there is a mirror of the sky, not a hole: a tenth of the light is lost on the way, which is a
  // few of 255 levels up there.
  Stage stage = dark_stage();
  stage.lights = {{scene::LightType::kAmbient, {0, -1, 0}, {}, {1, 1, 1}}};
  for (const double x : {-1.02, 1.02}) {
    StageSolid ball;
    ball.shape = Sphere{1};
    ball.X_WS.p = {x, 0, -5};
    ball.look.color = {0.9, 0.9, 0.9};
    ball.look.metallic = 1;
    ball.look.roughness = 0.3;
    stage.solids.push_back(ball);
  }
  stage.cameras[0].fov_rad = 0.8;
  const Image image = Renderer(1).draw(stage, stage.cameras[0], small());
  // on the right ball, where the left one is mirrored: the normal points half way between the
  // other ball and the eye
  const double scale = 60 / tan(0.4), s = std::sqrt(0.5);
  const Vec3 p = Vec3{1.02, 0, -5} + Vec3{-s, 0, s};
  const Vec3 q = Vec3{1.02, 0, -5} + Vec3{s, 0, s};
  const auto level = [&](const Vec3& at) {
    return static_cast<double>(image.at(static_cast<int>(80 + scale * at.x / -at.z), 60)[1]);
  };
  EXPECT_GT(level(p), 0.95 * level(q));
}

TEST(Tracer, ThreadsDoNotChangeThePicture) {
  Stage stage = dark_stage();
  stage.lights = {{scene::LightType::kSun, {0.3, -0.9, -0.3}, {}, {1, 1, 1}},
                  {scene::LightType::kAmbient, {0, -1, 0}, {}, {0.4, 0.4, 0.4}}};
  StageSolid ball;
  ball.shape = Sphere{1};
  ball.X_WS.p = {0, 0, -4};
  ball.look.transparency = 0.9;
  stage.solids.push_back(ball);
  StageSolid floor;
  floor.shape = Plane{};
  floor.X_WS.p = {0, -1, 0};
  floor.look.pattern = Pattern::kChecker;
  stage.solids.push_back(floor);
  Renderer one(1), three(3);
  for (const Quality quality : {Quality::kDraft, Quality::kFilm})
    EXPECT_EQ(one.draw(stage, stage.cameras[0], small(quality)),
              three.draw(stage, stage.cameras[0], small(quality)));
}

TEST(Tracer, FresnelAgreesWithOptics) {
  EXPECT_NEAR(fresnel(1, 1 / 1.5f), 0.04, 1e-6);  // ((n - 1) / (n + 1))^2
  // Brewster's angle tan a = n: only the part across the plane is mirrored, half of it
  const double a = atan(1.5), b = asin(sin(a) / 1.5);
  const double across = sin(a - b) / sin(a + b);
  EXPECT_NEAR(fresnel(static_cast<float>(cos(a)), 1 / 1.5f), 0.5 * across * across, 1e-5);
  EXPECT_EQ(fresnel(static_cast<float>(cos(0.75)), 1.5f), 1);  // beyond asin(1 / 1.5) = 0.7297
  EXPECT_LT(fresnel(static_cast<float>(cos(0.72)), 1.5f), 1);
}

TEST(Tracer, RoughMirrorsThrowBackWhatTheirFacetsDoNotHide) {
  // white furnace at 45 degrees: a metal that mirrors everything under light of 1 from everywhere.
  // The references are integrals by sampling the distribution of normals itself, 200,000 samples:
  // another way to the same sum.
  const struct {
    float alpha;
    double albedo;
  } cases[] = {{0.01f, 0.9999}, {0.1f, 0.9823}, {0.4f, 0.7604}};
  for (const auto& c : cases) {
    Coating coating;
    coating.normal = {0, 1, 0};
    coating.mirror = {1, 1, 1};
    coating.alpha = c.alpha;
    double sum = 0;
    constexpr uint32_t kSamples = 16384;
    for (uint32_t i = 0; i < kSamples; ++i) {
      Sampler sampler(3, 5, i & 255, i >> 8);
      const float choice = sampler.next_one();
      sum += sample_bounce(coating, unit({1, 1, 0}), choice, sampler.next()).weight.x;
    }
    EXPECT_NEAR(sum / kSamples, c.albedo, 0.005) << c.alpha;  // three deviations of the reference
  }
}

TEST(Tracer, RaysMeetRoundShapesWhereTheEquationsSay) {
  const auto along = find_passage({1, 2, false}, {0, -5, 0.5f}, {0, 1, 0});
  ASSERT_TRUE(along);
  EXPECT_NEAR(along->in, 3, 1e-5);
  EXPECT_NEAR(along->out, 7, 1e-5);
  const auto capsule = find_passage({1, 2, true}, {0, -5, 0}, {0, 1, 0});
  ASSERT_TRUE(capsule);
  EXPECT_NEAR(capsule->in, 2, 1e-5);
  EXPECT_NEAR(capsule->out, 8, 1e-5);
  EXPECT_FALSE(find_passage({1, 2, false}, {0, 2.5f, -5}, {0, 0, 1}));
  EXPECT_TRUE(find_passage({1, 2, true}, {0, 2.5f, -5}, {0, 0, 1}));
}

TEST(Stereo, EyesAreAsFarApartAsPeoplesInScenesOfTheirSize) {
  EXPECT_EQ(choose_eye_distance(2), 0.065);
  EXPECT_EQ(choose_eye_distance(60), 1);       // a scene of 60 m: eyes of a giant
  EXPECT_EQ(choose_eye_distance(0.02), 1e-3);  // of an ant
}

TEST(Stereo, AnAnaglyphHoldsBothEyesWithTheRightDisparity) {
  // a small bright ball nearer than the focus; eyes at -+ e/2 turned to (0, 0, -5)
  Stage stage = dark_stage();
  const Vec3 ball{0.3, 0.2, -2.5};
  stage.solids.push_back(glowing(Sphere{0.1}, ball));
  const auto eyes = make_eyes(stage.cameras[0], 0.4);
  RenderOptions options = small();
  options.width = 320;
  options.height = 240;
  Renderer renderer(1);
  const Image both = combine(renderer.draw(stage, eyes[0], options),
                             renderer.draw(stage, eyes[1], options), Stereo::kRedGreen);
  const Spot left = find_spot(both, 0), right = find_spot(both, 1);
  const Vec3 in_left = seen_at(eyes[0], ball), in_right = seen_at(eyes[1], ball);
  // an eye 5 m from the focus and 0.2 m aside is turned in by atan(0.2 / 5)
  EXPECT_NEAR(dot(eyes[0].forward_W, eyes[1].forward_W), cos(2 * atan(0.04)), 1e-12);
  EXPECT_NEAR(left.x, 160 + 120 * in_left.x, 0.15);
  EXPECT_NEAR(right.x, 160 + 120 * in_right.x, 0.15);
  EXPECT_NEAR(left.y, 120 - 120 * in_left.y, 0.15);
  EXPECT_GT(left.x - right.x, 5) << "nearer than the focus: the eyes cross";
  for (int i = 2; i < 30; i += 3) EXPECT_EQ(both.rgb[static_cast<size_t>(i)], 0) << "no blue";
}

TEST(Image, APngComesBackAsItWas) {
  Image image(7, 5);
  for (size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<uint8_t>(37 * i);
  const auto back = decode_png(encode_png(image), "x.png");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, image);
  EXPECT_FALSE(decode_png({1, 2, 3}, "bad.png").ok());
}

TEST(Tracer, OverlaysThrowNoShadow) {
  // a floor in the sun, seen from above; between them a ball, real or glowing, out of sight
  Stage stage = dark_stage();
  stage.lights.push_back({scene::LightType::kSun, normalized(Vec3{1, -1, 0}), {}, {1, 1, 1}});
  StageSolid floor;
  floor.shape = Box{{20, 0.5, 20}};
  floor.X_WS = {{0, -5.5, 0}, {}};
  StageSolid ball = glowing(Sphere{1}, {-5 - 3, 0 + 3, 0});
  StageCamera& camera = stage.cameras[0];
  camera.up_W = {0, 0, -1};
  camera.forward_W = {0, -1, 0};
  stage.solids = {floor, ball};
  const auto level = [&] { return Renderer(1).draw(stage, camera, small()).at(80, 60)[1]; };
  const int overlay = level();
  stage.solids[1].look.glow = 0;
  const int real = level();
  stage.solids.pop_back();
  EXPECT_EQ(overlay, level());
  EXPECT_LT(real, overlay / 2);
}

TEST(Image, TextIsDrawnInsideItsBoxAndCutAtTheEdges) {
  Image image(100, 40);
  draw_text(image, 10, 10, "I", {14, {255, 255, 255}, 0, 1});
  int first = 100, last = -1;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 100; ++x)
      if (image.at(x, y)[0] > 128) {
        first = std::min(first, y);
        last = std::max(last, y);
        EXPECT_LT(x - 10, text_width("I", 14));
      }
  // 14 high, and half the width of a stroke to either side
  EXPECT_NEAR(first, 10, 2);
  EXPECT_NEAR(last, 23, 2);
  EXPECT_NEAR(text_width("abc", 14), 2 * text_width("abc", 7), 1e-9);
  // letters of Latin-1 are as wide as without their accents; one letter, not two bytes
  EXPECT_EQ(text_width("R\xc3\xa4"
                       "der",
                       7),
            text_width("Rader", 7));
  draw_text(image, -50, -3, "far outside \xc3\xa4", {21, {255, 0, 0}, 0, 1});
  draw_text(image, 95, 38, "W", {60, {255, 0, 0}, 0, 1});
}

TEST(Image, LabelsDoNotLieOnEachOther) {
  Stage stage;
  StageCamera camera;
  camera.p_WE = {0, 0, 10};
  Image empty(320, 180), one(320, 180), both(320, 180);
  stage.labels = {{"near", {0, 0, 1}}};
  draw_captions(stage, camera, one);
  stage.labels = {{"farther", {0, 0, 0}}, {"near", {0, 0, 1}}};
  draw_captions(stage, camera, both);
  // the nearer one is as it was alone, in its rows; the other is above it
  const auto inked = [&](const Image& image, int y) {
    for (int x = 0; x < 320; ++x)
      if (image.at(x, y)[0] > 200) return true;
    return false;
  };
  int rows = 0;
  for (int y = 0; y < 180; ++y) {
    if (!inked(one, y)) continue;
    ++rows;
    for (int x = 0; x < 320; ++x) EXPECT_EQ(one.at(x, y)[1], both.at(x, y)[1]);
  }
  int more = 0;
  for (int y = 0; y < 180; ++y) more += inked(both, y) ? 1 : 0;
  EXPECT_GT(rows, 5);
  EXPECT_GE(more, 2 * rows - 2);
}

TEST(Tracer, AbsurdSizesAreRefused) {
  RenderOptions options;
  options.width = 100000;
  EXPECT_FALSE(check(options).ok());
  options.width = 0;
  EXPECT_FALSE(check(options).ok());
  EXPECT_FALSE(parse_quality("foto").ok());
  EXPECT_FALSE(parse_stereo("3d").ok());
}

}  // namespace
}  // namespace tenon::test
