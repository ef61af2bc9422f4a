// Forms and rows: values in closed form, gradients against finite differences, singular places.
#include <limits>
#include <vector>

#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

struct FormCase {
  RowForm form;
  int i, j;
};

std::vector<FormCase> all_forms() {
  std::vector<FormCase> forms;
  for (int i = 0; i < 3; ++i) {
    forms.push_back({RowForm::kSlide, i, 0});
    forms.push_back({RowForm::kTurnParent, i, 0});
    for (int j = 0; j < 3; ++j) forms.push_back({RowForm::kDot, i, j});
  }
  forms.push_back({RowForm::kTwist, 0, 0});
  forms.push_back({RowForm::kTilt, 1, 0});
  forms.push_back({RowForm::kTilt, 2, 0});
  forms.push_back({RowForm::kTurnChild, 1, 0});
  forms.push_back({RowForm::kDistance, 0, 0});
  return forms;
}

double value(const FormCase& f, const TwoBodies& b) {
  RowWrench w;
  return eval_form(f.form, f.i, f.j, b.frames(), w);
}

TEST(RowForms, GradientsEqualFiniteDifferences) {
  Rng rng(1);
  for (const FormCase& f : all_forms()) {
    for (int n = 0; n < 200; ++n) {
      const TwoBodies b = make_two_bodies(rng, random_pose(rng, 1, 1.2));
      RowWrench w;
      eval_form(f.form, f.i, f.j, b.frames(), w);
      // near a singular place second derivatives are large: not what this test is about
      if (norm(w.t) > 4) continue;
      const Vec3 a = random_vector(rng, 1), p = random_vector(rng, 1), c = random_vector(rng, 1),
                 d = random_vector(rng, 1);
      const double e = 1e-5;
      const double up = value(f, b.moved(e * a, e * p, e * c, e * d));
      const double down = value(f, b.moved(-e * a, -e * p, -e * c, -e * d));
      if (std::fabs(up - down) > 1) continue;  // across the cut of a wrapped angle
      // truncation ~ third derivative * e^2 (up to 4^3 * 1e-10), round-off 1e-16 / e
      EXPECT_NEAR((up - down) / (2 * e), promised_change(w, b.frames(), a, p, c, d), 3e-8)
          << static_cast<int>(f.form) << " " << f.i << " " << f.j;
    }
  }
}

PairFrames mean_frames(const PairFrames& a, const PairFrames& b) {
  PairFrames m;
  m.rP = 0.5 * (a.rP + b.rP);
  m.rC = 0.5 * (a.rC + b.rC);
  m.d = 0.5 * (a.d + b.d);
  for (size_t k = 0; k < 3; ++k) {
    m.P[k] = 0.5 * (a.P[k] + b.P[k]);
    m.C[k] = 0.5 * (a.C[k] + b.C[k]);
  }
  return m;
}

TEST(RowForms, GradientsOfBilinearFormsAtMeanFramesAreExactIncrements) {
  Rng rng(2);
  for (const FormCase& f : all_forms()) {
    if (!is_bilinear(f.form)) continue;
    for (int n = 0; n < 50; ++n) {
      // the same frames on two bodies at two far apart moments
      TwoBodies b0 = make_two_bodies(rng, random_pose(rng, 1));
      TwoBodies b1 = b0;
      b1.parent = random_pose(rng, 1);
      b1.child = random_pose(rng, 1);
      const PairFrames x0 = b0.frames(), x1 = b1.frames(), m = mean_frames(x0, x1);
      RowWrench w, unused;
      eval_form(f.form, f.i, f.j, m, w);
      const double change =
          eval_form(f.form, f.i, f.j, x1, unused) - eval_form(f.form, f.i, f.j, x0, unused);
      // f . (change of d, seen by a parent axis) + couple: for bilinear forms both factors at their
      // mean; written out with the changes of the axes themselves
      const auto i = static_cast<size_t>(f.i), j = static_cast<size_t>(f.j);
      const double increment =
          f.form == RowForm::kSlide
              ? dot(w.f, x1.d - x0.d) + dot(x1.P[i] - x0.P[i], m.d)
              : dot(m.P[i], x1.C[j] - x0.C[j]) + dot(x1.P[i] - x0.P[i], m.C[j]);
      EXPECT_NEAR(change, increment, 1e-14);
      const Vec3 expected = f.form == RowForm::kSlide ? m.P[i] : cross(m.C[j], m.P[i]);
      EXPECT_EQ(f.form == RowForm::kSlide ? w.f : w.t, expected);
    }
  }
}

PairFrames frames_of(const Pose& X_PC) {
  JointPair pair;
  return make_frames(pair, {}, Mat3::identity(), X_PC.p, to_matrix(X_PC.q));
}

TEST(RowForms, AnglesAreThoseOfPureTurns) {
  RowWrench w;
  for (double a = -3.1; a < 3.12; a += 0.1) {
    const PairFrames x = frames_of({{}, from_axis_angle({1, 0, 0}, a)});
    EXPECT_NEAR(eval_form(RowForm::kTwist, 0, 0, x, w), a, 1e-14);
    EXPECT_NEAR(eval_form(RowForm::kTurnParent, 0, 0, x, w), a, 1e-14);
    const PairFrames y = frames_of({{}, from_axis_angle({0, 1, 0}, a)});
    EXPECT_NEAR(eval_form(RowForm::kTurnChild, 1, 0, y, w), a, 1e-14);
    EXPECT_NEAR(eval_form(RowForm::kTurnParent, 1, 0, y, w), a, 1e-14);
    const PairFrames z = frames_of({{}, from_axis_angle({0, 0, 1}, a)});
    EXPECT_NEAR(eval_form(RowForm::kTurnParent, 2, 0, z, w), a, 1e-14);
    if (std::fabs(a) > 1.5) continue;
    // asin near its end loses half the digits
    EXPECT_NEAR(eval_form(RowForm::kTilt, 1, 0, y, w), a, 1e-14);
    EXPECT_NEAR(eval_form(RowForm::kTilt, 2, 0, z, w), a, 1e-14);
  }
}

