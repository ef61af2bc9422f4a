// Forces on a timeline as functions of time and state.
#include "tenon/engine/forces/timed_force.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TimedForceDef make_push() {
  TimedForceDef def;
  def.body = {0, 0};
  def.force = {3, 0, 0};
  return def;
}

TimedForce made(const TimedForceDef& def) { return make_timed_force(def, {}, {}); }

TEST(TimedForce, ActsFromItsBeginUpToItsEnd) {
  TimedForceDef def = make_push();
  def.begin = 1;
  def.end = 2;
  const TimedForce f = made(def);
  EXPECT_EQ(scale_at(f, 0.999), 0);
  EXPECT_EQ(scale_at(f, 1), 1);
  EXPECT_EQ(scale_at(f, 1.999), 1);
  EXPECT_EQ(scale_at(f, 2), 0);
  EXPECT_EQ(next_break(f, 0), 1);
  EXPECT_EQ(next_break(f, 1), 2);
  EXPECT_EQ(next_break(f, 2), kForever);
}

TEST(TimedForce, FollowsItsCurveAndHoldsItsEnds) {
  TimedForceDef def = make_push();
  def.begin = -1;
  def.end = 10;
  def.curve = {{0, 1}, {2, 3}, {3, -1}};
  const TimedForce f = made(def);
  for (const auto& [t, s] :
       {std::pair{-0.5, 1.0}, {0, 1}, {1, 2}, {2, 3}, {2.5, 1}, {3, -1}, {7, -1}}) {
    EXPECT_DOUBLE_EQ(scale_at(f, t), s) << t;
  }
  // at the ends of a piece, as seen from inside
  EXPECT_DOUBLE_EQ(scale_in_piece(f, 1, 2), 3);
  EXPECT_DOUBLE_EQ(scale_in_piece(f, 2.5, 2), 3);
  EXPECT_DOUBLE_EQ(scale_in_piece(f, 5, 10), -1);
  EXPECT_DOUBLE_EQ(scale_in_piece(f, 11, 10), 0);
  EXPECT_EQ(next_break(f, -2), -1);
  EXPECT_EQ(next_break(f, 0), 2);
  EXPECT_EQ(next_break(f, 3), 10);
  // by hand: 1 before 0, trapezia, -1 after 3
  EXPECT_DOUBLE_EQ(integrate_scale(f, -100, 100).value, 1 + 4 + 1 - 7);
  EXPECT_DOUBLE_EQ(integrate_scale(f, 1, 2.5).value, 2.5 + 1);
  EXPECT_EQ(integrate_scale(f, 10, 11).value, 0);
  EXPECT_EQ(integrate_scale(f, 10, 11).begin, integrate_scale(f, 10, 11).end);
}

TEST(TimedForce, PartsOfItsIntegralAddUp) {
  Rng rng(3);
  for (int run = 0; run < 50; ++run) {
    TimedForceDef def = make_push();
    def.begin = rng.uniform(0, 1);
    def.end = def.begin + rng.uniform(0.1, 3);
    double t = rng.uniform(-0.5, 1), sum = 0;
    for (uint32_t i = 0; i < 1 + rng.below(8); ++i) {
      def.curve.push_back({t, rng.uniform(-2, 2)});
      t += rng.uniform(0.01, 1);
    }
    const TimedForce f = made(def);
    const double h = rng.uniform(0.003, 0.7);
    for (double s = 0; s < 8; s += h) sum += integrate_scale(f, s, s + h).value;
    EXPECT_NEAR(sum, integrate_scale(f, -1, 9).value, 1e-13);
    // against many small pieces, each by its middle: exact but where there is a corner
    double fine = 0;
    const int pieces = 20000;
    const double d = (def.end - def.begin) / pieces;
    for (int i = 0; i < pieces; ++i) fine += d * scale_at(f, def.begin + (i + 0.5) * d);
    EXPECT_NEAR(fine, integrate_scale(f, def.begin, def.end).value, 1e-6);
  }
}

