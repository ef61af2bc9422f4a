#include "tenon/scene/formats/expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

Scope test_scope() {
  Scope scope;
  scope.set("i", {3, kNumber});
  scope.set("n", {4, kNumber});
  scope.set("len", {0.5, kLength});
  return scope;
}

struct Case {
  const char* text;
  double value;
  Dimension dimension;
};

TEST(Expression, GivesValueAndDimension) {
  const Scope scope = test_scope();
  const Case cases[] = {
      {"12 cm", 0.12, kLength},
      {"30 deg/s", kPi / 6, kAngularVelocity},
      {"1/60", 1.0 / 60, kNumber},
      {"2*pi*i/n", 1.5 * kPi, kNumber},
      {"i*20 cm - 1 m", -0.4, kLength},
      {"5 kg", 5, kMass},
      {"9.81 m/s^2", 9.81, kAcceleration},
      {"3 rpm", 0.1 * kPi, kAngularVelocity},
      {"90 deg", kPi / 2, kAngle},
      {"2 h", 7200, kTime},
      {"1 kN", 1000, {1, 1, -2, 0}},
      {"7.87 g/cm^3", 7870, kDensity},
      {"5 kg m^2", 5, kInertia},
      {"6 kN*s/m", 6000, kDamping},
      {"10 m / 2 s", 5, kVelocity},
      {"2 m s^-1", 2, kVelocity},
      {"72 km/h", 20, kVelocity},
      {"2^3^2", 512, kNumber},
      {"-2^2", -4, kNumber},
      {"2^-1", 0.5, kNumber},
      {"(1 + 2) cm", 0.03, kLength},
      {"len^2", 0.25, kArea},
      {"sqrt(len^2)", 0.5, kLength},
      {"len*2 rad/s", 1, {1, 0, -1, 1}},
      {"7 % 4", 3, kNumber},
      {"-1 % 4", 3, kNumber},
      {"i > 0 || 1/0 > 1", 1, kNumber},
      {"i < 0 && 1/0 > 1", 0, kNumber},
      {"i == 3 ? 1 m : 2 m", 1, kLength},
      {"!(i >= n)", 1, kNumber},
      {"i != 3", 0, kNumber},
      {"min(1 m, 20 cm, len)", 0.2, kLength},
      {"max(0, len)", 0.5, kLength},
      {"clamp(5, 0, i)", 3, kNumber},
      {"abs(-len)", 0.5, kLength},
      {"floor(-1.5) + ceil(1.2) + round(2.5)", 3, kNumber},
      {"sin(30 deg)", 0.5, kNumber},
      {"cos(pi)", -1, kNumber},
      {"asin(1)", kPi / 2, kAngle},
      {"atan2(1 m, 1 m)", kPi / 4, kAngle},
      {"exp(0) + log(1)", 1, kNumber},
      {"pow(2, 0.5)", std::sqrt(2.0), kNumber},
      {"sign(-3)", -1, kNumber},
      {"1e-3 m", 1e-3, kLength},
      {"  +  4  ", 4, kNumber},
      {"true ? 1 : 0", 1, kNumber},
  };
  for (const Case& c : cases) {
    const Evaluation e = evaluate(c.text, scope);
    ASSERT_TRUE(e.ok) << c.text << ": " << e.message;
    // a few operations, each rounded once
    EXPECT_NEAR(e.value.value, c.value, 1e-14 * (1 + std::fabs(c.value))) << c.text;
    EXPECT_EQ(e.value.dimension, c.dimension) << c.text;
  }
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const Scope scope = test_scope();
  const struct {
    const char* text;
    size_t offset;
    const char* part;
  } cases[] = {
      {"", 0, "ends where a value"},
      {"1 +", 3, "ends where a value"},
      {"(1", 0, "'(' is not closed"},
      {"1)", 1, "unexpected ')'"},
      {"1 m + 2 kg", 4, "adds a mass to a length"},
      {"1 m - 2", 4, "subtracts a plain number from a length"},
      {"1 m < 2 s", 4, "compares a length with a time"},
      {"1/0", 1, "divides by zero"},
      {"5 % 0", 2, "divides by zero"},
      {"foo", 0, "unknown name 'foo'"},
      {"lem*2", 0, "did you mean 'len'"},
      {"3 mtr", 2, "unknown unit 'mtr'"},
      {"3 i", 2, "unknown unit 'i'"},
      {"sin(1 m)", 0, "needs an angle"},
      {"sin()", 0, "wrong number of arguments"},
      {"atan2(1)", 0, "wrong number of arguments"},
      {"sqrt(-1)", 0, "negative"},
      {"sqrt(1 m)", 0, "no unit"},
      {"asin(2)", 0, "outside -1 to 1"},
      {"2^(1 m)", 1, "plain number as exponent"},
      {"1e308*10", 5, "not finite"},
      {"1e999", 0, "too large"},
      {"(-2)^0.5", 4, "negative"},
      {"0^-1", 1, "divides by zero"},
      {"m^30", 1, "no unit"},
      {"i ? 1", 5, "':' is missing"},
      {"1 $", 2, "unexpected '$'"},
  };
  for (const auto& c : cases) {
    const Evaluation e = evaluate(c.text, scope);
    EXPECT_FALSE(e.ok) << c.text;
    EXPECT_EQ(e.offset, c.offset) << c.text << ": " << e.message;
    EXPECT_NE(e.message.find(c.part), std::string::npos) << c.text << ": " << e.message;
  }
}

