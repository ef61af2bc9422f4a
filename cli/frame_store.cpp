#include "tenon/cli/frame_store.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kKeyFile = "film-key.txt";

// "frame-00012.png", "frame-00012-left.png", and what is left of those half written
bool is_frame(const std::string& name) {
  return name.starts_with("frame-") && (name.ends_with(".png") || name.ends_with(".png.part"));
}

uint64_t count_frames(const std::string& folder) {
  std::error_code ignored;
  uint64_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    count += is_frame(entry.path().filename().string()) ? 1 : 0;
  return count;
}

void remove_frames(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> ours;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (is_frame(entry.path().filename().string())) ours.push_back(entry.path());
  for (const fs::path& path : ours) fs::remove(path, ignored);
}

}  // namespace

Status write_picture(const std::string& path, const render::Image& image) {
  const std::vector<uint8_t> png = render::encode_png(image);
  return write_text_file(path, std::string(reinterpret_cast<const char*>(png.data()), png.size()));
}

Result<render::Image> read_picture(const std::string& path) {
  const Result<std::string> bytes = read_text_file(path, size_t{1} << 30);
  if (!bytes) return bytes.error();
  return render::decode_png({bytes->begin(), bytes->end()}, path);
}

Result<FrameStore> FrameStore::open(const std::string& folder, const std::string& key) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    return Error{.message = "cannot make the folder for the frames: " + error.message(),
                 .file = folder};
  FrameStore store;
  store.folder_ = folder;
  const std::string key_path = (fs::path(folder) / kKeyFile).string();
  const Result<std::string> old = read_text_file(key_path);
  if (!old && count_frames(folder) > 0)
    return Error{.message = "the folder has the frames of a film already; they are kept",
                 .file = folder,
                 .accepted = "a new folder, or this one without its frames"};
  if (!old || *old != key) {
    remove_frames(folder);
    if (const Status written = write_text_file(key_path, key); !written) return written.error();
  }
  store.found_ = count_frames(folder);
  return store;
}

std::string FrameStore::path(uint64_t k, int eye) const {
  char name[48];
  constexpr const char* kEyes[] = {"", "-left", "-right"};
  std::snprintf(name, sizeof name, "frame-%05llu%s.png", static_cast<unsigned long long>(k),
                kEyes[eye]);
  return (fs::path(folder_) / name).string();
}

bool FrameStore::has(uint64_t k, int eye) const {
  std::error_code ignored;
  return fs::exists(path(k, eye), ignored);
}

void FrameStore::keep() {
  std::error_code ignored;
  fs::remove(fs::path(folder_) / kKeyFile, ignored);
}

void FrameStore::remove() {
  remove_frames(folder_);
  keep();
  std::error_code ignored;
  fs::remove(folder_, ignored);  // only if empty
}

}  // namespace tenon::cli