TEST(TimedForce, TurnsWithItsBodyOrKeepsItsDirection) {
  TimedForceDef def = make_push();
  def.point = Vec3{0, 1, 0};
  def.torque = {0, 0, 5};
  BodyState s;
  s.x_WC = {7, 7, 7};
  s.q_WB = from_axis_angle({0, 0, 1}, 1.5707963267948966);  // x to y, y to -x
  const Wrench fixed = calc_unit_wrench(made(def), s, nullptr);
  EXPECT_NEAR(norm(fixed.force - Vec3{3, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(fixed.torque - Vec3{0, 0, 5}), 0, 1e-15);  // the lever runs along the force
  def.frame = ForceFrame::kBody;
  const Wrench turned = calc_unit_wrench(made(def), s, nullptr);
  EXPECT_NEAR(norm(turned.force - Vec3{0, 3, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(turned.torque - Vec3{0, 0, 5 - 3}), 0, 1e-14);
  // the point is one of the body frame, whose origin need not be the mass centre
  const Wrench off = calc_unit_wrench(make_timed_force(def, {0, 0.5, 0}, {}), s, nullptr);
  EXPECT_NEAR(norm(off.torque - Vec3{0, 0, 5 - 1.5}), 0, 1e-14);
  EXPECT_NEAR(norm(calc_point(make_timed_force(def, {0, 0.5, 0}, {}), s) - Vec3{6.5, 7, 7}), 0,
              1e-14);
}

TEST(TimedForce, PointsToAPointOfAnotherBody) {
  TimedForceDef def;
  def.body = {0, 0};
  def.target = {1, 0};
  def.frame = ForceFrame::kToward;
  def.magnitude = 10;
  def.target_point = Vec3{0, 4, 0};
  BodyState states[2];
  states[1].x_WC = {3, 0, 0};
  const TimedForce f = made(def);
  EXPECT_NEAR(norm(calc_wrench(f, 1, states).force - Vec3{6, 8, 0}), 0, 1e-14);
  // where both points coincide there is no direction
  states[1].x_WC = {0, -4, 0};
  EXPECT_EQ(calc_wrench(f, 1, states).force, Vec3{});
  // the world's origin by default; negative: away from it
  def.target = {};
  def.target_point = {};
  def.magnitude = -2;
  states[0].x_WC = {0, 0, 3};
  EXPECT_NEAR(norm(calc_wrench(made(def), 1, states).force - Vec3{0, 0, 2}), 0, 1e-15);
}

void expect_refused(const TimedForceDef& def, const std::string& part) {
  const Status status = check(def);
  ASSERT_FALSE(status.ok()) << part;
  EXPECT_NE(format(status.error()).find(part), std::string::npos) << format(status.error());
}

TEST(TimedForce, RefusesWhatMakesNoSense) {
  EXPECT_TRUE(check(make_push()).ok());
  const auto changed = [](auto&& change) {
    TimedForceDef def = make_push();
    change(def);
    return def;
  };
  using Def = TimedForceDef;
  const double nan = std::nan("");
  expect_refused(changed([&](Def& d) { d.force.y = nan; }), "finite");
  expect_refused(changed([&](Def& d) { d.torque.y = kForever; }), "finite");
  expect_refused(changed([&](Def& d) { d.point = Vec3{nan, 0, 0}; }), "finite");
  expect_refused(changed([&](Def& d) { d.begin = nan; }), "not finite");
  expect_refused(changed([&](Def& d) { d.begin = -kForever; }), "not finite");
  expect_refused(changed([&](Def& d) { d.end = nan; }), "not finite");
  expect_refused(changed([](Def& d) { d.end = -1; }), "ends before it begins");
  expect_refused(changed([](Def& d) { d.end = d.begin; }), "ends before it begins");
  expect_refused(changed([](Def& d) { d.curve = {{0, 1}, {0, 2}}; }), "must increase");
  expect_refused(changed([](Def& d) { d.curve = {{2, 1}, {1, 2}}; }), "must increase");
  expect_refused(changed([&](Def& d) { d.curve = {{0, nan}}; }), "not finite");
  expect_refused(changed([](Def& d) { d.force = {}; }), "without force and torque");
  expect_refused(changed([](Def& d) { d.magnitude = 1; }), "magnitude");
  const auto pull = [](Def& d) {
    d.frame = ForceFrame::kToward;
    d.force = {};
    d.magnitude = 1;
  };
  EXPECT_TRUE(check(changed(pull)).ok());
  expect_refused(changed([&](Def& d) {
                   pull(d);
                   d.target = d.body;
                 }),
                 "towards itself");
  expect_refused(changed([&](Def& d) {
                   pull(d);
                   d.force = {1, 0, 0};
                 }),
                 "no vector");
  expect_refused(changed([&](Def& d) {
                   pull(d);
                   d.magnitude = 0;
                 }),
                 "no magnitude");
}

}  // namespace
}  // namespace tenon
