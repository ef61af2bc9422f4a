#include "tenon/cli/field_cache.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tenon/cli/line.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".field";

std::string find_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  const std::string own = variable("TENON_CACHE");
  if (own == "off") return {};
  if (!own.empty()) return own + "/fields";
  const std::string shared = variable("XDG_CACHE_HOME"), home = variable("HOME");
  // a relative one is to be ignored, says the XDG specification
  if (shared.starts_with('/')) return shared + "/tenon/fields";
  return home.empty() ? "" : home + "/.cache/tenon/fields";
}

// Whole files at once; empty where that fails.
std::vector<std::byte> read_bytes(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  if (error || size > (uintmax_t{1} << 30)) return {};
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

std::string FieldCache::path_of(uint64_t content, double cell) const {
  return folder_ + line("/%016llx-%016llx-v%d%s", static_cast<unsigned long long>(content),
                        static_cast<unsigned long long>(std::bit_cast<uint64_t>(cell)),
                        kFieldVersion, kEnding);
}

std::shared_ptr<const DistanceField> FieldCache::find(uint64_t content, double cell) {
  if (folder_.empty()) return nullptr;
  const std::string path = path_of(content, cell);
  const std::vector<std::byte> bytes = read_bytes(path);
  if (bytes.empty()) return nullptr;
  Result<DistanceField> field = decode_field(bytes);
  if (!field) return nullptr;
  // used just now
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return std::make_shared<const DistanceField>(std::move(*field));
}

void FieldCache::keep(uint64_t content, double cell, const DistanceField& field) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;
  // under another name until it is whole: other programs may be reading
  const std::string path = path_of(content, cell);
  const std::string partial = path + "." + std::to_string(getpid()) + ".part";
  if (write_bytes(partial, encode_field(field))) fs::rename(partial, path, error);
  if (error || fs::exists(partial)) fs::remove(partial, error);
  make_room();
}

void FieldCache::make_room() const {
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

FieldCache& field_cache() {
  static FieldCache cache(find_folder());
  return cache;
}

}  // namespace tenon::cli
