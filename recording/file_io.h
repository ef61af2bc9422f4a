// Recordings in POSIX files. Not part of the WASM build.
#pragma once

#include "tenon/recording/bytes.h"

namespace tenon {

// Writes a file. Every write() goes to the system at once (no buffer of our own), so a killed
// process leaves all earlier chunks behind. When the disk is full, the file is cut back to the
// end of the last complete call, so that it stays readable; the error names path and reason.
class FileSink final : public ByteSink {
 public:
  // Creates or empties the file. Fails for directories and unwritable paths.
  static Result<FileSink> create(const std::string& path);
  FileSink(FileSink&& other) noexcept;
  FileSink& operator=(FileSink&& other) noexcept;
  ~FileSink() override;

  Status write(std::span<const std::byte> bytes) override;
  // Closes the file and reports what the system had held back. The destructor closes silently.
  Status close();
  uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  FileSink(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  uint64_t size_ = 0;
  bool failed_ = false;
  std::string path_;
};

// Reads a file piecewise; a recording of many gigabytes is never loaded whole.
class FileSource final : public ByteSource {
 public:
  // Fails for missing files, directories and other things that are no regular file.
  static Result<FileSource> open(const std::string& path);
  FileSource(FileSource&& other) noexcept;
  FileSource& operator=(FileSource&& other) noexcept;
  ~FileSource() override;

  Status read_at(uint64_t offset, std::span<std::byte> out) override;
  // The size when the file was opened, or at the last refresh_size().
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return path_; }
  // Looks at the file's size again, for a file that is still being written.
  Status refresh_size();

 private:
  FileSource(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  uint64_t size_ = 0;
  std::string path_;
};

}  // namespace tenon
