// Files that are made when there is something to write.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tenon/recording/file_io.h"

namespace tenon::cli {

// Opens its file at the first write, so that a command that fails before it has anything to write
// leaves an existing file alone.
class LateFileSink final : public ByteSink {
 public:
  explicit LateFileSink(std::string path) : path_(std::move(path)) {}
  Status write(std::span<const std::byte> bytes) override {
    if (!file_) {
      Result<FileSink> created = FileSink::create(path_);
      if (!created) return created.error();
      file_ = std::move(*created);
    }
    return file_->write(bytes);
  }
  Status close() { return file_ ? file_->close() : Status(Ok{}); }

 private:
  std::string path_;
  std::optional<FileSink> file_;
};

// Writes beside its file and takes its place when complete: a disk that fills up leaves no half
// table behind. Devices and pipes are written to at once.
class WholeFileSink final : public ByteSink {
 public:
  explicit WholeFileSink(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    const bool special = std::filesystem::exists(path_, ignored) &&
                         !std::filesystem::is_regular_file(path_, ignored);
    partial_ = special ? path_ : path_ + ".part";
  }
  WholeFileSink(const WholeFileSink&) = delete;
  WholeFileSink& operator=(const WholeFileSink&) = delete;
  ~WholeFileSink() override {
    file_.reset();
    if (partial_ != path_ && !complete_) std::remove(partial_.c_str());
  }

  Status write(std::span<const std::byte> bytes) override {
    if (!file_) {
      Result<FileSink> created = FileSink::create(partial_);
      if (!created) return in_words(created.error());
      file_ = std::move(*created);
    }
    const Status written = file_->write(bytes);
    return written ? written : Status(in_words(written.error()));
  }
  Status close() {
    if (!file_) return Ok{};
    if (const Status closed = file_->close(); !closed) return in_words(closed.error());
    if (partial_ != path_ && std::rename(partial_.c_str(), path_.c_str()) != 0)
      return Error{.message = "cannot write the file", .file = path_};
    complete_ = true;
    return Ok{};
  }

 private:
  // The sink of recordings calls everything a recording.
  Error in_words(Error error) const {
    const std::string wrong = "the recording";
    if (const size_t at = error.message.find(wrong); at != std::string::npos)
      error.message.replace(at, wrong.size(), "the file");
    error.file = path_;
    return error;
  }

  std::string path_, partial_;
  std::optional<FileSink> file_;
  bool complete_ = false;
};

}  // namespace tenon::cli
