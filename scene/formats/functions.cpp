#include "tenon/scene/formats/functions.h"

#include <array>
#include <cmath>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

using Args = std::span<const Quantity>;

FunctionResult refuse(const Quantity& q, const char* wanted) {
  return {{}, "is given " + describe(q.dimension) + ", needs " + wanted};
}

template <double (*F)(double)>
FunctionResult of_angle(Args a) {
  if (!fits(a[0].dimension, kAngle)) return refuse(a[0], "an angle");
  return {{F(a[0].value), kNumber}, ""};
}

template <double (*F)(double)>
FunctionResult of_number(Args a) {
  if (!a[0].dimension.none()) return refuse(a[0], "a plain number");
  return {{F(a[0].value), kNumber}, ""};
}

// Functions that keep the dimension: |x|.
template <double (*F)(double)>
FunctionResult keeping(Args a) {
  return {{F(a[0].value), a[0].dimension}, ""};
}

template <double (*F)(double)>
FunctionResult to_angle(Args a) {
  if (!a[0].dimension.none()) return refuse(a[0], "a plain number");
  if (F != &tenon::atan && !(std::fabs(a[0].value) <= 1)) {
    return {{}, "is given a value outside -1 to 1"};
  }
  return {{F(a[0].value), kAngle}, ""};
}

FunctionResult call_atan2(Args a) {
  Quantity y = a[0], x = a[1];
  if (!unify(y, x)) return refuse(a[1], "both values of one kind");
  return {{tenon::atan2(y.value, x.value), kAngle}, ""};
}

FunctionResult call_sqrt(Args a) {
  if (a[0].value < 0) return {{}, "is given a negative value"};
  return calc_power(a[0], {0.5, kNumber});
}

FunctionResult call_log(Args a) {
  if (!a[0].dimension.none()) return refuse(a[0], "a plain number");
  if (!(a[0].value > 0)) return {{}, "is given a value that is not above 0"};
  return {{tenon::log(a[0].value), kNumber}, ""};
}

template <bool kLess>
FunctionResult extreme(Args a) {
  Quantity best = a[0];
  for (const Quantity& next : a.subspan(1)) {
    Quantity other = next;
    if (!unify(best, other)) return refuse(next, "values of one kind");
    if (kLess ? other.value < best.value : other.value > best.value) best = other;
  }
  return {best, ""};
}

FunctionResult call_clamp(Args a) {
  Quantity x = a[0], low = a[1], high = a[2];
  if (!unify(x, low) || !unify(x, high)) return refuse(a[0], "values of one kind");
  return {{std::fmin(std::fmax(x.value, low.value), high.value), x.dimension}, ""};
}

FunctionResult call_pow(Args a) { return calc_power(a[0], a[1]); }

// A number in [0, 1) that depends on nothing but the arguments.
FunctionResult call_random(Args a) {
  Hasher hasher;
  for (const Quantity& q : a) hasher.add(q.value + 0.0);  // -0 as 0
  return {{static_cast<double>(hasher.value() >> 11) * 0x1p-53, kNumber}, ""};
}

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double absolute(double x) { return std::fabs(x); }
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }
double round_half(double x) { return std::floor(x + 0.5); }

constexpr std::array kFunctions{
    Function{"sin", 1, 1, of_angle<tenon::sin>, "sine of an angle"},
    Function{"cos", 1, 1, of_angle<tenon::cos>, "cosine of an angle"},
    Function{"tan", 1, 1, of_angle<tenon::tan>, "tangent of an angle"},
    Function{"asin", 1, 1, to_angle<tenon::asin>, "the angle with that sine"},
    Function{"acos", 1, 1, to_angle<tenon::acos>, "the angle with that cosine"},
    Function{"atan", 1, 1, to_angle<tenon::atan>, "the angle with that tangent"},
    Function{"atan2", 2, 2, call_atan2, "the angle of the point (x, y), called as atan2(y, x)"},
    Function{"sqrt", 1, 1, call_sqrt, "square root"},
    Function{"exp", 1, 1, of_number<tenon::exp>, "e to that power"},
    Function{"log", 1, 1, call_log, "natural logarithm"},
    Function{"pow", 2, 2, call_pow, "first to the power of the second, like ^"},
    Function{"abs", 1, 1, keeping<absolute>, "magnitude"},
    Function{"sign", 1, 1, of_number<sign_of>, "-1, 0 or 1"},
    Function{"floor", 1, 1, of_number<round_down>, "next whole number below"},
    Function{"ceil", 1, 1, of_number<round_up>, "next whole number above"},
    Function{"round", 1, 1, of_number<round_half>, "nearest whole number, halves up"},
    Function{"min", 1, 8, extreme<true>, "smallest"},
    Function{"max", 1, 8, extreme<false>, "largest"},
    Function{"clamp", 3, 3, call_clamp, "clamp(x, low, high)"},
    Function{"random", 1, 8, call_random,
             "a number from 0 up to 1 that depends on the arguments only"},
};

bool scale_exponents(Dimension& d, double factor) {
  auto scale = [&](int8_t& e) {
    const double scaled = e * factor;
    if (scaled != std::floor(scaled) || std::fabs(scaled) > 20) return false;
    e = static_cast<int8_t>(scaled);
    return true;
  };
  return scale(d.length) && scale(d.mass) && scale(d.time) && scale(d.angle);
}

double power_of(double base, double exponent) {
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent != std::floor(exponent) || std::fabs(exponent) > 64) {
    return tenon::pow(base, exponent);
  }
  // whole powers by multiplication: exact for small integers, and negative bases work
  double result = 1;
  for (int i = 0; i < static_cast<int>(std::fabs(exponent)); ++i) result *= base;
  return exponent < 0 ? 1 / result : result;
}

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find_function(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (name == function.name) return &function;
  }
  return nullptr;
}

bool unify(Quantity& a, Quantity& b) {
  if (a.dimension == b.dimension) return true;
  if (a.value == 0 && a.dimension.none()) {
    a.dimension = b.dimension;
    return true;
  }
  if (b.value == 0 && b.dimension.none()) {
    b.dimension = a.dimension;
    return true;
  }
  return false;
}

FunctionResult calc_power(const Quantity& base, const Quantity& exponent) {
  if (!exponent.dimension.none()) return refuse(exponent, "a plain number as exponent");
  if (!(std::fabs(exponent.value) <= 1000)) return {{}, "has an exponent beyond 1000"};
  Dimension dimension = base.dimension;
  if (!scale_exponents(dimension, exponent.value)) {
    return {{}, "has no unit: " + format_unit(base.dimension) + " to that power"};
  }
  if (base.value == 0 && exponent.value < 0) return {{}, "divides by zero"};
  if (base.value < 0 && exponent.value != std::floor(exponent.value)) {
    return {{}, "is a broken power of a negative value"};
  }
  return {{power_of(base.value, exponent.value), dimension}, ""};
}

}  // namespace tenon::scene
