// Result<T>: a value, or an Error that a person can act on. No exceptions cross the API.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "tenon/engine/base/assert.h"

namespace tenon {

// What went wrong, where, with which value, and what would be accepted instead.
// Parts that are unknown stay empty; `format` prints those that are there as
//   file:line:column: message (got VALUE; accepted: ACCEPTED)
struct Error {
  std::string message{};   // one sentence without a full stop
  std::string file{};      // as the user named it; empty when the input is no file
  int line = 0;            // 1-based; 0 = unknown
  int column = 0;          // 1-based, counted in characters (UTF-8 code points); 0 = unknown
  std::string value{};     // the offending value as text; empty when there is none
  std::string accepted{};  // what would be accepted; empty when obvious
};

std::string format(const Error& error);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition: ok().
  T& value() & {
    TENON_DEMAND(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    TENON_DEMAND(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    TENON_DEMAND(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Precondition: !ok().
  const Error& error() const {
    TENON_DEMAND(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Outcome of an action without a value.
struct Ok {};
using Status = Result<Ok>;

}  // namespace tenon
