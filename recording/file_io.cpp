#ifndef __wasm__

#include "tenon/recording/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon {
namespace {

Error system_error(const char* action, const std::string& path, int code) {
  return {.message = std::string(action) + ": " + std::strerror(code), .file = path};
}

}  // namespace

Result<FileSink> FileSink::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return system_error("cannot write the recording", path, errno);
  return FileSink(fd, path);
}

FileSink::FileSink(FileSink&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      failed_(other.failed_),
      path_(std::move(other.path_)) {}

FileSink& FileSink::operator=(FileSink&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  std::swap(failed_, other.failed_);
  std::swap(path_, other.path_);
  return *this;
}

FileSink::~FileSink() {
  if (fd_ >= 0) ::close(fd_);
}

Status FileSink::write(std::span<const std::byte> bytes) {
  if (fd_ < 0 || failed_)
    return Error{.message = "the recording's file is closed after an error", .file = path_};
  // a full disk or a signal may take only a part; the rest is tried again
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(fd_, bytes.data() + done, bytes.size() - done);
    if (count >= 0) {
      done += static_cast<size_t>(count);
      continue;
    }
    if (errno == EINTR) continue;
    const int code = errno;
    failed_ = true;
    // without the torn chunk the file ends cleanly; where even that fails, readers cope
    [[maybe_unused]] const int cut = ::ftruncate(fd_, static_cast<off_t>(size_));
    return system_error("cannot write the recording", path_, code);
  }
  size_ += bytes.size();
  return Ok{};
}

Status FileSink::close() {
  if (fd_ < 0) return Ok{};
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0) return system_error("cannot finish the recording", path_, errno);
  return Ok{};
}

Result<FileSource> FileSource::open(const std::string& path) {
  // not blocking: opening a pipe must not wait for a writer
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return system_error("cannot open the recording", path, errno);
  FileSource source(fd, path);
  struct stat info{};
  if (::fstat(fd, &info) != 0) return system_error("cannot open the recording", path, errno);
  if (S_ISDIR(info.st_mode))
    return Error{.message = "is a directory, not a recording", .file = path};
  if (!S_ISREG(info.st_mode)) return Error{.message = "is no regular file", .file = path};
  source.size_ = static_cast<uint64_t>(info.st_size);
  return source;
}

FileSource::FileSource(FileSource&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

FileSource& FileSource::operator=(FileSource&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  std::swap(path_, other.path_);
  return *this;
}

FileSource::~FileSource() {
  if (fd_ >= 0) ::close(fd_);
}

Status FileSource::read_at(uint64_t offset, std::span<std::byte> out) {
  if (offset > size_ || out.size() > size_ - offset)
    return Error{.message = "unexpected end of file at byte " + std::to_string(size_),
                 .file = path_};
  for (size_t done = 0; done < out.size();) {
    const ssize_t count =
        ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("cannot read the recording", path_, errno);
    if (count == 0)
      return Error{.message = "the file became shorter while it was read", .file = path_};
    done += static_cast<size_t>(count);
  }
  return Ok{};
}

Status FileSource::refresh_size() {
  struct stat info{};
  if (::fstat(fd_, &info) != 0) return system_error("cannot read the recording", path_, errno);
  size_ = static_cast<uint64_t>(info.st_size);
  return Ok{};
}

}  // namespace tenon

#endif  // __wasm__
