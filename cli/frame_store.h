// Finished frames of a film, kept until it is complete, so that an interrupted film goes on where
// it stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tenon/engine/base/result.h"
#include "tenon/render/image/image.h"

namespace tenon::cli {

// Writes the file whole or not at all; the error has the system's reason (disk full ...).
Status write_picture(const std::string& path, const render::Image& image);
Result<render::Image> read_picture(const std::string& path);

class FrameStore {
 public:
  // A folder with frames of the film that `key` describes: every option and the recording. Frames
  // of another film that is not complete are removed, files that are not ours are left alone.
  // Error: frames without a key, which are those of a film that is complete.
  static Result<FrameStore> open(const std::string& folder, const std::string& key);
  // Frame k of picture `eye`, if it was finished before.
  bool has(uint64_t k, int eye) const;
  std::string path(uint64_t k, int eye) const;
  uint64_t found() const { return found_; }
  // The film is complete: removes the frames, and the folder if nothing else is in it.
  void remove();
  // The frames are what was asked for: removes the key only.
  void keep();
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  uint64_t found_ = 0;
};

}  // namespace tenon::cli
