#include "tenon/scene/mesh/gltf_buffers.h"

#include <bit>
#include <optional>

namespace tenon::scene::detail {
namespace {

constexpr int kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;

size_t component_size(int component) {
  switch (component) {
    case 5120:
    case kByte:
      return 1;
    case 5122:
    case kShort:
      return 2;
    case kInt:
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++count % 4 == 0) {
      for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(bits >> shift & 0xff);
      bits = 0;
    }
  }
  if (count % 4 == 1) return std::nullopt;
  if (count % 4 == 2) out += static_cast<char>(bits >> 4 & 0xff);
  if (count % 4 == 3) {
    out += static_cast<char>(bits >> 10 & 0xff);
    out += static_cast<char>(bits >> 2 & 0xff);
  }
  return out;
}

// %20 and the like in a relative address.
std::string decode_uri(std::string_view uri) {
  std::string out;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool escape =
        uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    out += escape ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (escape) i += 2;
  }
  return out;
}

uint32_t read_bits(std::string_view bytes, size_t at, size_t size) {
  uint32_t bits = 0;
  for (size_t i = 0; i < size; ++i)
    bits |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return bits;
}

}  // namespace

std::optional<size_t> to_count(const Json* json) {
  if (json == nullptr || !json->is_number()) return std::nullopt;
  const double n = json->number;
  if (!(n >= 0 && n < 4e9) || n != static_cast<double>(static_cast<size_t>(n))) return std::nullopt;
  return static_cast<size_t>(n);
}

Error GltfBuffers::wrong(const Json& place, std::string message, std::string accepted) const {
  return {.message = std::move(message),
          .file = name_,
          .line = place.place.line,
          .column = place.place.column,
          .accepted = std::move(accepted)};
}

const Json* GltfBuffers::find(const char* section, const Json* index) const {
  const Json* list = root_.find(section);
  const std::optional<size_t> at = to_count(index);
  return list && list->is_array() && at && *at < list->items.size() ? &list->items[*at] : nullptr;
}

Status GltfBuffers::load() {
  const Json* list = root_.find("buffers");
  for (size_t i = 0; list && list->is_array() && i < list->items.size(); ++i) {
    const Json& buffer = list->items[i];
    const Json* uri = buffer.find("uri");
    std::string_view bytes = binary_;
    if (uri && uri->is_string() && uri->string.starts_with("data:")) {
      const size_t comma = uri->string.find(";base64,");
      auto decoded = comma == std::string::npos
                         ? std::nullopt
                         : decode_base64(std::string_view(uri->string).substr(comma + 8));
      if (!decoded) return wrong(*uri, "a buffer within the file cannot be decoded", "base64");
      kept_.push_back(std::make_shared<const std::string>(std::move(*decoded)));
      bytes = *kept_.back();
    } else if (uri && uri->is_string()) {
      // beside the file that names it
      const size_t slash = name_.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : name_.substr(0, slash + 1);
      const std::string path = folder + decode_uri(uri->string);
      if (!read_)
        return wrong(*uri,
                     "the buffer '" + path + "' is a file of its own, which cannot be read here",
                     "a .glb file");
      Result<FileBytes> file = read_(path);
      if (!file) return file.error();
      kept_.push_back(*file);
      bytes = **file;
    }
    const std::optional<size_t> length = to_count(buffer.find("byteLength"));
    if (!length || *length > bytes.size())
      return wrong(buffer, "buffer " + std::to_string(i) + " is shorter than it claims to be",
                   std::to_string(bytes.size()) + " bytes");
    buffers_.push_back(bytes.substr(0, *length));
  }
  return Ok{};
}

Result<GltfBuffers::Span> GltfBuffers::find_span(const Json& accessor, const char* type,
                                                 size_t components) const {
  const Json* kind = accessor.find("type");
  const Json* component = accessor.find("componentType");
  const std::optional<size_t> count = to_count(accessor.find("count"));
  if (accessor.find("sparse") != nullptr)
    return wrong(accessor, "sparse accessors are not read", "the mesh written out");
  if (!count)
    return wrong(accessor, "the count of an accessor is none", "a whole number that fits a file");
  if (!kind || kind->string != type || !component)
    return wrong(accessor, std::string("an accessor is not of the type ") + type, type);
  const Json* view = find("bufferViews", accessor.find("bufferView"));
  if (!view) return wrong(accessor, "an accessor has no buffer view");
  const std::optional<size_t> buffer = to_count(view->find("buffer"));
  const std::optional<size_t> length = to_count(view->find("byteLength"));
  const size_t view_at = to_count(view->find("byteOffset")).value_or(0);
  const size_t at = to_count(accessor.find("byteOffset")).value_or(0);
  if (!buffer || *buffer >= buffers_.size() || !length || view_at > buffers_[*buffer].size() ||
      *length > buffers_[*buffer].size() - view_at || at > *length)
    return wrong(*view, "a buffer view lies outside its buffer");
  Span span;
  span.component = static_cast<int>(component->number);
  const size_t element = component_size(span.component) * components;
  span.stride = to_count(view->find("byteStride")).value_or(element);
  span.count = *count;
  span.bytes = buffers_[*buffer].substr(view_at + at, *length - at);
  if (element == 0 || span.stride < element || span.count == 0 || span.stride > 65536 ||
      span.count > span.bytes.size() ||
      span.stride * (span.count - 1) + element > span.bytes.size())
    return wrong(accessor, "an accessor reaches beyond its buffer view");
  return span;
}

Result<std::vector<Vec3>> GltfBuffers::points(const Json* accessor) const {
  if (!accessor) return wrong(root_, "a mesh names positions that are not there");
  const Result<Span> span = find_span(*accessor, "VEC3", 3);
  if (!span) return span.error();
  if (span->component != kFloat)
    return wrong(*accessor, "positions are packed (KHR_mesh_quantization)", "plain floats");
  std::vector<Vec3> out(span->count);
  for (size_t i = 0; i < out.size(); ++i) {
    for (size_t k = 0; k < 3; ++k)
      out[i][static_cast<int>(k)] = static_cast<double>(
          std::bit_cast<float>(read_bits(span->bytes, i * span->stride + 4 * k, 4)));
    if (!is_finite(out[i]))
      return wrong(*accessor, "position " + std::to_string(i) + " is not finite");
  }
  return out;
}

Result<std::vector<uint32_t>> GltfBuffers::indices(const Json* accessor) const {
  if (!accessor) return wrong(root_, "a mesh names indices that are not there");
  const Result<Span> span = find_span(*accessor, "SCALAR", 1);
  if (!span) return span.error();
  if (span->component != kByte && span->component != kShort && span->component != kInt)
    return wrong(*accessor, "indices are no whole numbers", "componentType 5121, 5123 or 5125");
  std::vector<uint32_t> out(span->count);
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = read_bits(span->bytes, i * span->stride, component_size(span->component));
  return out;
}

}  // namespace tenon::scene::detail