TEST(RowForms, TwistIsThatOfSwingTimesTwist) {
  Rng rng(3);
  RowWrench w;
  for (int n = 0; n < 200; ++n) {
    const double twist = rng.uniform(-3.1, 3.1), around = rng.uniform(-kPi, kPi);
    const Vec3 axis{0, cos(around), sin(around)};
    const Quat swing = from_axis_angle(axis, rng.uniform(0, 3));
    const Quat q = swing * from_axis_angle({1, 0, 0}, twist);
    EXPECT_NEAR(eval_form(RowForm::kTwist, 0, 0, frames_of({{}, q}), w), twist, 1e-12);
  }
}

TEST(RowForms, UniversalAnglesAreThoseOfTheCross) {
  // turn by a about x_P, then by b about the new y axis, which is y_C
  Rng rng(4);
  RowWrench w;
  for (int n = 0; n < 100; ++n) {
    const double a = rng.uniform(-3, 3), b = rng.uniform(-3, 3);
    const Quat q = from_axis_angle({1, 0, 0}, a) * from_axis_angle({0, 1, 0}, b);
    const PairFrames x = frames_of({{}, q});
    EXPECT_NEAR(eval_form(RowForm::kDot, 0, 1, x, w), 0, 1e-15);
    EXPECT_NEAR(eval_form(RowForm::kTurnParent, 0, 0, x, w), a, 1e-13);
    EXPECT_NEAR(eval_form(RowForm::kTurnChild, 1, 0, x, w), b, 1e-13);
  }
}

TEST(RowForms, StayFiniteWhereAnAngleIsUndefined) {
  const std::vector<Pose> places = {
      {{}, {0, 0, 1, 0}},  {{}, {0, 0, 0, 1}}, {{}, {0, 1, 0, 0}},  {{}, {1, 0, 1, 0}},
      {{}, {1, 0, -1, 0}}, {{}, {1, 0, 0, 1}}, {{}, {1, 0, 0, -1}}, {{1e-200, 0, 0}, {1, 0, 0, 0}}};
  for (const FormCase& f : all_forms()) {
    for (const Pose& X : places) {
      RowWrench w;
      const double c = eval_form(f.form, f.i, f.j, frames_of({X.p, normalized(X.q)}), w);
      EXPECT_TRUE(std::isfinite(c) && is_finite(w.f) && is_finite(w.t))
          << static_cast<int>(f.form) << " " << f.i;
      EXPECT_LE(norm(w.t), 2e3);
      EXPECT_LE(norm(w.f), 1 + 1e-15);
    }
    // frames that have shrunk to nothing: the mean of two opposite ones
    RowWrench w;
    PairFrames none{};
    EXPECT_TRUE(std::isfinite(eval_form(f.form, f.i, f.j, none, w)));
    EXPECT_TRUE(is_finite(w.f) && is_finite(w.t));
  }
}

TEST(CoupledRows, GradientsEqualFiniteDifferences) {
  Rng rng(5);
  RowSpec screw{.form = RowForm::kSlide, .ratio = -0.3, .second_form = RowForm::kTwist};
  RowSpec gear{.form = RowForm::kTwist,
               .scale = 1,
               .value = 0.2,
               .ratio = 2.5,
               .second_form = RowForm::kTurnParent,
               .second_i = 2};
  RowSpec cone{.form = RowForm::kDot, .scale = 1.7};
  for (const RowSpec& row : {screw, gear, cone}) {
    for (int n = 0; n < 50; ++n) {
      const TwoBodies a = make_two_bodies(rng, random_pose(rng, 1, 0.7));
      const TwoBodies b = make_two_bodies(rng, random_pose(rng, 1, 0.7));
      RowWrench wa, wb, unused, unused2;
      eval_row(row, a.frames(), b.frames(), wa, wb);
      Vec3 d[8];
      for (Vec3& v : d) v = random_vector(rng, 1);
      const auto c = [&](double e) {
        return eval_row(row, a.moved(e * d[0], e * d[1], e * d[2], e * d[3]).frames(),
                        b.moved(e * d[4], e * d[5], e * d[6], e * d[7]).frames(), unused, unused2);
      };
      const double promised = promised_change(wa, a.frames(), d[0], d[1], d[2], d[3]) +
                              promised_change(wb, b.frames(), d[4], d[5], d[6], d[7]);
      EXPECT_NEAR((c(1e-5) - c(-1e-5)) / 2e-5, promised, 1e-7);
    }
  }
}

TEST(Unwrapping, FindsTheNearestTurn) {
  for (int turns = -5; turns <= 5; ++turns) {
    const double full = 2 * kPi * turns;
    EXPECT_NEAR(unwrap(1.0, full + 1.2), full + 1.0, 1e-14);
    EXPECT_NEAR(unwrap(-3.0, full + 3.1), full + 2 * kPi - 3.0, 1e-14);
  }
  EXPECT_EQ(unwrap(0.25, 0.25), 0.25);
}

}  // namespace
}  // namespace tenon
