// Rates and second derivatives of rows against differences along a motion.
#include "tenon/engine/solve_force/joint_rows.h"

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

struct Moving {
  Vec3 x;
  Quat q;
  Vec3 v, w;
  RowBody at(double t) const {
    return {x + t * v, to_matrix(normalized(exp_map(t * w) * q)), v, w};
  }
};

struct Case {
  const char* name;
  RowSpec row;
};

TEST(ForceRows, HaveTheDerivativesOfTheirValues) {
  const Case cases[] = {
      {"slide", {.form = RowForm::kSlide, .i = 1}},
      {"dot", {.form = RowForm::kDot, .i = 0, .j = 2, .scale = 1.7}},
      {"twist", {.form = RowForm::kTwist}},
      {"tilt y", {.form = RowForm::kTilt, .i = 1}},
      {"tilt z", {.form = RowForm::kTilt, .i = 2}},
      {"turn parent x", {.form = RowForm::kTurnParent, .i = 0}},
      {"turn parent y", {.form = RowForm::kTurnParent, .i = 1}},
      {"turn parent z", {.form = RowForm::kTurnParent, .i = 2}},
      {"turn child", {.form = RowForm::kTurnChild, .i = 1}},
      {"distance", {.form = RowForm::kDistance}},
      {"screw", {.form = RowForm::kSlide, .i = 0, .ratio = -0.3}},
  };
  Rng rng(7);
  const auto vec = [&](double size) {
    return Vec3{rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
  };
  for (const Case& c : cases) {
    for (int trial = 0; trial < 20; ++trial) {
      JointModel model;
      model.kind = JointKind::kSixAxis;
      model.row_count = 1;
      model.rows[0] = c.row;
      model.rows[0].axis = 0;  // a law: angles are counted on
      JointPair& pair = model.pairs[0];
      pair.rP_B = vec(1);
      pair.rC_B = vec(1);
      pair.AP_B = to_matrix(exp_map(vec(0.4)));
      pair.AC_B = to_matrix(exp_map(vec(0.4)));
      const Moving P{vec(1), exp_map(vec(0.3)), vec(2), vec(2)};
      const Moving C{vec(1), exp_map(vec(0.3)), vec(2), vec(2)};
      JointState turns;
      const auto at = [&](double t) {
        const RowBody p = P.at(t), q = C.at(t);
        const RowBody* const bodies[4] = {&p, &q, &p, &q};
        ForceRow rows[kMaxRows];
        eval_force_rows(model, bodies, turns, 0, 1, rows);
        return rows[0];
      };
      const double h = 1e-5;
      const ForceRow before = at(-h), now = at(0), after = at(h);
      const double scale = 1 + std::fabs(now.rate) + std::fabs(now.bias);
      EXPECT_NEAR((after.c - before.c) / (2 * h), now.rate, 1e-7 * scale) << c.name;
      EXPECT_NEAR((after.rate - before.rate) / (2 * h), now.bias, 1e-6 * scale * scale) << c.name;
      // the rate is that of the entries
      const double rate = dot(now.entry[0].f, P.v) + dot(now.entry[0].t, P.w) +
                          dot(now.entry[1].f, C.v) + dot(now.entry[1].t, C.w);
      EXPECT_NEAR(rate, now.rate, 1e-12 * scale) << c.name;
    }
  }
}

TEST(ForceRows, CountTurnsOverALongStep) {
  JointModel model;
  model.kind = JointKind::kHinge;
  model.row_count = 1;
  model.free_axes = 1u << 3;
  model.rows[0] = {.form = RowForm::kTwist, .axis = 3};
  const Moving P{{}, {}, {}, {}}, C{{}, {}, {}, {100, 0, 0}};
  JointState turns;
  ForceRow rows[kMaxRows];
  const RowBody p = P.at(0), c = C.at(0.1);  // ten radians on
  const RowBody* const bodies[4] = {&p, &c, nullptr, nullptr};
  eval_force_rows(model, bodies, turns, 0.1, 1, rows);
  EXPECT_NEAR(rows[0].c, 10, 1e-12);
  store_turns(model, bodies, rows, 0.1, turns);
  EXPECT_NEAR(turns.coordinate[0], 10, 1e-12);
  EXPECT_NEAR(turns.angle[0], 10, 1e-12);
}

}  // namespace
}  // namespace tenon
