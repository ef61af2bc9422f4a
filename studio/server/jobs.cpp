#include "tenon/studio/server/jobs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

#include "tenon/scene/formats/json_text.h"

namespace tenon::studio {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostJobs = 40;  // films are large: the oldest that is done makes room
constexpr const char* kProject = "project.json";

Error refuse(const char* key, const std::string& value, const std::string& accepted) {
  return {.message = std::string(key) + " is not understood",
          .file = key,
          .value = value,
          .accepted = accepted};
}

Result<std::string> choose(const Json& request, const char* key, const char* otherwise,
                           const std::set<std::string>& words) {
  const Json* value = request.find(key);
  const std::string text = value != nullptr && !value->is_null() ? value->string : otherwise;
  if (words.contains(text)) return text;
  std::string accepted;
  for (const std::string& word : words) accepted += (accepted.empty() ? "" : ", ") + word;
  return refuse(key, value != nullptr ? scene::format_short(*value) : "nothing", accepted);
}

// Words of `tenon film`; the command itself checks sizes, ranges and names, and says what is wrong.
Result<std::vector<std::string>> film_words(const Json& request, const std::string& output) {
  std::vector<std::string> words{"film", kProject, "-o", output, "--progress"};
  for (const char* key : {"size", "quality", "stereo", "show", "camera"}) {
    const Json* value = request.find(key);
    if (value == nullptr || value->is_null() || (value->is_string() && value->string.empty()))
      continue;
    if (!value->is_string() || value->string.find('\0') != std::string::npos)
      return refuse(key, scene::format_short(*value), "a text");
    words.push_back(std::string("--") + key + "=" + value->string);
  }
  for (const char* key : {"fps", "slow", "blur", "from", "to", "at", "samples"}) {
    const Json* value = request.find(key);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_number()) return refuse(key, scene::format_short(*value), "a number");
    words.push_back(std::string("--") + key + "=" + scene::format_short(*value));
  }
  return words;
}

Status write_file(const fs::path& path, const std::string& bytes) {
  std::error_code trouble;
  fs::create_directories(path.parent_path(), trouble);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return Error{.message = "the file cannot be written", .file = path.string()};
  return Ok{};
}

// Relative, and not out of where it stands.
bool stays_inside(const fs::path& path) {
  if (path.is_absolute()) return false;
  for (const fs::path& part : path)
    if (part == "..") return false;
  return true;
}

}  // namespace

RenderJobs::RenderJobs(std::string program) : program_(std::move(program)) {
  std::error_code missing;
  const fs::path temporary = fs::temp_directory_path(missing);
  std::string name = (temporary / "tenon-studio-XXXXXX").string();  // mkdtemp fills in the letters
  if (!missing && mkdtemp(name.data()) != nullptr) folder_ = name;
  thread_ = std::thread([this] { work(); });
}

RenderJobs::~RenderJobs() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (const auto& [id, job] : jobs_)
      if (job.process > 0) kill(-job.process, SIGKILL);
  }
  wake_.notify_all();
  thread_.join();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<Json> RenderJobs::start(const Json& request, const std::string& project,
                               const std::vector<scene::SceneFile>& files) {
  if (folder_.empty())
    return Error{.message = "there is no folder for files that are being made",
                 .accepted = "a TMPDIR that can be written to when the studio starts"};
  const Result<std::string> kind = choose(request, "kind", "film", {"film", "gltf", "html", "pov"});
  if (!kind) return kind.error();
  const Result<std::string> format =
      choose(request, "format", "mp4", {"mp4", "webm", "gif", "png"});
  if (!format) return format.error();
  Job job;
  if (*kind == "film") {
    job.name = (*format == "png" ? "still." : "film.") + *format;
    Result<std::vector<std::string>> words = film_words(request, job.name);
    if (!words) return words.error();
    words->insert(words->begin(), program_);
    job.commands = {std::move(*words)};
  } else if (*kind == "pov") {
    job.name = "pov-ray.tar.gz";
    job.commands = {{program_, "export", kProject, "--pov", "pov-ray"},
                    {"tar", "czf", job.name, "pov-ray"}};
  } else {
    job.name = *kind == "gltf" ? "run.glb" : "replay.html";
    job.commands = {{program_, "export", kProject, "--" + *kind, job.name}};
  }
  const std::lock_guard lock(mutex_);
  if (jobs_.size() >= kMostJobs) forget_oldest();
  if (jobs_.size() >= kMostJobs)
    return Error{.message = "there are too many films waiting",
                 .accepted = "at most " + std::to_string(kMostJobs)};
  job.id = next_++;
  if (Status s = write_file(folder_of(job.id) / kProject, project); !s) return s.error();
  for (const scene::SceneFile& file : files) {
    if (!stays_inside(file.name))
      return Error{.message = "a mesh outside of the scene's folder cannot be filmed from here",
                   .file = file.name,
                   .accepted = "tenon film on the saved scene"};
    if (Status s = write_file(folder_of(job.id) / file.name, *file.bytes); !s) return s.error();
  }
  const int id = job.id;
  jobs_[id] = std::move(job);
  queue_.push_back(id);
  wake_.notify_all();
  return Json::object().set("job", id);
}

