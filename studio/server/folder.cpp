#include "tenon/studio/server/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <random>
#include <set>
#include <system_error>

#include "tenon/scene/formats/json_text.h"

namespace tenon::studio {
namespace fs = std::filesystem;
namespace {

Error refuse(const std::string& path, std::string message, std::string accepted) {
  return {.message = std::move(message), .file = path, .accepted = std::move(accepted)};
}

// The bytes of a file, no more than so many MB; `name` is what the page called it.
Result<std::string> read_whole(const fs::path& full, const std::string& name, uintmax_t most_mb) {
  std::error_code trouble;
  if (!fs::is_regular_file(full, trouble))
    return refuse(name, "there is no such file", "a file of the studio's folder");
  if (fs::file_size(full, trouble) > most_mb << 20)
    return refuse(name, "the file is too large", "at most " + std::to_string(most_mb) + " MB");
  std::ifstream file(full, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return refuse(name, "the file cannot be read", "a file that may be read");
  return bytes;
}

// A file that was not there: a link in its place, wherever it leads, is refused.
bool write_new(const fs::path& path, const std::string& bytes) {
  constexpr mode_t kMode = 0666;  // less what the user's mask takes away
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
  if (file < 0) return false;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  const bool good = close(file) == 0 && done == bytes.size();
  std::error_code ignored;
  if (!good) fs::remove(path, ignored);
  return good;
}

bool is_mesh_name(const std::string& name) {
  return name.find('\0') == std::string::npos &&
         (scene::is_mesh_file(name) || name.ends_with(".bin"));
}

// Every text that a scene has under the key "file".
void gather_files(const scene::Json& at, std::set<std::string>& files) {
  for (const scene::Json& item : at.items) gather_files(item, files);
  for (const scene::JsonMember& member : at.members) {
    if (member.key == "file" && member.value.is_string()) files.insert(member.value.string);
    gather_files(member.value, files);
  }
}

bool is_scene_name(const fs::path& path) {
  return path.extension() == ".json" || path.extension() == ".world";
}

}  // namespace

Folder::Folder(const fs::path& root) {
  std::error_code trouble;
  root_ = fs::canonical(root, trouble);
}

Result<fs::path> Folder::resolve(const std::string& path) const {
  const fs::path given(path);
  const bool plain = !path.empty() && path.find('\0') == std::string::npos &&
                     !given.is_absolute() &&
                     std::none_of(given.begin(), given.end(), [](const fs::path& part) {
                       return part == ".." || part.string().starts_with('.');
                     });
  if (!plain) return refuse(path, "the path leads out of the studio's folder", "a path below it");
  if (!is_scene_name(given))
    return refuse(path, "no scene file by its name", "NAME.json, NAME.world");
  return inside(path);
}

// A path that may hold "..", as scenes name their files, but ends below the folder.
Result<fs::path> Folder::inside(const std::string& path) const {
  const fs::path given(path);
  // links may lead anywhere: what counts is where they end
  std::error_code trouble;
  const fs::path full = fs::weakly_canonical(root_ / given, trouble);
  const auto [at_root, at_full] =
      std::mismatch(root_.begin(), root_.end(), full.begin(), full.end());
  if (trouble || root_.empty() || at_root != root_.end() || at_full == full.end())
    return refuse(path, "the path leads out of the studio's folder", "a path below it");
  return full;
}

Result<std::vector<std::string>> Folder::list() {
  std::vector<std::string> all;
  std::error_code trouble;
  fs::recursive_directory_iterator at(root_, fs::directory_options::skip_permission_denied,
                                      trouble);
  for (; !trouble && at != fs::recursive_directory_iterator(); at.increment(trouble)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    const bool hidden = name.starts_with('.') || name == "node_modules" || name == "build";
    if (at->is_directory(unknown)) {
      if (hidden || at.depth() >= 4) at.disable_recursion_pending();
      continue;
    }
    if (hidden || !at->is_regular_file(unknown) || !is_scene_name(at->path())) continue;
    all.push_back(fs::relative(at->path(), root_, unknown).generic_string());
    if (all.size() >= kMostFiles) break;
  }
  std::sort(all.begin(), all.end());
  return all;
}

Result<std::string> Folder::read(const std::string& path) {
  Result<fs::path> full = resolve(path);
  if (!full) return full.error();
  return read_whole(*full, path, kMostSceneMb);
}

Result<scene::FileBytes> Folder::read_mesh(const std::string& scene, const std::string& name) {
  if (fs::path(name).is_absolute() || !is_mesh_name(name))
    return refuse(name, "no file of a mesh by its name", "NAME.obj, .stl, .ply, .glb, .gltf");
  Result<fs::path> full = inside((fs::path(scene).parent_path() / name).string());
  if (!full) return full.error();
  Result<std::string> bytes = read_whole(*full, name, kMostMeshMb);
  if (!bytes) return bytes.error();
  return std::make_shared<const std::string>(std::move(*bytes));
}

Status Folder::write_mesh(const std::string& scene, const std::string& name,
                          const std::string& bytes) {
  if (Result<scene::FileBytes> old = read_mesh(scene, name); old) {
    if (**old == bytes) return Ok{};
    return refuse(name, "another file has that name, and stays", "a mesh file of another name");
  }
  const fs::path given(name);
  const bool plain = !given.is_absolute() && scene::is_mesh_file(name) &&
                     std::none_of(given.begin(), given.end(), [](const fs::path& part) {
                       return part == ".." || part.string().starts_with('.');
                     });
  if (!plain) return refuse(name, "no file of a mesh by its name", "NAME.obj, .stl, .ply, .glb");
  Result<fs::path> full = inside((fs::path(scene).parent_path() / name).string());
  if (!full) return full.error();
  std::error_code trouble;
  if (fs::exists(*full, trouble))
    return refuse(name, "another file has that name, and stays", "a mesh file of another name");
  fs::create_directories(full->parent_path(), trouble);
  if (!write_new(*full, bytes))
    return refuse(name, "the file cannot be written", "a folder with room that may be written");
  return Ok{};
}

Status Folder::write(const std::string& path, const std::string& text) {
  Result<fs::path> full = resolve(path);
  if (!full) return full.error();
  if (full->extension() != ".json")
    return refuse(path, "the studio saves JSON scenes", "NAME.json");
  std::error_code trouble;
  if (!fs::is_directory(full->parent_path(), trouble))
    return refuse(path, "there is no such folder", "a folder that exists");
  if (fs::exists(*full, trouble)) {
    Result<std::string> old = read(path);
    if (!old) return old.error();
    if (!old->empty() && old->find("\"tenon\"") == std::string::npos)
      return refuse(path, "the file is no scene, and stays", "another name");
  }
  // whole or not at all: a file of its own first, then in the place of the old one
  std::random_device device;
  const fs::path partial =
      full->parent_path() / (".tenon-" + std::to_string(device()) + std::to_string(device()));
  if (!write_new(partial, text))
    return refuse(path, "the file cannot be written", "a folder with room that may be written");
  fs::rename(partial, *full, trouble);
  if (!trouble) return Ok{};
  std::error_code ignored;
  fs::remove(partial, ignored);
  return refuse(path, "the file cannot be replaced", "another name");
}

scene::FileReader read_beside(const fs::path& scene, const std::string& text) {
  std::set<std::string> named;
  gather_files(scene::parse_json(text, "scene").root, named);
  std::error_code trouble;
  const fs::path beside = fs::absolute(scene, trouble).parent_path();
  return [named, beside](const std::string& name) -> Result<scene::FileBytes> {
    // the bytes of a glTF file lie beside it
    const bool known = named.contains(name) ||
                       (name.ends_with(".bin") &&
                        std::any_of(named.begin(), named.end(), [&](const std::string& other) {
                          return fs::path(other).parent_path() == fs::path(name).parent_path();
                        }));
    if (!known) return Folder(beside).read_mesh("", name);
    if (!is_mesh_name(name))
      return refuse(name, "no file of a mesh by its name", "NAME.obj, .stl, .ply, .glb, .gltf");
    Result<std::string> bytes = read_whole(beside / name, name, Folder::kMostMeshMb);
    if (!bytes) return bytes.error();
    return std::make_shared<const std::string>(std::move(*bytes));
  };
}

std::string file_in_folder(const fs::path& folder, const std::string& scene) {
  std::error_code trouble;
  const fs::path root = fs::canonical(folder, trouble);
  const fs::path full = trouble ? fs::path() : fs::canonical(scene, trouble);
  if (trouble || full.extension() != ".json") return "";
  const auto [at_root, at_full] = std::mismatch(root.begin(), root.end(), full.begin(), full.end());
  if (at_root != root.end() || at_full == full.end()) return "";
  return full.lexically_relative(root).generic_string();
}

}  // namespace tenon::studio
