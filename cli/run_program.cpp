#include "tenon/cli/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tenon::cli {

bool program_exists(const std::string& name) {
  const char* const path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "";
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + name;
    if (end > begin && access(file.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

Result<int> run_program(const std::vector<std::string>& words, const std::string& folder,
                        const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (output < 0) return Error{.message = std::strerror(errno), .file = log};
  const pid_t child = fork();
  if (child < 0) {
    close(output);
    return Error{.message = std::string("cannot start it: ") + std::strerror(errno),
                 .value = words.front()};
  }
  if (child == 0) {
    // only calls that are safe between fork and exec
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (chdir(folder.c_str()) == 0) execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(output);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tenon::cli
