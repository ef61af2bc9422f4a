// Numbers as little-endian bytes, on every platform, without regard to how the machine keeps them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

class Encoder {
 public:
  void u8(uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void u16(uint16_t value) { little(value, 2); }
  void u32(uint32_t value) { little(value, 4); }
  void u64(uint64_t value) { little(value, 8); }
  void f64(double value) { u64(std::bit_cast<uint64_t>(value)); }
  // length (u32), then the bytes of the text
  void string(std::string_view text) {
    u32(static_cast<uint32_t>(text.size()));
    bytes(std::as_bytes(std::span(text)));
  }
  void bytes(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }
  size_t size() const { return bytes_.size(); }
  std::span<const std::byte> view() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }
  void clear() { bytes_.clear(); }

 private:
  void little(uint64_t value, int count) {
    for (int i = 0; i < count; ++i) u8(static_cast<uint8_t>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

// Reads what Encoder wrote. Reading beyond the end gives zeros and makes ok() false for good, so
// that a decoder checks once at its end, and before any allocation of a size that it was told.
class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint8_t u8() { return static_cast<uint8_t>(little(1)); }
  uint16_t u16() { return static_cast<uint16_t>(little(2)); }
  uint32_t u32() { return static_cast<uint32_t>(little(4)); }
  uint64_t u64() { return little(8); }
  double f64() { return std::bit_cast<double>(u64()); }
  std::string string() {
    const auto text = bytes(u32());
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  // A view of the next `count` bytes; empty and not ok() when there are fewer.
  std::span<const std::byte> bytes(uint64_t count) {
    if (count > left()) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    const auto head = bytes_.first(static_cast<size_t>(count));
    bytes_ = bytes_.subspan(static_cast<size_t>(count));
    return head;
  }
  size_t left() const { return bytes_.size(); }
  bool ok() const { return ok_; }
  // ok, and nothing is left over
  bool done() const { return ok_ && bytes_.empty(); }

 private:
  uint64_t little(size_t count) {
    const auto head = bytes(count);
    uint64_t value = 0;
    for (size_t i = 0; i < head.size(); ++i) value |= static_cast<uint64_t>(head[i]) << (8 * i);
    return value;
  }
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace tenon