TEST(Expression, LimitsDepthAndLength) {
  const Scope scope;
  for (const std::string& open : {std::string("("), std::string("-"), std::string("2^"),
                                  std::string("sin("), std::string("1?"), std::string("!")}) {
    std::string text;
    while (text.size() < 1900) text += open;
    EXPECT_FALSE(evaluate(text + "1", scope).ok) << open;
  }
  EXPECT_NE(evaluate(std::string(5000, '1'), scope).message.find("too long"), std::string::npos);
}

TEST(Expression, EveryUnitIsItsFactorInSi) {
  const Scope scope;
  for (const Unit& unit : units()) {
    const Evaluation e = evaluate(std::string("3 ") + unit.name, scope);
    ASSERT_TRUE(e.ok) << unit.name;
    EXPECT_EQ(e.value.value, 3 * unit.factor) << unit.name;
    EXPECT_EQ(e.value.dimension, unit.dimension) << unit.name;
  }
  EXPECT_DOUBLE_EQ(find_unit("lb")->factor, 0.45359237);
  EXPECT_DOUBLE_EQ(find_unit("in")->factor, 0.0254);
  EXPECT_DOUBLE_EQ(find_unit("h")->factor, 3600);
}

TEST(Expression, AFormattedUnitReadsBack) {
  for (const Dimension& d :
       {kLength, kDensity, kStiffness, kAngularVelocity, kInertia, Dimension{-1, -1, 2, 1}}) {
    const Evaluation e = evaluate("2*(" + format_unit(d) + ")", Scope());
    ASSERT_TRUE(e.ok) << format_unit(d) << " " << e.message;
    EXPECT_EQ(e.value.dimension, d) << format_unit(d);
  }
}

TEST(Expression, RandomDependsOnItsArgumentsOnly) {
  const Scope scope = test_scope();
  const double a = evaluate("random(i, 1)", scope).value.value;
  EXPECT_EQ(a, evaluate("random(3, 1)", scope).value.value);
  EXPECT_NE(a, evaluate("random(1, 3)", scope).value.value);
  EXPECT_EQ(evaluate("random(0)", scope).value.value, evaluate("random(-0)", scope).value.value);
  double mean = 0;
  for (int i = 0; i < 1000; ++i) {
    const double r = evaluate("random(" + std::to_string(i) + ")", scope).value.value;
    ASSERT_TRUE(r >= 0 && r < 1);
    mean += r / 1000;
  }
  EXPECT_NEAR(mean, 0.5, 0.05);  // five standard deviations of the mean of 1000
}

TEST(Expression, AngleFitsOnlyWhereItMay) {
  EXPECT_TRUE(fits(kNumber, kLength));
  EXPECT_FALSE(fits(kLength, kNumber));
  EXPECT_FALSE(fits(kAngle, kLength));
  EXPECT_FALSE(fits(kAngle, kNumber));
  EXPECT_FALSE(fits({0, 0, -1, 0}, kAngularVelocity));  // Hz: turns or radians?
  EXPECT_TRUE(fits({1, 0, -1, 1}, kVelocity));          // radius times angular velocity
}

TEST(Substitution, WritesValuesIntoText) {
  const Scope scope = test_scope();
  EXPECT_EQ(substitute("knot_{i}_{n - 1}", scope).text, "knot_3_3");
  EXPECT_EQ(substitute("{len}", scope).text, "0.5");
  EXPECT_EQ(substitute("{{i}}", scope).text, "{i}");
  EXPECT_EQ(substitute("plain", scope).text, "plain");
  EXPECT_FALSE(substitute("{i", scope).ok);
  EXPECT_FALSE(substitute("{zz}", scope).ok);
}

TEST(Names, ThatHaveAMeaningAreRefused) {
  EXPECT_EQ(reason_against_name("width"), "");
  EXPECT_EQ(reason_against_name("i"), "");
  for (const char* name : {"m", "kg", "sin", "pi", "2x", "a b", "", "a-b", "true"}) {
    EXPECT_NE(reason_against_name(name), "") << name;
  }
}

}  // namespace
}  // namespace tenon::scene
