// Scenes of the gallery for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::test {

inline scene::BuiltScene load_gallery(const std::string& name,
                                      const std::vector<std::string>& overrides) {
  std::ifstream in(std::string(TENON_SOURCE_DIR) + "/gallery/" + name + ".json");
  std::stringstream text;
  text << in.rdbuf();
  scene::LoadOptions options;
  options.overrides = overrides;
  const scene::LoadResult loaded = scene::load_scene(text.str(), name + ".json", options);
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  for (const Error& e : built.errors) ADD_FAILURE() << format(e);
  return std::move(built.scene.at(0));
}

inline BodyHandle find_body(const scene::BuiltScene& s, const std::string& name) {
  const auto place = std::find(s.names.begin(), s.names.end(), name) - s.names.begin();
  return s.handles.at(static_cast<size_t>(place));
}

}  // namespace tenon::test
