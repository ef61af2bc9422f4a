#include "tenon/cli/video.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

namespace tenon::cli {
namespace {

// "film.part.mp4": ffmpeg sees the kind by the end of the name.
std::string partial_name(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() / (file.stem().string() + ".part" + file.extension().string()))
      .string();
}

}  // namespace

std::string kind_of(const std::string& path) {
  std::string kind = std::filesystem::path(path).extension().string();
  for (char& c : kind)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return kind;
}

bool has_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && access((folder + "/ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

Error missing_ffmpeg() {
  return {.message = "videos need the program ffmpeg, which is not installed",
          .accepted =
              "the Debian package: apt-get install ffmpeg; or a folder of pictures "
              "(-o FOLDER/)"};
}

std::vector<std::string> ffmpeg_arguments(const std::string& path, int width, int height,
                                          double fps, int threads) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.9g", fps);
  std::vector<std::string> args = {
      "ffmpeg", "-hide_banner", "-loglevel",
      "error",  "-nostdin",     "-y",
      "-f",     "rawvideo",     "-pix_fmt",
      "rgb24",  "-s",           std::to_string(width) + "x" + std::to_string(height),
      "-r",     rate,           "-i",
      "pipe:0", "-threads",     std::to_string(threads)};
  const auto add = [&](std::initializer_list<const char*> more) {
    args.insert(args.end(), more.begin(), more.end());
  };
  const std::string kind = kind_of(path);
  // chroma at half the resolution needs even sizes
  constexpr const char* kEven =
      "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv";
  if (kind == ".gif") {
    add({"-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse"});
  } else if (kind == ".webm") {
    add({"-vf", kEven, "-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0",
         "-row-mt", "1", "-cpu-used", "4"});
  } else {
    add({"-vf", kEven, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "medium", "-crf", "17",
         "-movflags", "+faststart"});
  }
  if (kind != ".gif")
    add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1"});
  args.push_back(path);
  return args;
}

Result<Video> Video::open(const std::string& path, int width, int height, double fps, int threads) {
  if (!has_ffmpeg()) return missing_ffmpeg();
  Video video;
  video.path_ = path;
  video.partial_ = partial_name(path);
  std::vector<std::string> words = ffmpeg_arguments(video.partial_, width, height, fps, threads);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{.message = std::string("cannot make a pipe: ") + std::strerror(errno)};
  // a dead ffmpeg is an error of write(), not the end of this program
  signal(SIGPIPE, SIG_IGN);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);  // Ctrl-C is for us: we end it
    dup2(ends[0], STDIN_FILENO);
    execvp("ffmpeg", argv.data());
    _exit(127);
  }
  ::close(ends[0]);
  if (child < 0) {
    ::close(ends[1]);
    return Error{.message = std::string("cannot start ffmpeg: ") + std::strerror(errno)};
  }
  video.child_ = child;
  video.pipe_ = ends[1];
  return video;
}

Video::Video(Video&& other) noexcept
    : path_(std::move(other.path_)),
      partial_(std::move(other.partial_)),
      child_(std::exchange(other.child_, -1)),
      pipe_(std::exchange(other.pipe_, -1)) {}

Video::~Video() {
  if (child_ < 0) return;
  if (pipe_ >= 0) ::close(pipe_);
  kill(child_, SIGTERM);
  waitpid(child_, nullptr, 0);
  std::remove(partial_.c_str());
}

Status Video::failure(const std::string& what) {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  waitpid(std::exchange(child_, -1), nullptr, 0);
  std::remove(partial_.c_str());
  return Error{.message = what + "; what it said is above", .file = path_};
}

Status Video::add(const render::Image& image) {
  const uint8_t* from = image.rgb.data();
  for (size_t left = image.rgb.size(); left > 0;) {
    const ssize_t wrote = ::write(pipe_, from, left);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return failure("ffmpeg stopped before the film was complete");
    from += wrote;
    left -= static_cast<size_t>(wrote);
  }
  return Ok{};
}

Status Video::close() {
  ::close(std::exchange(pipe_, -1));
  int state = 0;
  while (waitpid(child_, &state, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
    child_ = -1;
    std::remove(partial_.c_str());
    return Error{.message = "ffmpeg could not write the film; what it said is above",
                 .file = path_};
  }
  child_ = -1;
  if (std::rename(partial_.c_str(), path_.c_str()) != 0)
    return Error{.message = std::string("cannot write: ") + std::strerror(errno), .file = path_};
  return Ok{};
}

}  // namespace tenon::cli
