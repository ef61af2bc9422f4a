// Explicit little-endian encoding of numbers: the same bytes on every platform.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

class ByteWriter {
 public:
  void u8(uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void u32(uint32_t value) { put(value, 4); }
  void u64(uint64_t value) { put(value, 8); }
  void f64(double value) { u64(std::bit_cast<uint64_t>(value)); }

  std::vector<std::byte> take() { return std::move(bytes_); }
  size_t size() const { return bytes_.size(); }

 private:
  void put(uint64_t value, int count) {
    for (int i = 0; i < count; ++i) u8(static_cast<uint8_t>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

// Reads what ByteWriter wrote. Reading past the end gives zeros and sets failed(): check it once
// after reading, before using anything.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint8_t u8() {
    if (at_ >= bytes_.size()) {
      failed_ = true;
      return 0;
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  uint32_t u32() { return static_cast<uint32_t>(get(4)); }
  uint64_t u64() { return get(8); }
  double f64() { return std::bit_cast<double>(u64()); }

  bool failed() const { return failed_; }
  size_t remaining() const { return bytes_.size() - at_; }

 private:
  uint64_t get(int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= static_cast<uint64_t>(u8()) << (8 * i);
    return value;
  }
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace tenon
