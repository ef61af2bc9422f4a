// Expressions in scene values: "12 cm", "1/60", "2*pi*i/n", "i*20 cm - 1 m", "j % 2 == 0 && i > 0".
//
//   choice  := or [ '?' choice ':' choice ]
//   or      := and { '||' and }            and   := compare { '&&' compare }
//   compare := sum [ ('<' '<=' '>' '>=' '==' '!=') sum ]
//   sum     := product { ('+' | '-') product }
//   product := sign { ('*' | '/' | '%') sign }
//   sign    := ('-' | '+' | '!') sign | united
//   united  := power { unit [ '^' integer ] }      (units right after a value: "5 kg m^2")
//   power   := primary [ '^' sign ]
//   primary := number | name | name '(' choice {',' choice} ')' | '(' choice ')'
//
// A unit binds tighter than * and /, so "1/2 m" is 1/(2 m); write "0.5 m" or "(1/2) m". Every
// operation checks dimensions; a bare 0 fits any. Truth is 1 and 0. Names that are units, functions
// or constants cannot be variables, so no expression has two readings.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tenon/scene/formats/units.h"

namespace tenon::scene {

// Named values; looks in the parent where it has none itself. Innermost last, so a linear search
// from the back finds the nearest.
class Scope {
 public:
  explicit Scope(const Scope* parent = nullptr) : parent_(parent) {}
  void set(std::string_view name, const Quantity& value);
  const Quantity* find(std::string_view name) const;
  void collect_names(std::vector<std::string>& names) const;
  const std::vector<std::pair<std::string, Quantity>>& own() const { return values_; }

 private:
  const Scope* parent_;
  std::vector<std::pair<std::string, Quantity>> values_;
};

struct Evaluation {
  Quantity value;
  bool ok = false;
  std::string message;   // when not ok
  std::string accepted;  // may be empty
  size_t offset = 0;     // byte in the text where the trouble is
};

inline constexpr size_t kMaxExpressionBytes = 2000;
inline constexpr int kMaxExpressionDepth = 50;

Evaluation evaluate(std::string_view text, const Scope& scope);

// Replaces each {expression} in `text` by its value ("knot_{i}_{j}"); "{{" and "}}" stand for
// single braces. A whole number is written without a point. {condition ? 'text' : 'text'} chooses
// between texts, which may hold braces themselves: "{i > 0 ? 'link_{i - 1}' : 'world'}". On failure
// `message` and `offset` say what and where.
struct Substitution {
  std::string text;
  bool ok = false;
  std::string message, accepted;
  size_t offset = 0;
};
Substitution substitute(std::string_view text, const Scope& scope);

// Why a name cannot be given to a parameter or index; empty when it can.
std::string reason_against_name(std::string_view name);

// Names of the functions, for the reference and for suggestions.
std::vector<std::string> function_names();

}  // namespace tenon::scene
