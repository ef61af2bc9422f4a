#include "sketch_fixture.h"
#include "tenon/render/detail/svg_text.h"

namespace tenon::test {
namespace {

using render::SketchOptions;

const char* const kScene = R"({"tenon": 1,
  "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 1}}],
  "cameras": [{"name": "front"}, {"name": "above"}]})";

MadeRecording ball(size_t frames = 3) {
  return record(kScene, {"ball"}, std::vector<std::vector<Pose>>(frames, {Pose{}}));
}

std::string error_of(const MadeRecording& recording, const SketchOptions& options = {}) {
  const auto svg = recording.sketch(options);
  return svg ? "no error" : format(svg.error());
}

TEST(SketchErrors, NameAnEmptyRecording) {
  EXPECT_NE(error_of(ball(0)).find("no frame to draw"), std::string::npos);
}

TEST(SketchErrors, SuggestACameraThatIsThere) {
  SketchOptions options;
  options.camera = "frnt";
  const std::string error = error_of(ball(), options);
  EXPECT_NE(error.find("did you mean 'front'?"), std::string::npos) << error;
  EXPECT_NE(error.find("front, above"), std::string::npos) << error;
}

TEST(SketchErrors, RefuseSizesPosesAndTimesOutOfRange) {
  SketchOptions options;
  options.width = 0;
  EXPECT_NE(error_of(ball(), options).find("0x720"), std::string::npos);
  options = {};
  options.height = 1000000;
  EXPECT_NE(error_of(ball(), options).find("16384"), std::string::npos);
  options = {};
  options.strobe = 0;
  EXPECT_NE(error_of(ball(), options).find("1 to 100"), std::string::npos);
  options = {};
  options.at_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(error_of(ball(), options).find("no number"), std::string::npos);
  options.at_s = 99;
  EXPECT_NE(error_of(ball(), options).find("99 s"), std::string::npos);
  options = {};
  options.from_s = 5;
  EXPECT_NE(error_of(ball(), options).find("no frame of the recording"), std::string::npos);
}

TEST(SketchErrors, PassOnMistakesOfTheScene) {
  const auto broken = record("{\"tenon\": 1, \"bodies\": 3}", {"ball"}, {{Pose{}}});
  EXPECT_NE(error_of(broken).find("made.json:1:"), std::string::npos) << error_of(broken);
}

TEST(SketchErrors, AreNoneForBodiesTheSceneDoesNotList) {
  const auto extra = record(kScene, {"ball", "stranger"}, {{Pose{}, Pose{}}});
  EXPECT_EQ(drawn_bodies(extra.svg()), (std::multiset<std::string>{"ball"}));
}

TEST(SketchErrors, AreNoneForASceneWithoutBodies) {
  EXPECT_TRUE(drawn_bodies(record("{\"tenon\": 1}", {}, {{}}).svg()).empty());
}

TEST(SvgText, ReplacesWhatXmlDoesNotAllow) {
  EXPECT_EQ(render::escape("a<b>&\"\x01\xff\xef\xbf\xbf ä"), "a&lt;b&gt;&amp;&quot;??? ä");
}

TEST(SvgText, WritesShortNumbersAndPaths) {
  EXPECT_EQ(render::fixed(0.5, 3), "0.5");
  EXPECT_EQ(render::fixed(-0.0001, 2), "0");
  EXPECT_EQ(render::fixed(100, 1), "100");
  EXPECT_EQ(render::fixed(std::numeric_limits<double>::quiet_NaN(), 1), "0");
  const render::Point2 points[] = {{1, 2}, {1.54, 1.5}, {1.54, 1.52}, {0, 3}};
  EXPECT_EQ(render::path_data(points, render::Ends::kClosed), "M1 2l.5-.5-1.5 1.5z");
  EXPECT_EQ(render::path_data({points, 1}, render::Ends::kOpen), "");
}

}  // namespace
}  // namespace tenon::test
