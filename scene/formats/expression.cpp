#include "tenon/scene/formats/expression.h"

#include <array>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/functions.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene {
namespace {

struct Constant {
  const char* name;
  Quantity value;
};
// pi is a plain number: "pi/2" is an angle in radians like any bare number.
constexpr std::array kConstants{
    Constant{"pi", {kPi, kNumber}},
    Constant{"true", {1, kNumber}},
    Constant{"false", {0, kNumber}},
};

const Constant* find_constant(std::string_view name) {
  for (const Constant& constant : kConstants) {
    if (name == constant.name) return &constant;
  }
  return nullptr;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Evaluator {
 public:
  Evaluator(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}
  Evaluation run();

 private:
  std::string_view text_;
  const Scope& scope_;
  size_t at_ = 0;
  int depth_ = 0;
  int skipping_ = 0;  // inside a branch not taken: syntax counts, values do not
  Evaluation result_;
  bool failed_ = false;

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view token) {
    peek();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  Quantity fail(size_t offset, std::string message, std::string accepted = "");
  // For trouble with values rather than with the text.
  Quantity refuse(size_t offset, std::string message, std::string accepted = "") {
    return skipping_ ? Quantity{} : fail(offset, std::move(message), std::move(accepted));
  }
  Quantity finite(size_t offset, const Quantity& q) {
    return std::isfinite(q.value) ? q : refuse(offset, "the value is not finite");
  }
  bool enter(size_t offset);

  Quantity choice();
  Quantity any();
  Quantity all();
  Quantity compare();
  Quantity sum();
  Quantity product();
  Quantity sign();
  Quantity united();
  Quantity power();
  Quantity primary();
  Quantity number();
  Quantity name();
  Quantity call(std::string_view name, size_t offset);
  Quantity multiply(const Quantity& a, const Quantity& b, bool divide, size_t offset);
  std::string_view identifier();
};

Quantity Evaluator::fail(size_t offset, std::string message, std::string accepted) {
  if (!failed_) {
    failed_ = true;
    result_.message = std::move(message);
    result_.accepted = std::move(accepted);
    result_.offset = offset;
  }
  at_ = text_.size();
  return {};
}

bool Evaluator::enter(size_t offset) {
  if (++depth_ <= kMaxExpressionDepth) return true;
  fail(offset, "expression is nested too deeply");
  return false;
}

bool truth(const Quantity& q) { return q.value != 0; }
Quantity truth(bool b) { return {b ? 1.0 : 0.0, kNumber}; }

Quantity Evaluator::choice() {
  if (!enter(at_)) return {};
  Quantity condition = any();
  if (take("?")) {
    const bool yes = truth(condition);
    skipping_ += !yes;
    const Quantity a = choice();
    skipping_ -= !yes;
    if (!failed_ && !take(":")) fail(at_, "':' is missing after '?'");
    skipping_ += yes;
    const Quantity b = choice();
    skipping_ -= yes;
    condition = yes ? a : b;
  }
  --depth_;
  return condition;
}

Quantity Evaluator::any() {
  Quantity a = all();
  while (!failed_ && take("||")) {
    const bool known = truth(a);
    skipping_ += known;
    const Quantity b = all();
    skipping_ -= known;
    a = truth(known || truth(b));
  }
  return a;
}

Quantity Evaluator::all() {
  Quantity a = compare();
  while (!failed_ && take("&&")) {
    const bool known = !truth(a);
    skipping_ += known;
    const Quantity b = compare();
    skipping_ -= known;
    a = truth(!known && truth(b));
  }
  return a;
}

Quantity Evaluator::compare() {
  Quantity a = sum();
  peek();
  const size_t offset = at_;
  for (const std::string_view op : {"<=", ">=", "==", "!=", "<", ">"}) {
    if (failed_ || !take(op)) continue;
    Quantity b = sum();
    if (!unify(a, b)) {
      return refuse(offset, "compares " + describe(a.dimension) + " with " + describe(b.dimension));
    }
    if (op == "<=") return truth(a.value <= b.value);
    if (op == ">=") return truth(a.value >= b.value);
    if (op == "==") return truth(a.value == b.value);
    if (op == "!=") return truth(a.value != b.value);
    return truth(op == "<" ? a.value < b.value : a.value > b.value);
  }
  return a;
}

Quantity Evaluator::sum() {
  Quantity a = product();
  for (char op = peek(); !failed_ && (op == '+' || op == '-'); op = peek()) {
    const size_t offset = at_++;
    Quantity b = product();
    if (failed_) break;
    if (!unify(a, b)) {
      return refuse(offset, (op == '+' ? "adds " : "subtracts ") + describe(b.dimension) +
                                (op == '+' ? " to " : " from ") + describe(a.dimension));
    }
    a = finite(offset, {op == '+' ? a.value + b.value : a.value - b.value, a.dimension});
  }
  return a;
}

Quantity Evaluator::multiply(const Quantity& a, const Quantity& b, bool divide, size_t offset) {
  if (divide && b.value == 0) return refuse(offset, "divides by zero");
  Dimension d;
  bool large = false;
  auto combine = [&](int8_t x, int8_t y) {
    const int e = divide ? x - y : x + y;
    large |= e > 20 || e < -20;
    return static_cast<int8_t>(large ? 0 : e);
  };
  d.length = combine(a.dimension.length, b.dimension.length);
  d.mass = combine(a.dimension.mass, b.dimension.mass);
  d.time = combine(a.dimension.time, b.dimension.time);
  d.angle = combine(a.dimension.angle, b.dimension.angle);
  if (large) return refuse(offset, "the powers of the units are too large");
  return finite(offset, {divide ? a.value / b.value : a.value * b.value, d});
}

Quantity Evaluator::product() {
  Quantity a = sign();
  for (char op = peek(); !failed_ && (op == '*' || op == '/' || op == '%'); op = peek()) {
    const size_t offset = at_++;
    Quantity b = sign();
    if (failed_) break;
    if (op != '%') {
      a = multiply(a, b, op == '/', offset);
      continue;
    }
    if (!unify(a, b)) {
      return refuse(offset,
                    "'%' between " + describe(a.dimension) + " and " + describe(b.dimension));
    }
    if (b.value == 0) return refuse(offset, "divides by zero");
    // the remainder has the sign of the divisor, so that (i - 1) % n counts round
    double rest = std::fmod(a.value, b.value);  // fmod is exact
    if (rest != 0 && (rest < 0) != (b.value < 0)) rest += b.value;
    a.value = rest;
  }
  return a;
}

Quantity Evaluator::sign() {
  const char op = peek();
  if (op != '-' && op != '+' && op != '!') return united();
  if (!enter(at_)) return {};
  ++at_;
  Quantity a = sign();
  --depth_;
  if (op == '!') return truth(!truth(a));
  if (op == '-') a.value = -a.value;
  return a;
}

// Units right after a value.
Quantity Evaluator::united() {
  Quantity a = power();
  while (!failed_ && is_letter(peek())) {
    const size_t offset = at_;
    const std::string_view word = identifier();
    const Unit* unit = find_unit(word);
    if (!unit) {
      std::vector<std::string> names;
      for (const Unit& u : units()) names.push_back(u.name);
      return fail(offset, "unknown unit '" + std::string(word) + "'" + did_you_mean(word, names),
                  scope_.find(word) ? "a '*' between the two" : "");
    }
    Quantity factor{unit->factor, unit->dimension};
    if (take("^")) {
      const bool negative = take("-");
      const ParsedNumber exponent = (peek(), parse_decimal(text_.substr(at_)));
      if (exponent.length == 0) return fail(at_, "a whole number is missing after '^'");
      at_ += exponent.length;
      const FunctionResult power =
          calc_power(factor, {negative ? -exponent.value : exponent.value, kNumber});
      if (!power.message.empty()) return refuse(offset, "the power " + power.message);
      factor = power.value;
    }
    a = multiply(a, factor, false, offset);
  }
  return a;
}

Quantity Evaluator::power() {
  Quantity a = primary();
  if (failed_ || !take("^")) return a;
  const size_t offset = at_ - 1;
  if (!enter(offset)) return {};
  const char op = peek();
  if (op == '-' || op == '+') ++at_;
  Quantity b = power();
  if (op == '-') b.value = -b.value;
  --depth_;
  if (failed_) return {};
  const FunctionResult r = calc_power(a, b);
  if (!r.message.empty()) return refuse(offset, "the power " + r.message);
  return finite(offset, r.value);
}

Quantity Evaluator::primary() {
  const char c = peek();
  if (is_digit(c) || c == '.') return number();
  if (is_letter(c)) return name();
  if (c == '(') {
    const size_t offset = at_++;
    const Quantity a = choice();
    if (!failed_ && !take(")")) return fail(offset, "'(' is not closed");
    return a;
  }
  if (c == '\0') return fail(at_, "the expression ends where a value is expected");
  return fail(at_, "unexpected '" + std::string(1, c) + "' where a value is expected");
}

Quantity Evaluator::number() {
  const size_t offset = at_;
  const ParsedNumber n = parse_decimal(text_.substr(at_));
  if (n.length == 0) return fail(offset, "malformed number");
  at_ += n.length;
  if (n.overflow) return fail(offset, "number is too large");
  return {n.value, kNumber};
}

std::string_view Evaluator::identifier() {
  const size_t begin = at_;
  while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  return text_.substr(begin, at_ - begin);
}

Quantity Evaluator::name() {
  const size_t offset = at_;
  const std::string_view word = identifier();
  if (peek() == '(' && find_function(word)) return call(word, offset);
  if (const Quantity* value = scope_.find(word)) return *value;
  if (const Constant* constant = find_constant(word)) return constant->value;
  if (const Unit* unit = find_unit(word)) return {unit->factor, unit->dimension};
  std::vector<std::string> names;
  scope_.collect_names(names);
  for (const Function& f : functions()) names.push_back(f.name);
  for (const Constant& c : kConstants) names.push_back(c.name);
  return fail(offset, "unknown name '" + std::string(word) + "'" + did_you_mean(word, names),
              "parameters, indices, functions and units");
}

Quantity Evaluator::call(std::string_view word, size_t offset) {
  const Function& function = *find_function(word);
  std::vector<Quantity> arguments;
  ++at_;
  if (!take(")")) {
    do {
      arguments.push_back(choice());
    } while (!failed_ && arguments.size() < 16 && take(","));
    if (!failed_ && !take(")")) return fail(at_, "')' is missing");
  }
  if (failed_) return {};
  const int count = static_cast<int>(arguments.size());
  if (count < function.min_arguments || count > function.max_arguments) {
    return fail(offset, "wrong number of arguments for " + std::string(word) + "()",
                std::to_string(function.min_arguments) +
                    (function.max_arguments > function.min_arguments
                         ? " to " + std::to_string(function.max_arguments)
                         : ""));
  }
  const FunctionResult r = function.call(arguments);
  if (!r.message.empty()) return refuse(offset, std::string(word) + "() " + r.message);
  return finite(offset, r.value);
}

Evaluation Evaluator::run() {
  if (text_.size() > kMaxExpressionBytes) {
    fail(0, "expression is too long", "at most " + std::to_string(kMaxExpressionBytes) + " bytes");
  } else {
    result_.value = choice();
    if (!failed_ && peek() != '\0') {
      fail(at_, "unexpected '" + std::string(1, text_[at_]) + "' in the expression");
    } else if (!failed_ && at_ < text_.size()) {
      fail(at_, "unexpected zero byte in the expression");
    }
  }
  result_.ok = !failed_;
  result_.value.value += 0.0;  // -0 and 0 are the same scene
  return std::move(result_);
}

}  // namespace

void Scope::set(std::string_view name, const Quantity& value) {
  for (auto& [key, old] : values_) {
    if (key == name) {
      old = value;
      return;
    }
  }
  values_.emplace_back(name, value);
}

const Quantity* Scope::find(std::string_view name) const {
  for (const Scope* scope = this; scope; scope = scope->parent_) {
    for (const auto& [key, value] : scope->values_) {
      if (key == name) return &value;
    }
  }
  return nullptr;
}

void Scope::collect_names(std::vector<std::string>& names) const {
  for (const Scope* scope = this; scope; scope = scope->parent_) {
    for (const auto& entry : scope->values_) names.push_back(entry.first);
  }
}

Evaluation evaluate(std::string_view text, const Scope& scope) {
  return Evaluator(text, scope).run();
}

std::string reason_against_name(std::string_view name) {
  bool plain = !name.empty() && is_letter(name[0]);
  for (char c : name) plain = plain && (is_letter(c) || is_digit(c));
  if (!plain) return "is not a name of letters, digits and _ that starts with a letter";
  if (const Unit* unit = find_unit(name)) return "is the unit " + std::string(unit->meaning);
  if (find_function(name)) return "is a function";
  if (find_constant(name)) return "is a constant";
  return "";
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions()) names.push_back(function.name);
  return names;
}

}  // namespace tenon::scene
