// Values one after another as bytes, and back; whoever reads too far gets nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace tenon::detail {

class ByteWriter {
 public:
  // No padding: its bytes would be anything.
  template <class T>
  void value(const T& x) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&x, sizeof x);
  }
  template <class T>
  void list(const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(static_cast<uint64_t>(items.size()));
    append(items.data(), items.size() * sizeof(T));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  void reserve(size_t count) { bytes_.reserve(count); }

 private:
  void append(const void* from, size_t count) {
    if (count == 0) return;
    const size_t at = bytes_.size();
    bytes_.resize(at + count);
    std::memcpy(bytes_.data() + at, from, count);
  }
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void value(T& x) {
    if (!has(1, sizeof x)) return;
    std::memcpy(&x, rest_.data(), sizeof x);
    rest_ = rest_.subspan(sizeof x);
  }
  template <class T>
  void list(std::vector<T>& items) {
    uint64_t count = 0;
    value(count);
    if (!has(count, sizeof(T))) return;
    items.resize(static_cast<size_t>(count));
    if (count == 0) return;
    std::memcpy(items.data(), rest_.data(), items.size() * sizeof(T));
    rest_ = rest_.subspan(items.size() * sizeof(T));
  }
  bool is_whole() const { return good_ && rest_.empty(); }

 private:
  bool has(uint64_t count, size_t size) {
    good_ = good_ && count <= rest_.size() / size;
    return good_;
  }
  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace tenon::detail