// With all that it has made. Holding the lock.
void RenderJobs::forget_oldest() {
  const auto oldest =
      std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return job.second.over; });
  if (oldest == jobs_.end()) return;
  std::error_code ignored;
  fs::remove_all(folder_of(oldest->first), ignored);
  jobs_.erase(oldest);
}

Json RenderJobs::list() {
  static const char* const states[] = {"waiting", "running", "done", "failed", "cancelled"};
  const std::lock_guard lock(mutex_);
  Json all = Json::array();
  for (const auto& [id, job] : jobs_) {
    Json one = Json::object();
    one.set("job", id).set("name", job.name).set("state", states[static_cast<int>(job.state)]);
    one.set("done", job.done).set("of", job.of).set("said", job.said);
    if (job.state == State::kDone) one.set("file", "jobs/" + std::to_string(id) + "/" + job.name);
    all.push(std::move(one));
  }
  return all;
}

Status RenderJobs::cancel(int id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end())
    return Error{.message = "there is no such film", .file = "cancel", .value = std::to_string(id)};
  Job& job = found->second;
  if (job.state == State::kWaiting || job.state == State::kRunning) job.state = State::kCancelled;
  if (job.process > 0) kill(-job.process, SIGKILL);
  return Ok{};
}

Result<std::string> RenderJobs::read(const std::string& path) {
  fs::path file;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : jobs_)
      if (job.state == State::kDone && path == std::to_string(id) + "/" + job.name)
        file = folder_of(id) / job.name;
  }
  if (file.empty()) return Error{.message = "there is no such file", .file = path};
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) return Error{.message = "the file cannot be read", .file = path};
  return bytes;
}

void RenderJobs::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
    if (stop_) return;
    Job& job = jobs_.at(queue_.front());  // entries of a map stay where they are
    queue_.pop_front();
    job.over = job.state != State::kWaiting;
    if (job.over) continue;
    job.state = State::kRunning;
    bool good = true;
    for (const std::vector<std::string>& words : job.commands) {
      lock.unlock();
      good = good && run(job, words);
      lock.lock();
    }
    if (job.state == State::kRunning) job.state = good ? State::kDone : State::kFailed;
    job.over = true;
  }
}

// "frame 3 of 120, ..." is progress; what else it says explains a failure.
void RenderJobs::hear(Job& job, const std::string& line) {
  const std::lock_guard lock(mutex_);
  double done = 0, of = 0;
  if (std::sscanf(line.c_str(), "frame %lf of %lf", &done, &of) == 2) {
    job.done = done;
    job.of = of;
  } else if (line.find("error") != std::string::npos || job.said.empty()) {
    job.said = line;
  }
}

bool RenderJobs::run(Job& job, const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const std::string folder = folder_of(job.id).string();
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // only calls that are safe between fork and exec; a group of its own, to be ended as a whole
    setpgid(0, 0);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    if (chdir(folder.c_str()) == 0) execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  if (child > 0) setpgid(child, child);
  if (child < 0) {
    close(ends[0]);
    return false;
  }
  {
    const std::lock_guard lock(mutex_);
    job.process = child;
    if (stop_ || job.state != State::kRunning) kill(-child, SIGKILL);
  }
  std::string line;
  char bytes[512];
  for (ssize_t got = 0; (got = ::read(ends[0], bytes, sizeof bytes)) > 0 || errno == EINTR;) {
    for (ssize_t i = 0; i < got; ++i) {
      if (bytes[i] != '\n' && bytes[i] != '\r') {
        line += bytes[i];
      } else if (!line.empty()) {
        hear(job, std::exchange(line, {}));
      }
    }
    if (got <= 0) errno = 0;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  job.process = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tenon::studio
