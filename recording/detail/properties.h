// A list of named values: the payload of descriptive chunks. Readers look up the names they know,
// so that a later version may add more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tenon/engine/base/encoding.h"

namespace tenon::recording_detail {

class Properties {
 public:
  using Value = std::variant<uint64_t, double, std::string, std::vector<std::string>>;

  void set(std::string_view name, Value value);
  // The value if it is there and of this type.
  template <class T>
  const T* find(std::string_view name) const {
    for (const auto& entry : entries_)
      if (entry.name == name) return std::get_if<T>(&entry.value);
    return nullptr;
  }
  template <class T>
  T get(std::string_view name, T fallback = {}) const {
    const T* found = find<T>(name);
    return found ? *found : std::move(fallback);
  }

  std::vector<std::byte> encode() const;
  // Nothing on malformed bytes.
  static std::optional<Properties> decode(std::span<const std::byte> bytes);

 private:
  struct Entry {
    std::string name;
    Value value;
  };
  std::vector<Entry> entries_;
};

}  // namespace tenon::recording_detail
