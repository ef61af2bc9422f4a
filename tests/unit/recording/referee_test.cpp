// The referee's arithmetic: errors, orders, and when a comparison ends.
#include "tenon/recording/referee.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tenon/recording/health.h"

namespace tenon {
namespace {

// One body on a circle of 1 m, off by what `error` says.
template <class Error>
Trajectory make_run(const char* label, double step, Error error) {
  Trajectory run;
  run.label = label;
  run.step_s = step;
  for (int k = 0; k <= 100; ++k) {
    const double t = 0.1 * k;
    run.times.push_back(t);
    RecordedBody body;
    body.X_WB.p = {std::cos(t) + error(t), std::sin(t), 0};
    run.bodies.push_back({body});
  }
  return run;
}

TEST(Referee, ErrorIsTheWayOfAnyPoint) {
  RecordedBody a, b;
  b.X_WB.p = {3, 4, 0};
  b.X_WB.q = {std::cos(0.1), 0, std::sin(0.1), 0};
  EXPECT_NEAR(body_error(a, b, 0), 5, 1e-15);
  EXPECT_NEAR(body_error(a, b, 2), 5 + 2 * 0.2, 1e-14);
  b.X_WB.q = {-b.X_WB.q.w, -b.X_WB.q.x, -b.X_WB.q.y, -b.X_WB.q.z};  // the same orientation
  EXPECT_NEAR(body_error(a, b, 2), 5 + 2 * 0.2, 1e-14);
}

TEST(Referee, SecondOrderIsSeen) {
  const auto reference = make_run("reference", 0.1, [](double) { return 0.0; });
  const auto rougher = make_run("rougher", 0.1, [](double t) { return 1e-12 * t; });
  std::vector<Trajectory> runs;
  for (const double h : {0.02, 0.01, 0.0025})
    runs.push_back(make_run("impulse", h, [h](double t) { return 7 * h * h * t; }));
  const Verdict verdict = judge({{"ball", 0.5, true}}, reference, rougher, runs);
  ASSERT_EQ(verdict.runs.size(), 3u);
  EXPECT_FALSE(verdict.runs[0].order);
  for (const size_t i : {1, 2}) {
    ASSERT_TRUE(verdict.runs[i].order);
    EXPECT_NEAR(*verdict.runs[i].order, 2, 1e-9);
    EXPECT_TRUE(verdict.runs[i].to_the_end);
  }
  EXPECT_NEAR(verdict.runs[1].error_m.back(), 7e-4 * 10, 1e-12);
  EXPECT_NEAR(verdict.runs[1].largest_m[0], 7e-4 * 10, 1e-12);
  EXPECT_NE(format(verdict).find("observed order 2"), std::string::npos) << format(verdict);
}

TEST(Referee, RunsThatDoNotComeNearerRaiseDoubtsOfTheReference) {
  const auto reference = make_run("reference", 0.1, [](double) { return 0.0; });
  std::vector<Trajectory> runs;
  for (const double h : {0.02, 0.01})
    runs.push_back(make_run("impulse", h, [h](double t) { return (1e-3 + h * h * 1e-2) * t; }));
  const Verdict verdict = judge({{"ball", 0.5, true}}, reference, reference, runs);
  EXPECT_TRUE(verdict.runs[1].doubts_reference);
  EXPECT_NE(format(verdict).find("the reference is wrong by as much"), std::string::npos);
  // errors of round-off say nothing
  runs.clear();
  for (const double h : {0.02, 0.01})
    runs.push_back(make_run("impulse", h, [](double t) { return 2e-9 * t; }));
  const Verdict fine = judge({{"ball", 0.5, true}}, reference, reference, runs);
  EXPECT_FALSE(fine.runs[1].doubts_reference);
}

TEST(Referee, EndsWhereTheReferenceIsNotSure) {
  const auto reference = make_run("reference", 0.1, [](double) { return 0.0; });
  // chaos: a tiny difference grows tenfold every second
  const auto rougher =
      make_run("rougher", 0.1, [](double t) { return 1e-11 * std::exp(std::log(10) * t); });
  const auto run = make_run("impulse", 0.01, [](double t) { return 1e-4 * t; });
  const Verdict verdict = judge({{"ball", 0.5, true}}, reference, rougher, {run});
  EXPECT_FALSE(verdict.runs[0].to_the_end);
  EXPECT_TRUE(verdict.runs[0].lost_by_reference);
  // 1e-11 10^t = 0.1 1e-4 t at t = 6.83
  EXPECT_NEAR(verdict.times[verdict.runs[0].meaningful], 6.9, 1e-9);
}

TEST(Referee, EndsWhereTheRunIsOnAnotherPath) {
  const auto reference = make_run("reference", 0.1, [](double) { return 0.0; });
  const auto run = make_run("impulse", 0.01, [](double t) { return t < 5 ? 1e-6 : 1.0; });
  const Verdict verdict = judge({{"ball", 0.5, true}}, reference, reference, {run});
  EXPECT_FALSE(verdict.runs[0].to_the_end);
  EXPECT_FALSE(verdict.runs[0].lost_by_reference);
  EXPECT_NEAR(verdict.runs[0].largest_m[0], 1e-6, 1e-12);
  EXPECT_NE(format(verdict).find("another path"), std::string::npos);
}

// Comparisons with NaN are false: it must not be taken for "no worse than the others".
TEST(Referee, APoseThatIsNotANumberIsToldAndNotHiddenByLaterBodies) {
  const auto two = [](auto error) {
    Trajectory run = make_run("impulse", 0.01, error);
    for (auto& frame : run.bodies) frame.push_back({});
    return run;
  };
  const double nan = std::nan("");
  const auto reference = two([](double) { return 0.0; });
  const auto run = two([&](double t) { return t < 5 ? 1e-6 : nan; });
  const Verdict verdict =
      judge({{"ball", 0.5, true}, {"block", 0.5, true}}, reference, reference, {run});
  const RunVerdict& v = verdict.runs[0];
  EXPECT_TRUE(std::isnan(v.error_m.back()));
  EXPECT_EQ(v.worst.back(), 0u);
  EXPECT_FALSE(v.to_the_end);
  EXPECT_FALSE(v.lost_by_reference);
  ASSERT_TRUE(v.nowhere);
  EXPECT_NEAR(verdict.times[*v.nowhere], 5, 0.11);
  const std::string text = format(verdict);
  EXPECT_NE(text.find("the pose of \"ball\" is not a number"), std::string::npos) << text;
}

TEST(Referee, TimesInCommon) {
  EXPECT_NEAR(common_interval({1.0 / 60, 1.0 / 240, 1.0 / 1000}), 1.0 / 20, 1e-15);
  EXPECT_NEAR(common_interval({1.0 / 60}), 1.0 / 60, 1e-15);
  EXPECT_EQ(common_interval({0.01, 0.01 / std::sqrt(2)}), 0);
}

TEST(HealthWords, NameBodiesTimeAndRemedy) {
  HealthSummary summary;
  summary.add(EventKind::kContactBegin, 1, "x", "y", 3);
  EXPECT_TRUE(summary.to_words("impulse").empty());
  summary.add(EventKind::kHealthDeepOverlap, 1.5, "cup", "saucer", 0.01);
  summary.add(EventKind::kHealthDeepOverlap, 2.5, "cup", "table", 0.02);
  const auto words = summary.to_words("impulse");
  ASSERT_EQ(words.size(), 1u);
  for (const char* part :
       {"\"cup\"", "\"table\"", "0.02 m", "2.5 s", "2 times", "1.5 s", "smaller step"})
    EXPECT_NE(words[0].find(part), std::string::npos) << words[0];
}

}  // namespace
}  // namespace tenon
