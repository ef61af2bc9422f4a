// Small words for the scene tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {

inline std::string all_errors(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& e : errors) text += format(e) + "\n";
  return text;
}

// A scene whose `bodies` are the given text.
inline std::string with_bodies(const std::string& bodies) {
  return "{\"tenon\": 1, \"bodies\": [" + bodies + "]}";
}

inline LoadResult load(const std::string& text, const LoadOptions& options = {}) {
  return load_scene(text, "scene.json", options);
}

inline LoadResult load_good(const std::string& text, const LoadOptions& options = {}) {
  LoadResult result = load(text, options);
  EXPECT_TRUE(result.ok()) << all_errors(result.errors) << text;
  return result;
}

// Exactly one error, at this place, whose printed form contains `part`.
inline void expect_error(const std::string& text, int line, int column, const std::string& part) {
  const LoadResult result = load(text);
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors) << text;
  const Error& e = result.errors[0];
  EXPECT_EQ(e.line, line) << format(e) << "\n" << text;
  EXPECT_EQ(e.column, column) << format(e) << "\n" << text;
  EXPECT_NE(format(e).find(part), std::string::npos) << format(e) << "\nlacks: " << part;
  EXPECT_EQ(e.file, "scene.json");
}

}  // namespace tenon::scene
