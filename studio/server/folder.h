// The one folder that the studio may open scenes from and save them to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tenon/studio/session/session.h"

namespace tenon::studio {

// Scene files (.json, .world) below a folder. Paths that lead out of it, by dots or by links, are
// refused, and so are other kinds of files, meshes of scenes excepted. Reads and writes nothing
// else, ever.
class Folder : public Files {
 public:
  explicit Folder(const std::filesystem::path& root);
  Result<std::vector<std::string>> list() override;  // at most kMostFiles, sorted
  Result<std::string> read(const std::string& path) override;
  // JSON scenes only; replaces a file when all has been written, and none that is no scene.
  Status write(const std::string& path, const std::string& text) override;
  Result<scene::FileBytes> read_mesh(const std::string& scene, const std::string& name) override;
  // Beside the scene; replaces no file of other bytes.
  Status write_mesh(const std::string& scene, const std::string& name,
                    const std::string& bytes) override;

  static constexpr size_t kMostFiles = 500;
  static constexpr uintmax_t kMostSceneMb = 32;
  static constexpr uintmax_t kMostMeshMb = 256;

 private:
  Result<std::filesystem::path> resolve(const std::string& path) const;
  Result<std::filesystem::path> inside(const std::string& path) const;
  std::filesystem::path root_;
};

// Mesh files of a scene that somebody named on the command line: those that its text names,
// wherever they are, and others below its folder. Regular files with the endings of meshes only.
scene::FileReader read_beside(const std::filesystem::path& scene, const std::string& text);

// Where a JSON scene lies below a folder; empty: elsewhere, or it is none.
std::string file_in_folder(const std::filesystem::path& folder, const std::string& scene);

}  // namespace tenon::studio
