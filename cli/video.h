// Video files through the program ffmpeg, fed by a pipe. As a process, not as a library: every
// encoder it was built with is there, its ABI changes with each release, and its GPL parts stay
// outside of this program.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/render/image/image.h"

namespace tenon::cli {

// Whether the program is found, by PATH.
// How a file's name ends, in small letters: ".mp4".
std::string kind_of(const std::string& path);

bool has_ffmpeg();
Error missing_ffmpeg();  // names the package

class Video {
 public:
  // The kind is that of the name: .mp4 (H.264), .webm (VP9), .gif. The file appears when close()
  // has succeeded, and replaces an older one only then.
  static Result<Video> open(const std::string& path, int width, int height, double fps,
                            int threads);
  Video(Video&& other) noexcept;
  Video& operator=(Video&&) = delete;
  ~Video();  // gives up: nothing is left of the file
  Status add(const render::Image& image);
  Status close();

 private:
  Video() = default;
  Status failure(const std::string& what);
  std::string path_, partial_;
  int child_ = -1, pipe_ = -1;
};

// The arguments ffmpeg gets; for tests.
std::vector<std::string> ffmpeg_arguments(const std::string& path, int width, int height,
                                          double fps, int threads);

}  // namespace tenon::cli
