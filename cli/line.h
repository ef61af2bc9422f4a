// printf into a string, for lines of a summary.
#pragma once

#include <cstdio>
#include <string>

namespace tenon::cli {

template <class... Args>
std::string line(const char* format, Args... args) {
  const int length = std::snprintf(nullptr, 0, format, args...);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, ' ');
  if (length > 0) std::snprintf(text.data(), text.size() + 1, format, args...);
  return text;
}

}  // namespace tenon::cli
