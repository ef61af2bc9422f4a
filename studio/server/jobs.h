// Films and files for other programs, made in the background by the `tenon` command itself, one
// after the other: a film that fails takes nothing with it, and one that is not wanted any more is
// ended. Everything is in a folder of its own, which goes with the server.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tenon/studio/session/session.h"

namespace tenon::studio {

class RenderJobs : public Jobs {
 public:
  // `program`: the tenon command.
  explicit RenderJobs(std::string program);
  ~RenderJobs() override;

  // {"kind": "film" | "gltf" | "html" | "pov", "format": "mp4" | "webm" | "gif" | "png", "size",
  // "fps", "quality", "stereo", "show", "camera", "from", "to", "at", "slow", "blur"}
  Result<Json> start(const Json& request, const std::string& project,
                     const std::vector<scene::SceneFile>& files) override;
  Json list() override;
  Status cancel(int job) override;

  // The bytes of what a finished job has made, by "ID/NAME"; error: there is none.
  Result<std::string> read(const std::string& path);

 private:
  enum class State { kWaiting, kRunning, kDone, kFailed, kCancelled };
  struct Job {
    int id = 0;
    State state = State::kWaiting;
    std::string name;  // of the file
    std::vector<std::vector<std::string>> commands;
    double done = 0, of = 0;  // frames
    std::string said;         // its last line that is no progress: why it failed
    int process = 0;
    bool over = false;  // nothing works at it any more
  };
  void work();
  void forget_oldest();
  bool run(Job& job, const std::vector<std::string>& words);
  void hear(Job& job, const std::string& line);
  std::filesystem::path folder_of(int id) const { return folder_ / std::to_string(id); }

  std::string program_;
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<int, Job> jobs_;
  std::deque<int> queue_;
  int next_ = 1;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tenon::studio
