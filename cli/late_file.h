// Files that are made when there is something to write.
#pragma once

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

}  // namespace tenon::cli
