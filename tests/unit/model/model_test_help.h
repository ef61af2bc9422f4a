// What tests of model files share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/scene/mjcf/import_mjcf.h"
#include "tenon/scene/model/mesh_part.h"
#include "tenon/scene/urdf/import_urdf.h"

namespace tenon::scene::test {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline model::Files disk() {
  model::Files files;
  files.exists = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
  };
  files.read = [](const std::string& path) -> Result<std::string> { return read_file(path); };
  return files;
}

// Files that are there only for a test.
inline model::Files memory(std::map<std::string, std::string> all) {
  model::Files files;
  files.exists = [all](const std::string& path) { return all.count(path) > 0; };
  files.read = [all](const std::string& path) -> Result<std::string> { return all.at(path); };
  return files;
}

inline model::Imported urdf(const std::string& text, const model::ImportOptions& options = {},
                            const model::Files& files = memory({})) {
  Result<model::Imported> made = urdf::import_urdf(text, "robot.urdf", files, options);
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return made.ok() ? std::move(*made) : model::Imported{};
}
inline std::string urdf_error(const std::string& text, const model::ImportOptions& options = {}) {
  const auto made = urdf::import_urdf(text, "robot.urdf", memory({}), options);
  return made.ok() ? "no error" : tenon::format(made.error());
}

inline model::Imported mjcf(const std::string& text, const model::ImportOptions& options = {},
                            const model::Files& files = memory({})) {
  Result<model::Imported> made = mjcf::import_mjcf(text, "model.xml", files, options);
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return made.ok() ? std::move(*made) : model::Imported{};
}
inline std::string mjcf_error(const std::string& text, const model::Files& files = memory({}),
                              const model::ImportOptions& options = {}) {
  const auto made = mjcf::import_mjcf(text, "model.xml", files, options);
  return made.ok() ? "no error" : tenon::format(made.error());
}

// The world of a document; the scene text is saved and loaded on the way, as the command does.
inline BuiltScene build_scene(const Document& document) {
  const LoadResult loaded = load_scene(save_scene(document), "test");
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : tenon::format(loaded.errors.front()));
  MeshLibrary meshes({.read = model::mesh_reader(disk(), document.source.name)});
  BuildOptions options;
  options.threads = 1;
  options.meshes = &meshes;
  BuildResult built = build(loaded.flat, options);
  EXPECT_TRUE(built.ok()) << (built.ok() ? "" : tenon::format(built.errors.front()));
  return std::move(built.scene.front());
}

inline BodyHandle body(const BuiltScene& scene, const std::string& name) {
  for (size_t i = 0; i < scene.names.size(); ++i) {
    if (scene.names[i] == name) return scene.handles[i];
  }
  ADD_FAILURE() << "no body " << name;
  return {};
}
inline JointHandle joint(const BuiltScene& scene, const std::string& name) {
  for (size_t i = 0; i < scene.joint_names.size(); ++i) {
    if (scene.joint_names[i] == name) return scene.joint_handles[i];
  }
  ADD_FAILURE() << "no joint " << name;
  return {};
}

// A point of the scene in the coordinates of a model with z up.
inline Vec3 z_up(const Vec3& p) { return {p.x, -p.z, p.y}; }

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tenon::scene::test
