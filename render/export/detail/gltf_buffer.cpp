#include "tenon/render/export/detail/gltf_buffer.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tenon::exports {
namespace {

constexpr int kFloat = 5126, kUint16 = 5123, kUint32 = 5125;  // as OpenGL numbers them

void append_bytes(std::string& bytes, uint32_t bits, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(bits >> 8 * i & 0xff);
}

}  // namespace

int GltfBuffer::add_view(size_t begin, Target target) {
  scene::Json view = scene::Json::object();
  view.set("buffer", 0)
      .set("byteOffset", static_cast<double>(begin))
      .set("byteLength", static_cast<double>(bytes_.size() - begin));
  if (target != Target::kNone) view.set("target", static_cast<int>(target));
  views_.push(std::move(view));
  bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  return static_cast<int>(views_.items.size()) - 1;
}

int GltfBuffer::add_accessor(int view, int component, size_t count, const char* type) {
  scene::Json accessor = scene::Json::object();
  accessor.set("bufferView", view)
      .set("componentType", component)
      .set("count", static_cast<double>(count))
      .set("type", type);
  accessors_.push(std::move(accessor));
  return static_cast<int>(accessors_.items.size()) - 1;
}

int GltfBuffer::add_floats(std::span<const float> values, int width, Target target, Bounds bounds) {
  static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  const size_t begin = bytes_.size();
  bytes_.reserve(begin + 4 * values.size());
  for (const float value : values) append_bytes(bytes_, std::bit_cast<uint32_t>(value), 4);
  const auto step = static_cast<size_t>(width);
  const int place =
      add_accessor(add_view(begin, target), kFloat, values.size() / step, kTypes[width]);
  if (bounds == Bounds::kNone || values.empty()) return place;
  scene::Json least = scene::Json::array(), greatest = scene::Json::array();
  for (size_t c = 0; c < step; ++c) {
    float lo = values[c], hi = values[c];
    for (size_t i = c; i < values.size(); i += step) {
      lo = std::min(lo, values[i]);
      hi = std::max(hi, values[i]);
    }
    least.push(static_cast<double>(lo));
    greatest.push(static_cast<double>(hi));
  }
  last().set("min", std::move(least)).set("max", std::move(greatest));
  return place;
}

int GltfBuffer::add_indices(std::span<const uint32_t> values) {
  const uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  const bool small = largest < 0xffff;  // the last one restarts primitives
  const size_t begin = bytes_.size();
  for (const uint32_t value : values) append_bytes(bytes_, value, small ? 2 : 4);
  const int view = add_view(begin, Target::kIndices);
  return add_accessor(view, small ? kUint16 : kUint32, values.size(), "SCALAR");
}

int GltfBuffer::add_bytes(const std::string& bytes) {
  const size_t begin = bytes_.size();
  bytes_ += bytes;
  return add_view(begin, Target::kNone);
}

}  // namespace tenon::exports
