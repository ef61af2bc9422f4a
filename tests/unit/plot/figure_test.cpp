// Figures hold what the recording holds, found by name.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/render/plot/chart.h"
#include "tenon/tests/unit/recording/sample_run.h"

namespace tenon::plot {
namespace {

struct Sample {
  test::SampleRun run;
  std::vector<std::byte> bytes;
  MemorySource source;
  RecordingReader reader;

  explicit Sample(test::SampleRun made)
      : run(std::move(made)),
        bytes(test::sample_bytes(run)),
        source(bytes, "sample.tenon"),
        reader(RecordingReader::open(source).value()) {}
};

test::SampleRun make_run() {
  test::SampleRun run = test::make_sample(test::SampleMotion::kTumbling, 3, 90);
  test::add_joints(run, 2);
  return run;
}

Result<Figure> read(Sample& sample, std::vector<std::string> panels) {
  FigureOptions options;
  options.panels = std::move(panels);
  return read_figure(sample.reader, options);
}

std::string failure(Sample& sample, const std::string& panel) {
  const Result<Figure> figure = read(sample, {panel});
  return figure ? "" : format(figure.error());
}

TEST(Figure, SeriesOfBodiesJointsAndStepsAreThoseOfTheRecording) {
  Sample sample(make_run());
  const auto figure = read(sample, {"body:body1.y+body:body0.x", "joint:joint1.rx", "energy",
                                    "body:body2.speed", "joint:joint0.force"});
  ASSERT_TRUE(figure.ok()) << format(figure.error());
  const auto& panels = figure->panels;
  ASSERT_EQ(panels[0].series.size(), 2u);
  for (size_t f = 0; f < 90; ++f) {
    const auto& bodies = sample.run.frames[f].bodies;
    EXPECT_EQ(panels[0].series[0].values[f], bodies[1].X_WB.p.y);
    EXPECT_EQ(panels[0].series[1].values[f], bodies[0].X_WB.p.x);
    EXPECT_EQ(panels[1].series[0].values[f], sample.run.joints[f][1].coordinate[3]);
    EXPECT_EQ(panels[3].series[0].values[f], norm(bodies[2].v_WC));
    EXPECT_EQ(panels[4].series[0].values[f], norm(sample.run.joints[f][0].force));
    EXPECT_EQ((*panels[0].series[0].times)[f], sample.run.frames[f].time);
  }
  EXPECT_EQ(panels[0].unit, "m");
  // no springs here: kinetic, potential, sum
  ASSERT_EQ(panels[2].series.size(), 3u);
  ASSERT_EQ(panels[2].series[0].values.size(), 89u);
  for (size_t i = 0; i < 89; ++i)
    EXPECT_EQ(panels[2].series[0].values[i], sample.run.diagnostics[i].mechanics.kinetic_J);
}

TEST(Figure, StarsAndTriplesSpreadIntoSeveralSeries) {
  Sample sample(make_run());
  const auto figure = read(sample, {"body:body*.position", "body:*2.velocity"});
  ASSERT_TRUE(figure.ok()) << format(figure.error());
  EXPECT_EQ(figure->panels[0].series.size(), 9u);
  ASSERT_EQ(figure->panels[1].series.size(), 3u);
  EXPECT_EQ(figure->panels[1].series[2].name, "body2.vz");
}

TEST(Figure, TheSpanIsCutToWhatIsAskedFor) {
  Sample sample(make_run());
  FigureOptions options;
  options.panels = {"body:body0.x", "momentum"};
  options.from_s = 0.5;
  options.to_s = 1;
  const auto figure = read_figure(sample.reader, options);
  ASSERT_TRUE(figure.ok());
  EXPECT_EQ(figure->panels[0].series[0].times->front(), 0.5);
  EXPECT_EQ(figure->panels[0].series[0].values.size(), 31u);
  EXPECT_EQ(figure->panels[1].series[0].values.size(), 31u);
  for (const Mark& mark : figure->marks) {
    EXPECT_GE(mark.time, 0.5);
    EXPECT_LE(mark.time, 1);
  }
  options.from_s = 7;
  options.to_s = 8;
  const auto none = read_figure(sample.reader, options);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(format(none.error()).find("0 to 1.48"), std::string::npos) << format(none.error());
}

TEST(Figure, MistakesAreNamedWithWhatIsAccepted) {
  Sample sample(make_run());
  EXPECT_NE(failure(sample, "enrgy").find("did you mean 'energy'"), std::string::npos);
  EXPECT_NE(failure(sample, "body:body.x").find("did you mean 'body0'"), std::string::npos);
  EXPECT_NE(failure(sample, "body:body0.sped").find("did you mean 'speed'"), std::string::npos);
  EXPECT_NE(failure(sample, "body:body0").find("the quantity is missing"), std::string::npos);
  EXPECT_NE(failure(sample, "joint:joint9.rx").find("joint0, joint1"), std::string::npos);
  EXPECT_NE(failure(sample, "body:body0.x+body:body0.vx").find("different units"),
            std::string::npos);
  EXPECT_FALSE(read(sample, {}).ok());
  Sample without(test::make_sample(test::SampleMotion::kRest, 30, 4));
  EXPECT_NE(failure(without, "body:*.x").find("too many series"), std::string::npos);
  EXPECT_NE(failure(without, "joint:a.rx").find("there is no joint"), std::string::npos);
}

TEST(Figure, ListsOfPanelsAreSplitAtCommasThatAreNotEscaped) {
  EXPECT_EQ(split_panels("energy, body:a.x+body:b.x,,phases"),
            (std::vector<std::string>{"energy", "body:a.x+body:b.x", "phases"}));
  EXPECT_EQ(split_panels("body:a\\,b.x"), std::vector<std::string>{"body:a,b.x"});
}

TEST(Chart, NumbersThatAreNoneGiveAValidPicture) {
  Sample sample(test::make_sample(test::SampleMotion::kNoise, 2, 20));
  const auto figure = read(sample, {"body:*.position", "body:*.speed", "penetration"});
  ASSERT_TRUE(figure.ok());
  const auto chart = draw_chart(*figure);
  ASSERT_TRUE(chart.ok());
  for (const std::string& text : {to_svg(chart->drawing), to_html(*figure, *chart)}) {
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("=\"inf"), std::string::npos);
  }
  // every point of a curve lies in its panel
  for (const auto& part : chart->drawing.parts) {
    const auto* line = std::get_if<Polyline>(&part);
    if (line == nullptr) continue;
    for (const Point& p : line->points) {
      EXPECT_TRUE(p.x >= 0 && p.x <= chart->drawing.width) << p.x;
      EXPECT_TRUE(p.y >= 0 && p.y <= chart->drawing.height) << p.y;
    }
  }
}

TEST(Chart, CurvesGoThroughTheirValues) {
  Sample sample(make_run());
  const auto figure = read(sample, {"body:body0.y"});
  const auto chart = draw_chart(*figure, {.width = 4000});
  ASSERT_TRUE(chart.ok());
  const PanelPlace& place = chart->panels[0];
  const Series& series = figure->panels[0].series[0];
  size_t found = 0;
  for (const auto& part : chart->drawing.parts) {
    const auto* line = std::get_if<Polyline>(&part);
    if (line == nullptr || line->title != "body0.y") continue;
    ASSERT_EQ(line->points.size(), 90u);  // 4000 px are room for all
    for (size_t i = 0; i < 90; ++i) {
      const double share = (*series.times)[i] / figure->to;
      const double value = (series.values[i] - place.axis.lo) / (place.axis.hi - place.axis.lo);
      EXPECT_NEAR(line->points[i].x, place.left + share * (place.right - place.left), 1e-6);
      EXPECT_NEAR(line->points[i].y, place.bottom - value * (place.bottom - place.top), 1e-6);
    }
    ++found;
  }
  EXPECT_EQ(found, 1u);
  EXPECT_FALSE(draw_chart(*figure, {.width = 100}).ok());
}

}  // namespace
}  // namespace tenon::plot
