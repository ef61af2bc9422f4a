// Numbers in error messages: the shortest text that reads back as the same double.
#pragma once

#include <charconv>
#include <string>

namespace tenon::detail {

inline std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

}  // namespace tenon::detail
