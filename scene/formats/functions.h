// The functions expressions can call. Arguments and results carry dimensions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/formats/units.h"

namespace tenon::scene {

struct FunctionResult {
  Quantity value;
  std::string message;  // not empty = refused
};

struct Function {
  const char* name;
  int min_arguments, max_arguments;
  FunctionResult (*call)(std::span<const Quantity> arguments);
  const char* meaning;
};

std::span<const Function> functions();
const Function* find_function(std::string_view name);

// One dimension for both, where a bare 0 takes on the other's. False when they differ.
bool unify(Quantity& a, Quantity& b);

// base^exponent: the exponent must be a plain number, and whole (or a half that works out) when
// the base has a dimension.
FunctionResult calc_power(const Quantity& base, const Quantity& exponent);

}  // namespace tenon::scene
