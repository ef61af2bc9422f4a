#include <cmath>

#include "sketch_fixture.h"

namespace tenon::test {
namespace {

using render::SketchOptions;

// every kind of shape
const char* const kZoo = R"({
  "tenon": 1, "title": "Zoo <&> \"friends\"",
  "bodies": [
    {"name": "ground", "shape": {"type": "plane"}, "motion": "static"},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}},
    {"name": "crate", "shape": {"type": "box", "size": [1, 1, 1]}, "color": "red"},
    {"name": "can", "shape": {"type": "cylinder", "radius": 0.3, "height": 1}},
    {"name": "pill", "shape": {"type": "capsule", "radius": 0.3, "length": 1}},
    {"name": "rock", "shape": {"type": "hull", "points":
      [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.7,0.7,0.7]]}, "material": "glass"},
    {"name": "bell", "shape": {"type": "compound", "parts": [
      {"shape": {"type": "sphere", "radius": 0.3}, "position": [0, 0.5, 0]},
      {"shape": {"type": "sphere", "radius": 0.2}, "position": [0, -0.5, 0]}]}},
    {"name": "mote", "shape": {"type": "point_mass"}, "mass": 1},
    {"name": "pin", "shape": {"type": "fixed_point"}, "motion": "static"}
  ],
  "cameras": [{"name": "wide", "position": [0, 4, 20], "look_at": [0, 1, 0]},
              {"name": "away", "position": [0, 4, 20], "look_at": [0, 4, 40]},
              {"name": "any", "automatic": true}]
})";
const std::vector<std::string> kZooNames{"ground", "ball", "crate", "can", "pill",
                                         "rock",   "bell", "mote",  "pin"};

std::vector<Pose> zoo_poses(double shift) {
  std::vector<Pose> poses{{}};
  for (int i = 1; i < 9; ++i)
    poses.push_back({{2.0 * i - 9, 1.5 + (i == 8 ? 0 : shift), 0},
                     exp_map(Vec3{0.1 * i, i == 8 ? 0 : shift, 0.2})});
  return poses;
}

MadeRecording zoo() {
  std::vector<std::vector<Pose>> frames;
  for (int k = 0; k <= 10; ++k) frames.push_back(zoo_poses(0.1 * k));
  return record(kZoo, kZooNames, frames);
}

TEST(Sketch, DrawsEveryBodyInWellFormedXml) {
  for (const char* camera : {"", "wide", "any", "auto"}) {
    SketchOptions options;
    options.camera = camera;
    const std::string svg = zoo().svg(options);
    EXPECT_EQ(drawn_bodies(svg), (std::multiset<std::string>{"ball", "crate", "can", "pill", "rock",
                                                             "bell", "bell", "mote", "pin"}))
        << camera;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_NE(svg.find("Zoo &lt;&amp;&gt; &quot;friends&quot;"), std::string::npos);
  }
}

TEST(Sketch, ShowsTheTimeAskedFor) {
  SketchOptions options;
  EXPECT_NE(zoo().svg().find("t = 0.5 s"), std::string::npos);  // the middle
  options.at_s = 0.25;                                          // the frame before
  EXPECT_NE(zoo().svg(options).find("t = 0.2 s"), std::string::npos);
  options.at_s = 1 + 1e-9;  // a time that was rounded
  EXPECT_NE(zoo().svg(options).find("t = 1 s"), std::string::npos);
}

