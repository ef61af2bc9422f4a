#include "tenon/cli/mesh_cache.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tenon/cli/line.h"
#include "tenon/engine/geometry/mesh_bytes.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".mesh";

std::string find_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  const std::string own = variable("TENON_CACHE");
  if (own == "off") return {};
  if (!own.empty()) return own + "/meshes";
  const std::string shared = variable("XDG_CACHE_HOME"), home = variable("HOME");
  // a relative one is to be ignored, says the XDG specification
  if (shared.starts_with('/')) return shared + "/tenon/meshes";
  return home.empty() ? "" : home + "/.cache/tenon/meshes";
}

// Whole files at once; empty where that fails. A copy and no map: a file that another program cuts
// short meanwhile is a damaged one, and not the end of this program.
std::vector<std::byte> read_bytes(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  if (error || size > kCacheBytes) return {};
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return {};
  std::vector<std::byte> bytes(size);
  const bool whole = std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size();
  std::fclose(file);
  if (!whole) bytes.clear();
  return bytes;
}

bool write_bytes(const std::string& path, const std::vector<std::byte>& bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && whole;
}

}  // namespace

std::string MeshCache::path_of(const scene::MeshKey& key) const {
  return folder_ + line("/%016llx%016llx%s", static_cast<unsigned long long>(key.a),
                        static_cast<unsigned long long>(key.b), kEnding);
}

std::shared_ptr<const MeshGeometry> MeshCache::find(const scene::MeshKey& key, ThreadPool* pool) {
  if (folder_.empty()) return nullptr;
  const std::string path = path_of(key);
  const std::vector<std::byte> bytes = read_bytes(path);
  if (bytes.empty()) return nullptr;
  Result<Mesh> mesh = decode_mesh(bytes, pool);
  if (!mesh) return nullptr;
  // used just now
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return mesh->geometry;
}

void MeshCache::keep(const scene::MeshKey& key, const MeshGeometry& mesh, ThreadPool* pool) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;
  const std::vector<std::byte> bytes = encode_mesh(mesh, pool);
  // what would push out most of the others is not worth it
  if (bytes.size() > most_bytes_ / 2) return;
  // under another name until it is whole: other programs may be reading
  const std::string path = path_of(key);
  const std::string partial = path + "." + std::to_string(getpid()) + ".part";
  if (write_bytes(partial, bytes)) fs::rename(partial, path, error);
  if (error || fs::exists(partial)) fs::remove(partial, error);
  make_room();
}

void MeshCache::make_room() const {
  struct Kept {
    fs::file_time_type time;
    uint64_t size;
    fs::path path;
  };
  std::vector<Kept> all;
  uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    // what a program that was stopped while writing left behind
    if (it->path().extension() == ".part" &&
        fs::file_time_type::clock::now() - it->last_write_time(gone) > std::chrono::hours(1) &&
        !gone) {
      fs::remove(it->path(), gone);
    }
    if (it->path().extension() != kEnding) continue;
    const Kept kept{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (gone) continue;
    all.push_back(kept);
    sum += kept.size;
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.time < b.time; });
  for (size_t i = 0; i < all.size() && sum > most_bytes_; ++i) {
    fs::remove(all[i].path, error);
    sum -= all[i].size;
  }
}

MeshCache& mesh_cache() {
  static MeshCache cache(find_folder());
  return cache;
}

}  // namespace tenon::cli
