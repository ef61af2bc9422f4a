// What the files of this folder share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tenon/engine/math/elementary.h"

namespace tenon::scene::bvh {

inline constexpr double kDegree = kPi / 180;

// ASCII letters in lower case.
inline std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

}  // namespace tenon::scene::bvh