TEST(Sketch, DrawsAllPosesOfMovingBodiesAndRestingOnesOnce) {
  SketchOptions options;
  options.strobe = 6;
  const std::string svg = zoo().svg(options);
  const auto drawn = drawn_bodies(svg);
  EXPECT_EQ(drawn.count("crate"), 6u);
  EXPECT_EQ(drawn.count("bell"), 12u);
  EXPECT_EQ(drawn.count("pin"), 1u);
  EXPECT_NE(svg.find("6 poses, t = 0 to 1 s"), std::string::npos);
  // paths, and earlier poses fainter than later ones
  size_t lines = 0;
  std::set<double> opacities;
  for (const Element& element : parse_xml(svg)) {
    if (element.attributes.contains("stroke-width") && element.name == "path") ++lines;
    if (element.attributes.contains("data-body") && element.attributes.contains("opacity"))
      opacities.insert(std::stod(element.attributes.at("opacity")));
  }
  EXPECT_GE(lines, 7u);
  EXPECT_EQ(opacities.size(), 5u);
  EXPECT_LT(*opacities.rbegin(), 1);
  options.strobe = 50;  // more than there are frames
  EXPECT_EQ(drawn_bodies(zoo().svg(options)).count("crate"), 11u);
}

TEST(Sketch, IsTheSameEveryTime) {
  SketchOptions options;
  options.strobe = 4;
  EXPECT_EQ(zoo().svg(options), zoo().svg(options));
}

TEST(Sketch, LeavesOutWhatTheCameraDoesNotSee) {
  SketchOptions options;
  options.camera = "away";
  EXPECT_TRUE(drawn_bodies(zoo().svg(options)).empty());
}

TEST(Sketch, LeavesOutBodiesBelowTheGroundAndCutsThoseHalfway) {
  auto poses = zoo_poses(0);
  poses[1].p.y = -3;  // ball
  poses[2].p.y = 0;   // crate
  poses[4].p.y = 0;   // pill
  SketchOptions options;
  options.camera = "wide";
  const auto drawn = drawn_bodies(record(kZoo, kZooNames, {poses}).svg(options));
  EXPECT_EQ(drawn.count("ball"), 0u);
  EXPECT_EQ(drawn.count("crate"), 1u);
  EXPECT_EQ(drawn.count("pill"), 1u);
}

TEST(Sketch, SkipsPosesThatAreNotNumbersOrOutOfAllBounds) {
  auto poses = zoo_poses(0);
  poses[1].p.x = std::nan("");
  poses[2].p.y = 1e300;
  poses[3].q = {0, 0, 0, 0};
  poses[5].p.x = 1e25;
  for (const char* camera : {"wide", "auto"}) {
    SketchOptions options;
    options.camera = camera;
    const std::string svg = record(kZoo, kZooNames, {poses}).svg(options);
    const auto drawn = drawn_bodies(svg);
    EXPECT_EQ(drawn.count("ball") + drawn.count("crate") + drawn.count("can"), 0u);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Sketch, DrawsFromInsideABody) {
  auto poses = zoo_poses(0);
  for (size_t i = 1; i < poses.size(); ++i) poses[i].p = {0, 4, 20};  // where the camera is
  SketchOptions options;
  options.camera = "wide";
  parse_xml(record(kZoo, kZooNames, {poses}).svg(options));
}

TEST(Sketch, DrawsTransparentBodiesWithOpacity) {
  bool found = false;
  for (const Element& element : parse_xml(zoo().svg()))
    if (element.attributes.contains("data-body") && element.attributes.at("data-body") == "rock")
      found = element.attributes.contains("fill-opacity");
  EXPECT_TRUE(found);
}

TEST(Sketch, DrawsTenThousandBoxesInASmallEnoughFile) {
  const std::string scene = R"({"tenon": 1, "arrays": [{"for": {"i": 10000}, "bodies": [
    {"name": "b_{i}", "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}}]}]})";
  std::vector<std::string> names;
  std::vector<Pose> poses;
  for (int i = 0; i < 10000; ++i) {
    names.push_back("b_" + std::to_string(i));
    poses.push_back({{0.5 * (i % 25), 0.5 * (i / 25 % 16), 0.5 * (i / 400)},
                     exp_map(Vec3{0.1 * (i % 7), 0.2 * (i % 5), 0})});
  }
  const std::string svg = record(scene, names, {poses}).svg();
  EXPECT_EQ(drawn_bodies(svg).size(), 10000u);
  EXPECT_LT(svg.size(), 4'000'000u);  // three faces of some 50 bytes each, and the names
}

}  // namespace
}  // namespace tenon::test
