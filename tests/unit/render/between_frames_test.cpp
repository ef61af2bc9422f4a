#include <gtest/gtest.h>

#include "film_fixture.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::test {
namespace {

using render::Stage;

using Frames = std::vector<std::vector<RecordedBody>>;

const std::string kRods =
    R"({"tenon": 1, "bodies": [
      {"name": "a", "shape": {"type": "box", "size": [2, 0.1, 0.1]}, "position": [1, 0, 0]},
      {"name": "b", "shape": {"type": "box", "size": [2, 0.1, 0.1]}, "position": [3, 0, 0]}],
    "joints": [
      {"name": "p", "type": "hinge", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1]},
      {"name": "q", "type": "hinge", "parent": "a", "child": "b", "at": [2, 0, 0], "axis": [0, 0, 1]}]})";

// Two rods of length 2, hinged to the world and to each other, at uniform turn rates: every pose
// and velocity is known in closed form.
Frames turn_rods(double rate_a, double rate_b) {
  Frames frames;
  for (int k = 0; k < 8; ++k) {
    const double a = 0.1 * k * rate_a, b = 0.1 * k * rate_b;
    const Vec3 u{cos(a), sin(a), 0}, w{cos(b), sin(b), 0};
    const Vec3 du = rate_a * Vec3{-sin(a), cos(a), 0}, dw = rate_b * Vec3{-sin(b), cos(b), 0};
    frames.push_back({{turned(u, {0, 0, 1}, a), du, {0, 0, rate_a}},
                      {turned(2 * u + w, {0, 0, 1}, b), 2 * du + dw, {0, 0, rate_b}}});
  }
  return frames;
}

double gap_between(const Stage& stage) {
  const Pose &a = stage.solids[0].X_WS, &b = stage.solids[1].X_WS;
  return norm(a.p + rotate(a.q, {1, 0, 0}) - b.p + rotate(b.q, {1, 0, 0}));
}

TEST(BetweenFrames, JointsStayClosedHalfWay) {
  // half a radian from frame to frame: chords open the joint by w^2 r h^2 / 8 = 31 mm per metre
  StageMaker maker(record_moving(kRods, {"a", "b"}, turn_rods(5, -3)));
  for (const double t : {0.05, 0.23, 0.35, 0.65}) {
    const Stage stage = maker.at(t);
    EXPECT_LT(gap_between(stage), 1e-3) << "at " << t;  // the fourth power: (0.5)^4 / 384 of 4 m
    EXPECT_NEAR(norm(stage.solids[0].X_WS.p), 1, 1e-3) << "on its circle";
  }
}

TEST(BetweenFrames, BodiesTurnAsOftenAsTheirVelocitySays) {
  // four radians from frame to frame about its centre: the shortest way would be backwards
  Frames frames;
  for (int k = 0; k < 5; ++k)
    frames.push_back({{turned({0, 1, 0}, {0, 0, 1}, 4.0 * k), {}, {0, 0, 40}}});
  StageMaker maker(record_moving(
      R"({"tenon": 1, "bodies": [{"name": "r", "shape": {"type": "box", "size": [2, 0.1, 0.1]}}]})",
      {"r"}, frames));
  const Vec3 x = rotate(maker.at(0.125).solids[0].X_WS.q, {1, 0, 0});
  EXPECT_NEAR(x.x, cos(40 * 0.125), 1e-9);
  EXPECT_NEAR(x.y, sin(40 * 0.125), 1e-9);
}

TEST(BetweenFrames, ABallThatBouncesDoesNotDiveIntoTheFloor) {
  // down at 5 m/s, up at 4 m/s between frames 3 and 4, which are 0.2 and 0.1 m above the ground
  Frames frames;
  const double heights[] = {1.7, 1.2, 0.7, 0.2, 0.1, 0.5, 0.9, 1.3};
  for (int k = 0; k < 8; ++k)
    frames.push_back({{at_point(0, heights[k], 0), {0, k < 4 ? -5.0 : 4.0, 0}, {}}});
  StageMaker maker(record_moving(
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 0.1}}]})",
      {"b"}, frames));
  for (int k = 0; k <= 20; ++k)
    EXPECT_GE(maker.at(0.3 + 0.005 * k).solids[0].X_WS.p.y, 0.1 - 1e-12);
}

TEST(BetweenFrames, WhatRattlesGoesStraight) {
  // a link that is knocked to and fro in every frame, by far more than it moves
  Frames frames;
  for (int k = 0; k < 8; ++k) {
    const double side = k % 2 == 0 ? 1 : -1;
    frames.push_back({{at_point(0, 0.01 * side, 0), {0, 9 * side, 0}, {}}});
  }
  StageMaker maker(record_moving(
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 0.1}}]})",
      {"b"}, frames));
  for (int k = 0; k <= 10; ++k)
    EXPECT_LT(std::fabs(maker.at(0.3 + 0.01 * k).solids[0].X_WS.p.y), 0.01 + 1e-12);
}

TEST(BetweenFrames, AFallIsAParabola) {
  Frames frames;
  for (int k = 0; k < 5; ++k) {
    const double t = 0.1 * k;
    frames.push_back({{at_point(2 * t, -0.5 * 9.81 * t * t, 0), {2, -9.81 * t, 0}, {}}});
  }
  StageMaker maker(record_moving(
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 0.1}}]})",
      {"b"}, frames));
  for (const double t : {0.03, 0.15, 0.333})
    EXPECT_NEAR(maker.at(t).solids[0].X_WS.p.y, -0.5 * 9.81 * t * t, 1e-12);
}

}  // namespace
}  // namespace tenon::test
