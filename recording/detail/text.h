// Numbers for people and for tables.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace tenon::recording_detail {

// The shortest decimal that reads back to the same bits.
inline std::string number(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

// With so many digits that count, for people.
inline std::string short_number(double value, int digits) {
  char buffer[48];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
  return {buffer, end};
}

// "1 frame", "2 frames"; "1 body", "2 bodies"
inline std::string counted(uint64_t count, const std::string& noun) {
  std::string text = std::to_string(count) + " " + noun;
  if (count == 1) return text;
  if (text.back() != 'y') return text + "s";
  text.pop_back();
  return text + "ies";
}

// 999 B, 1.5 kB, 12.3 MB (powers of ten)
inline std::string size_text(uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 1).ptr;
  return std::string(buffer, end) + " " + unit;
}

}  // namespace tenon::recording_detail
