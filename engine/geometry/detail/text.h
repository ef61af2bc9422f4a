// Numbers in error messages: the shortest text that reads back as the same double.
#pragma once

#include <charconv>
#include <string>

#include "tenon/engine/math/vec3.h"

namespace tenon::detail {

inline std::string to_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}
// Four digits: for figures that were computed, where more would be noise.
inline std::string to_short_text(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 4).ptr;
  return std::string(buffer, end);
}
inline std::string to_text(const Vec3& v) {
  // appended piece by piece: g++ 12 warns falsely about "(" + string (its bug 105651)
  std::string text;
  text += '(';
  text += to_text(v.x);
  text += ", ";
  text += to_text(v.y);
  text += ", ";
  text += to_text(v.z);
  text += ')';
  return text;
}

}  // namespace tenon::detail
