// Where a recording's bytes go to and come from. The recording layer does no file I/O of its own:
// it works on these two interfaces. Memory versions are here, POSIX files in file_io.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"

namespace tenon {

// An append-only stream. One call carries one complete chunk, so that a sink which hands each
// call to the system at once leaves a file that is readable up to its last complete call.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Appends all bytes, or fails with a reason a person can act on. After a failure the caller
  // stops: later calls may be refused.
  virtual Status write(std::span<const std::byte> bytes) = 0;
};

// Random access to bytes that do not change (or only grow at the end).
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills `out` from `offset`; fails when the range reaches beyond size() or the device fails.
  virtual Status read_at(uint64_t offset, std::span<std::byte> out) = 0;
  virtual uint64_t size() const = 0;
  // As a person would name it: the path of a file; empty for memory.
  virtual const std::string& name() const = 0;
};

// Collects everything in memory.
class MemorySink final : public ByteSink {
 public:
  Status write(std::span<const std::byte> bytes) override;
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Reads from bytes that outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes, std::string name = {})
      : bytes_(bytes), name_(std::move(name)) {}
  Status read_at(uint64_t offset, std::span<std::byte> out) override;
  uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }

 private:
  std::span<const std::byte> bytes_;
  std::string name_;
};

}  // namespace tenon
