#include "tenon/recording/detail/properties.h"

namespace tenon::recording_detail {
namespace {

constexpr uint8_t kU64 = 0, kF64 = 1, kString = 2, kStrings = 3;

void encode_value(Encoder& out, const Properties::Value& value) {
  out.u8(static_cast<uint8_t>(value.index()));
  if (const auto* u = std::get_if<uint64_t>(&value)) out.u64(*u);
  if (const auto* f = std::get_if<double>(&value)) out.f64(*f);
  if (const auto* s = std::get_if<std::string>(&value)) out.string(*s);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    out.u32(static_cast<uint32_t>(list->size()));
    for (const auto& s : *list) out.string(s);
  }
}

std::optional<Properties::Value> decode_value(Decoder& in) {
  switch (in.u8()) {
    case kU64:
      return in.u64();
    case kF64:
      return in.f64();
    case kString:
      return in.string();
    case kStrings: {
      const uint32_t count = in.u32();
      // every string takes at least its length field
      if (count > in.left() / 4) return std::nullopt;
      std::vector<std::string> list(count);
      for (auto& s : list) s = in.string();
      return list;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

void Properties::set(std::string_view name, Value value) {
  entries_.push_back({std::string(name), std::move(value)});
}

std::vector<std::byte> Properties::encode() const {
  Encoder out;
  out.u32(static_cast<uint32_t>(entries_.size()));
  for (const auto& entry : entries_) {
    out.string(entry.name);
    // the value's length lets a reader step over types it does not know
    Encoder value;
    encode_value(value, entry.value);
    out.u32(static_cast<uint32_t>(value.size()));
    out.bytes(value.view());
  }
  return out.take();
}

std::optional<Properties> Properties::decode(std::span<const std::byte> bytes) {
  Decoder in(bytes);
  Properties list;
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    std::string name = in.string();
    const auto value_bytes = in.bytes(in.u32());
    Decoder value_in(value_bytes);
    auto value = decode_value(value_in);
    if (value && value_in.ok()) list.set(name, std::move(*value));
  }
  if (!in.ok()) return std::nullopt;
  return list;
}

}  // namespace tenon::recording_detail
