#include "tenon/recording/bytes.h"

#include <algorithm>

namespace tenon {

Status MemorySink::write(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return Ok{};
}

Status MemorySource::read_at(uint64_t offset, std::span<std::byte> out) {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
    return Error{.message = "unexpected end of data at byte " + std::to_string(bytes_.size()),
                 .file = name_};
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  return Ok{};
}

}  // namespace tenon
